import { expect, test } from "bun:test";
import { llmSettings } from "../../../test/support/models/llm.ts";
import { modelFor, priceOf } from "./meter.ts";

const haiku = "claude-haiku-4-5-20251001";

test.each([
  ["anthropic", {}, haiku],
  ["claude-cli", {}, haiku],
  ["gemini", {}, "gemini-3.5-flash-lite"],
  ["openrouter", {}, "anthropic/claude-haiku-4.5"],
  ["ollama", {}, "llama3.2"],
  ["ollama", { ollama: { endpoint: "http://x", model: "qwen3" } }, "qwen3"],
  ["gemini", { model: "gemini-x" }, "gemini-x"],
  ["ollama", { model: "general" }, "general"],
  ["anthropic", { session: { model: "own" }, model: "general" }, "own"],
  ["anthropic", { session: { model: "" } }, haiku],
] as const)("%s with %j is asked as %s", (provider, over, model) =>
  expect(modelFor(provider, llmSettings(over))).toBe(model),
);

test("what is known has its list price, what is not has none", () => {
  expect(priceOf(haiku, 1_000_000, 1_000_000)).toBe(6);
  expect(priceOf("claude-sonnet-4-6", 1_000, 100)).toBeCloseTo(0.0045);
  expect(priceOf("gemini-3.5-flash-lite", 1_000_000, 0)).toBe(0.3);
  expect(priceOf("gemini-3.5-flash", 1_000_000, 0)).toBeNull();
  expect(priceOf("some-model", 1, 1)).toBeNull();
});
