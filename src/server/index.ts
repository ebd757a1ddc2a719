/** The door of the server room. Clients import `Api` as a type and nothing else. */
export { createServer, type Api, type ServerDeps } from "./app.ts";
export type { StorageFault } from "./errors.ts";
export { createLive, type Every, type Live } from "./live.ts";
export type { Peer } from "./peer.ts";
export { httpReference } from "./reference.ts";
export type { HookDep } from "./routes-hooks.ts";
export type { TokenDep } from "./security.ts";
export type { ViewerAsset, ViewerFiles } from "./viewer-files.ts";
export type { Errands } from "./routes-errands.ts";
