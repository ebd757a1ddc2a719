/** How much waits in the spool. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export interface SpoolSize {
  readonly files: number;
  readonly bytes: number;
  /** When the event that waits longest was left, epoch ms; null = none waits. */
  readonly oldestMs: number | null;
}

/** Events that wait in a spool folder, and since when. */
export function spoolSize(folder: string): SpoolSize {
  if (!existsSync(folder)) return { files: 0, bytes: 0, oldestMs: null };
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  // Not when they were last modified: that is set to the event's own time.
  const found = names.flatMap(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false }) ?? [],
  );
  return {
    files: found.length,
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    oldestMs: found.length === 0 ? null : Math.min(...found.map(({ ctimeMs }) => ctimeMs)),
  };
}
