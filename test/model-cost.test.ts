/**
 * Tests the cost of a model as conversations grow: linear, each turn once, within the limits, never
 * more at once than set.
 */
import { expect, test } from "bun:test";
import { defaultSettings, type Llm, type LlmSettings, type Settings } from "#domain";
import { spentBudget } from "#daemon";
import { playSessions, type LongSession } from "./support/long-sessions.ts";
import { nothingToSay } from "./support/scripted-llm.ts";
import { llmOver, scriptedProvider, type ScriptedProvider } from "./support/scripted-provider.ts";
import { openTestWorker } from "./support/worker.ts";

const ample = { tokensPerDay: 100_000_000, tokensPerSession: 100_000_000 };

const settingsWith = (llm: Partial<LlmSettings>): Settings => ({
  ...defaultSettings,
  llm: { ...defaultSettings.llm, ...llm },
});

const quiet = (): ScriptedProvider => scriptedProvider((purpose) => nothingToSay[purpose]);

function openWith(provider: ScriptedProvider, limits: Partial<LlmSettings>) {
  const settings = settingsWith(limits);
  let llm: Llm | null = null;
  const app = openTestWorker({ settings, llmNow: () => llm });
  llm = llmOver(provider, {
    ledger: app.store.ledger,
    settings: () => settings.llm,
    clock: app.clock,
  });
  return app;
}

const session = (id: string, turns: number, toolsPerTurn = 2): LongSession => ({
  id,
  turns,
  toolsPerTurn,
});

test("a session costs at most four calls of bounded size, however long it is; every turn is sent once", async () => {
  const provider = quiet();
  using app = openWith(provider, ample);
  const sessions = [4, 16, 24, 48, 72].map((turns) => session(`s-${turns}`, turns));
  await playSessions(app, sessions);
  const tokens = sessions.map(({ id }) => app.store.ledger.tokensSince(0, id));
  const calls = provider.asked.length;
  expect(new Set(provider.asked.map(({ purpose }) => purpose))).toEqual(new Set(["session"]));
  expect(tokens[0]).toBeLessThan(2_500);
  for (const each of tokens) expect(each).toBeLessThanOrEqual(4 * 6_000);
  expect(tokens.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(calls * 6_000);
  const labels = provider.asked.flatMap(({ prompt }) => prompt.match(/^\[\d+\]/gm) ?? []);
  // Turn 70 exists in one session only, turn 4 in all five.
  expect(labels.filter((label) => label === "[70]").length).toBe(1);
  expect(labels.filter((label) => label === "[4]").length).toBe(5);
});

test("questions about sessions come one after the other", async () => {
  const provider = quiet();
  using app = openWith(provider, ample);
  await playSessions(
    app,
    Array.from({ length: 6 }, (_, at) => session(`s-${at}`, 11)),
  );
  expect(provider.peak()).toBe(1);
});

test("five hundred tool calls cost at most three times as much as a hundred and seventy", async () => {
  const tokensWith = async (toolsPerTurn: number): Promise<number> => {
    using app = openWith(quiet(), ample);
    await playSessions(app, [session("s", 17, toolsPerTurn)]);
    return app.store.ledger.tokensSince(0, "s");
  };
  expect(await tokensWith(30)).toBeLessThanOrEqual(3 * (await tokensWith(10)));
});

test("at the limit no further call is made, it is said once, and work goes on locally", async () => {
  const provider = quiet();
  using app = openWith(provider, { ...ample, tokensPerDay: 10_000 });
  using local = openTestWorker();
  const sessions = [session("s-1", 30), session("s-2", 30)];
  await playSessions(app, sessions);
  await playSessions(local, sessions);
  expect(app.store.ledger.tokensSince(0, null)).toBeLessThanOrEqual(10_000);
  // A part of the first session and the second session wait for the next day.
  expect(app.store.jobs.counts()).toMatchObject({ queued: 2, leased: 0, skipped: 0 });
  expect(spentBudget(app.store, app.clock.nowMs())).toBe("day");
  // Words said after the limit are remembered as without a model.
  const late = (from: typeof app): readonly string[] =>
    from
      .memories()
      .filter(({ evidence }) => evidence.some(({ turn }) => (turn ?? 0) >= 24))
      .map(({ l0 }) => l0);
  expect(late(app)).toEqual(late(local));
  expect(late(app).length).toBeGreaterThan(0);
});
