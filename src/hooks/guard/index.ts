/** The door of the guard hook, a chunk of its own: it runs before every command and edit of the agent. */
export { runGuardHook } from "./run.ts";
