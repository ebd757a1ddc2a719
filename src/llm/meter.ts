/**
 * What one call has used so far: a stream says it piece by piece, and a call that breaks off has cost something too.
 * Where the provider does not count, the texts are counted here and the usage is marked, so that a budget holds all the
 * same.
 */
import type { LlmUsage, ProviderCall, ProviderError } from "#domain";
import { tokensOf, type Clock } from "#kit";
import { priceOf } from "./models.ts";

/** As the provider counts; what is undefined is not said this time. */
interface Totals {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** When the provider says it; otherwise the list price is taken. */
  readonly costUsd?: number | null | undefined;
}

/** What was sent. */
export type Question = Pick<ProviderCall, "model" | "prompt" | "schema" | "system">;

export interface Meter {
  /** Later totals replace earlier ones. */
  readonly count: (totals: Totals) => void;
  /** `said`: what was answered. */
  readonly usage: (said: string) => LlmUsage;
  /** The failure, with the usage when the provider said anything about it or anything was answered. */
  readonly onto: (error: ProviderError, said?: string) => ProviderError;
}

/** Characters / 4, as every budget here counts; the schema is sent as well. */
export const questionTokens = ({ system, prompt, schema }: Omit<Question, "model">): number =>
  tokensOf(system) + tokensOf(prompt) + tokensOf(JSON.stringify(schema));

/** Starts counting now. `isFree`: a model on this machine. */
export function createMeter(clock: Clock, question: Question, isFree = false): Meter {
  const startedAtMs = clock.nowMs();
  let seen: Totals | null = null;
  const usage = (said: string): LlmUsage => {
    const { model } = question;
    // None for a question that was answered is no count.
    const counted = (tokens: number | undefined): number | null =>
      tokens === undefined || (tokens === 0 && said !== "") ? null : tokens;
    const input = counted(seen?.inputTokens);
    const output = counted(seen?.outputTokens);
    const inputTokens = input ?? questionTokens(question);
    const outputTokens = output ?? tokensOf(said);
    return {
      model,
      inputTokens,
      outputTokens,
      isEstimate: input === null || output === null,
      costUsd: isFree ? 0 : (seen?.costUsd ?? priceOf(model, inputTokens, outputTokens)),
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
    onto: (error, said = "") =>
      error.usage !== undefined || (seen === null && said === "")
        ? error
        : { ...error, usage: usage(said) },
  };
}
