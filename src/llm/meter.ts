/** What one call has used so far: a stream says it piece by piece, and a call that breaks off has cost something too. */
import type { LlmUsage, ProviderError } from "#domain";
import type { Clock } from "#kit";
import { priceOf } from "./prices.ts";

export interface Meter {
  /** Totals so far, as the provider counts; later ones replace earlier ones. */
  readonly count: (totals: {
    readonly inputTokens?: number | undefined;
    readonly outputTokens?: number | undefined;
    /** When the provider says it; otherwise the list price is taken. */
    readonly costUsd?: number | null | undefined;
    /** The model that answered, where it differs from the one asked for. */
    readonly model?: string | undefined;
  }) => void;
  readonly usage: () => LlmUsage;
  /** The failure, with the usage when the provider said anything about it. */
  readonly onto: (error: ProviderError) => ProviderError;
}

/** Starts counting now. `isFree`: a model on this machine. */
export function createMeter(clock: Clock, model: string, isFree = false): Meter {
  const startedAtMs = clock.nowMs();
  let seen: {
    readonly [Key in keyof Parameters<Meter["count"]>[0]]: Parameters<Meter["count"]>[0][Key];
  } = {};
  let isCounted = false;
  const usage = (): LlmUsage => {
    const inputTokens = seen.inputTokens ?? 0;
    const outputTokens = seen.outputTokens ?? 0;
    const answered = seen.model ?? model;
    return {
      model: answered,
      inputTokens,
      outputTokens,
      costUsd: isFree ? 0 : (seen.costUsd ?? priceOf(answered, inputTokens, outputTokens)),
      latencyMs: Math.max(0, clock.nowMs() - startedAtMs),
    };
  };
  return {
    count: (totals) => {
      isCounted = true;
      seen = {
        ...seen,
        ...Object.fromEntries(Object.entries(totals).filter(([, value]) => value !== undefined)),
      };
    },
    usage,
    onto: (error) => (isCounted ? { ...error, usage: usage() } : error),
  };
}
