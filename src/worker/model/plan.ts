/**
 * Decides what a model is asked of a session, and when: batches of turns, windows closed by size, and what is left when
 * the session is compacted or falls silent. Every turn is handed out once for each purpose, so that the cost grows with
 * the conversation and never faster. Runs inside the caller's transaction; asks nobody.
 */
import { promptLimits, windowsOf } from "#prompts";
import type { ModelJobKind, Session, Settings, Store, Turn } from "#domain";
import { msPerMinute } from "#kit";
import { noteTurn, progressOf, saveProgress, type Progress } from "./progress.ts";
import { hasWords, usedTools, type Stretch } from "./refining.ts";
import { turnsOf, windowTurnOf } from "./window.ts";

export interface PlanDeps {
  readonly store: Store;
  readonly settings: () => Settings;
}

export interface Occasion {
  /** `turn`: only what is full; `precompact` and `quiet`: what is left as well. */
  readonly type: "turn" | "precompact" | "quiet";
  /** The last turn whose local jobs are done. */
  readonly upTo: number;
  /** Event time, epoch ms. */
  readonly atMs: number;
}

/** 30-extraction: a session is quiet after ten minutes without an event. */
const quietMs = 10 * msPerMinute;

/** An event of a turn came while a model is chosen: the turn is the model's too, and the session is not quiet. */
export function noteEvent(
  store: Store,
  event: { readonly sessionId: string; readonly turn: number; readonly atMs: number },
  nowMs: number,
): void {
  const { sessionId, turn, atMs } = event;
  const { quiet } = noteTurn(store, sessionId, turn);
  store.jobs.enqueue({
    key: `quiet:${sessionId}:${quiet}`,
    kind: "quiet",
    sessionId,
    payload: { atMs },
    runAfterMs: nowMs + quietMs,
  });
}

/** Queues what is due on an occasion. Nothing for a session that no model has seen a turn of. */
export function planQuestions(deps: PlanDeps, session: Session, occasion: Occasion): void {
  const { sessionId } = session;
  const progress = progressOf(deps.store, sessionId);
  if (progress === null) return;
  const next = {
    ...progress,
    evaluated: deps.settings().moments.enabled
      ? planBatches(deps, { session, occasion, kind: "evaluate", after: progress.evaluated })
      : Math.max(progress.evaluated, occasion.upTo),
    observed: planBatches(deps, { session, occasion, kind: "observe", after: progress.observed }),
    extracted: planWindows(deps, { session, occasion, kind: "extract", after: progress.extracted }),
    ...(occasion.type === "turn" ? {} : planEnds(deps, session, occasion, progress)),
  };
  saveProgress(deps.store, sessionId, next);
}

interface Planning {
  readonly session: Session;
  readonly occasion: Occasion;
  readonly kind: ModelJobKind;
  /** Last turn that was handed out for this purpose. */
  readonly after: number;
}

/** A batch that fills this slowly is handed out as it is: looking through ever more turns for it would cost more. */
const batchSpanMax = 50;

/** Full batches, and the rest when the session pauses. Returns the last turn handed out. */
function planBatches(deps: PlanDeps, planning: Planning): number {
  const { occasion, kind, after } = planning;
  const waiting = waitingTurns(deps, planning).filter(kind === "observe" ? usedTools : hasWords);
  const takesRest = occasion.type !== "turn" || occasion.upTo - after > batchSpanMax;
  let done = after;
  for (let at = 0; at < waiting.length; at += promptLimits.turnsPerCallMax) {
    const batch = waiting.slice(at, at + promptLimits.turnsPerCallMax);
    if (batch.length < promptLimits.turnsPerCallMax && !takesRest) return done;
    done = enqueue(deps, planning, joined(batch, done));
  }
  // Turns that this purpose has no use for are behind us too.
  return takesRest || waiting.length === 0 ? Math.max(done, occasion.upTo) : done;
}

/** Windows that the next turn did not fit into, and the open one when the session pauses. */
function planWindows(deps: PlanDeps, planning: Planning): number {
  const { occasion, after } = planning;
  const turns = waitingTurns(deps, planning).filter(hasWords);
  const windows = windowsOf(turns.map((turn) => windowTurnOf(deps.store, turn)));
  const closed = occasion.type === "turn" ? windows.slice(0, -1) : windows;
  let done = after;
  for (const window of closed) done = enqueue(deps, planning, joined(window, done));
  return occasion.type === "turn" ? done : Math.max(done, occasion.upTo);
}

/** What is asked once when a session pauses: a summary; narratives before a compaction, the profile in silence. */
function planEnds(
  deps: PlanDeps,
  session: Session,
  occasion: Occasion,
  progress: Progress,
): Partial<Progress> {
  const { upTo, type } = occasion;
  const once = (kind: ModelJobKind, after: number): number => {
    const planning = { session, occasion, kind, after };
    const turns = waitingTurns(deps, planning).filter(hasWords);
    return turns.length === 0 ? after : enqueue(deps, planning, { from: after + 1, to: upTo });
  };
  const summarised = once("summary", progress.summarised);
  if (type === "precompact") return { summarised, retold: once("retell", progress.retold) };
  return {
    summarised,
    related: once("relational", progress.related),
    quiet: progress.quiet + 1,
  };
}

const waitingTurns = (
  { store }: PlanDeps,
  { session, occasion, after }: Planning,
): readonly Turn[] => turnsOf(store, session.sessionId, { from: after + 1, to: occasion.upTo });

/** From the turn after the last one handed out: stretches of one purpose join without gaps. */
const joined = (turns: readonly { readonly n: number }[], after: number): Stretch => ({
  from: after + 1,
  to: turns.at(-1)?.n ?? after,
});

/** Once per stretch; returns its last turn. */
function enqueue({ store }: PlanDeps, planning: Planning, { from, to }: Stretch): number {
  const { session, occasion, kind } = planning;
  store.jobs.enqueue({
    key: `${kind}:${session.sessionId}:${from}-${to}`,
    kind,
    sessionId: session.sessionId,
    payload: { from, to, occasion: occasion.type, atMs: occasion.atMs },
    runAfterMs: 0,
  });
  return to;
}
