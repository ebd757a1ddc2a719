/** The door of the service room. */
export type { Context as ServiceContext, ContextAsk, ContextPreview, Trial } from "./context.ts";
export { explainLlmError, type LlmPlace, llmPlaceOf, type ServiceError } from "./errors.ts";
export type { RememberAsk } from "./candidate.ts";
export type { ConsolidateAsk } from "./work.ts";
export type { Edit, EditAsk } from "./edit.ts";
export type { FeedSince } from "./feed.ts";
export { listMemories, type ListAsk } from "./list.ts";
export { createSearchApi, type SearchAsk } from "./search.ts";
export { createService, type Service } from "./service.ts";
export type { SessionsAsk } from "./sessions.ts";
export { createStatusApi, type StatusLineAsk } from "./status.ts";
