import { expect, test } from "bun:test";
import { msPerDay, stoppedClock } from "#kit";
import { claudeError, claudeResult } from "../../../test/support/fake-claude.ts";
import { readClaude } from "./claude-result.ts";
import { noonMs } from "../../../test/support/models/llm.ts";
import { createMeter } from "./meter.ts";

const question = {
  model: "small",
  system: "You give one word.",
  prompt: "Which?",
  schema: {},
  replyTokensMax: 100,
  timeoutMs: 1_000,
};

const read = (stdout: string, over: { stderr?: string; status?: number | null } = {}) =>
  readClaude(
    { stdout, stderr: "", status: 0, ...over },
    { meter: createMeter(stoppedClock(noonMs), question), secret: "the-key", nowMs: noonMs },
  );

const usage = {
  model: "small",
  inputTokens: 100,
  outputTokens: 20,
  isEstimate: false,
  costUsd: 0.0002,
  latencyMs: 0,
};

test("the structured output is the answer, with all that was used, caches included", () => {
  expect(read(claudeResult({ structured_output: { word: "hi" }, result: "ignored" }))).toEqual({
    ok: true,
    value: { reply: { word: "hi" }, usage },
  });
});

test("what is printed around the result is left out, fields that are missing or new do no harm", () => {
  const bare = '{"type":"result","is_error":false,"structured_output":{"word":"hi"},"new":[1]}';
  expect(read(`warning: x\n{"type":"other"}\n${bare}\n\nbye\n`)).toMatchObject({
    ok: true,
    value: { reply: { word: "hi" }, usage: { isEstimate: true, costUsd: null } },
  });
  const older = '{"input_tokens": 7, "cache_read_input_tokens": 3, "output_tokens": 2}';
  expect(read(bare.replace('"new"', `"usage":${older},"new"`))).toMatchObject({
    ok: true,
    value: { usage: { inputTokens: 10, outputTokens: 2 } },
  });
});

test.each([
  ["an error with an answer in it", claudeResult({ is_error: true, structured_output: { a: 1 } })],
  ["an answer that is a list", claudeResult({ structured_output: [1] })],
  ["an answer that is a text", claudeResult({ structured_output: '{"a": 1}' })],
  ["an answer in words", claudeResult({ result: '{"word": "hi"}' })],
  ["JSON of something else", '{"structured_output": {"word": "hi"}}'],
])("%s is no answer", (_, stdout) => expect(read(stdout)).toMatchObject({ ok: false }));

test.each([
  [401, "llm.unauthorised"],
  [403, "llm.unauthorised"],
  [404, "llm.refused"],
  [429, "llm.rate-limited"],
  [500, "llm.unavailable"],
  [529, "llm.unavailable"],
] as const)("status %d is %s, whatever the words", (status, type) =>
  expect(read(claudeError(status, "words"), { status: 1 })).toMatchObject({
    error: { type, usage: { inputTokens: 0 } },
  }),
);

test.each([
  ["Not logged in · Please run /login", "llm.unauthorised"],
  ["Invalid API key · Fix external API key", "llm.unauthorised"],
  ["OAuth token has expired", "llm.unauthorised"],
  ["You've hit your session limit · resets 3pm", "llm.rate-limited"],
  ["Claude AI usage limit reached|1772370000", "llm.rate-limited"],
  ["5-hour limit reached ∙ resets 7pm", "llm.rate-limited"],
  ["API Error: Overloaded", "llm.unavailable"],
  ["API Error: Connection error.", "llm.unavailable"],
  ["Something new", "llm.unavailable"],
])("the words %j of an error are %s", (text, type) => {
  expect(read(claudeError(null, text), { status: 1 })).toMatchObject({ error: { type } });
  // Some clients print them bare, and some of those to stderr.
  if (text !== "Something new") {
    expect(read(text, { status: 1 })).toMatchObject({ error: { type } });
    expect(read("", { stderr: text, status: 1 })).toMatchObject({ error: { type } });
    expect(read(text)).toMatchObject({ error: { type } });
    expect(read(claudeResult({ result: text }))).toMatchObject({ error: { type } });
  }
});

test("a model that talks about limits and logins has not hit one", () => {
  const result = `The service had a usage limit and asked for /login. ${"More prose. ".repeat(40)}`;
  expect(read(claudeResult({ result }))).toMatchObject({ error: { type: "llm.unreadable" } });
});

test.each([
  [noonMs / 1_000 + 60, 60_000],
  [noonMs / 1_000 - 60, 0],
  [9_999_999_999, msPerDay],
])("a limit until %d says how long to wait", (seconds, retryAfterMs) =>
  expect(read(claudeError(429, `usage limit reached|${seconds}`))).toMatchObject({
    error: { type: "llm.rate-limited", retryAfterMs },
  }),
);

test("a client that died, is too old or says nothing is named as such, without the key", () => {
  expect(read("", { status: null })).toMatchObject({
    error: { type: "llm.unavailable", detail: "claude was killed:" },
  });
  expect(read("", { status: 1, stderr: "unknown option '--json-schema' the-key" })).toMatchObject({
    error: {
      type: "llm.unavailable",
      detail: "claude ended with status 1: unknown option '--json-schema' [key]",
    },
  });
  expect(read("")).toMatchObject({ error: { type: "llm.unreadable" } });
});
