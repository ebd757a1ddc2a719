/**
 * Finds the session whose context a fork goes on from. The client does not say at its start, and
 * the transcript tells only after the first turn; but it says how long ago the last answer was, and
 * that is when the parent's last turn ended. Read-only.
 */
import type { Session, SessionStore } from "#domain";
import { msPerSecond } from "#kit";

export interface ForkAsk {
  readonly sessionId: string;
  readonly project: string | null;
  readonly atMs: number;
  /** The age of the last answer, as the client says it; null when it does not. */
  readonly sinceAnswerMs: number | null;
}

/** Sessions that are looked at, the latest ones. */
const candidatesMax = 30;
/** The client counts whole seconds, and our hook runs a little after the answer. */
const nearMs = 5 * msPerSecond;

/** The session of this project that answered last at that time; without one, the latest. Null: there is no other. */
export function likelyParent(sessions: SessionStore, ask: ForkAsk): Session | null {
  const others = sessions
    .list(
      { projects: ask.project === null ? null : [ask.project], untilMs: ask.atMs },
      { limit: candidatesMax },
    )
    .filter(({ sessionId, project }) => sessionId !== ask.sessionId && project === ask.project);
  if (ask.sinceAnswerMs === null) return others[0] ?? null;
  const answeredMs = ask.atMs - ask.sinceAnswerMs;
  const near = others
    .map((session) => ({ session, distance: Math.abs(answerOf(sessions, session) - answeredMs) }))
    .filter(({ distance }) => distance <= nearMs)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.session ?? others[0] ?? null;
}

/** `answerOf` gives the time of the session's last answer. */
const answerOf = (sessions: SessionStore, { sessionId, lastEventAt }: Session): number =>
  sessions.turnsBefore(sessionId, Number.MAX_SAFE_INTEGER, 1)[0]?.endedAt ?? lastEventAt;

/** A fork of a fork of a fork: as many are followed. */
const ancestorsMax = 16;

export interface Ancestor {
  readonly sessionId: string;
  /** The time until which its words stand in the fork's context. */
  readonly untilMs: number;
}

/** The sessions that a fork inherited its context from, its parent first. */
export function ancestorsOf(sessions: SessionStore, session: Session | null): readonly Ancestor[] {
  const found: Ancestor[] = [];
  let [own, untilMs] = [session, Number.MAX_SAFE_INTEGER];
  while (own !== null && own.parentSession !== null && found.length < ancestorsMax) {
    const sessionId = own.parentSession;
    if (sessionId === session?.sessionId || found.some((one) => one.sessionId === sessionId)) break;
    untilMs = Math.min(untilMs, own.startedAt);
    found.push({ sessionId, untilMs });
    own = sessions.byId(sessionId);
  }
  return found;
}
