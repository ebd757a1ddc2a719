/**
 * What people make of projects: another name, one out of two. Rows are changed at once; rules say what
 * becomes of sessions to come, whose folders still say what they said.
 */
import {
  foldedKey,
  folderKey,
  heirOf,
  memoryCategories,
  type ProjectFacts,
  type ProjectRules,
  type ProjectStore,
} from "#domain";
import { absorb, merge, unmerge } from "./project-merge.ts";
import { keepRules, noteProject, projectRules } from "./meta.ts";
import type { Sql } from "./sql.ts";

const projectsMax = 10_000;
/** Folders of one project that are told. */
const foldersMax = 50;

/** The ProjectStore port. */
export const createProjects = (sql: Sql): ProjectStore => ({
  rules: () => projectRules(sql),
  facts: () => facts(sql),
  folders: (key) =>
    sql.all(
      `SELECT cwd AS folder, count(*) AS sessions FROM sessions WHERE project = ? AND cwd IS NOT NULL
        GROUP BY cwd ORDER BY max(last_event_at) DESC LIMIT ${foldersMax}`,
      key,
    ),
  rename: (key, name) => sql.atomically(() => rename(sql, key, name)),
  meet: ({ key, name }, atMs) => noteProject(sql, key, name, atMs),
  merge: (from, into, atMs, isJoined = false) =>
    sql.atomically(() => merge(sql, from, { into, atMs, isJoined })),
  unmerge: () => sql.atomically(() => unmerge(sql)),
  part: (from, folder, atMs) =>
    own(sql, { key: from, folder, project: folderKey(`${folder}\n${atMs}`) }),
});

function facts(sql: Sql): readonly ProjectFacts[] {
  interface Row {
    readonly key: string;
    readonly n: number;
    readonly last: number;
  }
  const countsOf = (text: string, ...params: readonly string[]): ReadonlyMap<string, Row> =>
    new Map(sql.all<Row>(text, ...params).map((row) => [row.key, row]));
  const memories = countsOf(
    `SELECT project AS key, count(*) AS n, max(updated_at) AS last FROM mem_nodes
      WHERE node_type = 'leaf' AND status = 'active' AND project IS NOT NULL
        AND category IN (SELECT value FROM json_each(?)) GROUP BY project`,
    JSON.stringify(memoryCategories),
  );
  const sessions = countsOf(
    `SELECT project AS key, count(*) AS n, max(last_event_at) AS last FROM sessions
      WHERE project IS NOT NULL GROUP BY project`,
  );
  return sql
    .all<{ readonly key: string; readonly name: string }>(
      `SELECT key, name FROM projects ORDER BY name, key LIMIT ${projectsMax}`,
    )
    .map(({ key, name }) => ({
      key,
      name,
      memories: memories.get(key)?.n ?? 0,
      sessions: sessions.get(key)?.n ?? 0,
      lastMs: Math.max(memories.get(key)?.last ?? 0, sessions.get(key)?.last ?? 0),
    }));
}

function rename(sql: Sql, key: string, name: string): void {
  const rules = projectRules(sql);
  keepRules(sql, { ...rules, names: { ...rules.names, [key]: name } });
  sql.run("UPDATE projects SET name = ? WHERE key = ?", name, key);
  sql.run("UPDATE sessions SET project_name = ? WHERE project = ?", name, key);
}

/** Makes one project of what earlier versions had stored under several spellings of one remote. */
export const joinSpellings = (sql: Sql): void =>
  sql.atomically(() => {
    const stored = sql.column<string>(
      `SELECT key FROM projects ORDER BY first_seen LIMIT ${projectsMax}`,
    );
    for (const key of stored) if (foldedKey(key) !== key) join(sql, key);
  });

function join(sql: Sql, from: string): void {
  const { names, merged } = projectRules(sql);
  const into = heirOf(merged, from);
  sql.run(
    `INSERT INTO projects (key, name, first_seen) SELECT ?, name, first_seen FROM projects WHERE key = ?
      ON CONFLICT (key) DO UPDATE SET first_seen = min(first_seen, excluded.first_seen)`,
    into,
    from,
  );
  absorb(sql, from, into);
  const name = names[into] ?? names[from];
  if (name !== undefined) rename(sql, into, name);
}

/** Makes the folder a project of its own. */
function own(sql: Sql, rule: ProjectRules["folders"][number]): void {
  const rules = projectRules(sql);
  const others = rules.folders.filter(
    ({ key, folder }) => key !== rule.key || folder !== rule.folder,
  );
  keepRules(sql, { ...rules, folders: [...others, rule] });
}
