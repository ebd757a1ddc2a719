/**
 * What a hook does when no daemon answered: spool, answer a session start by itself, start a daemon. Loaded on demand,
 * since it needs the file system and the gate.
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { homePaths, type HomePaths, type HookEnvelope } from "#domain";
import { startDaemon } from "./autostart.ts";
import { textsOf } from "./gate-envelope.ts";
import { handOver, type HandOver } from "./hand-over.ts";
import type { HookDeps } from "./hook.ts";
import { note } from "./note.ts";
import { isPaused } from "./pause.ts";
import { fitsSocketPath } from "./socket.ts";
import { spoolEvents } from "./spool-events.ts";

export interface Away {
  readonly deps: HookDeps;
  /** As the environment names it: perhaps relative, perhaps through a link. */
  readonly paths: HomePaths;
  readonly envelopes: readonly HookEnvelope[];
  readonly outcome: HandOver;
  /** What is left of the hook's time. */
  readonly leftMs: () => number;
  readonly print: (context: string) => Promise<void>;
}

/** Spool first: the event must be safe before anything else is tried. */
export async function withoutDaemon(away: Away): Promise<void> {
  const { deps, envelopes, leftMs } = away;
  const paths = homePaths(realHome(away.paths.root));
  if (isPaused(paths, deps.clock.nowMs())) return;
  const outcome = await tryElsewhere(away, paths);
  if (outcome.type === "answered") {
    await away.print(outcome.replies.map(({ context, fresh }) => (fresh ? context : "")).join(""));
    return;
  }
  const settings = await deps.loadSettings(paths);
  const texts = envelopes.flatMap(({ payload }) => textsOf(payload));
  const gate = await deps.loadGate(settings, texts);
  const { env, clock } = deps;
  const spooled = spoolEvents({ paths, gate, settings, env, clock }, envelopes);
  if (spooled.type === "excluded") return;
  if (spooled.type === "refused")
    return note(deps, paths, { event: "hook.not-spooled", why: spooled.why });
  if (outcome.type === "unusable")
    await note(deps, paths, { event: "hook.daemon-unusable", why: outcome.why });
  if (spooled.type === "spooled" && spooled.first.hook === "start" && leftMs() > 0)
    await away.print(await inTime(deps.readStartContext(paths, spooled.first, settings), leftMs()));
  // After the answer: a starting daemon competes with this process for the machine.
  if (outcome.type === "away" && settings.server.autostart) await start(deps, paths);
}

/** A newer program found an older daemon: the one that it starts takes over. */
export const replaceDaemon = async (deps: HookDeps, paths: HomePaths): Promise<void> =>
  start(deps, homePaths(realHome(paths.root)));

/** The home without symlinks; as it is written when it does not exist yet. */
function realHome(root: string): string {
  const full = resolve(root);
  try {
    return realpathSync.native(full);
  } catch {
    return full;
  }
}

/** Behind a link, a short home may be a long one, whose socket lies where daemon.json says. */
async function tryElsewhere(away: Away, paths: HomePaths): Promise<HandOver> {
  const { outcome, envelopes, leftMs } = away;
  const isElsewhere = fitsSocketPath(away.paths.socket) && !fitsSocketPath(paths.socket);
  if (outcome.type !== "away" || !isElsewhere) return outcome;
  return handOver({ paths, envelopes, deadlineMs: Math.max(1, leftMs()) });
}

/** The text, or nothing when it does not come in time or cannot be had. */
const inTime = async (text: Promise<string>, ms: number): Promise<string> =>
  Promise.race([
    text.catch(() => ""),
    new Promise<string>((done) => {
      setTimeout(() => done(""), ms);
    }),
  ]);

async function start(deps: HookDeps, paths: HomePaths): Promise<void> {
  const { command, env, clock } = deps;
  if (startDaemon({ paths, env, command, nowMs: clock.nowMs() }) === "failed")
    await note(deps, paths, { event: "hook.start-failed" });
}
