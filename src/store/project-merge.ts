/** One project out of two, and two again: a merge notes which rows it moved, so that it can be taken apart. */
import type { NamedProject, ProjectRules } from "#domain";
import { keepRules, metaOf, noteProject, projectRules, saveMeta } from "./meta.ts";
import { recordOf, type Sql, type SqlValue } from "./sql.ts";
import { insert, type Values } from "./tables.ts";

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
const mergesName = "projects.merges";
/** Merges that can be taken apart, the last one first. */
const mergesMax = 8;

interface Merge {
  readonly from: { readonly key: string; readonly name: string; readonly first_seen: number };
  readonly into: string;
  /** Before it. */
  readonly rules: ProjectRules;
  /** Ids of rows, one list for each of `ofProjects`. */
  readonly moved: readonly (readonly SqlValue[])[];
  readonly both: readonly BothRows[];
}

interface BothRows {
  readonly table: (typeof ofBoth)[number];
  readonly moved: readonly Values[];
  /** Rows that the other had too. */
  readonly dropped: readonly Values[];
}

const mergesOf = (sql: Sql): readonly Merge[] =>
  (recordOf(metaOf(sql, mergesName) ?? "{}") as { readonly list?: readonly Merge[] }).list ?? [];

const keepMerges = (sql: Sql, list: readonly Merge[]): void =>
  saveMeta(sql, mergesName, JSON.stringify({ list: list.slice(0, mergesMax) }));

/** Gives everything of the first to the second, which may be new. */
export function merge(
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
export function absorb(sql: Sql, from: string, into: string): Pick<Merge, "moved" | "both"> {
  const moved = ofProjects.map(([table, id]) => {
    const ids = sql.column<SqlValue>(`SELECT ${id} FROM ${table} WHERE project = ?`, from);
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
export function unmerge(sql: Sql): { readonly from: string; readonly into: string } | null {
  const [last, ...others] = mergesOf(sql);
  if (last === undefined) return null;
  const { from, into, moved, both } = last;
  noteProject(sql, from.key, from.name, from.first_seen);
  for (const [at, [table, id]] of ofProjects.entries())
    sql.run(
      `UPDATE ${table} SET project = ? WHERE project = ? AND ${id} IN (SELECT value FROM json_each(?))`,
      from.key,
      into,
      JSON.stringify(moved[at] ?? []),
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
