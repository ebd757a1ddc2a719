import { expect, test } from "bun:test";
import type { LlmError, LlmSettings, Provider } from "#domain";
import { err, msPerSecond, stoppedClock } from "#kit";
import { createLlm } from "./create-llm.ts";
import {
  keptLog,
  llmSettings,
  memoryLedger,
  noonMs,
  saying,
  scriptedProvider,
  usageOf,
  wordRequest,
} from "../../../test/support/models/llm.ts";

function open(provider: Provider | null, over: Partial<LlmSettings> = {}) {
  const ledger = memoryLedger();
  const clock = stoppedClock(noonMs);
  const log = keptLog();
  let settings = llmSettings(over);
  const llm = createLlm({
    provider,
    reason: provider === null ? "nobody was chosen" : "scripted",
    ledger,
    clock,
    log,
    settings: () => settings,
  });
  const change = (changes: Partial<LlmSettings>): void =>
    void (settings = { ...settings, ...changes });
  const outcomes = () => ledger.calls.map(({ outcome }) => outcome);
  return { llm, ledger, clock, log, change, outcomes };
}

const garbage: Awaited<ReturnType<Provider["call"]>> = err({
  type: "llm.unreadable",
  detail: "there is no JSON in the reply",
  usage: usageOf(),
});
const down: LlmError = { type: "llm.unavailable", detail: "500" };

test("an answer comes with its usage, and its line stands in the ledger", async () => {
  const { llm, ledger } = open(scriptedProvider(saying("hi", { costUsd: 0.01, latencyMs: 7 })));
  const usage = usageOf({ costUsd: 0.01, latencyMs: 7 });
  expect(await llm.structured(wordRequest())).toEqual({
    ok: true,
    value: { value: { word: "hi" }, usage },
  });
  expect(ledger.calls).toEqual([
    {
      ...usage,
      atMs: noonMs,
      purpose: "session",
      provider: "anthropic",
      sessionId: "s",
      outcome: "ok",
    },
  ]);
  expect(llm.status()).toEqual({ provider: "anthropic", reason: "scripted" });
});

test("without a provider nothing is asked, and the reason is told", async () => {
  const { llm, ledger } = open(null);
  const error = { type: "llm.none", detail: "nobody was chosen" } as const;
  expect(await llm.structured(wordRequest())).toEqual({ ok: false, error });
  expect(llm.status()).toEqual({ provider: "none", reason: "nobody was chosen" });
  expect(ledger.calls).toEqual([]);
  await llm.close();
});

test("a provider gets the transport's part of a request, with the model and the time that are set", async () => {
  const provider = scriptedProvider(saying("a"), saying("b"));
  const { llm, change } = open(provider);
  const { system, prompt, schema } = wordRequest();
  await llm.structured(wordRequest());
  change({ timeoutSeconds: 7, session: { model: "tiny" } });
  await llm.structured(wordRequest());
  const common = { system, prompt, schema, replyTokensMax: 100, timeoutMs: 5_000 };
  expect(provider.calls).toEqual([
    { ...common, model: "claude-haiku-4-5-20251001" },
    { ...common, model: "tiny", timeoutMs: 7_000 },
  ]);
});

test("an unreadable reply is asked for once more, with our words about it and nothing that was replied", async () => {
  const provider = scriptedProvider(garbage, saying("second"));
  const { llm, outcomes } = open(provider);
  expect(await llm.structured(wordRequest())).toMatchObject({ ok: true });
  const [first, second] = provider.calls;
  expect(second?.prompt).toBe(
    `${first?.prompt}\n\nThe last reply could not be used: there is no JSON in the reply. Reply again, with ` +
      "nothing but a JSON object that fits the schema.",
  );
  expect(outcomes()).toEqual(["llm.unreadable", "ok"]);
});

test("twice unreadable is an error, and there is no third time", async () => {
  const provider = scriptedProvider(garbage, garbage);
  const { llm } = open(provider);
  expect(await llm.structured(wordRequest())).toMatchObject({
    ok: false,
    error: { type: "llm.unreadable" },
  });
  expect(provider.calls).toHaveLength(2);
});

test.each<LlmError>([
  { type: "llm.timeout", afterMs: 1 },
  { type: "llm.unauthorised", detail: "401" },
  { type: "llm.rate-limited", retryAfterMs: null },
  down,
  { type: "llm.refused", status: 404, detail: "404" },
])("$type is not asked again", async (error) => {
  const provider = scriptedProvider(err(error));
  const { llm } = open(provider);
  expect(await llm.structured(wordRequest())).toEqual({ ok: false, error });
  expect(provider.calls).toHaveLength(1);
});

test("a call that would exceed the budget is not made and leaves no line", async () => {
  const provider = scriptedProvider(saying("hi"), saying("ho"));
  const { llm, ledger } = open(provider, { tokensPerDay: 300 });
  expect(await llm.structured(wordRequest())).toMatchObject({ ok: true });
  expect(await llm.structured(wordRequest())).toMatchObject({ ok: true });
  // 240 are used; 100 for a reply alone are too many.
  expect(await llm.structured(wordRequest())).toEqual({
    ok: false,
    error: { type: "llm.budget", scope: "day", limit: 300 },
  });
  expect(ledger.calls).toHaveLength(2);
});

test("the second try counts in the budget like the first", async () => {
  const provider = scriptedProvider(garbage);
  const { llm, outcomes } = open(provider, { tokensPerSession: 230 });
  expect(await llm.structured(wordRequest())).toMatchObject({
    ok: false,
    error: { type: "llm.budget", scope: "session" },
  });
  expect(outcomes()).toEqual(["llm.unreadable"]);
});

test("reservations of calls side by side hold, and are given back when they end", async () => {
  const held = Promise.withResolvers<void>();
  const slow = async () => {
    await held.promise;
    return saying("slow", { inputTokens: 1, outputTokens: 1 });
  };
  const { llm } = open(scriptedProvider(slow, saying("after")), { tokensPerDay: 250 });
  const first = llm.structured(wordRequest());
  expect(await llm.structured(wordRequest())).toMatchObject({ error: { type: "llm.budget" } });
  held.resolve();
  await first;
  expect(await llm.structured(wordRequest())).toMatchObject({ ok: true });
});

test.each([
  ["llm.timeout", { type: "llm.timeout", afterMs: 1 }, true],
  ["llm.unavailable", down, false],
  ["llm.rate-limited", { type: "llm.rate-limited", retryAfterMs: null }, false],
] as const)("%s without usage counts what may have been used", async (_, error, isCounted) => {
  const { llm, ledger } = open(scriptedProvider(err(error)));
  await llm.structured(wordRequest());
  const [call] = ledger.calls;
  expect((call?.inputTokens ?? 0) > 0).toBe(isCounted);
  expect(call).toMatchObject({
    outputTokens: 0,
    costUsd: null,
    model: "claude-haiku-4-5-20251001",
  });
});

test("a failure with usage counts what the provider says", async () => {
  const usage = usageOf({ inputTokens: 33, outputTokens: 4 });
  const { llm, ledger } = open(scriptedProvider(err({ ...down, usage })));
  expect(await llm.structured(wordRequest())).toEqual({ ok: false, error: down });
  expect(ledger.calls[0]).toMatchObject({ inputTokens: 33, outputTokens: 4 });
});

test("after three failures in a row nothing is asked, until one may try", async () => {
  const provider = scriptedProvider(
    err(down),
    err(down),
    err(down),
    saying("back"),
    saying("again"),
  );
  const { llm, clock, log } = open(provider);
  for (let n = 0; n < 3; n += 1) await llm.structured(wordRequest());
  const untilMs = noonMs + 30 * msPerSecond;
  expect(await llm.structured(wordRequest())).toEqual({
    ok: false,
    error: { type: "llm.breaker-open", untilMs },
  });
  expect(provider.calls).toHaveLength(3);
  expect(log.lines.at(-1)).toContain("llm.breaker-open");
  clock.advance(30 * msPerSecond);
  expect(await llm.structured(wordRequest())).toMatchObject({ ok: true });
  expect(await llm.structured(wordRequest())).toMatchObject({ ok: true });
});

test("why there is no answer is known while it is so: after three failures, and at once where a key is not taken", async () => {
  const badKey: LlmError = { type: "llm.unauthorised", detail: "401" };
  const provider = scriptedProvider(err(badKey), saying("hi"), err(down), err(down), err(down));
  const { llm } = open(provider);
  const failures: unknown[] = [llm.failure()];
  for (let n = 0; n < 6; n += 1) {
    await llm.structured(wordRequest());
    failures.push(llm.failure());
  }
  expect(failures).toEqual([null, badKey, null, null, null, down, down]);
});

test("an unreadable request is one failure, however often it was tried", async () => {
  const provider = scriptedProvider(garbage, garbage, garbage, garbage, garbage, saying("third"));
  const { llm } = open(provider);
  await llm.structured(wordRequest());
  await llm.structured(wordRequest());
  expect(await llm.structured(wordRequest())).toMatchObject({ ok: true });
  expect(llm.failure()).toBeNull();
});

test("who stands in line when the breaker opens is not asked any more", async () => {
  const held = Promise.withResolvers<void>();
  const limited = async () => {
    await held.promise;
    return err({ type: "llm.rate-limited", retryAfterMs: 60_000 } as const);
  };
  const provider = scriptedProvider(limited);
  const { llm } = open({ ...provider, name: "claude-cli" });
  const all = [1, 2, 3].map(async () => llm.structured(wordRequest()));
  held.resolve();
  const types = (await Promise.all(all)).map((one) => (one.ok ? "ok" : one.error.type));
  expect(types).toEqual(["llm.rate-limited", "llm.breaker-open", "llm.breaker-open"]);
  expect(provider.calls).toHaveLength(1);
});

test.each([
  ["anthropic", 2],
  ["claude-cli", 1],
] as const)("%s has at most %d calls under way", async (name, most) => {
  let running = 0;
  let peak = 0;
  const slow = async () => {
    running += 1;
    peak = Math.max(peak, running);
    for (let n = 0; n < 5; n += 1) await Promise.resolve();
    running -= 1;
    return saying("x");
  };
  const { llm } = open({ ...scriptedProvider(...Array.from({ length: 8 }, () => slow)), name });
  await Promise.all(Array.from({ length: 8 }, async () => llm.structured(wordRequest())));
  expect(peak).toBe(most);
});

test("a provider that throws is a bug that is not hidden, and gives back slot and reservation", async () => {
  const broken = () => Promise.reject(new Error("script ran out"));
  const { llm } = open(scriptedProvider(broken, saying("hi")), { tokensPerDay: 150 });
  expect(llm.structured(wordRequest())).rejects.toThrow("script ran out");
  await llm.close();
  expect(await llm.structured(wordRequest())).toMatchObject({ ok: true });
});

test("close closes the provider and waits for who is still in there", async () => {
  const provider = scriptedProvider(saying("x"));
  const { llm } = open(provider);
  const asked = llm.structured(wordRequest());
  await llm.close();
  expect(provider.closed()).toBe(true);
  expect(await asked).toMatchObject({ ok: true });
});

test("neither prompt nor reply reaches the log", async () => {
  const { llm, log } = open(scriptedProvider(garbage, saying("quetzal")));
  await llm.structured(wordRequest());
  expect(log.lines).toHaveLength(2);
  expect(log.lines.join()).not.toMatch(/quetzal|Sure/);
});

test("a session of fifty turns costs the sum of its calls and nothing that grows", async () => {
  const sizes: number[] = [];
  const provider: Provider = {
    ...scriptedProvider(),
    call: async ({ prompt }) => {
      sizes.push(prompt.length);
      return saying("x");
    },
  };
  const { llm, ledger } = open(provider);
  for (let n = 0; n < 50; n += 1) await llm.structured(wordRequest());
  expect(new Set(sizes).size).toBe(1);
  expect(ledger.tokensSince(0, "s")).toBe(50 * 120);
});
