/**
 * Daily upkeep: decay cache, expiry, sessions that fell silent. Each step is idempotent and bounded; a crash in the middle
 * means that the rest happens the next time.
 */
import type { Settings, Store, VectorIndex } from "#domain";
import { msPerDay, msPerHour, msPerMinute, type ClockDep, type LogDep } from "#kit";
import { relevanceAt } from "#memory";
import { closeOpenTurn, enqueueTranscript } from "./apply.ts";

export interface UpkeepDeps extends ClockDep, LogDep {
  readonly store: Store;
  readonly vectors: VectorIndex;
  readonly settings: () => Settings;
}

/** 10-capture: 24 hours of silence make a session interrupted. */
const silenceMs = 24 * msPerHour;
const perPassMax = 500;
const lastUpkeepMeta = "upkeep.last";

/** Runs when the last upkeep is a day old (also at daemon start when overdue). Returns when it is due next, epoch ms. */
export function runUpkeep(deps: UpkeepDeps): number {
  const { store } = deps;
  const nowMs = deps.clock.nowMs();
  const lastMs = Number(store.admin.getMeta(lastUpkeepMeta) ?? 0);
  // A clock that jumped back must not postpone upkeep for ever.
  if (nowMs >= lastMs && nowMs - lastMs < msPerDay) return lastMs + msPerDay;
  const eventNowMs = eventClock(store, nowMs);
  store.transaction(() => {
    const decayed = store.nodes.refreshRelevance((node) =>
      relevanceAt(node, nowMs, deps.settings().decay),
    );
    const expired = expire(deps, { nowMs, eventNowMs });
    const silent = closeSilentSessions(deps, eventNowMs);
    const dropped = store.admin.housekeep(eventNowMs);
    store.admin.setMeta(lastUpkeepMeta, String(nowMs));
    deps.log.write("info", "upkeep", { decayed, expired, silent, dropped });
  });
  return nowMs + msPerDay;
}

/**
 * Now by the clock of the events: the newest event's time, and what has gone by since it was received. It is the
 * system's, but behind it while an old history is replayed, in which nothing may expire or count as silent that is young
 * there. Never ahead of the system's: what is removed has expired by both clocks.
 */
const eventClock = (store: Store, nowMs: number): number =>
  Math.min(
    nowMs,
    Math.max(0, ...store.events.lastByHook().map((last) => last.atMs + nowMs - last.receivedAtMs)),
  );

/** Expired moments leave every index and keep their revision. */
function expire(
  { store, vectors }: UpkeepDeps,
  { nowMs, eventNowMs }: { readonly nowMs: number; readonly eventNowMs: number },
): number {
  const nodes = store.nodes.expired(eventNowMs, perPassMax);
  for (const node of nodes) {
    store.nodes.retract(node.id, {
      atMs: nowMs,
      action: "expire",
      by: "system",
      reason: "its time was up",
    });
    vectors.remove(node.id);
  }
  return nodes.length;
}

/** Two minutes without a sign of life: the agent may still be thinking, or the user has pressed Esc. */
const idleMs = 2 * msPerMinute;
const idleSessionsMax = 50;

/** An interrupt fires no hook, but the transcript tells: looked up once per open turn that went quiet. */
export function watchOpenTurns({ store, clock }: Pick<UpkeepDeps, "store" | "clock">): void {
  for (const { sessionId } of store.sessions.quietSince(clock.nowMs() - idleMs, idleSessionsMax)) {
    const turn = store.sessions.currentTurn(sessionId);
    if (turn?.status === "open") enqueueTranscript(store, turn, `idle:${turn.n}`);
  }
}

function closeSilentSessions({ store }: UpkeepDeps, eventNowMs: number): number {
  const sessions = store.sessions.quietSince(eventNowMs - silenceMs, perPassMax);
  for (const session of sessions) {
    closeOpenTurn(store, { sessionId: session.sessionId, atMs: session.lastEventAt }, session);
    store.sessions.upsert({
      sessionId: session.sessionId,
      status: "interrupted",
      atMs: session.lastEventAt,
      endedAt: session.lastEventAt,
    });
  }
  return sessions.length;
}
