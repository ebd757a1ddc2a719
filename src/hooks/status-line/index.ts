/** The door of the status line, a chunk of its own: one short process, asked several times a second. */
import type { HomePaths } from "#domain";

export { runStatusLine } from "./run.ts";

/** Counts events that wait in the spool: loaded only where no daemon is there. */
export async function waitingEvents(paths: HomePaths): Promise<number> {
  const waiting = await import("./waiting.ts");
  return waiting.waitingEvents(paths);
}
