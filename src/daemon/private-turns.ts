/**
 * Keeps private turns private across a restart. The application scrubs what a private block held as long as it lives;
 * for turns whose prompt an earlier process hid, the words are no longer known, so their answers lose all words.
 */
import type { HomePaths, HookEnvelope } from "#domain";
import type { Via } from "./app.ts";
import {
  clearPrivateTurn,
  isInPrivateTurn,
  markPrivateTurn,
  mayBePrivate,
  sweepPrivateMarks,
} from "#capture";

export interface PrivateTurns {
  /** Returns the event as it may be committed. Call for every event, in the order of events. */
  readonly guard: (envelope: HookEnvelope, via: Via) => HookEnvelope;
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
    guard: (envelope, via) => {
      const session = sessionOf(envelope);
      if (via === "spool") {
        // The hook applied the marks before it spooled; private words of a spooled prompt are gone for good.
        if (envelope.hook === "submit") known.delete(session);
        return envelope;
      }
      if (envelope.hook === "submit") {
        if (!mayBePrivate(envelope)) clearPrivateTurn(paths, envelope);
        else if (markPrivateTurn(paths, envelope) === "first") remember(known, session);
        return envelope;
      }
      return !known.has(session) && isInPrivateTurn(paths, envelope)
        ? deps.withoutWords(envelope)
        : envelope;
    },
  };
}

function remember(known: Set<string>, session: string): void {
  known.add(session);
  const oldest = known.values().next().value;
  if (known.size > sessionsMax && oldest !== undefined) known.delete(oldest);
}
