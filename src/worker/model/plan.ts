/**
 * Decides when a model is asked about a session: one question about the turns since the last one when the session ends,
 * falls silent or is compacted, and none where only chatter was typed and no work was done. Every turn is handed out
 * once. Runs inside the caller's transaction; asks no model.
 */
import { remarksOf, signsOf } from "#prompts";
import {
  isRemark,
  questionsFor,
  type CheckpointTrigger,
  type Session,
  type Store,
  type Turn,
} from "#domain";
import { msPerMinute } from "#kit";
import { isTerse } from "#memory";
import { noteTurn, progressOf, saveProgress } from "./progress.ts";
import { condenseTurnOf, turnsOf } from "./window.ts";

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
export function planImported(store: Store, sessionId: string): boolean {
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
    // What a model has told of the session is brought up to date by an errand as well.
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

interface Stretch {
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
    // Where the next turn would go further beyond an equal share than this one stays below it.
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
