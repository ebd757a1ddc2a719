/** What one call has used so far: a stream says it piece by piece, and a call that breaks off has cost something too. */
import type { LlmUsage, ProviderError } from "#domain";
import type { Clock } from "#kit";
import { priceOf } from "./prices.ts";

/** As the provider counts; what is undefined is not said this time. */
interface Totals {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** When the provider says it; otherwise the list price is taken. */
  readonly costUsd?: number | null | undefined;
}

export interface Meter {
  /** Later totals replace earlier ones. */
  readonly count: (totals: Totals) => void;
  readonly usage: () => LlmUsage;
  /** The failure, with the usage when the provider said anything about it. */
  readonly onto: (error: ProviderError) => ProviderError;
}

/** Starts counting now. `isFree`: a model on this machine. */
export function createMeter(clock: Clock, model: string, isFree = false): Meter {
  const startedAtMs = clock.nowMs();
  let seen: Totals | null = null;
  const usage = (): LlmUsage => {
    const { inputTokens = 0, outputTokens = 0, costUsd } = seen ?? {};
    return {
      model,
      inputTokens,
      outputTokens,
      costUsd: isFree ? 0 : (costUsd ?? priceOf(model, inputTokens, outputTokens)),
      latencyMs: Math.max(0, clock.nowMs() - startedAtMs),
    };
  };
  return {
    count: ({ inputTokens, outputTokens, costUsd }) =>
      void (seen = {
        inputTokens: inputTokens ?? seen?.inputTokens,
        outputTokens: outputTokens ?? seen?.outputTokens,
        costUsd: costUsd ?? seen?.costUsd,
      }),
    usage,
    onto: (error) => (seen === null ? error : { ...error, usage: usage() }),
  };
}
