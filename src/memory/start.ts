/**
 * The light door of the engine: session start alone, for a hook process that reads the database itself. What it
 * does not name is not loaded.
 */
export { composeStart, emptyStoreGreeting } from "./injection/start.ts";
export { collectStartSnapshot } from "./injection/start-collect.ts";
export { startSourceOf } from "./injection/start-types.ts";
