/** The door of the store: opening the database, and the few things that work on a file rather than on an open store. */
export { openStore } from "./open.ts";
export type { OpenOptions } from "./open.ts";
export { identifiersOf } from "./identifiers.ts";
