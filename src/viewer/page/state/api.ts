/** The typed client over this page's own line to the daemon. */
import { createClient } from "#api";
import { authorizedFetch } from "./connection.ts";

export { answerOf } from "./failure.ts";

export const api = createClient(authorizedFetch, location.origin);
