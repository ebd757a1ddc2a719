/**
 * Measures how long hooks took, from their start to the commit. That is known only after the commit, so figures wait in
 * memory for the next one; a daemon that is killed loses those of its last batch, and no event.
 */
import type { HookEnvelope, Store } from "#domain";
import type { Clock } from "#kit";
import type { Via } from "../process/app.ts";

export type LatencyBook = ReturnType<typeof createLatencyBook>;

/** A hook is killed by the client long before; more is a clock that was set. */
const latencyMsMax = 60_000;
const waitingMax = 1_000;

export function createLatencyBook(clock: Clock, store: Store) {
  let waiting: { readonly key: string; readonly ms: number }[] = [];
  return {
    /** Call when the envelopes are committed. */
    note: (envelopes: readonly HookEnvelope[], via: Via): void => {
      for (const envelope of envelopes) {
        const ms = latencyOf(envelope, via, clock.nowMs());
        if (ms !== null && waiting.length < waitingMax) waiting.push({ key: envelope.key, ms });
      }
    },
    write: (): void => {
      if (waiting.length === 0) return;
      store.events.noteLatencies(waiting);
      waiting = [];
    },
  };
}

/** For a spooled event the hook itself says how long it took; of others we see the end of it here. */
function latencyOf({ startedAtMs, tookMs }: HookEnvelope, via: Via, nowMs: number): number | null {
  const end = startedAtMs === undefined ? null : nowMs - startedAtMs;
  const ms = via === "spool" ? (tookMs ?? null) : end;
  return ms === null || ms < 0 || ms > latencyMsMax ? null : Math.round(ms * 10) / 10;
}
