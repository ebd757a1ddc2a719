import { expect, test } from "bun:test";
import { llmSettings } from "./llm.fixtures.ts";
import { modelFor } from "./models.ts";
import { priceOf } from "./prices.ts";

const haiku = "claude-haiku-4-5-20251001";

test.each([
  ["anthropic", "session", {}, haiku],
  ["anthropic", "evaluate", {}, haiku],
  ["claude-cli", "relational", {}, haiku],
  ["gemini", "observe", {}, "gemini-3.5-flash-lite"],
  ["openrouter", "summary", {}, "anthropic/claude-haiku-4.5"],
  ["ollama", "session", {}, "llama3.2"],
  ["ollama", "session", { ollama: { endpoint: "http://x", model: "qwen3" } }, "qwen3"],
  ["gemini", "session", { model: "gemini-x" }, "gemini-x"],
  ["ollama", "session", { model: "general" }, "general"],
  ["anthropic", "observe", { session: { model: "own" }, model: "general" }, "own"],
  ["anthropic", "relational", { session: { model: "own" }, model: "general" }, "general"],
  ["anthropic", "search", { search: { model: "" } }, haiku],
] as const)("%s asks for %s with %j: %s", (provider, purpose, over, model) =>
  expect(modelFor(provider, purpose, llmSettings(over))).toBe(model),
);

test("what is known has its list price, what is not has none", () => {
  expect(priceOf(haiku, 1_000_000, 1_000_000)).toBe(6);
  expect(priceOf("claude-sonnet-4-6", 1_000, 100)).toBeCloseTo(0.0045);
  expect(priceOf("gemini-3.5-flash-lite", 1_000_000, 0)).toBe(0.3);
  expect(priceOf("gemini-3.5-flash", 1_000_000, 0)).toBeNull();
  expect(priceOf("some-model", 1, 1)).toBeNull();
});
