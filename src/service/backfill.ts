/** Imported sessions that a model could read: what it would take, and the order to do it. */
import type { BackfillJson, BackfillQueuedJson } from "#api";
import { backfillState, questionsFor } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import type { Context } from "./context.ts";

export interface BackfillApi {
  readonly backfill: () => BackfillJson;
  /** Queues questions for a slice of time; `more`: ask again. */
  readonly startBackfill: () => Result<BackfillQueuedJson, ServiceError>;
}

/** Instructions, schema and what is known, in tokens; and a reply. */
const questionTokens = 2_000;
const replyTokens = 500;
/** A record is never longer. */
const recordTokensMax = 3_300;
const charsPerToken = 4;
/** As the slowest provider answers, most of the time. */
const secondsPerCall = 15;
/** Short, because hooks wait meanwhile. */
const sliceMs = 50;

export const createBackfillApi = (context: Context): BackfillApi => ({
  backfill: () => {
    const { provider, tokensPerDay } = context.models.language();
    const unread = context.store.imports.unread();
    const calls = unread.reduce((sum, { chars }) => sum + questionsFor(chars), 0);
    const tokens = unread.reduce(
      (sum, { chars }) =>
        sum + Math.min(recordTokensMax * questionsFor(chars), chars / charsPerToken),
      calls * (questionTokens + replyTokens),
    );
    const state = backfillState(context.store);
    return {
      provider,
      sessions: unread.length,
      tokens: Math.ceil(tokens / 1_000) * 1_000,
      minutes: Math.ceil((calls * secondsPerCall) / 60),
      tokens_per_day: tokensPerDay,
      left: state?.left ?? 0,
      total: state?.total ?? 0,
    };
  },
  startBackfill: () => {
    if (!context.writable) return err({ type: "service.read-only" });
    const done = context.work.backfill(sliceMs);
    context.work.wake();
    return ok({ queued: done?.queued ?? 0, more: done?.isOver === false });
  },
});
