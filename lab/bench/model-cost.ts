/**
 * Measures the cost of a model over 2,000 turns: tokens by session, calls at once, memory; then the same with the
 * default budget.
 *
 *   bun lab/bench/model-cost.ts [--turns 2000]
 *
 * A scripted provider under the product's own budget, breaker, slots and ledger. Status 1 when a target is missed.
 */
import { defaultSettings, type Llm, type LlmSettings } from "#domain";
import { correlation, playSessions, type LongSession } from "../../test/support/long-sessions.ts";
import { nothingToSay } from "../../test/support/scripted-llm.ts";
import { llmOver, scriptedProvider } from "../../test/support/scripted-provider.ts";
import { openTestWorker } from "../../test/support/worker.ts";

const wanted = Number(process.argv[process.argv.indexOf("--turns") + 1] || 2_000) || 2_000;
/** Shares of the turns that sessions of different length have. */
const shares = [1, 2, 4, 6, 8, 12, 15, 22, 30];
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const sessions: readonly LongSession[] = shares.map((share) => {
  const turns = Math.round((wanted * share) / sum(shares));
  return { id: `s-${turns}`, turns, toolsPerTurn: 3 };
});

/** docs/design/extraction.md, "One reading a session": the most that the four parts of a long session cost. */
const sessionTokensMax = 4 * 6_000;

async function run(name: string, limits: Partial<LlmSettings>): Promise<{ ok: boolean }> {
  const settings = { ...defaultSettings, llm: { ...defaultSettings.llm, ...limits } };
  const provider = scriptedProvider((purpose) => nothingToSay[purpose], { forgets: true });
  let llm: Llm | null = null;
  using app = openTestWorker({ settings, llmNow: () => llm });
  llm = llmOver(provider, {
    ledger: app.store.ledger,
    settings: () => settings.llm,
    clock: app.clock,
  });
  const heap: number[] = [];
  const rss: number[] = [];
  const startedMs = performance.now();
  await playSessions(app, sessions, (turns) => {
    if (turns % Math.ceil(wanted / 10) !== 0) return;
    // Counts memory that is held, not what waits to be collected.
    Bun.gc(true);
    heap.push(process.memoryUsage().heapUsed / 1e6);
    rss.push(process.memoryUsage().rss / 1e6);
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  const points = sessions.map(
    ({ id, turns }) => [turns, app.store.ledger.tokensSince(0, id)] as const,
  );
  const usage = app.store.ledger.usage(0);
  const r = correlation(points);
  const figures = {
    run: name,
    turns: sum(sessions.map(({ turns }) => turns)),
    calls: sum(usage.map(({ calls }) => calls)),
    tokens_in: sum(usage.map(({ inputTokens }) => inputTokens)),
    tokens_out: sum(usage.map(({ outputTokens }) => outputTokens)),
    tokens_per_turn: points.map(([turns, tokens]) => Math.round(tokens / turns)),
    correlation: Number(r.toFixed(5)),
    peak_calls: provider.peak(),
    heap_mb: heap.map(Math.round),
    rss_mb: rss.map(Math.round),
    memories: app.memories().length,
    jobs: app.store.jobs.counts(),
    seconds: Number(seconds.toFixed(1)),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  const isWithin = provider.peak() <= 2;
  const isSpent =
    app.store.ledger.tokensSince(0, null) <= settings.llm.tokensPerDay &&
    points.every(([, tokens]) => tokens <= settings.llm.tokensPerSession);
  return {
    ok:
      isWithin &&
      isSpent &&
      (limits.tokensPerDay === undefined ||
        points.every(([, tokens]) => tokens <= sessionTokensMax)),
  };
}

const raised = await run("budget raised", {
  tokensPerDay: 100_000_000,
  tokensPerSession: 100_000_000,
});
const usual = await run("default budget", {});
process.exit(raised.ok && usual.ok ? 0 : 1);
