/**
 * Counts what one call has used so far: a stream says it piece by piece, and a call that breaks off
 * has cost something too. Where the provider does not count, the texts are counted here and the
 * usage is marked, so that a budget holds all the same.
 */
import {
  defaultSettings,
  isAgentCli,
  type JsonSchema,
  type LlmSettings,
  type LlmUsage,
  type Provider,
  type ProviderCall,
  type ProviderError,
} from "#domain";
import { type Clock, tokensOf } from "#kit";

/** As the provider counts; what is undefined is not said this time. */
interface Totals {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** The cost, when the provider says it; otherwise the list price is taken. */
  readonly costUsd?: number | null | undefined;
}

export type Meter = ReturnType<typeof createMeter>;

interface Asked {
  readonly system: string;
  readonly prompt: string;
  readonly schema: JsonSchema;
}

/** Characters / 4, as every budget here counts; the schema is sent as well. */
export const questionTokens = ({ system, prompt, schema }: Asked): number =>
  tokensOf(system) + tokensOf(prompt) + tokensOf(JSON.stringify(schema));

/** Starts counting now. `isFree`: a model on this machine. */
export function createMeter(clock: Clock, question: ProviderCall, isFree = false) {
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
    /** Later totals replace earlier ones. */
    count: ({ inputTokens, outputTokens, costUsd }: Totals): void =>
      void (seen = {
        inputTokens: inputTokens ?? seen?.inputTokens,
        outputTokens: outputTokens ?? seen?.outputTokens,
        costUsd: costUsd ?? seen?.costUsd,
      }),
    /** `said`: what was answered. */
    usage,
    /** The failure, with the usage when the provider said anything about it or anything was answered. */
    onto: (error: ProviderError, said = ""): ProviderError =>
      error.usage !== undefined || (seen === null && said === "")
        ? error
        : { ...error, usage: usage(said) },
  };
}

// The model that is asked, and what it costs. The only place that knows names of models.

/**
 * The models that stand in for Claude's names with the others: the same model where it is sold,
 * else the provider's own small one. Never the largest tier.
 */
const elsewhere: Readonly<Record<"gemini" | "openrouter", string>> = {
  gemini: "gemini-3.5-flash-lite",
  openrouter: "anthropic/claude-haiku-4.5",
};

/** The user's choice for sessions, else their choice for all work, else the provider's default. */
export function modelFor(provider: Provider["name"], settings: LlmSettings): string {
  const { model: own } = settings.session;
  const { model: usual } = defaultSettings.llm.session;
  if (own !== "" && own !== usual) return own;
  if (settings.model !== "") return settings.model;
  // The one that the client is set to.
  if (isAgentCli(provider)) return "";
  switch (provider) {
    case "claude-cli":
    case "anthropic":
      return usual;
    case "ollama":
      return settings.ollama.model;
    case "gemini":
    case "openrouter":
      return elsewhere[provider];
    default:
      return provider satisfies never;
  }
}

// List prices, for `stats --models`: what a call would cost by the token. Providers that name the cost of a call
// themselves (OpenRouter, the Claude CLI) are believed instead. A model that is not here has no known price.

/** US dollars per million tokens in and out, as published in October 2026. The first prefix that fits counts. */
const prices: readonly (readonly [prefix: string, input: number, output: number])[] = [
  ["claude-haiku-4-5", 1, 5],
  ["claude-sonnet-4", 3, 15],
  ["gemini-3.5-flash-lite", 0.3, 2.5],
  ["gemini-3.1-flash-lite", 0.25, 1.5],
  ["gemini-2.5-flash-lite", 0.1, 0.4],
  ["gemini-2.5-flash", 0.3, 2.5],
];

/** US dollars, or null. Cached input is counted at the full price: nothing here is sent twice. */
export function priceOf(model: string, inputTokens: number, outputTokens: number): number | null {
  const found = prices.find(([prefix]) => model.startsWith(prefix));
  if (found === undefined) return null;
  const [, input, output] = found;
  return (inputTokens * input + outputTokens * output) / 1_000_000;
}
