/** The OpenEndsStore port: one small document for each project. */
import type { OpenEndsState, OpenEndsStore } from "#domain";
import { metaOf, saveMeta } from "./meta.ts";
import type { Sql } from "./sql.ts";

/** Of a project; older ones belong to sessions that no start tells of any more. */
const closedMax = 128;
const toldMax = 64;

const nameOf = (project: string): string => `open-ends:${project}`;

export const createOpenEnds = (sql: Sql): OpenEndsStore => ({
  of: (project) => {
    const json = metaOf(sql, nameOf(project));
    // Written below, and by nobody else.
    return json === null ? { closed: [], told: [] } : (JSON.parse(json) as OpenEndsState);
  },
  put: (project, { closed, told }) =>
    saveMeta(
      sql,
      nameOf(project),
      JSON.stringify({ closed: closed.slice(-closedMax), told: told.slice(-toldMax) }),
    ),
});
