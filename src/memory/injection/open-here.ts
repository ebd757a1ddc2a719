/** Which open ends a session's start still tells. Reads through ports only. */
import { openEndKey, type OpenEndsState, type SessionStore } from "#domain";

export type IsOpenEnd = (sessionId: string, item: string) => boolean;

/** Not what is finished, nor what another session was told that went on from there. */
export function openFor(
  state: OpenEndsState,
  sessions: Pick<SessionStore, "turnCounts">,
  asking: string,
): IsOpenEnd {
  if (state.closed.length + state.told.length === 0) return () => true;
  const closed = new Set(state.closed);
  const others = state.told.filter(([, sessionId]) => sessionId !== asking);
  const turns = sessions.turnCounts([...new Set(others.map(([, sessionId]) => sessionId))]);
  const told = new Set(others.flatMap(([key, by]) => ((turns.get(by) ?? 0) > 0 ? [key] : [])));
  return (sessionId, item) => {
    const key = openEndKey(sessionId, item);
    return !closed.has(key) && !told.has(key);
  };
}
