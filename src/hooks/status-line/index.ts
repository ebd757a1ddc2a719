/** The door of the status line, a chunk of its own: one short process, asked several times a second. */
export { runStatusLine } from "./run.ts";
export type { StatusLineDeps } from "./run.ts";
