/**
 * Collects the facts before they are judged: plain data. Facts that need an open store are gathered
 * by the application.
 */
import { existsSync, statSync } from "node:fs";
import { existingFolder, fileNamesIn, readText } from "#kit";
import { join } from "node:path";
import type { Check, Context, HomePaths, Remedy } from "#domain";
import { findSocket, isPaused, parseRecord, spoolSize } from "#hooks";
import { connectDaemon, isAlive, isPortTaken, readLock } from "#daemon";
import { freeBytes, lostEvents, writeFault } from "../damage.ts";
import { networkFileSystemAt } from "#store";
import type { InstallFacts } from "./facts-install.ts";

export interface HookFacts {
  readonly hook: string;
  readonly lastMs: number;
  /** Newest first, in ms, from the process's start to the commit. */
  readonly latenciesMs: readonly number[];
}

export interface StoreFacts {
  /** `unusable`: `problem` and `next` say why and what to do. */
  readonly state: "missing" | "open" | "unusable";
  readonly problem: string;
  readonly next: string;
  readonly bytes: number;
  readonly hooks: readonly HookFacts[];
  /** The session with the latest event. */
  readonly lastSession: {
    readonly isEnded: boolean;
    readonly fired: ReadonlyMap<string, number>;
  } | null;
  readonly embedder: {
    readonly id: string;
    /** It comes with the program; else a server answers for it. */
    readonly isEmbedded: boolean;
    /** The reason why it gives no vectors; null = it does. */
    readonly problem: string | null;
  };
}

export interface ModelFacts {
  readonly provider: string;
  readonly isUsable: boolean;
  readonly reason: string;
  readonly tokensToday: number;
  readonly tokensPerDay: number;
  /** The last question, if this provider did not take it; null = it did, or none was asked. */
  readonly failure: {
    readonly atMs: number;
    readonly model: string;
    readonly outcome: string;
  } | null;
  /** The reason why it does not do its work for now (a rate limit, sessions that were given up), with the next step. */
  readonly fault: { readonly what: string; readonly next: string } | null;
}

export interface Facts {
  readonly nowMs: number;
  readonly version: string;
  readonly install: InstallFacts;
  readonly home: ReturnType<typeof homeFacts>;
  readonly daemon: Awaited<ReturnType<typeof daemonFacts>>;
  readonly store: StoreFacts;
  readonly model: ModelFacts;
}

// One link of the chain, and how it stands.

export const fine = (id: string, detail: string): Check => ({
  id,
  state: "ok",
  detail,
  fix: null,
  remedy: null,
});

export const skipped = (id: string, detail: string): Check => ({
  ...fine(id, detail),
  state: "skipped",
});

interface Wrong {
  readonly detail: string;
  readonly fix: string;
  readonly remedy?: Remedy;
}

/** Something does not work. */
export const failed = (id: string, { detail, fix, remedy }: Wrong): Check => ({
  id,
  state: "failed",
  detail,
  fix,
  remedy: remedy ?? null,
});

/** It works, and something about it deserves a look. */
export const warned = (id: string, wrong: Wrong): Check => ({
  ...failed(id, wrong),
  state: "warning",
});

// Collects for doctor the facts about the home folder, its disk and the daemon.

/** Looks at the folder and writes one file of a few kilobytes there for a moment. */
export function homeFacts({ paths, clock, settings }: Context) {
  const place = existingFolder(paths.root);
  const { files, oldestMs } = spoolSize(paths);
  return {
    root: paths.root,
    /** The reason why the home cannot be written; null when it can. */
    unwritable: existsSync(paths.root) ? writeFault(paths.root) : accessFault(place),
    loose: loosePaths(paths),
    /** Free bytes for this user; null = the system does not tell. */
    freeBytes: freeBytes(place),
    network: networkFileSystemAt(place),
    /** `aside`: events that could not be read or applied. */
    spool: { files, oldestMs, aside: fileNamesIn(join(paths.spool, "bad")).length },
    /** Events that could be kept nowhere, when and why; null when nothing was lost lately. */
    lost: lostEvents(paths, clock.nowMs()),
    /** Warnings and errors about config.toml. */
    config: settings.warnings(),
    isPaused: isPaused(paths, clock.nowMs()),
  };
}

/** Nothing is made where there is no home yet. */
const accessFault = (place: string): string | null =>
  statSync(place).isDirectory() ? null : `${place} is no folder`;

/** Files and folders of ours that others may read or own. Windows has no such modes. */
function loosePaths(
  paths: HomePaths,
): readonly { readonly path: string; readonly mode: number; readonly isOwn: boolean }[] {
  if (process.platform === "win32" || !existsSync(paths.root)) return [];
  const uid = process.getuid?.() ?? -1;
  const keys = join(paths.root, "keys");
  const inside = [paths.root, paths.spool, paths.backups, paths.logs, paths.archive, keys]
    .flatMap((folder) =>
      fileNamesIn(folder)
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

/** A daemon that has just been started holds its lock before it listens. */
const startingMs = 2_000;
const pollMs = 100;

/** Asks the daemon for its health, and says which process is there when none answers. */
export async function daemonFacts({ paths, settings }: Context) {
  const wantedPort = settings.current().server.port;
  const record = parseRecord(readText(paths.daemonJson) ?? "");
  const asked = await askDaemon(paths);
  const port = asked.state === "running" ? (record?.port ?? null) : null;
  const isOther = wantedPort !== 0 && port !== wantedPort;
  return {
    ...asked,
    port,
    wantedPort,
    /** Another program listens on the wanted port. */
    isPortTaken: isOther && (await isPortTaken(wantedPort)),
  };
}

interface Asked {
  /** `hung`: a process holds the lock or the socket and does not answer. */
  readonly state: "running" | "away" | "hung" | "foreign";
  readonly pid: number | null;
  readonly version: string | null;
  /** Milliseconds until it answered. */
  readonly answeredMs: number | null;
}

async function askDaemon(paths: HomePaths): Promise<Asked> {
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
