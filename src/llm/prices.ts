/**
 * List prices, for `stats --models`: what a call would cost by the token. Providers that name the cost of a call
 * themselves (OpenRouter, the Claude CLI) are believed instead. A model that is not here has no known price.
 */

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
