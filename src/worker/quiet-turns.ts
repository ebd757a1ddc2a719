/**
 * Private turns, as far as the reading of agents' notes has to know of them: when they began, and that notes are read
 * before and after each, so that what was written meanwhile is told apart. Notes are read at a session's start and end
 * as well.
 */
import type { HookName, Store } from "#domain";

const quietName = "agent-notes.quiet";
const quietMax = 100;

interface Told {
  readonly hook: HookName;
  readonly sessionId: string;
  readonly atMs: number;
  readonly cwd: string | null;
  readonly transcriptPath: string | null;
  /** True for a prompt of which something is private, or nothing is to be kept. */
  readonly isQuiet: boolean;
}

/** Hooks that say nothing of whether a turn is over. */
const within: ReadonlySet<HookName> = new Set(["tool", "subagent", "compact"]);

/** Sees to it that notes are read when a session starts and ends, and when a private turn is over. */
export function watchNotes(store: Store, told: Told): void {
  const { hook, sessionId } = told;
  if (within.has(hook)) return;
  const isOver = quietOf(store)[sessionId] !== undefined;
  const begins = hook === "submit" && told.isQuiet;
  if (isOver || begins) keepQuiet(store, sessionId, begins ? told.atMs : null);
  // The files as they stood before a private turn tell what it changed.
  if (isOver) enqueueReading(store, told, "over");
  if (begins || hook === "start" || hook === "end") enqueueReading(store, told, hook);
}

/** Private turns that still run: the session, and when the turn began. */
export const quietOf = ({ admin }: Pick<Store, "admin">): Readonly<Record<string, number>> =>
  // Written below, and by nobody else.
  JSON.parse(admin.getMeta(quietName) ?? "{}") as Record<string, number>;

function keepQuiet(store: Store, sessionId: string, fromMs: number | null): void {
  const others = Object.entries(quietOf(store)).filter(([id]) => id !== sessionId);
  const now = fromMs === null ? others : [...others, [sessionId, fromMs] as const];
  store.admin.setMeta(quietName, JSON.stringify(Object.fromEntries(now.slice(-quietMax))));
}

function enqueueReading({ jobs }: Store, told: Told, occasion: HookName | "over"): void {
  const { sessionId, atMs, cwd, transcriptPath } = told;
  if (cwd === null || transcriptPath === null) return;
  jobs.enqueue({
    key: `notes:${sessionId}:${occasion}:${atMs}`,
    kind: "notes",
    sessionId,
    payload: { atMs, cwd, transcriptPath, isOver: occasion === "over" },
    runAfterMs: 0,
  });
}
