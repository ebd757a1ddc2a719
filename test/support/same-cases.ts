/**
 * Loaded before every test file: properties draw the same cases in every run, so that a change is judged by itself and
 * a red run can be repeated. `CASES_SEED=123 npm test` draws others; `CASES_SEED=random` new ones in each run.
 */
import * as fc from "fast-check";

// Bun's tests run in UTC; so do the C library and what a test starts.
process.env["TZ"] ??= "UTC";

const asked = process.env["CASES_SEED"];
if (asked !== "random") fc.configureGlobal({ seed: Number(asked ?? 20_261_122) });
