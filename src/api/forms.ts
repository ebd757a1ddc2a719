/**
 * The forms of answers: what the HTTP API answers, what `--json` prints and what every other client sees. Field names
 * are stable and match the columns of the schema where there is one. Times are epoch milliseconds, `project` is a
 * project key (null = everywhere), scores run from 0 to about 1.
 *
 * Types come from here too, by `#api`. This door is imported when a form is asked for: zod takes a moment to load.
 */
import * as given from "./forms-given.ts";
import * as history from "./forms-history.ts";
import * as memory from "./forms-memory.ts";
import * as reports from "./forms-reports.ts";
import * as search from "./forms-search.ts";
import * as session from "./forms-session.ts";
import * as work from "./forms-work.ts";

const exported = { ...given, ...history, ...memory, ...reports, ...search, ...session, ...work };
type Exported = typeof exported;

/** Every form by the name of its type: `memoryForm` is `MemoryJson`. */
export type Forms = {
  readonly [
    Name in keyof Exported as Name extends `${infer Noun}Form` ? `${Capitalize<Noun>}Json` : never
  ]: Exported[Name];
};

export const forms = Object.fromEntries(
  Object.entries(exported).flatMap(([name, form]) =>
    name.endsWith("Form")
      ? [[`${name[0]?.toUpperCase()}${name.slice(1, -"Form".length)}Json`, form]]
      : [],
  ),
) as Forms;

export { fieldsOf, promisedOf } from "./form.ts";
