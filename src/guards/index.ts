/** The door of guards: what the agent is about to do, held against what the user forbade. Light: a hook loads it. */
export { guardFileLimits, readGuardFile, writeGuardFile } from "./file.ts";
export { guardAgainst, nowhere } from "./match.ts";
export type { Deed, Places } from "./match.ts";
