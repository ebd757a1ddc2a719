/**
 * Daily upkeep: relevance, expiry, sessions that fell silent, old records, consolidation, free pages, and what runs in
 * a process of its own (integrity, backup, archive). Each task is idempotent and goes by slices.
 */
import type { BackgroundTask, FormerObservation, NodeDraft, Store } from "#domain";
import { msPerDay, msPerHour, msPerMinute } from "#kit";
import { archiveUri, relevanceAt } from "#memory";
import { closeOpenTurn, enqueueTranscript } from "../intake/apply.ts";
import { consolidateSlice } from "./consolidate.ts";
import type { UpkeepTask } from "./upkeep-schedule.ts";
import type { WorkerContext } from "../context.ts";

/** 24 hours of silence make a session interrupted (docs/design/capture.md, "What is kept"). */
const silenceMs = 24 * msPerHour;
const rowsPerSlice = 200;
const consolidateSliceMs = 8;
/** Comparing one leaf with all takes some milliseconds: a large import is consolidated over several days. */
const leavesPerRun = 2_000;
const pagesPerSlice = 100;
/** Consolidation also runs after this many new memories (docs/design/memory.md, "Consolidation"). */
const newMemoriesMax = 100;
/** A home that was just made has nothing to lose; a day later it may have much. */
const firstBackgroundMs = 10 * msPerMinute;

/** The history of the last year is kept whole. */
const historyKeptMs = 365 * msPerDay;

const weekly = { everyMs: 7 * msPerDay, firstAfterMs: 7 * msPerDay } as const;
const daily = { everyMs: msPerDay, firstAfterMs: 0 } as const;

/** Every task, in the order in which they run when all are due. */
export const upkeepTasks = (deps: WorkerContext): readonly UpkeepTask[] => [
  // First: what it puts away, the others need not look at.
  {
    name: "observations",
    ...daily,
    isDueEarly: () => deps.store.sessions.formerObservations(1).length > 0,
    run: () => moveObservations(deps),
  },
  { name: "decay", ...daily, run: () => decay(deps) },
  { name: "expiry", ...daily, run: () => expiry(deps) },
  { name: "sessions", ...daily, run: () => closeSilentSessions(deps) },
  { name: "records", ...daily, run: () => dropOldRecords(deps) },
  {
    name: "consolidation",
    ...daily,
    isDueEarly: () =>
      deps.store.nodes.count({}) - consolidatedIn(deps.store).memories >= newMemoriesMax,
    run: () => consolidation(deps),
  },
  ...backgroundTasks(deps),
  {
    name: "space",
    ...daily,
    isDueEarly: () => deps.store.admin.isPurgeDue(),
    run: () => space(deps),
  },
  { name: "history", ...weekly, run: () => compactHistory(deps) },
  { name: "plans", ...daily, run: () => plans(deps) },
];

function backgroundTasks({ background, settings }: WorkerContext): readonly UpkeepTask[] {
  if (background === undefined) return [];
  const later = { everyMs: msPerDay, firstAfterMs: firstBackgroundMs };
  const unless = (
    isOn: boolean,
    task: Exclude<BackgroundTask, "check" | "sync">,
  ): Promise<string> => (isOn ? background(task) : Promise.resolve("switched off"));
  return [
    // First of all: a backup of a damaged file would be refused anyway, and its damage be told later.
    { name: "check", ...later, run: () => background("check") },
    { name: "backup", ...later, run: () => unless(settings().backup.daily, "backup") },
    { name: "archive", ...later, run: () => unless(settings().capture.archive, "archive") },
  ];
}

/** Relevance is a function of node and now; each slice goes by the same now. */
function* decay({ store, clock, settings }: WorkerContext): Generator<void, string> {
  const nowMs = clock.nowMs();
  let changed = 0;
  for (let afterId: number | null = 0; afterId !== null;) {
    const slice = store.nodes.refreshRelevanceAfter(afterId, rowsPerSlice, (node) =>
      relevanceAt(node, nowMs, settings().decay),
    );
    changed += slice.changed;
    afterId = slice.lastId;
    yield;
  }
  return `${changed} changed`;
}

/**
 * Now by the clock of the events: the newest event's time, and what has gone by since it was received. It is the
 * system's, but behind it while an old history is replayed, in which nothing may expire or count as silent that is
 * young there. Never ahead of the system's: what is removed has expired by both clocks.
 */
function eventClock({ store, clock }: WorkerContext): number {
  const nowMs = clock.nowMs();
  const seen = store.events.lastByHook();
  return Math.min(nowMs, Math.max(0, ...seen.map((last) => last.atMs + nowMs - last.receivedAtMs)));
}

/** An expired memory leaves every index and keeps its revision. */
function* expiry(deps: WorkerContext): Generator<void, string> {
  const { store, vectors, clock } = deps;
  let expired = 0;
  for (;;) {
    const nodes = store.nodes.expired(eventClock(deps), rowsPerSlice);
    store.transaction(() => {
      for (const node of nodes)
        store.nodes.retract(node.id, {
          atMs: clock.nowMs(),
          action: "expire",
          by: "system",
          reason: "expired",
        });
    });
    for (const node of nodes) vectors.remove(node.id);
    expired += nodes.length;
    if (nodes.length < rowsPerSlice) return `${expired} expired`;
    yield;
  }
}

function* closeSilentSessions(deps: WorkerContext): Generator<void, string> {
  const { store } = deps;
  let silent = 0;
  for (;;) {
    const sessions = store.sessions.quietSince(eventClock(deps) - silenceMs, rowsPerSlice);
    store.transaction(() => {
      for (const session of sessions) {
        closeOpenTurn(store, { sessionId: session.sessionId, atMs: session.lastEventAt }, session);
        store.sessions.upsert({
          sessionId: session.sessionId,
          status: session.status === "failed" ? "failed" : "interrupted",
          atMs: session.lastEventAt,
          endedAt: session.lastEventAt,
        });
      }
    });
    silent += sessions.length;
    if (sessions.length < rowsPerSlice) return `${silent} fell silent`;
    yield;
  }
}

function* dropOldRecords(deps: WorkerContext): Generator<void, string> {
  let dropped = 0;
  for (;;) {
    const gone = deps.store.admin.housekeep(eventClock(deps), rowsPerSlice);
    dropped += gone;
    if (gone === 0) return `${dropped} dropped`;
    yield;
  }
}

/** The leaf up to which consolidation has looked, and how many memories there were then. */
function consolidatedIn({ admin }: Store): { readonly upTo: number; readonly memories: number } {
  const [upTo = 0, memories = Infinity] = (admin.getMeta("upkeep.consolidated") ?? "0")
    .split(" ")
    .map(Number);
  return { upTo, memories };
}

/**
 * Leaves that came since the last time, against all: who wants everything compared anew asks for it by hand. The number
 * of memories is noted, so that the next look knows how many came since.
 */
function* consolidation(deps: WorkerContext): Generator<void, string> {
  const { store } = deps;
  let afterId = consolidatedIn(store).upTo;
  let changes = 0;
  let looked = 0;
  try {
    while (looked < leavesPerRun) {
      const slice = consolidateSlice(deps, { afterId, sliceMs: consolidateSliceMs, apply: true });
      changes += slice.changes.length;
      looked += slice.looked;
      afterId = slice.nextId ?? lastLeaf(store, afterId);
      if (slice.nextId === null) break;
      yield;
    }
  } finally {
    store.admin.setMeta("upkeep.consolidated", `${afterId} ${store.nodes.count({})}`);
  }
  return `${changes} made one, ${store.nodes.count({})} memories`;
}

/** The last leaf after this one, of the few that one slice looked at. */
function lastLeaf({ nodes }: Store, afterId: number): number {
  for (let last = afterId; ;) {
    const next = nodes.leafIds(last, rowsPerSlice).at(-1);
    if (next === undefined) return last;
    last = next;
  }
}

function* space({ store }: WorkerContext): Generator<void, string> {
  // Text that left no record must go from free pages, and from the log too, when a reader held it up.
  const isLogKept = !store.admin.finishPurge();
  let left = store.admin.shrink(pagesPerSlice);
  for (let before = Number.POSITIVE_INFINITY; left > 0 && left < before;) {
    yield;
    before = left;
    left = store.admin.shrink(pagesPerSlice);
  }
  return `${left} free pages left${isLogKept ? "; a reader keeps the log open" : ""}`;
}

function* compactHistory(deps: WorkerContext): Generator<void, string> {
  const beforeMs = eventClock(deps) - historyKeptMs;
  let dropped = 0;
  for (let afterId: number | null = 0; afterId !== null;) {
    const slice = deps.store.history.compact({ afterId, beforeMs, limit: rowsPerSlice });
    dropped += slice.dropped;
    afterId = slice.lastId;
    yield;
  }
  return `${dropped} revisions older than a year made one with others`;
}

// oxlint-disable-next-line require-yield -- one slice is enough
function* plans({ store }: WorkerContext): Generator<void, string> {
  store.admin.optimize();
  return "";
}

/** Two minutes without a sign of life: the agent may still be thinking, or the user has pressed Esc. */
const idleMs = 2 * msPerMinute;
/** The newest: an older one was looked at when it was new, and stays open for other reasons. */
const idleSessionsMax = 50;

/** The interval at which open turns are checked for an interrupt that no hook reported. */
export const watchEveryMs = msPerMinute;

/**
 * Returns a function that queues a reading of the transcript for each open turn that went quiet: an interrupt fires no
 * hook, but the transcript tells. Looks once a minute, however often it is called, and in one transaction: a session
 * that ended without a word keeps its turn open for hours.
 */
export function createTurnWatch({ store, clock }: WorkerContext): () => void {
  let lastMs = -Infinity;
  return () => {
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - lastMs) < watchEveryMs) return;
    lastMs = nowMs;
    const quiet = store.sessions.quietSince(nowMs - idleMs, idleSessionsMax);
    if (quiet.length === 0) return;
    store.transaction(() => {
      for (const { sessionId } of quiet) {
        const turn = store.sessions.currentTurn(sessionId);
        if (turn?.status === "open") enqueueTranscript(store, turn, `idle:${turn.n}`);
      }
    });
  };
}

// Makes leaves of the archive of the observations that earlier versions kept in rows of their own, each at the
// address that it always had. In slices; a row goes with the transaction that writes its leaf.

const formerRowsPerSlice = 50;

export function* moveObservations({ store }: { readonly store: Store }): Generator<void, string> {
  let moved = 0;
  for (;;) {
    const rows = store.sessions.formerObservations(formerRowsPerSlice);
    if (rows.length === 0) return `${moved} in the archive`;
    store.transaction(() => {
      for (const row of rows) move(store, row);
    });
    moved += rows.length;
    yield;
  }
}

function move({ nodes, sessions }: Store, row: FormerObservation): void {
  const draft = draftOf(row);
  if (nodes.byUri(draft.uri) === null && !nodes.isForgotten(row.title))
    nodes.insert(draft, {
      atMs: row.atMs,
      action: "create",
      by: "system",
      reason: "observed by an earlier version",
    });
  sessions.dropObservation(row.id);
}

const draftOf = (row: FormerObservation): NodeDraft => ({
  uri: archiveUri({ sessionId: row.sessionId, part: "observations", n: row.id }),
  category: "sessions",
  project: row.project,
  l0: row.title,
  l1: [row.text, ...row.facts.map((fact) => `- ${fact}`)].join("\n").trim() || null,
  tags: [row.type, ...row.concepts],
  files: row.files,
  origin: "tool",
  maker: "stop",
  sourceSession: row.sessionId,
  validFrom: row.atMs,
  evidence: [{ sessionId: row.sessionId, turn: row.turn, line: null, quote: "" }],
});
