/** What people decided about projects, as it is stored: read at every start and every event, so it stands alone. */
import type { ProjectRules } from "#domain";
import { metaOf, saveMeta } from "./meta.ts";
import { recordOf, type Sql } from "./sql.ts";

const rulesName = "projects.rules";

/** What was decided; none where nothing was, or it cannot be read. */
export function projectRules(sql: Sql): ProjectRules {
  const text = metaOf(sql, rulesName);
  if (text === null) return none;
  const { names, merged, folders } = recordOf(text) as Partial<ProjectRules>;
  return { names: names ?? {}, merged: merged ?? {}, folders: folders ?? [] };
}

const none: ProjectRules = { names: {}, merged: {}, folders: [] };

export const keepRules = (sql: Sql, rules: ProjectRules): void =>
  saveMeta(sql, rulesName, JSON.stringify(rules));
