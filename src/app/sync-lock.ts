/** Shared by sync and the team space: one run at a time, its errors in words, and questions to the daemon. */
import { errorMessage } from "#kit";
import { type CliFailure, failureOf, isCliFailure } from "#cli";
import type { DaemonClient } from "#daemon";
import type { HomePaths, Context } from "#domain";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A line for a person, which ends the command. */
export const failed = (type: string, message: string, next: string): CliFailure =>
  failureOf({ type, message, next });

const lockPath = ({ sync }: HomePaths): string => join(sync, "lock");

/** A sync of the daemon's is over in a moment, and a person who asks for one would only ask again. */
const waitMs = 20_000;
const stepMs = 50;

/** One process syncs at a time. A lock whose process died is taken over. */
export async function locked<Value>(paths: HomePaths, work: () => Promise<Value>): Promise<Value> {
  mkdirSync(paths.sync, { recursive: true, mode: 0o700 });
  for (let waitedMs = 0; !tookLock(lockPath(paths)); waitedMs += stepMs) {
    if (waitedMs >= waitMs)
      throw failed("sync.busy", "a sync is running already", "wait a moment, and try again");
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

type Run = typeof import("#exchange/sync");

export async function guarded<Value>(
  deps: Context,
  work: (run: Run) => Promise<Value>,
): Promise<Value> {
  const run = await import("#exchange/sync");
  try {
    return await work(run);
  } catch (error) {
    if (isCliFailure(error)) throw error;
    if (error instanceof run.CarrierFailure || error instanceof run.SpaceFailure)
      throw failed("sync.failed", error.message, error.next);
    const message = errorMessage(error);
    deps.log.write("error", "sync.failed", { reason: message.slice(0, 300) });
    throw failed(
      "sync.failed",
      `the sync failed: ${message}`,
      "nothing is lost; see `continuity status --log`, and try again",
    );
  }
}

export type Start = () => Promise<DaemonClient>;

export async function askOver(
  start: Start,
  path: "/api/sync" | "/api/team",
): Promise<(body: object) => Promise<unknown>> {
  const client = await start();
  return async (body) => {
    const response = await client.fetch(path, { method: "POST", body: JSON.stringify(body) });
    if (response.ok) return response.json();
    throw failed(
      "sync.failed",
      `the daemon answered with status ${response.status}`,
      "see `continuity status --log`",
    );
  };
}
