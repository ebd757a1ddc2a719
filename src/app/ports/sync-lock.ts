/** One sync at a time, and how a sync says what ended it. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { CliError } from "#cli";
import type { HomePaths } from "#domain";

/** A line for a person ends the command. */
export class SyncError extends Error {
  readonly cliError: CliError;

  constructor(type: string, message: string, next?: string) {
    super(message);
    this.cliError = next === undefined ? { type, message } : { type, message, next };
  }
}

const lockPath = ({ sync }: HomePaths): string => join(sync, "lock");

/** A sync of the daemon's is over in a moment, and a person who asks for one would only ask again. */
const waitMs = 20_000;
const stepMs = 50;

/** One process syncs at a time. A lock whose process died is taken over. */
export async function locked<Value>(paths: HomePaths, work: () => Promise<Value>): Promise<Value> {
  mkdirSync(paths.sync, { recursive: true, mode: 0o700 });
  for (let waitedMs = 0; !tookLock(lockPath(paths)); waitedMs += stepMs) {
    if (waitedMs >= waitMs)
      throw new SyncError("sync.busy", "a sync is running already", "wait a moment, and try again");
    await Bun.sleep(stepMs);
  }
  try {
    return await work();
  } finally {
    rmSync(lockPath(paths), { force: true });
  }
}

function tookLock(path: string): boolean {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeSync(file, `${process.pid}`);
      closeSync(file);
      return true;
    } catch {
      if (isAlive(path)) return false;
      rmSync(path, { force: true });
    }
  }
  return false;
}

function isAlive(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    // An empty file is one that is just being written.
    if (pid === 0) return true;
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
