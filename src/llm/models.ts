/** The model that is asked, and what it costs. The only place that knows names of models. */
import { defaultSettings, isAgentCli, type LlmSettings, type Provider } from "#domain";

/**
 * What stands in for Claude's names with the others: the same model where it is sold, else the provider's own small
 * one. Never the largest tier.
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
