/** Forms of background work: jobs, what models cost, and work that is done by hand, a slice at a time. */
import { z } from "zod";
import { counts, each, type Form, is, list, maybe, number, promising, text } from "./form.ts";

export const budgetForm = z.strictObject({
  /** In and out, of this day. */
  tokens_today: number,
  tokens_per_day: number,
});
export type BudgetJson = Form<typeof budgetForm>;

const jobForm = z.strictObject({
  id: number,
  key: text,
  kind: text,
  session_id: maybe(text),
  state: z.enum(["queued", "leased", "done", "skipped"]),
  /** The attempt that runs, or the last one that ran. */
  attempt: number,
  run_after: number,
  created_at: number,
  /** The reason why it failed or waits, or null. */
  reason: maybe(text),
});
export type JobJson = Form<typeof jobForm>;

export const jobsForm = z.strictObject({
  counts: is(counts, "queued, leased, done, skipped (list)"),
  /** Parked after three failures, the latest first. */
  parked: each(
    jobForm,
    "id, key, kind, session_id, state, attempt, run_after, created_at, reason (list)",
  ),
  /** The oldest first. */
  open: each(jobForm, "the same, for pending and running jobs (list)"),
});
export type JobsJson = Form<typeof jobsForm>;

export const jobsChangedForm = z.strictObject({
  changed: is(number, "how many were retried or dropped (retry, drop)"),
});
export type JobsChangedJson = Form<typeof jobsChangedForm>;

const spent = {
  calls: number,
  /** Calls of these that brought nothing. */
  failed: number,
  /** Calls of these whose tokens are an estimate: the provider did not count them. */
  estimated: number,
  tokens_in: number,
  tokens_out: number,
  /** US dollars; null = no price is known. */
  cost_usd: maybe(number),
};

const usageLineForm = z.strictObject({
  /** UTC, `YYYY-MM-DD`. */
  day: text,
  purpose: text,
  model: text,
  ...spent,
});
export type UsageLineJson = Form<typeof usageLineForm>;

export const usageForm = z.strictObject({
  since: is(number, "time from which calls are counted"),
  /** The newest day first. */
  items: each(
    usageLineForm,
    "day, purpose, model, calls, failed, estimated (calls whose provider did not count), tokens_in, tokens_out, " +
      "cost_usd (null = no price is known)",
  ),
  total: is(z.strictObject(spent), "calls, failed, estimated, tokens_in, tokens_out, cost_usd"),
  budget: is(budgetForm, "tokens_today and tokens_per_day"),
});
export type UsageJson = Form<typeof usageForm>;

export const trialForm = z.strictObject({
  purpose: is(text, "what was asked for"),
  error: is(maybe(text), "what went wrong, or null"),
  provider: is(text, "who answered"),
  model: is(maybe(text), "name of the model, or null"),
  latency_ms: is(maybe(number), "milliseconds, or null"),
  tokens_in: is(number, "tokens of the question"),
  tokens_out: is(number, "tokens of the answer"),
  estimated: is(z.boolean(), "true when the provider did not count the tokens"),
  cost_usd: is(maybe(number), "US dollars; null = no price is known"),
});
export type TrialJson = Form<typeof trialForm>;

export const consolidationForm = promising(["looked", "next"], {
  looked: is(number, "how many memories were checked"),
  items: each(
    z.strictObject({
      type: z.literal("merge"),
      /** The memory that stays. */
      uri: text,
      l0: text,
      /** The memories that are put away. */
      parts: list(z.strictObject({ uri: text, l0: text })),
    }),
    "type (merge), uri (the memory that is kept), l0, parts[] (uri, l0: its sources)",
  ),
  /** The cursor of the next slice; null = everything has been looked at. */
  next: maybe(number),
});
export type ConsolidationJson = Form<typeof consolidationForm>;

export const backfillForm = z.strictObject({
  provider: is(text, "who would read them; none = no model"),
  sessions: is(number, "imported sessions that no model was asked about"),
  tokens: is(number, "about so many, in and out"),
  minutes: is(number, "about so many, without waiting for the next day's budget"),
  tokens_per_day: is(number, "the day's budget"),
  left: is(number, "sessions that wait to be read"),
  total: is(number, "sessions of this run"),
  tokens_spent: is(number, "tokens of all questions since the run began"),
  cost_usd: is(maybe(number), "what they cost; null = no price is known"),
});
export type BackfillJson = Form<typeof backfillForm>;

export const backfillQueuedForm = z.strictObject({
  /** Sessions that wait to be read now. */
  queued: number,
  /** There are more: ask again. */
  more: z.boolean(),
});
export type BackfillQueuedJson = Form<typeof backfillQueuedForm>;

const projectFactsForm = z.strictObject({
  key: text,
  name: text,
  /** Active ones. */
  memories: number,
  sessions: number,
  last_at: maybe(number),
});

/** The one that was touched last comes first. */
export const projectsForm = z.strictObject({ items: list(projectFactsForm) });
export type ProjectsJson = Form<typeof projectsForm>;

export const projectForm = projectFactsForm.extend({
  /** Folders that its sessions ran in, the latest first. */
  folders: list(z.strictObject({ folder: text, sessions: number })),
});
export type ProjectJson = Form<typeof projectForm>;

export const placeForm = promising(["project", "root", "trusted"], {
  project: is(text, "key of the project"),
  root: is(text, "top folder of the working tree"),
  trusted: is(z.boolean(), "true"),
});
export type PlaceJson = Form<typeof placeForm>;
