/**
 * The door of the API room: types, and the typed client, so that no command loads zod for them. Forms:
 * `#api/forms`; what answers: `#api/server`.
 */
export type { Field } from "./form.ts";
export type { Forms } from "./forms.ts";
export type { Answer, Asked } from "./routes.ts";
export type * from "./forms-given.ts";
export type * from "./forms-history.ts";
export type * from "./forms-memory.ts";
export type * from "./forms-reports.ts";
export type * from "./forms-search.ts";
export type * from "./forms-session.ts";
export type * from "./forms-work.ts";
export {
  type ApiFailure,
  type Client,
  createCaller,
  createClient,
  isRecordUri,
  recordAt,
} from "./client/client.ts";
