/** Which open ends a session's start still tells. Reads through ports only. */
import { openEndKey, type OpenEndsState, type SessionStore } from "#domain";

export type IsOpenEnd = (sessionId: string, item: string) => boolean;

/**
 * Not what is finished, nor what another session was told that worked then. One that nobody typed in, or that only
 * talked, has taken nothing up.
 */
export function openFor(
  { closed, told }: OpenEndsState,
  sessions: Pick<SessionStore, "currentCheckpoint">,
  asking: string,
): IsOpenEnd {
  const hasWorked = (sessionId: string): boolean => {
    const { filesEdited = [], filesRead = [] } = sessions.currentCheckpoint(sessionId) ?? {};
    return filesEdited.length + filesRead.length > 0;
  };
  return (sessionId, item) => {
    const key = openEndKey(sessionId, item);
    return (
      !closed.includes(key) &&
      !told.some(([one, by]) => one === key && by !== asking && hasWorked(by))
    );
  };
}
