/**
 * What private blocks of a session's prompts held, so that its answers and tool records can be scrubbed of it. The
 * texts live in memory only, bounded, never stored and never logged; their words outlive the process as hashes.
 */
import type { PrivacyGate, PrivateWords } from "#domain";

export interface PrivateTextRegister {
  readonly of: (sessionId: string) => readonly string[];
  readonly add: (sessionId: string, texts: readonly string[]) => void;
  /** Adds what private blocks held: later turns that retell it lose the sentence. */
  readonly addPrivate: (sessionId: string, texts: readonly string[]) => void;
  readonly addOffRecord: PrivateWords["addOffRecord"];
  readonly inherit: PrivateWords["inherit"];
  /** True for a text of which a part retells what was private. */
  readonly retells: (sessionId: string, text: string) => boolean;
  /** The text without secrets, echoes of `also` and of what is hidden, and sentences that retell what was private. */
  readonly scrub: (
    gate: Pick<PrivacyGate, "cleanAgainst">,
    sessionId: string,
    said: { readonly text: string; readonly also?: readonly string[] },
  ) => string;
}

const sessionsMax = 200;
const textsPerSessionMax = 50;

export function createPrivateTextRegister(words: PrivateWords | undefined): PrivateTextRegister {
  const textsBySession = new Map<string, readonly string[]>();
  const of = (sessionId: string): readonly string[] => textsBySession.get(sessionId) ?? [];
  const add: PrivateTextRegister["add"] = (sessionId, texts) => {
    if (texts.length === 0) return;
    const known = of(sessionId);
    // Re-inserting moves the session to the young end, so that the oldest leaves first.
    textsBySession.delete(sessionId);
    textsBySession.set(sessionId, [...known, ...texts].slice(-textsPerSessionMax));
    const oldest = textsBySession.keys().next().value;
    if (textsBySession.size > sessionsMax && oldest !== undefined) textsBySession.delete(oldest);
  };
  return {
    of,
    add,
    addPrivate: (sessionId, texts) => {
      add(sessionId, texts);
      words?.add(sessionId, texts);
    },
    addOffRecord: (sessionId, prompts) => words?.addOffRecord(sessionId, prompts),
    inherit: (sessionId, nowMs) => words?.inherit(sessionId, nowMs),
    retells: (sessionId, text) => words !== undefined && words.scrub(sessionId, text) !== text,
    scrub: (gate, sessionId, { text, also = [] }) => {
      const clean = gate.cleanAgainst(text, [...of(sessionId), ...also]);
      return words?.scrub(sessionId, clean) ?? clean;
    },
  };
}
