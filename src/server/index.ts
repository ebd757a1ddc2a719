/** The door of the server room. */
export { createServer, type ServerDeps } from "./app.ts";
export type { StorageFault } from "./errors.ts";
export { createLive, type Every, type Live } from "./live.ts";
export type { Peer } from "./handler.ts";
export type { HookDep } from "./handlers/hooks.ts";
export type { TokenDep } from "./security.ts";
export type { ViewerAsset, ViewerFiles } from "./handlers/page.ts";
export type { Errands } from "./handlers/tasks.ts";
