/** The client's status line: one short process, asked several times a second. */
export { runStatusLine } from "./run.ts";
export type { StatusLineDeps } from "./run.ts";
