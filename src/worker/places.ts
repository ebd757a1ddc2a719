/** Whether a session's folder is believed to be the project that it says, and what the user is told where it is not. */
import { type History, type HookEnvelope, isTrustedPlace, type Session, type Store } from "#domain";
import type { Clock } from "#kit";
import type { PreparedEvent } from "./prepare.ts";

export interface PlacesDeps {
  readonly store: Store;
  /** Null without a repository of its own. */
  readonly historyAt: (folder: string) => History | null;
}

/** The project whose memories this event's session may be given; null: global ones only. */
export function reachOf(
  { store, historyAt }: PlacesDeps,
  { project: here }: Pick<PreparedEvent, "project">,
  { project }: Pick<Session, "project">,
): string | null {
  if (project === null) return null;
  if (here?.key === project)
    return isTrustedPlace({ places: store.places, historyAt }, here) ? project : null;
  // The session went to another folder: where its project is doubtful anywhere, so it is here.
  return store.places.of(project, "").some(({ isTrusted }) => !isTrusted) ? null : project;
}

/** The reach of a session that starts here; notes the folder, and by which commits a clone of it will be known. */
export function reachAtStart(
  deps: PlacesDeps,
  event: Pick<PreparedEvent, "project" | "atMs">,
  session: Pick<Session, "project">,
): string | null {
  const { project: here, atMs } = event;
  if (here === null || here.key !== session.project) return reachOf(deps, event, session);
  const { store, historyAt } = deps;
  const isTrusted = isTrustedPlace({ places: store.places, historyAt }, here);
  if (!here.key.startsWith("dir:")) {
    store.places.put(here.key, { root: here.root, isTrusted }, atMs);
    if (isTrusted) store.places.addCommits(here.key, historyAt(here.root)?.commits ?? [], atMs);
  }
  return isTrusted ? here.key : null;
}

/** What the user is told at the start of a session that is given global memories only. */
export const doubt = ({ projectName }: Pick<Session, "projectName">, program: string): string =>
  `Continuity: this folder says that it is ${projectName ?? "a project"}, but shares no commit ` +
  "with the one known here, so it is given none of its memories. If it is yours, run " +
  `\`${program} project trust\` in it.`;

// How long hooks took, from their start to the commit. That is known only after the commit, so figures wait in memory
// for the next one; a daemon that is killed loses those of its last batch, and no event.

export interface LatencyBook {
  /** To be called when the envelopes are committed. */
  readonly note: (envelopes: readonly HookEnvelope[], via: "socket" | "spool" | "http") => void;
  /** Writes what waits; nothing when nothing does. */
  readonly write: () => void;
}

/** A hook is killed by the client long before; more is a clock that was set. */
const latencyMsMax = 60_000;
const waitingMax = 1_000;

export function createLatencyBook({
  clock,
  store,
}: { readonly clock: Clock } & Pick<{ readonly store: Store }, "store">): LatencyBook {
  let waiting: { readonly key: string; readonly ms: number }[] = [];
  return {
    note: (envelopes, via) => {
      for (const envelope of envelopes) {
        const ms = latencyOf(envelope, via, clock.nowMs());
        if (ms !== null && waiting.length < waitingMax) waiting.push({ key: envelope.key, ms });
      }
    },
    write: () => {
      if (waiting.length === 0) return;
      store.events.noteLatencies(waiting);
      waiting = [];
    },
  };
}

/** Of a spooled event the hook said itself how long it took; of others we see the end of it here. */
function latencyOf(
  { startedAtMs, tookMs }: HookEnvelope,
  via: "socket" | "spool" | "http",
  nowMs: number,
): number | null {
  const end = startedAtMs === undefined ? null : nowMs - startedAtMs;
  const ms = via === "spool" ? (tookMs ?? null) : end;
  return ms === null || ms < 0 || ms > latencyMsMax ? null : Math.round(ms * 10) / 10;
}
