/** Tests what is particular to one API: what it is asked for, and what it answers that no other does. */
import { expect, test } from "bun:test";
import type { ProviderCall } from "#domain";
import { stoppedClock } from "#kit";
import {
  anthropicEvents,
  startProvider,
  testKey,
  type Turn,
} from "../../../test/support/provider-servers.ts";
import { createAnthropic } from "./anthropic.ts";
import { createGemini } from "./gemini.ts";
import type { HttpContext } from "./http.ts";
import type { Access } from "./key.ts";
import { noonMs, wordRequest } from "../../../test/support/models/llm.ts";
import { createOllama } from "./choose.ts";
import { createOpenAi } from "./openai.ts";

const { system, prompt, schema } = wordRequest();
const call = (over: Partial<ProviderCall> = {}): ProviderCall => ({
  model: "claude-haiku-4-5-20251001",
  system,
  prompt,
  schema,
  replyTokensMax: 100,
  timeoutMs: 5_000,
  ...over,
});

const depsWith = (
  fetch: HttpContext["fetch"],
  closing = new AbortController().signal,
): HttpContext => ({
  fetch,
  clock: stoppedClock(noonMs),
  closing,
});
const accessAt = (http: HttpContext, baseUrl: string, key: string | null): Access => ({
  ...http,
  baseUrl,
  key,
  close: () => undefined,
});
const real = depsWith(async (url, init) => fetch(url, init));

/** Answers every request with the same, and keeps what was sent. */
function recorder(body: string, type = "text/event-stream") {
  const sent: { url: string; body: Readonly<Record<string, unknown>>; init: RequestInit }[] = [];
  const deps = depsWith(async (url, init) => {
    sent.push({
      url,
      init,
      body: JSON.parse(typeof init.body === "string" ? init.body : "{}") as Record<string, unknown>,
    });
    return new Response(body, { headers: { "content-type": type } });
  });
  return { deps, sent };
}

const anthropicSays = (text: string, block: "text" | "tool"): string =>
  anthropicEvents(text, "done", block).join("");

test.each([
  ["claude-haiku-4-5-20251001", true],
  ["claude-sonnet-4-6", true],
  ["claude-sonnet-5-5", true],
  ["claude-sonnet-4-20250514", false],
  ["claude-3-haiku-20240307", false],
  ["some-model-behind-a-gateway", false],
])(
  "Anthropic: %s decodes by schema: %p; who does not is made to call a tool",
  async (model, decodes) => {
    const { deps, sent } = recorder(anthropicSays('{"word": "hi"}', decodes ? "text" : "tool"));
    const provider = createAnthropic(accessAt(deps, "https://a.test", "k"));
    expect(await provider.call(call({ model }))).toMatchObject({
      ok: true,
      value: { reply: { word: "hi" }, usage: { inputTokens: 100, outputTokens: 20 } },
    });
    const [{ url, body }] = sent as [(typeof sent)[number]];
    expect(url).toBe("https://a.test/v1/messages");
    expect(body).toMatchObject({ model, max_tokens: 100, stream: true, system });
    expect(body["messages"]).toEqual([{ role: "user", content: prompt }]);
    if (decodes)
      expect(body["output_config"]).toEqual({
        format: {
          type: "json_schema",
          schema: { ...schema, properties: { word: { type: "string" } } },
        },
      });
    else
      expect(body).toMatchObject({
        tools: [{ name: "answer", input_schema: schema }],
        tool_choice: { type: "tool", name: "answer" },
      });
    expect("output_config" in body).toBe(decodes);
  },
);

test("Anthropic: a call that breaks off still counts what it had used", async () => {
  const whole = anthropicEvents('{"word": "hi"}', "done", "text");
  const { deps } = recorder(whole.slice(0, 4).join(""));
  const provider = createAnthropic(accessAt(deps, "https://a.test", "k"));
  expect(await provider.call(call())).toEqual({
    ok: false,
    error: {
      type: "llm.unavailable",
      detail: "the stream broke off",
      usage: {
        model: "claude-haiku-4-5-20251001",
        inputTokens: 100,
        outputTokens: 1,
        isEstimate: false,
        costUsd: 0.000105,
        latencyMs: 0,
      },
    },
  });
});

test("Anthropic: a timeout in the midst of a stream counts too, and the connection is let go", async () => {
  const server = await startProvider("anthropic", [{ stall: '{"word": "a long one"}' }]);
  const provider = createAnthropic(accessAt(real, server.url, testKey));
  expect(await provider.call(call({ timeoutMs: 200 }))).toMatchObject({
    ok: false,
    error: { type: "llm.timeout", usage: { inputTokens: 100, outputTokens: 1 } },
  });
  while (server.abandoned() === 0) await Bun.sleep(5);
  await server.stop();
});

test.each([
  ["overloaded_error", "llm.unavailable"],
  ["rate_limit_error", "llm.rate-limited"],
  ["authentication_error", "llm.unauthorised"],
  ["invalid_request_error", "llm.refused"],
  ["brand_new_error", "llm.unavailable"],
])("Anthropic: %s in the stream is %s", async (type, expected) => {
  const error = `event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message: "k says no" } })}\n\n`;
  const { deps } = recorder(anthropicEvents("{", "done", "text").slice(0, 3).join("") + error);
  const answered = await createAnthropic(accessAt(deps, "https://a.test", "k")).call(call());
  expect(answered).toMatchObject({
    ok: false,
    error: { type: expected, usage: { inputTokens: 100 } },
  });
  expect(JSON.stringify(answered)).not.toContain("k says");
});

const chunks = (...fields: readonly object[]): string =>
  fields.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");
const word = { choices: [{ delta: { content: '{"word": "hi"}' }, finish_reason: "stop" }] };

test("OpenRouter: the schema must be honoured, and the cost it names is believed", async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 2, cost: 0.5 };
  const { deps, sent } = recorder(chunks(word, { choices: [], usage }));
  const provider = createOpenAi(accessAt(deps, "https://openrouter.ai/api/v1", "k"));
  expect(await provider.call(call({ model: "anthropic/claude-haiku-4.5" }))).toMatchObject({
    ok: true,
    value: { usage: { inputTokens: 10, outputTokens: 2, isEstimate: false, costUsd: 0.5 } },
  });
  expect(sent[0]?.url).toBe("https://openrouter.ai/api/v1/chat/completions");
  expect(sent[0]?.body).toMatchObject({
    provider: { require_parameters: true },
    usage: { include: true },
    max_tokens: 100,
    response_format: { json_schema: { strict: true } },
  });
  await provider.probe();
  expect(sent[1]?.url).toBe("https://openrouter.ai/api/v1/key");
});

test("others that speak chat completions get nothing that only OpenRouter knows, and no header without a key", async () => {
  const { deps, sent } = recorder(chunks(word));
  const provider = createOpenAi(accessAt(deps, "http://gpu-box:8000/v1", null));
  expect(await provider.call(call())).toMatchObject({ ok: true });
  const [{ body, init }] = sent as [(typeof sent)[number]];
  expect(body).not.toHaveProperty("provider");
  expect(body).not.toHaveProperty("usage");
  expect(Object.keys(init.headers ?? {})).toEqual(["content-type"]);
});

test("OpenAI itself takes the limit under its new name", async () => {
  const { deps, sent } = recorder(chunks(word));
  await createOpenAi(accessAt(deps, "https://api.openai.com/v1", "k")).call(call());
  expect(sent[0]?.body).toMatchObject({ max_completion_tokens: 100 });
  expect(sent[0]?.body).not.toHaveProperty("max_tokens");
});

test.each([
  [{ error: { code: 429, message: "slow down" } }, "llm.rate-limited"],
  [{ error: { code: "server_is_overloaded", message: "m" } }, "llm.unavailable"],
  [{ error: "something broke" }, "llm.unavailable"],
  [{ choices: [{ delta: { refusal: "I can't." }, finish_reason: "stop" }] }, "llm.refused"],
])("chat completions: %j in the stream is %s", async (piece, type) => {
  const { deps } = recorder(chunks({ choices: [{ delta: { content: "{" } }] }, piece));
  const provider = createOpenAi(accessAt(deps, "https://o.test", "k"));
  expect(await provider.call(call())).toMatchObject({ ok: false, error: { type } });
});

test.each([
  ["gemini-3.5-flash-lite", { thinkingLevel: "minimal" }],
  ["gemini-2.5-flash-lite", { thinkingBudget: 0 }],
  ["gemini-3.1-pro-preview", undefined],
])("Gemini: %s thinks %j", async (model, thinkingConfig) => {
  const reply = {
    candidates: [{ content: { parts: [{ text: '{"word": "hi"}' }] }, finishReason: "STOP" }],
  };
  const { deps, sent } = recorder(JSON.stringify(reply), "application/json");
  const provider = createGemini(accessAt(deps, "https://g.test", "k"));
  expect(await provider.call(call({ model: `models/${model}` }))).toMatchObject({ ok: true });
  const [{ url, body }] = sent as [(typeof sent)[number]];
  expect(url).toBe(`https://g.test/v1beta/models/${model}:generateContent`);
  expect((body["generationConfig"] as Record<string, unknown>)["thinkingConfig"]).toEqual(
    thinkingConfig,
  );
});

test("Gemini: thoughts are not the answer, and a blocked prompt is a refusal", async () => {
  const parts = [{ text: "Let me think {", thought: true }, { text: '{"word": "hi"}' }];
  const thinking = recorder(
    JSON.stringify({ candidates: [{ content: { parts }, finishReason: "STOP" }] }),
    "application/json",
  );
  expect(
    await createGemini(accessAt(thinking.deps, "https://g.test", "k")).call(call()),
  ).toMatchObject({
    ok: true,
    value: { reply: { word: "hi" } },
  });
  const blocked = recorder('{"promptFeedback": {"blockReason": "SAFETY"}}', "application/json");
  expect(await createGemini(accessAt(blocked.deps, "https://g.test", "k")).call(call())).toEqual({
    ok: false,
    error: { type: "llm.refused", status: 200, detail: "the model declined (SAFETY)" },
  });
});

test.each([
  [100, 4_096],
  [16_000, 8_192],
  [60_000, 32_768],
  [1_000_000, 32_768],
])(
  "Ollama: a prompt of %d characters gets a context of %d tokens, so that it is not cut in silence",
  async (chars, context) => {
    const server = await startProvider("ollama", [{ say: '{"word": "hi"}' }]);
    const provider = createOllama(accessAt(real, server.url, null), "llama3.2");
    expect(
      await provider.call(call({ model: "llama3.2", prompt: "x".repeat(chars) })),
    ).toMatchObject({
      ok: true,
      value: { usage: { costUsd: 0 } },
    });
    expect(server.requests[0]?.body["options"]).toMatchObject({
      num_ctx: context,
      num_predict: 100,
    });
    await server.stop();
  },
);

test("Ollama: a probe looks for the model", async () => {
  const server = await startProvider("ollama", []);
  const probe = async (model: string) =>
    createOllama(accessAt(real, server.url, null), model).probe();
  expect(await probe("llama3.2")).toMatchObject({ usable: true });
  expect(await probe("qwen3")).toEqual({
    usable: false,
    reason: `Ollama at ${server.url} has no model qwen3; run \`ollama pull qwen3\``,
  });
  await server.stop();
  expect(await probe("llama3.2")).toEqual({
    usable: false,
    reason: `no Ollama answers at ${server.url}`,
  });
});

test("a redirect is not followed: it would carry the key somewhere else", async () => {
  const elsewhere = await startProvider("ollama", []);
  const server = Bun.serve({
    port: 0,
    fetch: () => Response.redirect(`${elsewhere.url}/v1/messages`, 307),
  });
  const provider = createAnthropic(accessAt(real, `http://127.0.0.1:${server.port}`, "k"));
  expect(await provider.call(call())).toMatchObject({
    ok: false,
    error: { type: "llm.refused", status: 307 },
  });
  expect([...elsewhere.requests, ...elsewhere.others]).toEqual([]);
  await server.stop(true);
  await elsewhere.stop();
});

test("closing ends what is under way", async () => {
  const server = await startProvider("gemini", [{ hang: true }]);
  const closing = new AbortController();
  const deps = depsWith(async (url, init) => fetch(url, init), closing.signal);
  const called = createGemini(accessAt(deps, server.url, testKey)).call(call());
  while (server.requests.length === 0) await Bun.sleep(5);
  closing.abort();
  expect(await called).toEqual({
    ok: false,
    error: { type: "llm.unavailable", detail: "stopped" },
  });
  await server.stop();
});

test("a reply without end is not read to its end", async () => {
  const turn: Turn = { say: `{"word": "${"x".repeat(5_000_000)}"}` };
  const server = await startProvider("ollama", [turn]);
  const provider = createOllama(accessAt(real, server.url, null), "m");
  expect(await provider.call(call())).toMatchObject({
    ok: false,
    error: { type: "llm.unavailable" },
  });
  await server.stop();
});

test("probes of keys name the address and what it said", async () => {
  const server = await startProvider("anthropic", []);
  const probe = async (key: string) => createAnthropic(accessAt(real, server.url, key)).probe();
  expect(await probe(testKey)).toEqual({ usable: true, reason: `${server.url} accepts the key` });
  expect(await probe("wrong")).toEqual({
    usable: false,
    reason: `${server.url}: 401 authentication_error: scripted`,
  });
  await server.stop();
});
