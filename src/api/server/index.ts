/**
 * The daemon's side of the API: every question that anybody may ask, answered once (`service/`), and HTTP in,
 * service out (`server/`), with a handler for each row of the route table.
 */
export { createServer } from "./app.ts";
export type { Errands, ViewerFiles } from "./context.ts";
export type { StorageFault } from "./errors.ts";
export { createLive, type Live } from "./live.ts";
export type { Context as ServiceContext, ContextPreview, Trial } from "../service/context.ts";
export { explainLlmError, llmPlaceOf, type ServiceError } from "../service/errors.ts";
export { createService, type Service } from "../service/service.ts";
export { routes } from "../routes.ts";
