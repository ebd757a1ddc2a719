/** Servers that speak chat completions their own way: plain JSON for a stream, no usage, no reason to finish. */
import { expect, test } from "bun:test";
import { stoppedClock, tokensOf } from "#kit";
import { createLlm } from "./create-llm.ts";
import {
  keptLog,
  llmSettings,
  memoryLedger,
  noonMs,
  wordRequest,
} from "../../../test/support/models/llm.ts";
import { createOpenAi } from "./openai.ts";

const answering = (body: string, type: string) =>
  createOpenAi({
    baseUrl: "http://127.0.0.1:9/v1",
    key: null,
    fetch: async () => new Response(body, { headers: { "content-type": type } }),
    clock: stoppedClock(noonMs),
    closing: new AbortController().signal,
    close: () => undefined,
  });

const { system, prompt, schema } = wordRequest();
const question = { model: "m", system, prompt, schema, replyTokensMax: 100, timeoutMs: 5_000 };
const asked = tokensOf(system) + tokensOf(prompt) + tokensOf(JSON.stringify(schema));

const whole = (message: object, over: object = {}): string =>
  JSON.stringify({ id: "1", object: "chat.completion", choices: [{ index: 0, message }], ...over });
const chunks = (...pieces: readonly (object | string)[]): string =>
  pieces
    .map((piece) => `data: ${typeof piece === "string" ? piece : JSON.stringify(piece)}\n\n`)
    .join("");
const says = (content: string, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});

const word = '{"word": "hi"}';
const counted = { usage: { prompt_tokens: 31, completion_tokens: 4 } };

test("a server that answers a streamed call with plain JSON is understood, with its usage", async () => {
  const body = whole({ role: "assistant", content: word }, counted);
  const answered = await answering(body, "application/json; charset=utf-8").call(question);
  expect(answered).toMatchObject({
    ok: true,
    value: {
      reply: { word: "hi" },
      usage: { inputTokens: 31, outputTokens: 4, isEstimate: false },
    },
  });
});

test.each([
  [whole({ content: null, refusal: "I cannot" }), { type: "llm.refused", status: 200 }],
  [
    JSON.stringify({ choices: [{ message: { content: '{"wo' }, finish_reason: "length" }] }),
    { type: "llm.unreadable", detail: "the reply was cut off (length)" },
  ],
  [
    JSON.stringify({ error: { code: 401, message: "who are you?" } }),
    { type: "llm.unauthorised", detail: "401 who are you?" },
  ],
  [JSON.stringify({ choices: [] }), { type: "llm.unavailable" }],
  [JSON.stringify({ status: "ok" }), { type: "llm.unavailable" }],
  ["{", { type: "llm.unavailable" }],
  ["[]", { type: "llm.unavailable" }],
])("plain JSON %s is no answer", async (body, error) => {
  expect(await answering(body, "application/json").call(question)).toMatchObject({
    ok: false,
    error,
  });
});

test("`[DONE]` without a reason to finish is an end; a stream without either broke off", async () => {
  const stream = (...pieces: readonly (object | string)[]) =>
    answering(chunks(...pieces), "text/event-stream").call(question);
  expect(await stream(says(word), "[DONE]")).toMatchObject({
    ok: true,
    value: { reply: { word: "hi" } },
  });
  expect(await stream(says(word))).toMatchObject({
    ok: false,
    error: {
      type: "llm.unavailable",
      detail: "the stream broke off",
      usage: { inputTokens: asked, outputTokens: tokensOf(word), isEstimate: true },
    },
  });
});

test.each([
  ["none", {}],
  ["zeros", { usage: { prompt_tokens: 0, completion_tokens: 0 } }],
])("with %s for usage the tokens are estimated, and said to be", async (_name, usage) => {
  const stream = chunks(says(word, "stop"), { choices: [], ...usage }, "[DONE]");
  expect(await answering(stream, "text/event-stream").call(question)).toMatchObject({
    ok: true,
    value: {
      usage: { inputTokens: asked, outputTokens: tokensOf(word), isEstimate: true, costUsd: null },
    },
  });
});

test("the day's budget holds for a provider that does not count", async () => {
  const provider = answering(chunks(says(word, "stop"), "[DONE]"), "text/event-stream");
  const ledger = memoryLedger();
  const tokensPerDay = 3 * asked + 100;
  const llm = createLlm({
    provider: { ...provider, close: async () => undefined },
    reason: "test",
    ledger,
    settings: () => llmSettings({ tokensPerDay }),
    clock: stoppedClock(noonMs),
    log: keptLog(),
  });
  const outcomes: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    const answered = await llm.structured(wordRequest());
    outcomes.push(answered.ok ? "ok" : answered.error.type);
  }
  await llm.close();
  expect(outcomes).toEqual(["ok", "ok", "llm.budget", "llm.budget"]);
  expect(ledger.calls.every(({ isEstimate }) => isEstimate)).toBe(true);
});
