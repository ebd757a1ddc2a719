/** The door of the command-line room. */
export type * from "./deps.ts";
export { type CliError, CliFailure, failureOf, isCliFailure } from "./failure.ts";
export type * from "./local.ts";
export { runCli } from "./commands/index.ts";
export { currentWords } from "./run.ts";
export { isQuick, runQuick } from "./quick.ts";

/** The demonstration: two recorded sessions, loaded by its command. */
export const loadDemo = async () => import("./demo/run.ts");
export { terminal } from "./terminal.ts";
