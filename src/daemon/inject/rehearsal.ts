/**
 * Runs what a prompt runs and keeps nothing of it: the runtime parses code at its first call, SQLite reads pages and
 * compiles statements, and a real prompt waits for 250 ms only. A first prompt takes five times the processor time of
 * the tenth without it.
 */
import type { Turn } from "#domain";
import { bansOf, forgetsOf, leavesNoRecord, readOrders, type TurnContext } from "#memory";
import type { WorkerContext } from "../context.ts";
import { previewPrompt } from "./inject.ts";

/** Shorter prompts are orders, for which nothing is looked up. */
const promptCharsMin = 30;
/** Four take 5 ms more off the first prompt, and leave a quiet daemon 2 MB larger. */
const promptsMax = 1;
/** A session that has just begun has no prompt yet. */
const sessionsMax = 10;

/** Reaches the readers of orders, asked only where a cheaper look finds their words, and of what stands above them. */
const orders =
  "Run the tests again.\n\n" +
  "Remember that the staging database listens on port 6432. Never push to main without a review. " +
  "Forget what I said about the port, and do not remember this.";

/**
 * Steps of a rehearsal, each a slice of the event loop. Where nothing has been said yet the orders alone are read, so
 * that the first order of a new home is confirmed in time.
 */
export function rehearsalOf(deps: WorkerContext): readonly (() => void)[] {
  const prompts = latestPrompts(deps);
  return [
    () => {
      readAsTyped(deps, orders);
      if (prompts.length === 0) preview(deps, { prompt: orders, project: null, branch: null });
    },
    ...prompts.map((turn) => () => {
      const { project = null, branch = null } = deps.store.sessions.byId(turn.sessionId) ?? {};
      const prompt = turn.prompt ?? "";
      readAsTyped(deps, prompt);
      preview(deps, { prompt, project, branch });
    }),
  ];
}

/** Reads a prompt as its acceptance does: privacy gate and orders. */
function readAsTyped({ gate, clock }: WorkerContext, prompt: string): void {
  gate.clean(prompt);
  leavesNoRecord(prompt);
  const turn = typedAlone(prompt, clock.nowMs());
  forgetsOf(turn);
  readOrders(turn);
  bansOf(turn);
}

const typedAlone = (prompt: string, atMs: number): TurnContext => ({
  sessionId: "",
  turn: 1,
  project: null,
  branch: null,
  atMs,
  prompt,
  answer: null,
  interrupted: false,
  previousPrompt: null,
  previousAnswer: null,
  tools: [],
});

const preview = (deps: WorkerContext, asked: Omit<Parameters<typeof previewPrompt>[2], "nowMs">) =>
  previewPrompt(deps, deps.settings().inject, { ...asked, nowMs: deps.clock.nowMs() });

/** Prompts of the latest sessions that have one, newest session first. */
function latestPrompts({ store: { sessions } }: WorkerContext): readonly Turn[] {
  return sessions
    .list({ projects: null }, { limit: sessionsMax })
    .flatMap(({ sessionId }) =>
      sessions.turnsBefore(sessionId, Number.MAX_SAFE_INTEGER, promptsMax),
    )
    .filter(({ prompt }) => (prompt ?? "").length >= promptCharsMin)
    .slice(0, promptsMax);
}
