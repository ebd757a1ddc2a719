/** The door of the store. Everything else is reached through the Store port that `openStore` gives. */
export { openStore } from "./open.ts";
export type { OpenOptions } from "./open.ts";
export { storageFailure } from "./sqlite-failure.ts";
