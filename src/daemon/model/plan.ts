/**
 * Decides when a model is asked about a session: one question about the turns since the last one when the session ends,
 * falls silent or is compacted, and none where only chatter was typed and no work was done. Every turn is handed out
 * once. Runs inside the caller's transaction; asks no model.
 */
import { type CondenseTurn, remarksOf, signsOf } from "#models";
import {
  backfillState,
  type CheckpointTrigger,
  isRemark,
  questionsFor,
  saveBackfill,
  type Session,
  type Settings,
  type Store,
  type Turn,
} from "#domain";
import { dayStart, localDate, msPerMinute } from "#kit";
import { archiveUri, isTerse } from "#memory";

// Tracks how far a session has been handed to the model: kept beside the store's other small facts, so
// that no turn is sent twice and none that was typed while no model was chosen is sent at all.

export interface Progress {
  /** The latest turn that began while a model was chosen. */
  readonly seen: number;
  /** Last turn that was asked about. */
  readonly digested: number;
  /** Last turn that a model's digest tells of. */
  readonly told: number;
  /** The number of times that the session fell silent: tells the quiet jobs of one session apart. */
  readonly quiet: number;
  /** Number of the checkpoint that the last digest became; 0 = none. */
  readonly digest: number;
  /** Prompts that a person typed in the stretches asked about so far, and memories that came of them. */
  readonly typed: number;
  readonly made: number;
}

/** Places of the numbers as they are stored; those between are of earlier versions. */
const places: Readonly<Record<keyof Progress, number>> = {
  seen: 0,
  digested: 4,
  told: 8,
  quiet: 9,
  digest: 10,
  typed: 11,
  made: 12,
};
const placesCount = 13;
const names = Object.keys(places) as readonly (keyof Progress)[];

const nameOf = (sessionId: string) => `model.progress:${sessionId}` as const;

/** Null when no turn of the session began with a model. */
export function progressOf(store: Store, sessionId: string): Progress | null {
  const text = store.admin.getMeta(nameOf(sessionId));
  if (text === null) return null;
  const numbers = text.split(" ").map(Number);
  return Object.fromEntries(
    names.map((name) => [name, numbers[places[name]] ?? 0]),
  ) as unknown as Progress;
}

export function saveProgress(store: Store, sessionId: string, progress: Progress): void {
  const numbers = Array.from({ length: placesCount }, () => 0);
  for (const name of names) numbers[places[name]] = progress[name];
  store.admin.setMeta(nameOf(sessionId), numbers.join(" "));
}

/**
 * A turn is under way while a model is chosen. Turns before it that were not seen so are skipped for good: their local
 * form stands.
 */
function noteTurn(store: Store, sessionId: string, n: number): Progress {
  const known = progressOf(store, sessionId);
  if (known !== null && n <= known.seen) return known;
  const begun = { ...unread, ...known, seen: n - 1, digested: n - 1 };
  const noted = known !== null && n === known.seen + 1 ? known : begun;
  const next = { ...noted, seen: n };
  saveProgress(store, sessionId, next);
  return next;
}

const unread = { told: 0, quiet: 0, digest: 0, typed: 0, made: 0 };

export interface Occasion {
  readonly type: Exclude<CheckpointTrigger, "stop">;
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

/** An imported session is to be read: it is asked about once, as one that has just ended. False = nothing to ask. */
function planImported(store: Store, sessionId: string): boolean {
  const session = store.sessions.byId(sessionId);
  const last = store.sessions.currentTurn(sessionId);
  if (session === null || last === null || last.status === "open") return false;
  for (let n = 1; n <= last.n; n += 1) noteTurn(store, sessionId, n);
  const occasion = { type: "end", upTo: last.n, atMs: session.lastEventAt } as const;
  return planQuestion(store, session, occasion, true);
}

/**
 * Queues the question about what a session has had since the last one, of a long session up to four in a row; none
 * about chatter without work. Nothing for a session that no model has seen a turn of. True when a question waits now.
 */
export function planQuestion(
  store: Store,
  session: Session,
  occasion: Occasion,
  backfill = false,
): boolean {
  const { sessionId } = session;
  const progress = progressOf(store, sessionId);
  if (progress === null) return false;
  const { digest, digested, quiet } = progress;
  const { type, upTo, atMs } = occasion;
  const from = digested + 1;
  const turns = turnsOf(store, sessionId, { from, to: upTo });
  // Stops at the first that is worth asking about: hooks wait while the others would be read.
  const isWorth = turns.some((turn, at) => {
    const before = turns[at - 1]?.answer ?? null;
    const { typed, isChoice, isWork } = signsOf(condenseTurnOf(store, turn, null), before);
    const isTyped = typed.trim() !== "";
    // Work that a model has told is brought up to date by an errand as well.
    return isWork || isChoice || (isTyped && (digest > 0 || !isTerse(typed)));
  });
  for (const stretch of isWorth ? stretchesOf(store, turns, { from, to: upTo }) : [])
    store.jobs.enqueue({
      key: `session:${sessionId}:${stretch.from}-${stretch.to}`,
      kind: "session",
      sessionId,
      payload: { ...stretch, occasion: type, atMs, ...(backfill ? { backfill } : {}) },
      runAfterMs: 0,
    });
  saveProgress(store, sessionId, {
    ...progress,
    digested: Math.max(digested, upTo),
    quiet: quiet + (type === "quiet" ? 1 : 0),
  });
  return isWorth;
}

/** First and last turn. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Characters of a text that a record may show, and of what stands around it. */
const shownCharsMax = 2_400;
const aroundChars = 150;

/** Cuts a long session between turns, so that each question has about as much to tell. */
function stretchesOf(
  store: Store,
  turns: readonly Turn[],
  { from, to }: Stretch,
): readonly Stretch[] {
  const sizes = turns.map(
    (turn) => sizeOf(turn.prompt) + sizeOf(turn.answer) + remarkCharsOf(store, turn) + aroundChars,
  );
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const count = questionsFor(whole);
  const ends: number[] = [];
  let chars = 0;
  for (const [at, { n }] of turns.entries()) {
    chars += sizes[at] ?? 0;
    // Ends a part where the next turn would go further beyond an equal share than this one stays below it.
    const beyond = chars + (sizes[at + 1] ?? 0) / 2;
    if (ends.length < count - 1 && beyond >= (whole * (ends.length + 1)) / count && n < to)
      ends.push(n);
  }
  return [...ends, to].map((end, at) => ({
    from: at === 0 ? from : (ends[at - 1] ?? 0) + 1,
    to: end,
  }));
}

/** Remarks that a record may show of a turn. */
const remarkCharsMax = 9_600;

function remarkCharsOf({ sessions }: Store, { n, sessionId, toolCount }: Turn): number {
  const uses = toolCount === 0 ? [] : sessions.toolUses(sessionId, n).filter(isRemark);
  return Math.min(remarkCharsMax, remarksOf(uses.map(({ text }) => text ?? "")).chars);
}

const sizeOf = (text: string | null): number => Math.min(text?.length ?? 0, shownCharsMax);

// Imported sessions that a model is asked to read because a person said so: the newest first, behind those that have
// just ended, and within a part of the day's budget, so that today's sessions are read today.

/** Share of the day's tokens; the rest is left for sessions that are under way. */
const backfillShare = 0.7;

/** True when the imported sessions have had their part of the day. */
export const isBackfillSpent = ({ ledger }: Store, { llm }: Settings, nowMs: number): boolean =>
  ledger.tokensSince(dayStart(nowMs), null) >= llm.tokensPerDay * backfillShare;

/** Queues their questions for about `sliceMs`. A session without anything to ask about counts as read. */
export function queueBackfill(
  store: Store,
  sliceMs: number,
  nowMs: number,
): { readonly queued: number; readonly isOver: boolean } {
  const startedMs = performance.now();
  return store.transaction(() => {
    const unread = store.imports.unread();
    // A run that is over counts no more.
    const { total, sinceMs } = backfillState(store) ?? { total: 0, sinceMs: nowMs };
    let at = 0;
    let queued = 0;
    for (; at < unread.length && performance.now() - startedMs < sliceMs; at += 1)
      if (planImported(store, unread[at]?.sessionId ?? "")) queued += 1;
    saveBackfill(store, { total: total + queued, sinceMs });
    return { queued, isOver: at >= unread.length };
  });
}

// Recorded turns in the form that the record of a session takes.

/** Turns of a stretch that are over, not private and a person's, oldest first. */
export const turnsOf = (
  { sessions }: Store,
  sessionId: string,
  stretch: Stretch,
): readonly Turn[] =>
  sessions
    .turnsBefore(sessionId, stretch.to + 1, Math.max(0, stretch.to - stretch.from + 1))
    .filter(
      ({ n, prompt, status, isPrivate, isHeadless }) =>
        n >= stretch.from &&
        prompt !== null &&
        isPrivate !== true &&
        isHeadless !== true &&
        status !== "open",
    )
    .toReversed();

/** `branchOf` gives the branch that was checked out at a turn, as its exchange in the archive tells. */
export const branchOf = ({ nodes }: Store, { n, sessionId }: Turn): string | null =>
  nodes.byUri(archiveUri({ sessionId, part: "exchanges", n }))?.branch ?? null;

/**
 * A turn as a session's record takes it; gated text only. Paths below `folder`, where the session began, lose it: they
 * cost tokens and say nothing.
 */
export function condenseTurnOf(store: Store, turn: Turn, folder: string | null): CondenseTurn {
  const { sessions } = store;
  const near = nearer(folder);
  const uses = turn.toolCount === 0 ? [] : sessions.toolUses(turn.sessionId, turn.n);
  return {
    n: turn.n,
    date: localDate(turn.startedAt),
    branch: branchOf(store, turn),
    prompt: turn.prompt ?? "",
    answer: turn.answer === null ? null : near(turn.answer),
    interrupted: turn.status === "interrupted",
    files: turn.filesEdited.map(near),
    tools: uses.map(({ tool, target, outcome, text }) => ({
      tool,
      outcome,
      target: target === null ? null : near(target),
      text: text === null ? null : near(text),
    })),
  };
}

/** Paths inside a folder without it, and `.` for the folder itself. */
function nearer(folder: string | null): (text: string) => string {
  if (folder === null || folder.length < 2) return (text) => text;
  const literal = folder.replace(/[\\/]+$/u, "").replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
  const path = new RegExp(`(?<![\\p{L}\\p{N}_./-])${literal}(?:(/)|(?![\\p{L}\\p{N}_.-]))`, "gu");
  return (text) => text.replace(path, (_whole, slash?: string) => (slash === undefined ? "." : ""));
}
