/**
 * The typed client of the HTTP API: paths, parameters and answers are those of the route table, so that a route that
 * changes breaks its callers when they are compiled. Knows no transport: the caller brings a `fetch`.
 */
export { createCaller, createClient } from "./client.ts";
export type { Client } from "./client.ts";
export { isRecordUri, recordAt } from "./record.ts";
export type { SessionRecord } from "./record.ts";
export type { ApiFailure } from "./failure.ts";
