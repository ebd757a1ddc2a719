/**
 * Decides what a model is asked of a session, and when: one question about the turns since the last one when the
 * session ends, falls silent or is compacted, and none about errands alone. With `llm.extras` the other questions too.
 * Every turn is handed out once for each purpose. Runs inside the caller's transaction; asks no model.
 */
import { typedIn, promptLimits } from "#prompts";
import type { CheckpointTrigger, ModelJobKind, Session, Settings, Store, Turn } from "#domain";
import { msPerMinute } from "#kit";
import { isTerse } from "#memory";
import { noteTurn, progressOf, saveProgress, type Progress } from "./progress.ts";
import { hasWords, usedTools, type Stretch } from "./refining.ts";
import { condenseTurnOf, turnsOf } from "./window.ts";

export interface PlanDeps {
  readonly store: Store;
  readonly settings: () => Settings;
}

export interface Occasion {
  /** `turn`: only full batches of the extras; `precompact`, `quiet` and `end`: what is left as well. */
  readonly type: "turn" | Exclude<CheckpointTrigger, "stop">;
  /** The last turn whose local jobs are done. */
  readonly upTo: number;
  /** Event time, epoch ms. */
  readonly atMs: number;
}

/**
 * A session is read after so long without an event, unless it ends before (docs/design/extraction.md, "One reading a
 * session").
 */
const quietMs = 30 * msPerMinute;

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

/**
 * A session came in whole by an import while a model is chosen: it is asked about once, as one that has just ended. The
 * day's budget bounds how many there are.
 */
export function planImported(deps: PlanDeps, sessionId: string): void {
  const session = deps.store.sessions.byId(sessionId);
  const last = deps.store.sessions.currentTurn(sessionId);
  if (session === null || last === null || last.status === "open") return;
  for (let n = 1; n <= last.n; n += 1) noteTurn(deps.store, sessionId, n);
  planQuestions(deps, session, { type: "end", upTo: last.n, atMs: session.lastEventAt });
}

/** Queues what is due on an occasion. Nothing for a session that no model has seen a turn of. */
export function planQuestions(deps: PlanDeps, session: Session, occasion: Occasion): void {
  const { sessionId } = session;
  const progress = progressOf(deps.store, sessionId);
  if (progress === null) return;
  const extras = deps.settings().llm.extras
    ? planExtras(deps, session, occasion, progress)
    : // What was not asked for is not caught up with later.
      passed(progress, occasion);
  const next = {
    ...progress,
    ...extras,
    ...(occasion.type === "turn"
      ? {}
      : { digested: planSession(deps, session, occasion, progress) }),
    quiet: progress.quiet + (occasion.type === "quiet" ? 1 : 0),
  };
  saveProgress(deps.store, sessionId, next);
}

/** The one question; none about a stretch of errands alone. Returns the last turn that is behind us. */
function planSession(
  deps: PlanDeps,
  session: Session,
  occasion: Occasion,
  { digested, digest }: Progress,
): number {
  const planning: Planning = { session, occasion, kind: "session", after: digested };
  const turns = waitingTurns(deps, planning);
  // Stops at the first that is worth asking about: hooks wait while the others would be read.
  const isWorth = turns.some((turn, at) => {
    const typed = typedIn(condenseTurnOf(deps.store, turn, null), turns[at - 1]?.answer ?? null);
    // What a model has told of the session is brought up to date by an errand as well.
    return typed !== null && (digest > 0 || typed.isChoice || !isTerse(typed.text));
  });
  if (!isWorth) return Math.max(digested, occasion.upTo);
  return enqueue(deps, planning, { from: digested + 1, to: occasion.upTo });
}

function passed(progress: Progress, { upTo }: Occasion): Partial<Progress> {
  const at = (done: number): number => Math.max(done, upTo);
  return {
    evaluated: at(progress.evaluated),
    observed: at(progress.observed),
    summarised: at(progress.summarised),
    retold: at(progress.retold),
    related: at(progress.related),
  };
}

const planExtras = (
  deps: PlanDeps,
  session: Session,
  occasion: Occasion,
  progress: Progress,
): Partial<Progress> => ({
  evaluated: deps.settings().moments.enabled
    ? planBatches(deps, { session, occasion, kind: "evaluate", after: progress.evaluated })
    : Math.max(progress.evaluated, occasion.upTo),
  observed: planBatches(deps, { session, occasion, kind: "observe", after: progress.observed }),
  ...(occasion.type === "turn" ? {} : planEnds(deps, session, occasion, progress)),
});

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
    // From the turn after the last one handed out: stretches of one purpose join without gaps.
    done = enqueue(deps, planning, { from: done + 1, to: batch.at(-1)?.n ?? done });
  }
  // Turns that this purpose has no use for are behind us too.
  return takesRest || waiting.length === 0 ? Math.max(done, occasion.upTo) : done;
}

/** What is asked once when a session pauses: a summary; narratives before a compaction, else the profile. */
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
  return type === "precompact"
    ? { summarised, retold: once("retell", progress.retold) }
    : { summarised, related: once("relational", progress.related) };
}

const waitingTurns = (
  { store }: PlanDeps,
  { session, occasion, after }: Planning,
): readonly Turn[] => turnsOf(store, session.sessionId, { from: after + 1, to: occasion.upTo });

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
