import { describe, expect, test } from "bun:test";
import { defaultSettings, type LlmError, type LlmSettings, type ProviderName } from "#domain";
import { explainLlmError, llmPlaceOf } from "./errors.ts";

const settings: LlmSettings = {
  ...defaultSettings.llm,
  claudeCli: { path: "/opt/claude", apiKeyEnv: "", baseUrl: "" },
  anthropic: { apiKeyEnv: "", baseUrl: "https://anthropic.test" },
  gemini: { apiKeyEnv: "", baseUrl: "https://gemini.test" },
  openrouter: { apiKeyEnv: "", baseUrl: "http://127.0.0.1:4000/v1" },
  ollama: { endpoint: "http://127.0.0.1:11434", model: "llama3.2" },
};

const html = "200 with text/html, which is no answer of this API";
const errors: readonly LlmError[] = [
  { type: "llm.none", detail: "it does not exist" },
  { type: "llm.timeout", afterMs: 60_000 },
  { type: "llm.unauthorised", detail: "401 who are you?" },
  { type: "llm.rate-limited", retryAfterMs: null },
  { type: "llm.rate-limited", retryAfterMs: 6_750 },
  { type: "llm.unavailable", detail: "ConnectionRefused" },
  { type: "llm.unavailable", detail: html },
  { type: "llm.unavailable", detail: "503 overloaded" },
  { type: "llm.unavailable", detail: "stopped" },
  { type: "llm.refused", status: 404, detail: "404 no such model" },
  { type: "llm.refused", status: 200, detail: "the model declined (safety)" },
  { type: "llm.unreadable", detail: "word must be a string" },
  { type: "llm.budget", scope: "day", limit: 300_000 },
  { type: "llm.budget", scope: "session", limit: 60_000 },
  { type: "llm.breaker-open", untilMs: Date.parse("2026-03-01T12:00:00Z") },
];

const addresses: Readonly<Record<ProviderName, string>> = {
  none: "no model",
  "claude-cli": "/opt/claude",
  "codex-cli": "the codex client",
  "gemini-cli": "the gemini client",
  "opencode-cli": "the opencode client",
  "copilot-cli": "the copilot client",
  anthropic: "https://anthropic.test",
  gemini: "https://gemini.test",
  openrouter: "http://127.0.0.1:4000/v1",
  ollama: "http://127.0.0.1:11434",
};

/** The next step that a person can take: a setting, a key file, a command, or a time to wait for. */
const nextStep =
  /: (?:check|choose|raise|run|start|install|set|try again|it is tried again)\b.*?(?:llm\.|`|\/keys\/|later| in \d)/;

describe.each(Object.keys(addresses) as ProviderName[])("%s", (provider) => {
  const place = llmPlaceOf(provider, settings, "/home/nadia/.continuity");
  test.each(errors.map((error) => [error] as const))("%j names the next step", (error) => {
    const line = explainLlmError(error, place);
    expect(line).toMatch(nextStep);
    expect(line).not.toMatch(/undefined|null|\n/);
    if (error.type !== "llm.none" && error.type !== "llm.budget")
      expect(line).toContain(addresses[provider]);
    if ("detail" in error) expect(line).toContain(error.detail);
  });
});

test("the words of the common ones", () => {
  const at = (provider: ProviderName, error: LlmError): string =>
    explainLlmError(error, llmPlaceOf(provider, settings, "/home/nadia/.continuity"));
  expect(at("openrouter", { type: "llm.unavailable", detail: "ConnectionRefused" })).toBe(
    "nothing answers at http://127.0.0.1:4000/v1 (ConnectionRefused): start the server, or check " +
      "llm.openrouter.base_url",
  );
  expect(at("openrouter", { type: "llm.unavailable", detail: html })).toBe(
    `http://127.0.0.1:4000/v1 answered ${html}: check llm.openrouter.base_url, which usually ends in /v1`,
  );
  expect(at("anthropic", { type: "llm.unauthorised", detail: "401 bad" })).toBe(
    "https://anthropic.test denied access (401 bad): check the key in /home/nadia/.continuity/keys/anthropic",
  );
  expect(at("claude-cli", { type: "llm.none", detail: "there is no `claude` on the PATH" })).toBe(
    "there is no `claude` on the PATH: install Claude Code, or set llm.claude-cli.path",
  );
  expect(at("ollama", { type: "llm.refused", status: 404, detail: "404 not found" })).toBe(
    "http://127.0.0.1:11434 rejected the request (404 not found): check llm.ollama.model and llm.ollama.endpoint",
  );
});

test.each(["auto", "anthropic", "gemini", "openrouter", "ollama", "claude-cli"] as const)(
  "%s that cannot be had is given no second next step",
  (provider) => {
    const place = llmPlaceOf("none", { ...settings, provider }, "/home/nadia/.continuity");
    const detail = `${provider} is configured, but no key: put it into /k, mode 0600`;
    expect(explainLlmError({ type: "llm.none", detail }, place)).toBe(detail);
  },
);
