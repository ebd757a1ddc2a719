/** daemon.json: what the running daemon says about itself. Written whole or not at all. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { DaemonRecord, HomePaths } from "#domain";
import { parseRecord } from "#capture";

export function writeRecord(paths: HomePaths, record: DaemonRecord): void {
  const temporary = `${paths.daemonJson}.${record.pid}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    renameSync(temporary, paths.daemonJson);
  } finally {
    rmSync(temporary, { force: true }); // Still there when the disk was full.
  }
}

/** Removes the record if it is still ours: a successor may have written its own. */
export function removeRecord(paths: HomePaths, pid: number): void {
  if (!existsSync(paths.daemonJson)) return;
  if (parseRecord(readFileSync(paths.daemonJson, "utf8"))?.pid === pid)
    rmSync(paths.daemonJson, { force: true });
}
