/** Forms of memories: lists, one whole, the tree, and what became of one that was kept or forgotten. */
import { z } from "zod";
import {
  categories,
  documentKinds,
  makers,
  nodeStatuses,
  nodeTypes,
  origins,
  relations,
  revisionActions,
} from "#domain";
import { each, type Form, is, list, maybe, named, number, text } from "./form.ts";

export const category = z.enum(categories);
export const status = z.enum(nodeStatuses);
export const origin = z.enum(origins);
export const relation = z.enum(relations);
export const action = z.enum(revisionActions);
export const documentKind = z.enum(documentKinds);
const maker = z.enum(makers);
const nodeType = z.enum(nodeTypes);

const statusMeaning = "active, pending, superseded or retracted";
export const tiersMeaning = "cost of each tier: l0, l1, l2";

export const tokensForm = z.strictObject({ l0: number, l1: number, l2: number });
export type TokenCosts = Form<typeof tokensForm>;

export const evidenceLineForm = z.strictObject({
  sessionId: text,
  turn: maybe(number),
  line: maybe(number),
  quote: text,
});

/** A memory (or a leaf of the archive) without its full content. */
export const memoryForm = z.strictObject({
  id: is(number, "number of the memory; tables show it as a short id such as #4k"),
  uri: is(text, "place in the memory tree"),
  category: is(
    maybe(category),
    "profile, preferences, entities, events, patterns, cases or sessions",
  ),
  project: is(maybe(text), "project key; null = everywhere"),
  branch: is(maybe(text), "branch it was learnt on, or null"),
  l0: is(text, "the memory in one line"),
  l1: is(maybe(text), "overview, or null"),
  importance: is(number, "1 to 5"),
  relevance: is(number, "0.1 to 1: weight in the ranking"),
  status: is(status, statusMeaning),
  origin: is(origin, "who said it: user, agent, tool, import or team"),
  author: is(maybe(text), "who of the team said it, or null"),
  maker: is(maker, "what made it: signal, stop, precompact, extract, manual or import"),
  pinned: is(z.boolean(), "true = never decays"),
  tags: is(list(text), "labels"),
  files: is(list(text), "files it is about"),
  evidence_count: is(number, "how often it was learnt"),
  access_count: is(number, "how often it was used"),
  last_access: is(maybe(number), "time of the last use, or null"),
  source_session: is(maybe(text), "session it came from, or null"),
  slot: is(maybe(text), "what it is about, as `subject · attribute`, or null"),
  expires_at: is(maybe(number), "time it expires, or null"),
  created_at: is(number, "time it was learnt"),
  updated_at: is(number, "time of the last change"),
});
export type MemoryJson = Form<typeof memoryForm>;

const linkForm = z.strictObject({
  relation,
  /** `to`: this memory points at `uri`; `from`: `uri` points at this memory. */
  direction: z.enum(["to", "from"]),
  uri: text,
  l0: text,
  status,
});
export type LinkJson = Form<typeof linkForm>;

const anchorForm = z.strictObject({
  path: text,
  symbol: maybe(text),
  state: z.enum(["fresh", "moved", "changed", "gone"]),
  commit: maybe(text),
  branch: maybe(text),
  moved_to: maybe(text),
});

/** A memory as `show` gives it: everything that is known of it. */
export const nodeForm = memoryForm.extend({
  /** Id of its latest revision: what `If-Match` is held against. */
  revision: is(number, "number of its last change"),
  node_type: is(nodeType, "dir or leaf"),
  /** At a session's start or with a prompt. */
  given_count: is(number, "how often it was sent in the last 90 days"),
  l2: is(maybe(text), "full text, or null"),
  aliases: is(list(text), "other words it is found by"),
  anchors: each(
    anchorForm,
    "path, symbol, state (fresh, moved, changed, gone), commit, branch and moved_to of the code it names",
  ),
  evidence: each(evidenceLineForm, "sessionId, turn, line and quote it was learnt from"),
  valid_from: is(maybe(number), "time it began to hold, or null"),
  valid_to: is(maybe(number), "time it ceased to hold, or null"),
  superseded_by: is(maybe(text), "what replaced it, or null"),
  values: each(
    z.strictObject({ uri: text, l0: text, status }),
    "values that replaced one another, the latest first; empty when there is no other",
  ),
  links: each(linkForm, "relation, direction (to, from), uri and l0"),
  tokens: is(tokensForm, tiersMeaning),
});
export type NodeJson = Form<typeof nodeForm>;

export const listedMemoryForm = memoryForm.extend({
  superseded_by: is(
    maybe(text),
    "what replaced it, or may have replaced it where both are active; or null",
  ),
});
export type ListedMemoryJson = Form<typeof listedMemoryForm>;

export const memoryPageForm = z.strictObject({
  items: list(listedMemoryForm),
  /** Memories that pass the filters, on all pages together. */
  total: number,
  /** Null = the last page; so in every list. */
  next_cursor: maybe(text),
  /** Names of the projects of these memories, by key. */
  project_names: named,
});
export type MemoryPageJson = Form<typeof memoryPageForm>;

export const treeEntryForm = z.strictObject({
  uri: is(text, "place in the memory tree"),
  node_type: is(nodeType, "dir or leaf"),
  l0: is(text, "what it is, in one line"),
  category: is(maybe(category), "category, or null"),
  project: is(maybe(text), "project key; null = everywhere"),
  status: is(status, statusMeaning),
  /** 0 for a leaf. */
  leaves: is(number, "memories below a directory"),
  tokens: is(tokensForm, tiersMeaning),
});
export type TreeEntryJson = Form<typeof treeEntryForm>;

export const treeForm = z.strictObject({
  uri: text,
  items: list(treeEntryForm),
  /** Entries on all pages together. */
  total: number,
  next_cursor: maybe(text),
});
export type TreeJson = Form<typeof treeForm>;

const nearForm = z.strictObject({ id: text, uri: text, l0: text });

export const rememberedForm = z.strictObject({
  /** The outcome. `known`: it was there already. */
  action: is(
    z.enum(["created", "superseded", "known", "waits"]),
    "created, superseded (an older one), known or waits (for review)",
  ),
  memory: memoryForm,
  reason: is(
    maybe(text),
    "why it waits for review, or why a quote does not make it the user's word",
  ),
  replaced: is(list(text), "URIs of what it replaced"),
  lost: is(list(nearForm), "parts of what it replaced that it does not say, for an agent"),
  near: is(list(nearForm), "memories that may say the same"),
  redactions: is(number, "how many secrets were replaced"),
  cut_characters: is(number, "characters cut off because the text was too long"),
});
export type RememberedJson = Form<typeof rememberedForm>;

export const endedForm = z.strictObject({
  ended: each(nearForm, "memories that ended; `undo` brings them back"),
  waiting: each(
    z.strictObject({ ...nearForm.shape, reason: text }),
    "memories whose end waits for review, with the reason",
  ),
  words: each(
    z.strictObject({ uri: text, word: text, held: number }),
    "rare words of what ended that records still hold",
  ),
});
export type EndedJson = Form<typeof endedForm>;

export const turnForgottenForm = z.strictObject({
  purged: is(z.boolean(), "false: another program reads the file, which is cleaned later"),
});
export type TurnForgottenJson = Form<typeof turnForgottenForm>;

const similarForm = z.strictObject({
  uri: text,
  /** `word`: every record that holds it, under the address of the word. */
  kind: z.enum([...documentKind.options, "word"]),
  l0: text,
});
export type SimilarJson = Form<typeof similarForm>;

export const forgottenForm = z.strictObject({
  forgotten: each(text, "URIs that are gone"),
  /** False: free pages of the file still hold traces until the next purge. */
  purged: is(
    z.boolean(),
    "false = another program was reading, so the file still contains traces until the next forget",
  ),
  redacted: is(number, "texts that were sent and stay on record without the deleted lines"),
  similar: each(
    similarForm,
    "uri, kind and l0 of near repeats that remain, and rare words that records hold (kind word)",
  ),
  notes: each(text, "note files of agents that still hold it"),
});
export type ForgottenJson = Form<typeof forgottenForm>;

export const profileForm = z.strictObject({
  /** `mem://user/profile/communication`. */
  communication: is(maybe(memoryForm), "how you like to work, a memory or null"),
  profile: each(memoryForm, "memories of who you are (fields as in `list`)"),
  preferences: each(memoryForm, "your choices (fields as in `list`)"),
});
export type ProfileJson = Form<typeof profileForm>;
