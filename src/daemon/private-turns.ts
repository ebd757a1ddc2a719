/**
 * Keeps private turns private across a restart. The application scrubs what a private block held as long as it lives;
 * for turns whose prompt an earlier process hid, the words are no longer known, so their answers lose all words.
 */
import type { HomePaths, HookEnvelope } from "#domain";
import {
  clearPrivateTurn,
  isInPrivateTurn,
  markPrivateTurn,
  mayBePrivate,
  sweepPrivateMarks,
} from "#capture";

export interface PrivateTurns {
  /** To be applied to every event from the socket before it is accepted. */
  readonly guard: (envelope: HookEnvelope) => HookEnvelope;
  /** To be told of every event from the spool: its private words are gone for good. */
  readonly spooled: (envelope: HookEnvelope) => void;
}

const sessionsMax = 1_000;

export function createPrivateTurns(
  paths: HomePaths,
  deps: { readonly withoutWords: (envelope: HookEnvelope) => HookEnvelope; readonly nowMs: number },
): PrivateTurns {
  sweepPrivateMarks(paths, deps.nowMs);
  /** Sessions whose every private prompt went through this process. */
  const known = new Set<string>();
  const sessionOf = ({ payload }: HookEnvelope): string => String(payload["session_id"]);
  return {
    guard: (envelope) => {
      const session = sessionOf(envelope);
      if (envelope.hook === "submit") {
        if (!mayBePrivate(envelope)) clearPrivateTurn(paths, envelope);
        else if (markPrivateTurn(paths, envelope) === "first") remember(known, session);
        return envelope;
      }
      return !known.has(session) && isInPrivateTurn(paths, envelope)
        ? deps.withoutWords(envelope)
        : envelope;
    },
    spooled: (envelope) => {
      if (envelope.hook === "submit") known.delete(sessionOf(envelope));
    },
  };
}

function remember(known: Set<string>, session: string): void {
  known.add(session);
  const oldest = known.values().next().value;
  if (known.size > sessionsMax && oldest !== undefined) known.delete(oldest);
}
