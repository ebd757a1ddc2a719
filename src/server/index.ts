/** The door of the server room. */
export { createServer } from "./app.ts";
export type { Errands, ServerContext, ViewerAsset, ViewerFiles } from "./context.ts";
export type { StorageFault } from "./errors.ts";
export type { Peer } from "./handler.ts";
export { createLive, type Every, type Live } from "./live.ts";
