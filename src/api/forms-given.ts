/** Forms of what Claude was given, or would be, for a person to follow line by line. */
import { z } from "zod";
import { guardDecisions, injectionChannels } from "#domain";
import { each, type Form, is, list, maybe, number, text } from "./form.ts";
import { status } from "./forms-memory.ts";
import { feedback } from "./forms-session.ts";

const injectionHeadForm = z.strictObject({
  id: number,
  session_id: text,
  session_title: maybe(text),
  project: maybe(text),
  at: number,
  channel: z.enum(injectionChannels),
  cause: text,
  tokens: number,
  turn: maybe(number),
  /** The beginning of the prompt; null at a start, and where it is private or was deleted. */
  prompt: maybe(text),
  probability: maybe(number),
  threshold: maybe(number),
  /** The person's verdict on it. */
  feedback: maybe(feedback),
  /**
   * Was the memory fetched later in the same session, or shown by what the agent did next? Null in a list that is not
   * of one memory.
   */
  used: maybe(z.boolean()),
});
export type InjectionHeadJson = Form<typeof injectionHeadForm>;

export const injectionListForm = z.strictObject({
  items: list(injectionHeadForm),
  total: number,
  next_cursor: maybe(text),
});
export type InjectionListJson = Form<typeof injectionListForm>;

/** One candidate, or one line of a start. */
const consideredForm = z.strictObject({
  uri: text,
  /** Null when it is no longer there. */
  l0: maybe(text),
  /** Current status of the memory. */
  status: maybe(status),
  taken: z.boolean(),
  /** `near`, `seen`, `same`, `far`, `not-wanted`; at a start the heading that it stands under. */
  why: text,
  /** Words of the prompt that it has too. */
  words: list(text),
  /** The likelihood that the prompt needs it, 0 to 1; null at a start. */
  score: maybe(number),
  similarity: maybe(number),
  tokens: maybe(number),
});
export type ConsideredJson = Form<typeof consideredForm>;

/** A text with the reasons for each of its lines. */
const explainedForm = z.strictObject({
  text,
  tokens: number,
  /** The text, line by line, each with the memory that it tells, and how that stands now. */
  lines: list(
    z.strictObject({
      text,
      uri: maybe(text),
      pinned: z.boolean(),
      /** Null where the line tells no memory. */
      status: maybe(status),
    }),
  ),
  /** Null at a start, where nothing is weighed. */
  decision: maybe(
    z.strictObject({
      verdict: z.enum(["inject", "silence"]),
      cause: text,
      probability: number,
      threshold: number,
    }),
  ),
  considered: list(consideredForm),
});
export type ExplainedJson = Form<typeof explainedForm>;

export const injectionDetailForm = explainedForm.extend({
  injection: injectionHeadForm,
  prompt: maybe(text),
});
export type InjectionDetailJson = Form<typeof injectionDetailForm>;

/** Figures of one day, or any span. */
export const todayForm = z.strictObject({
  /** The busiest first; null = no project. */
  projects: list(
    z.strictObject({
      project: maybe(text),
      learnt: number,
      replaced: number,
      given: number,
      silent: number,
      tokens: number,
      /** Memories that wait for review now. */
      waiting: number,
    }),
  ),
});
export type TodayJson = Form<typeof todayForm>;

const openEndForm = z.strictObject({
  session_id: text,
  at: number,
  branch: maybe(text),
  title: text,
  done: text,
  open: list(text),
});
export type OpenEndJson = Form<typeof openEndForm>;

export const openForm = z.strictObject({
  paused: z.boolean(),
  until: maybe(number),
  /** At most 8: this branch first, then the latest. */
  items: list(openEndForm),
});
export type OpenJson = Form<typeof openForm>;

/** The context that a session would be given if it started now, and for a prompt typed in it. */
export const previewForm = z.strictObject({
  project: maybe(text),
  start: explainedForm,
  prompt: maybe(explainedForm),
});
export type PreviewJson = Form<typeof previewForm>;

// Forms of the worth of memory: whether it helped, and what to clear out.

const givenForm = z.strictObject({
  given: is(number, "memories given to sessions, each once a session and channel"),
  used: is(number, "of them: fetched later, or shown by what the agent did or said next"),
  contradicted: is(number, "of them: replaced by what the user said later in the session"),
  tokens: is(number, "what their lines cost"),
  tokens_unused: is(number, "of that: lines of memories that were not used"),
});

const itemForm = z.strictObject({
  uri: text,
  l0: text,
  project: maybe(text),
  given: number,
  used: number,
  contradicted: number,
  tokens: number,
});
export type WorthItemJson = Form<typeof itemForm>;

export const worthForm = z.strictObject({
  since: is(number, "from when on sessions are looked at"),
  sessions: is(number, "sessions that were given anything, the latest 300 at most"),
  start: givenForm,
  prompt: givenForm,
  tool: is(givenForm, "beside a tool: of a failure that it met, or a file that it opened first"),
  missed: is(number, "memories of earlier that a session fetched and had not been given"),
  judged: is(
    z.strictObject({ wrong: number, missing: number }),
    "injections that you called wrong or incomplete",
  ),
  undelivered: is(
    z.strictObject({ late: number, failed: number }),
    "answers that came after the hook had gone, and answers that could not be made; neither counts as given",
  ),
  /** At most 20 in each list. */
  costly: each(itemForm, "given three times or more, never used, the dearest first"),
  stale: each(itemForm, "not changed and not used for 180 days"),
});
export type WorthJson = Form<typeof worthForm>;

// Forms of guards: what the user forbade the agent, and what becomes of a command.

export const guardForm = z.strictObject({
  id: is(number, "number to approve or remove it by"),
  state: is(
    z.enum(["offered", "approved", "removed"]),
    "offered (does nothing yet), approved (acts) or removed",
  ),
  decision: is(z.enum(guardDecisions), "what the agent gets: ask (the user is asked) or deny"),
  tool: is(z.enum(["Bash", "any"]), "Bash (commands) or any (whatever writes files)"),
  checks: is(text, "what is looked for, in words"),
  words: is(text, "the user's own words, which are the reason that is given"),
  project: is(maybe(text), "project key, null = everywhere"),
  said: is(number, "times the user said it; 0 = added by hand"),
  created_at: is(number, "when it was first said"),
});
export type GuardJson = Form<typeof guardForm>;

export const guardListForm = z.strictObject({ items: list(guardForm) });
export type GuardListJson = Form<typeof guardListForm>;

export const guardTestForm = z.strictObject({
  guard: is(maybe(guardForm), "the guard that the command is against; null = none"),
});
export type GuardTestJson = Form<typeof guardTestForm>;
