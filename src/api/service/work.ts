/** Background work: what waits, what failed, what models cost, and whether one answers. */
import { backfillState, type Job, questionsFor } from "#domain";
import { err, msPerDay, offsetsOf, ok, type Result } from "#kit";
import type {
  BackfillJson,
  BackfillQueuedJson,
  ConsolidationJson,
  JobJson,
  JobsChangedJson,
  JobsJson,
  TrialJson,
  UsageJson,
  UsageLineJson,
} from "../forms-work.ts";
import { explainLlmError, type ServiceError } from "./errors.ts";
import { budgetOf } from "./worth.ts";
import type { Body, Context } from "./context.ts";

/** Jobs listed of each kind; more are in `counts`. */
const jobsMax = 500;
const usageDays = 30;

export const jobs = ({ store }: Context): JobsJson => ({
  counts: store.jobs.counts(),
  parked: store.jobs.parked(jobsMax).map(jobJson),
  open: store.jobs.open(jobsMax).map(jobJson),
});

/** Queues parked jobs again, and makes due what was put off; `ids` null = all of them. */
export const retryJobs = (context: Context, ids: readonly number[] | null) =>
  change(context, ids, (id) => context.store.jobs.retry(id, context.clock.nowMs()));

/** Gives parked jobs up for good; `ids` null = all of them. */
export const dropJobs = (context: Context, ids: readonly number[] | null) =>
  change(context, ids, context.store.jobs.drop);

function change(
  context: Context,
  ids: readonly number[] | null,
  apply: (id: number) => boolean,
): Result<JobsChangedJson, ServiceError> {
  const { jobs: table } = context.store;
  const chosen = ids ?? [...table.parked(jobsMax), ...table.open(jobsMax)].map(({ id }) => id);
  const changed = context.store.transaction(() => chosen.filter(apply).length);
  context.work.wake();
  return ok({ changed });
}

const jobJson = (job: Job): JobJson => ({
  id: job.id,
  key: job.key,
  kind: job.kind,
  session_id: job.sessionId,
  state: job.state,
  attempt: job.attempt,
  run_after: job.runAfterMs,
  created_at: job.createdAt,
  reason: job.reason,
});

/** Changes of clocks that are known; before that the days are an hour off at most. */
const zoneMs = 3 * 366 * msPerDay;

/** Model calls by day, purpose and model; `sinceMs` null = the last 30 days. */
export function usage(
  context: Context,
  sinceMs: number | null,
  zone: string | null = null,
): UsageJson {
  const { clock, store } = context;
  const nowMs = clock.nowMs();
  const since = sinceMs ?? nowMs - usageDays * msPerDay;
  const offsets = offsetsOf(Math.max(since, nowMs - zoneMs), nowMs, zone);
  const items = store.ledger.usage(since, offsets).map((line) => ({
    day: line.day,
    purpose: line.purpose,
    model: line.model,
    calls: line.calls,
    failed: line.failed,
    estimated: line.estimated,
    tokens_in: line.inputTokens,
    tokens_out: line.outputTokens,
    cost_usd: line.costUsd,
  }));
  return {
    since,
    items,
    total: totalOf(items),
    budget: budgetOf(context),
  };
}

function totalOf(lines: readonly UsageLineJson[]): UsageJson["total"] {
  const sum = (of: (line: UsageLineJson) => number): number =>
    lines.reduce((total, line) => total + of(line), 0);
  const isPriced = lines.some(({ cost_usd: cost }) => cost !== null);
  return {
    calls: sum(({ calls }) => calls),
    failed: sum(({ failed }) => failed),
    estimated: sum(({ estimated }) => estimated),
    tokens_in: sum(({ tokens_in: tokens }) => tokens),
    tokens_out: sum(({ tokens_out: tokens }) => tokens),
    cost_usd: isPriced ? sum(({ cost_usd: cost }) => cost ?? 0) : null,
  };
}

const unused = {
  model: null,
  latencyMs: null,
  inputTokens: 0,
  outputTokens: 0,
  isEstimate: false,
  costUsd: null,
};

/** One real question to the model that is chosen. */
export async function tryModel({ models, work }: Context): Promise<TrialJson> {
  const answered = await work.tryModel();
  const { provider, place } = models.language();
  const used = answered.ok ? answered.value : { ...unused, provider };
  return {
    purpose: "session",
    error: answered.ok ? null : explainLlmError(answered.error, place),
    provider: used.provider,
    model: used.model,
    latency_ms: used.latencyMs,
    tokens_in: used.inputTokens,
    tokens_out: used.outputTokens,
    estimated: used.isEstimate,
    cost_usd: used.costUsd,
  };
}

// Consolidation by hand: what would be made one, or is. A slice at a time; the caller comes back for the next.

/** Short, because hooks wait meanwhile. */
const sliceMs = 50;

/** Looks at memories for about 50 ms. With `apply`, each change is a revision that can be taken back. */
export function consolidate(
  { work }: Context,
  { apply, after }: Body<"POST /api/consolidate">,
): Result<ConsolidationJson, ServiceError> {
  const slice = work.consolidate({ apply, afterId: after, sliceMs });
  if (slice === null) return err({ type: "service.read-only" });
  const items = slice.changes.map(({ type, keep: { uri, l0 }, parts }) => ({
    type,
    uri,
    l0,
    parts: parts.map((part) => ({ uri: part.uri, l0: part.l0 })),
  }));
  return ok({ items, looked: slice.looked, next: slice.nextId });
}

// Imported sessions that a model could read: what it would take, and the order to do it.

/** Instructions, schema and what is known, in tokens; and a reply. */
const questionTokens = 2_000;
const replyTokens = 500;
/** A record is never longer. */
const recordTokensMax = 3_300;
const charsPerToken = 4;
/** As the slowest provider answers, most of the time. */
const secondsPerCall = 15;

/** Queues questions for a slice of time; `more`: ask again. */
export function startBackfill({ work }: Context): Result<BackfillQueuedJson, ServiceError> {
  const done = work.backfill(sliceMs);
  work.wake();
  return ok({ queued: done?.queued ?? 0, more: done?.isOver === false });
}

/** Lets what is under way come to its end; the other sessions can be read later. */
export function stopBackfill(context: Context): Result<BackfillJson, ServiceError> {
  context.store.jobs.dropBackfill();
  return ok(backfill(context));
}

export function backfill(context: Context): BackfillJson {
  const { store, models } = context;
  const { provider, tokensPerDay } = models.language();
  const unread = store.imports.unread();
  const calls = unread.reduce((sum, { chars }) => sum + questionsFor(chars), 0);
  const tokens = unread.reduce(
    (sum, { chars }) =>
      sum + Math.min(recordTokensMax * questionsFor(chars), chars / charsPerToken),
    calls * (questionTokens + replyTokens),
  );
  const state = backfillState(store);
  const spent = state === null ? [] : store.ledger.usage(state.sinceMs);
  const costs = spent.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    provider,
    sessions: unread.length,
    tokens: Math.ceil(tokens / 1_000) * 1_000,
    minutes: Math.ceil((calls * secondsPerCall) / 60),
    tokens_per_day: tokensPerDay,
    left: state?.left ?? 0,
    total: state?.total ?? 0,
    tokens_spent: spent.reduce((sum, line) => sum + line.inputTokens + line.outputTokens, 0),
    cost_usd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}
