/**
 * The typed client of the HTTP API: paths, parameters and answers are those of the route table, so that a route that
 * changes breaks its callers when they are compiled. Knows no transport: the caller brings a `fetch`.
 */
export {
  type ApiFailure,
  type Client,
  createCaller,
  createClient,
  isRecordUri,
  recordAt,
  type SessionRecord,
} from "./client.ts";
