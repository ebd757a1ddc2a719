/**
 * Keeps what was typed in private, or off the record, out of what follows in the same turn: its answer, its tools, its
 * subagents, and a later summary of the session. Marks on disk make it hold across a restart.
 */
import type { HomePaths, HookEnvelope } from "#domain";
import {
  clearPrivateTurn,
  markOffTheRecord,
  markPrivateTurn,
  mayBePrivate,
  sweepPrivateMarks,
  turnStanding,
  withoutPrompt,
  withoutWords,
} from "#capture";
import type { DaemonApp, Via } from "./app.ts";

export interface PrivateTurns {
  /** Returns the event as it may be committed, or null. Call for every event, in the order of events. */
  readonly guard: (envelope: HookEnvelope, via: Via) => HookEnvelope | null;
}

export function createPrivateTurns(
  paths: HomePaths,
  deps: Pick<DaemonApp, "leavesNoRecord"> & { readonly nowMs: number },
): PrivateTurns {
  sweepPrivateMarks(paths, deps.nowMs);
  return {
    guard: (envelope, via) => {
      // The hook has applied the marks before it spooled; without ids a later prompt may have changed them since.
      if (via === "spool") return isTakenBack(paths, envelope) ? null : envelope;
      const isPrompt =
        envelope.hook === "submit" && typeof envelope.payload["agent_id"] !== "string";
      if (isPrompt) return guardPrompt(paths, deps, envelope);
      const standing = turnStanding(paths, envelope);
      if (standing === "off the record") return null;
      return standing === "private" ? withoutWords(envelope) : envelope;
    },
  };
}

/** True for what was spooled before a courier had read the order in its turn's long prompt. */
const isTakenBack = (paths: HomePaths, envelope: HookEnvelope): boolean =>
  typeof envelope.payload["prompt_id"] === "string" &&
  envelope.payload["off_the_record"] !== true &&
  turnStanding(paths, envelope) === "off the record";

function guardPrompt(
  paths: HomePaths,
  { leavesNoRecord }: Pick<DaemonApp, "leavesNoRecord">,
  envelope: HookEnvelope,
): HookEnvelope {
  const { prompt, prompt_id: id } = envelope.payload;
  const isOff =
    (typeof prompt === "string" && leavesNoRecord(prompt)) ||
    (typeof id === "string" && turnStanding(paths, envelope) === "off the record");
  if (isOff) {
    markOffTheRecord(paths, envelope);
    return withoutPrompt(envelope);
  }
  (mayBePrivate(envelope) ? markPrivateTurn : clearPrivateTurn)(paths, envelope);
  return envelope;
}
