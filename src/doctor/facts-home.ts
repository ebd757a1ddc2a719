/** What doctor is told about the home folder, its disk and the daemon. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findSocket, isPaused, parseRecord, spoolSize } from "#capture";
import { connectDaemon, isAlive, isPortTaken, readLock } from "#daemon";
import type { HomePaths, Settings } from "#domain";
import type { ClockDep } from "#kit";
import { existingFolder, freeBytes, lostEvents, writeFault } from "#keep";
import { networkFileSystemAt } from "#store";
import type { DaemonFacts, HomeFacts } from "./facts.ts";

export interface HomeFactsDeps extends ClockDep {
  readonly paths: HomePaths;
  readonly settings: {
    readonly current: () => Settings;
    /** Warnings and errors of the last reading, each with what to do. */
    readonly warnings: () => readonly string[];
  };
}

/** Looks at the folder and writes one file of a few kilobytes there for a moment. */
export function homeFacts({ paths, clock, settings }: HomeFactsDeps): HomeFacts {
  const place = existingFolder(paths.root);
  const { files, oldestMs } = spoolSize(paths.spool);
  return {
    root: paths.root,
    unwritable: existsSync(paths.root) ? writeFault(paths.root) : accessFault(place),
    loose: loosePaths(paths),
    freeBytes: freeBytes(place),
    network: networkFileSystemAt(place),
    spool: { files, oldestMs, aside: namesIn(join(paths.spool, "bad")).length },
    lost: lostEvents(paths, clock.nowMs()),
    config: settings.warnings(),
    isPaused: isPaused(paths, clock.nowMs()),
  };
}

/** Nothing is made where there is no home yet. */
const accessFault = (place: string): string | null =>
  statSync(place).isDirectory() ? null : `${place} is no folder`;

/** What of ours others may read or own. Windows has no such modes. */
function loosePaths(paths: HomePaths): HomeFacts["loose"] {
  if (process.platform === "win32" || !existsSync(paths.root)) return [];
  const uid = process.getuid?.() ?? -1;
  const keys = join(paths.root, "keys");
  const inside = [paths.root, paths.spool, paths.backups, paths.logs, paths.archive, keys]
    .flatMap((folder) =>
      namesIn(folder)
        .map((name) => join(folder, name))
        .concat(folder),
    )
    // A socket's mode is that of its folder.
    .filter((path) => path !== paths.socket);
  return [...new Set(inside)].flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    const isOwn = found.uid === uid;
    const isLoose = (found.mode & 0o077) !== 0;
    return isLoose || !isOwn ? [{ path, mode: found.mode, isOwn }] : [];
  });
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Not there.
  }
};

/** A daemon that has just been started holds its lock before it listens. */
const startingMs = 2_000;
const pollMs = 100;

/** Asks the daemon for its health, and says which process is there when none answers. */
export async function daemonFacts({ paths, settings }: HomeFactsDeps): Promise<DaemonFacts> {
  const wantedPort = settings.current().server.port;
  const record = existsSync(paths.daemonJson)
    ? parseRecord(readFileSync(paths.daemonJson, "utf8"))
    : null;
  const asked = await askDaemon(paths);
  const port = asked.state === "running" ? (record?.port ?? null) : null;
  const isOther = wantedPort !== 0 && port !== wantedPort;
  return {
    ...asked,
    port,
    wantedPort,
    isPortTaken: isOther && (await isPortTaken(wantedPort)),
  };
}

async function askDaemon(
  paths: HomePaths,
): Promise<Pick<DaemonFacts, "state" | "pid" | "version" | "answeredMs">> {
  const holder = readLock(paths);
  const isHeld = holder !== null && isAlive(holder);
  const pid = isHeld ? holder.pid : null;
  const endMs = performance.now() + (isHeld ? startingMs : 0);
  do {
    const started = performance.now();
    const client = await connectDaemon(paths);
    const answeredMs = Math.round((performance.now() - started) * 10) / 10;
    if (client !== null) return { state: "running", pid, version: client.version, answeredMs };
    await Bun.sleep(isHeld ? pollMs : 0);
  } while (performance.now() < endMs);
  const none = { pid, version: null, answeredMs: null };
  const socket = await findSocket(paths);
  if (socket.type === "foreign") return { state: "foreign", ...none };
  return { state: isHeld ? "hung" : "away", ...none };
}
