/**
 * What private blocks of a session's prompts held, so that its answers and tool records can be scrubbed of it.
 * Lives in memory only, bounded, and is gone with the process; it is never stored and never logged.
 */

export interface PrivateTextRegister {
  readonly of: (sessionId: string) => readonly string[];
  readonly add: (sessionId: string, texts: readonly string[]) => void;
}

const sessionsMax = 200;
const textsPerSessionMax = 50;

export function createPrivateTextRegister(): PrivateTextRegister {
  const textsBySession = new Map<string, readonly string[]>();
  return {
    of: (sessionId) => textsBySession.get(sessionId) ?? [],
    add: (sessionId, texts) => {
      if (texts.length === 0) return;
      const known = textsBySession.get(sessionId) ?? [];
      // Re-inserting moves the session to the young end, so that the oldest leaves first.
      textsBySession.delete(sessionId);
      textsBySession.set(sessionId, [...known, ...texts].slice(-textsPerSessionMax));
      const oldest = textsBySession.keys().next().value;
      if (textsBySession.size > sessionsMax && oldest !== undefined) textsBySession.delete(oldest);
    },
  };
}
