/**
 * Where a forked session came from. The start hook of a fork does not say it; its transcript does, though not at once:
 * while the hooks of the first turn run, Stop included, the client has not written the copies yet.
 */
import type { TranscriptEntry } from "./entry.ts";

export interface ForkPoint {
  /** The session this one was forked from. */
  readonly sessionId: string;
  /** The last line that was copied from it; turns up to here were processed there. */
  readonly throughLine: number;
}

/**
 * The parent of a session whose transcript begins with copied lines; null for a session of its own.
 *
 * Of a fork of a fork the copies name both ancestors; the last one copied is the nearest. Old clients kept the
 * parent's session id on the copies, hence `ownSessionId` (see sessionIdOfPath).
 */
export function parentSessionOf(
  entries: readonly TranscriptEntry[],
  ownSessionId: string | null,
): ForkPoint | null {
  let point: ForkPoint | null = null;
  for (const entry of entries) {
    const sessionId = originOf(entry);
    if (sessionId !== null && sessionId !== ownSessionId) {
      point = { sessionId, throughLine: entry.line };
    }
  }
  return point;

  function originOf(entry: TranscriptEntry): string | null {
    if (entry.type === "inherited") return entry.sessionId;
    return entry.type === "prompt" && ownSessionId !== null ? entry.sessionId : null;
  }
}

/** The session a transcript file belongs to: its name, if that is a UUID; null for subagents' and other files. */
export const sessionIdOfPath = (path: string): string | null =>
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i.exec(path)?.[1] ?? null;
