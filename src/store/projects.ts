/**
 * Applies people's decisions about projects: another name, one out of two. Rows are changed at
 * once; rules say what becomes of sessions to come, whose folders still say what they said.
 */
import {
  foldedKey,
  folderKey,
  heirOf,
  memoryCategories,
  type NamedProject,
  type ProjectFacts,
  type ProjectRules,
  type ProjectStore,
} from "#domain";
import { keepRules, metaOf, noteProject, projectRules, saveMeta } from "./meta.ts";
import { recordIn, type Sql, type SqlParam } from "./sql.ts";
import { insert, type Values } from "./tables.ts";

const projectsMax = 10_000;
const foldersMax = 50;

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
  const countsOf = (text: string, ...params: readonly SqlParam[]): ReadonlyMap<string, Row> =>
    new Map(sql.all<Row>(text, ...params).map((row) => [row.key, row]));
  const memories = countsOf(
    `SELECT project AS key, count(*) AS n, max(updated_at) AS last FROM mem_nodes
      WHERE node_type = 'leaf' AND status = 'active' AND project IS NOT NULL
        AND category IN (SELECT value FROM json_each(?)) GROUP BY project`,
    memoryCategories,
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

function own(sql: Sql, rule: ProjectRules["folders"][number]): void {
  const rules = projectRules(sql);
  const others = rules.folders.filter(
    ({ key, folder }) => key !== rule.key || folder !== rule.folder,
  );
  keepRules(sql, { ...rules, folders: [...others, rule] });
}

// One project out of two, and two again: a merge notes which rows it moved, so that it can be taken apart.

/** Tables with a project of their own, and what their rows are known by. */
const ofProjects = [
  ["mem_nodes", "id"],
  ["sessions", "session_id"],
  ["observations", "id"],
  ["checkpoints", "id"],
] as const;
/** Tables in which both projects may have the same row: that of the one that stays holds. */
const ofBoth = [
  "project_places",
  "project_commits",
  "team_items",
  "team_rules",
  "team_shares",
  "team_trusted",
  "tool_guards",
] as const;
/** Merges that can be taken apart, the last one first. */
const mergesMax = 8;

interface Merge {
  readonly from: { readonly key: string; readonly name: string; readonly first_seen: number };
  readonly into: string;
  /** Before it. */
  readonly rules: ProjectRules;
  /** Ids of rows, one list for each of `ofProjects`. */
  readonly moved: readonly (readonly (string | number)[])[];
  readonly both: readonly BothRows[];
}

interface BothRows {
  readonly table: (typeof ofBoth)[number];
  readonly moved: readonly Values[];
  /** Rows that the other had too. */
  readonly dropped: readonly Values[];
}

const mergesOf = (sql: Sql): readonly Merge[] =>
  (recordIn(metaOf(sql, "projects.merges") ?? "{}") as { readonly list?: readonly Merge[] }).list ??
  [];

const keepMerges = (sql: Sql, list: readonly Merge[]): void =>
  saveMeta(sql, "projects.merges", JSON.stringify({ list: list.slice(0, mergesMax) }));

/** Gives everything of the first to the second, which may be new. */
function merge(
  sql: Sql,
  key: string,
  {
    into,
    atMs,
    isJoined = false,
  }: { readonly into: NamedProject; readonly atMs: number; readonly isJoined?: boolean },
): void {
  noteProject(sql, into.key, into.name, atMs);
  const from = sql.get<Merge["from"]>("SELECT * FROM projects WHERE key = ?", key);
  const rules = projectRules(sql);
  const all = absorb(sql, key, into.key);
  if (isJoined) {
    const now = projectRules(sql);
    keepRules(sql, { ...now, joined: [...(now.joined ?? []), key] });
  }
  if (from !== null) keepMerges(sql, [{ from, into: into.key, rules, ...all }, ...mergesOf(sql)]);
}

/** As `merge`, for good: the second is there. Returns what it moved. */
function absorb(sql: Sql, from: string, into: string) {
  const moved = ofProjects.map(([table, id]) => {
    const ids = sql.column<string | number>(`SELECT ${id} FROM ${table} WHERE project = ?`, from);
    sql.run(`UPDATE ${table} SET project = ? WHERE project = ?`, into, from);
    return ids;
  });
  nameSessions(sql, into);
  sql.run(
    `UPDATE mem_revisions SET fields = json_set(fields, '$.project', ?) WHERE fields ->> '$.project' = ?`,
    into,
    from,
  );
  const both = ofBoth.map((table) => moveBoth(sql, table, [from, into]));
  sql.run("DELETE FROM projects WHERE key = ?", from);
  keepRules(sql, without(projectRules(sql), from, into));
  return { moved, both };
}

const nameSessions = (sql: Sql, key: string): void =>
  void sql.run(
    "UPDATE sessions SET project_name = (SELECT name FROM projects WHERE key = ?1) WHERE project = ?1",
    key,
  );

/** Moves the rows that the other has not, and drops the rest. */
function moveBoth(
  sql: Sql,
  table: (typeof ofBoth)[number],
  [from, into]: readonly [string, string],
): BothRows {
  const moved = sql.all<Values>(
    `UPDATE OR IGNORE ${table} SET project = ? WHERE project = ? RETURNING *`,
    into,
    from,
  );
  const dropped = sql.all<Values>(`DELETE FROM ${table} WHERE project = ? RETURNING *`, from);
  return { table, moved, dropped };
}

function without(rules: ProjectRules, from: string, into: string): ProjectRules {
  const { [from]: _name, ...names } = rules.names;
  const heir = (key: string): string => (key === from ? into : key);
  return {
    ...rules,
    names,
    merged: {
      ...Object.fromEntries(Object.entries(rules.merged).map(([key, to]) => [key, heir(to)])),
      [from]: into,
    },
    folders: rules.folders.map(({ key, folder, project }) => ({
      key,
      folder,
      project: heir(project),
    })),
  };
}

/** Takes the last merge apart: what it moved goes back, as far as it is still there. */
function unmerge(sql: Sql): { readonly from: string; readonly into: string } | null {
  const [last, ...others] = mergesOf(sql);
  if (last === undefined) return null;
  const { from, into, moved, both } = last;
  noteProject(sql, from.key, from.name, from.first_seen);
  for (const [at, [table, id]] of ofProjects.entries())
    sql.run(
      `UPDATE ${table} SET project = ? WHERE project = ? AND ${id} IN (SELECT value FROM json_each(?))`,
      from.key,
      into,
      moved[at] ?? [],
    );
  nameSessions(sql, from.key);
  sql.run(
    `UPDATE mem_revisions SET fields = json_set(fields, '$.project', ?)
      WHERE node_id IN (SELECT id FROM mem_nodes WHERE project = ?1) AND fields ->> '$.project' = ?`,
    from.key,
    into,
  );
  for (const rows of both) moveBack(sql, rows, [from.key, into]);
  keepRules(sql, apart(projectRules(sql), last));
  keepMerges(sql, others);
  return { from: from.key, into };
}

function moveBack(
  sql: Sql,
  { table, moved, dropped }: BothRows,
  [from, into]: readonly [string, string],
): void {
  const keys = sql.column<string>(
    "SELECT name FROM pragma_table_info(?) WHERE pk > 0 AND name <> 'project'",
    table,
  );
  const where = ["project = ?", ...keys.map((name) => `${name} = ?`)].join(" AND ");
  for (const row of moved)
    sql.run(
      `UPDATE OR IGNORE ${table} SET project = ? WHERE ${where}`,
      from,
      into,
      ...keys.map((name) => row[name] ?? null),
    );
  for (const row of dropped) insert(sql, table, row, "ON CONFLICT DO NOTHING");
}

/** The rules of now, with what the merge had changed as it was. */
function apart(now: ProjectRules, { from: { key }, rules: before }: Merge): ProjectRules {
  const { [key]: _heir, ...merged } = now.merged;
  const name = before.names[key];
  return {
    ...now,
    joined: (now.joined ?? []).filter((one) => one !== key),
    names: name === undefined ? now.names : { ...now.names, [key]: name },
    merged: Object.fromEntries(
      Object.entries(merged).map(([old, heir]) => [old, before.merged[old] === key ? key : heir]),
    ),
    folders: now.folders.map((rule) => {
      const was = before.folders.find((one) => one.key === rule.key && one.folder === rule.folder);
      return was?.project === key ? was : rule;
    }),
  };
}
