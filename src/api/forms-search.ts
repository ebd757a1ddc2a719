/** Forms of search, timeline and live feed. */
import { z } from "zod";
import { activityKinds, momentKinds } from "#domain";
import { type Form, is, list, maybe, named, number, promising, text } from "./form.ts";
import {
  category,
  documentKind,
  origin,
  status,
  tiersMeaning,
  tokensForm,
} from "./forms-memory.ts";

/** The reasons for a result's rank (Explanation of #domain). */
const explanationForm = promising(["via"], {
  lexicalRank: maybe(number),
  lexical: number,
  similarity: maybe(number),
  fused: number,
  nudges: z.record(text, number),
  /**
   * `query`: matched the whole query; `clause`: a part of it; `sibling`, `link`: hangs beside a good hit;
   * `elsewhere`: of another project, exact or clearly better than the best of this one.
   * To other programs a word, because more may come.
   */
  via: text as z.ZodType<"query" | "clause" | "sibling" | "link" | "elsewhere">,
});
export type ExplanationJson = Form<typeof explanationForm>;

const foundForm = z.strictObject({
  id: is(maybe(number), "number of the memory or exchange; null for other records"),
  uri: is(text, "place in the memory tree"),
  kind: is(
    documentKind,
    "memory, exchange, moment (the rest of the archive), prompt or checkpoint",
  ),
  category: is(maybe(category), "category, or null"),
  origin: is(maybe(origin), "user, agent, tool, import or team; null for what is no memory"),
  author: is(maybe(text), "who of the team said it, or null"),
  project: is(maybe(text), "project key, or null"),
  l0: is(text, "the result in one line"),
  l1: is(z.exactOptional(maybe(text)), "overview (formats overview and full)"),
  l2: is(z.exactOptional(maybe(text)), "full text (format full)"),
  score: is(number, "higher is better"),
  at: is(number, "time it is about"),
  status: is(maybe(status), "active, pending, superseded or retracted; null for records"),
  superseded_by: is(
    maybe(text),
    "what replaced it, or may have replaced it where both are active; or null",
  ),
  tokens: is(tokensForm, tiersMeaning),
  explanation: is(explanationForm, "lexicalRank, lexical, similarity, fused, nudges, via"),
});
export type FoundJson = Form<typeof foundForm>;

export const searchForm = z.strictObject({
  query: is(text, "what was asked"),
  mode: is(z.enum(["find", "search"]), "find or search"),
  format: is(z.enum(["index", "overview", "full"]), "index, overview or full"),
  clauses: is(list(text), "the parts the question was split into"),
  /** At most three, fewer when one changed nothing. */
  rounds: is(number, "extra rounds of search with words from the first results"),
  projects: is(
    maybe(list(text)),
    "project keys that were searched first, besides global memories; null = all",
  ),
  project_names: is(named, "names of the projects of these results, by key"),
  results: list(foundForm),
  tokens: is(number, "tokens of the text in this answer"),
});
export type SearchJson = Form<typeof searchForm>;

// As the API's description lists them.
const [firstMoment, secondMoment, ...otherMoments] = momentKinds;

export const timelineItemForm = z.strictObject({
  kind: is(
    z.enum([firstMoment, ...otherMoments, secondMoment]),
    "prompt, answer, memory, moment (the archive), checkpoint or injection",
  ),
  at: is(number, "when"),
  session_id: is(maybe(text), "session, or null"),
  turn: is(maybe(number), "turn of the session, or null"),
  project: is(maybe(text), "project key, or null"),
  /** Set for leaves. */
  uri: is(maybe(text), "place in the memory tree, or null"),
  status: is(maybe(status), "of a memory: active, or superseded by a newer value; or null"),
  title: is(text, "one line"),
  text: is(maybe(text), "more of it, at most 2,000 characters, or null"),
});
export type TimelineItemJson = Form<typeof timelineItemForm>;

export const timelineForm = z.strictObject({
  /** The moment in the middle. */
  around: number,
  /** Oldest first. */
  items: list(timelineItemForm),
  earlier: maybe(text),
  later: maybe(text),
});
export type TimelineJson = Form<typeof timelineForm>;

/** There is more of a kind of records than before. */
export const feedForm = z.strictObject({ kind: z.enum(activityKinds) });

/** The outcome of a turn that was fed by hand or by another agent. */
export const fedTurnForm = z.strictObject({
  session_id: text,
  /** Its number in the session; null when nothing was kept: paused, excluded, or private as a whole. */
  turn: maybe(number),
  /** False when it was known already. */
  fresh: z.boolean(),
});
export type FedTurnJson = Form<typeof fedTurnForm>;
