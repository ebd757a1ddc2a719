/**
 * The note of events that could be kept nowhere, so that people can be told later. The daemon lays it down while there
 * is room (daemon/drain.ts); lines added to it then need no new block of the disk. Read by keep/lost.ts.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { HomePaths, HookEnvelope } from "#domain";

export const lostNotePath = (paths: HomePaths): string => `${paths.spool}/lost`;

/** Its first line; there from the start, so that the note has its block. Afterwards `<epoch ms> <hook> <why>` each. */
export const lostNoteHead = "# events that could not be kept: time, hook, reason\n";

/** One block of any file system: more could not be added on a full disk. */
export const lostNoteBytesMax = 4_096;

/** Adds a line for each event while the note has room. Never throws. */
export function noteLost(
  paths: HomePaths,
  lost: readonly HookEnvelope[],
  { atMs, why }: { readonly atMs: number; readonly why: string },
): void {
  const lines = lost.map(({ hook }) => `${atMs} ${hook} ${why}\n`);
  try {
    // Not created here: it would take a block, and under sudo it would be root's.
    const file = openSync(lostNotePath(paths), constants.O_WRONLY | constants.O_APPEND);
    try {
      let { size } = fstatSync(file);
      for (const line of lines) {
        size += line.length;
        if (size <= lostNoteBytesMax) writeSync(file, line);
      }
    } finally {
      closeSync(file);
    }
  } catch {
    // No note, or no room even in it: the session was told.
  }
}
