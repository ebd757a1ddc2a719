/** The door of the command-line room. */
export type * from "./deps.ts";
export { type CliError, OutputFailure } from "./failure.ts";
export type * from "./keep.ts";
export { cliReference, runCli } from "./reference.ts";
export { currentWords } from "./run.ts";
export { isQuick, runQuick } from "./quick.ts";

/** The demonstration: two recorded sessions, loaded by its command. */
export const loadDemo = async () => import("./demo/run.ts");
export { terminal } from "./terminal.ts";
