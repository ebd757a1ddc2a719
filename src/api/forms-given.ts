/** What Claude was given, or would be, in a form that a person can follow line by line. */
import { z } from "zod";
import { injectionChannels, memoryCategories } from "#domain";
import { type Form, list, maybe, number, text } from "./form.ts";
import { feedbackForm } from "./forms-session.ts";

/** An injection in a list. */
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
  /** What a person said of it. */
  feedback: maybe(feedbackForm),
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
  taken: z.boolean(),
  /** `near`, `seen`, `same`, `far`, `not-wanted`; at a start the heading that it stands under. */
  why: text,
  /** How likely it is what the prompt needs, 0 to 1; null at a start. */
  score: maybe(number),
  similarity: maybe(number),
  tokens: maybe(number),
});
export type ConsideredJson = Form<typeof consideredForm>;

/** A text with the reasons for each of its lines. */
const explainedForm = z.strictObject({
  text,
  tokens: number,
  /** The text, line by line, each with the memory that it tells. */
  lines: list(z.strictObject({ text, uri: maybe(text) })),
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
  /** The prompt whole. */
  prompt: maybe(text),
});
export type InjectionDetailJson = Form<typeof injectionDetailForm>;

const dayMemoryForm = z.strictObject({
  uri: text,
  l0: text,
  category: maybe(z.enum([...memoryCategories, "sessions"])),
  project: maybe(text),
});
export type DayMemoryJson = Form<typeof dayMemoryForm>;

/** One day, or any span: what was learnt and given, and what is left to do. */
export const todayForm = z.strictObject({
  /** The busiest first; null = no project. */
  projects: list(
    z.strictObject({
      project: maybe(text),
      learnt: number,
      replaced: number,
      given: number,
      silent: number,
      /** Tokens of models. */
      tokens: number,
      /** Memories that wait for review now. */
      waiting: number,
    }),
  ),
  /** The latest first; at most 30 of each. */
  learnt: list(dayMemoryForm),
  replaced: list(z.strictObject({ old: dayMemoryForm, now: dayMemoryForm })),
  given: list(injectionHeadForm),
  /** Next steps that the last session of each project left. */
  open: list(
    z.strictObject({
      session_id: text,
      title: maybe(text),
      project: maybe(text),
      at: number,
      next_steps: text,
    }),
  ),
});
/** What a session left open. */
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
  /** Is capture paused? */
  paused: z.boolean(),
  until: maybe(number),
  /** At most 8: this branch first, then the latest. */
  items: list(openEndForm),
});
export type OpenJson = Form<typeof openForm>;

export type TodayJson = Form<typeof todayForm>;

/** What a session that starts now would be given, and a prompt typed in it. */
export const previewForm = z.strictObject({
  project: maybe(text),
  start: explainedForm,
  /** Null without a prompt. */
  prompt: maybe(explainedForm),
});
export type PreviewJson = Form<typeof previewForm>;
