/** Small facts by name, and documents that are kept as such: rules of projects, open ends, findings in notes. */
import { type Sql, recordIn } from "./sql.ts";
import type {
  MetaName,
  ProjectRules,
  OpenEndsState,
  OpenEndsStore,
  NoteLine,
  NotesStore,
} from "#domain";

/** Null when never set. */
export const metaOf = (sql: Sql, name: MetaName): string | null =>
  sql.value<string>("SELECT value FROM meta WHERE name = ?", name);

/** Null removes it. */
export function saveMeta(sql: Sql, name: MetaName, value: string | null): void {
  if (value === null) sql.run("DELETE FROM meta WHERE name = ?", name);
  else sql.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", name, value);
}

export const noteProject = (sql: Sql, key: string, name: string, atMs: number): void =>
  void sql.run(
    "INSERT INTO projects (key, name, first_seen) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
    key,
    name,
    atMs,
  );

// Rules of projects: what people decided, read at every start and every event.

/** Decisions by name; none where nothing was, or it cannot be read. */
export function projectRules(sql: Sql): ProjectRules {
  const text = metaOf(sql, "projects.rules");
  if (text === null) return noRules;
  const { names, merged, joined, folders } = recordIn(text) as Partial<ProjectRules>;
  const asked = joined === undefined ? {} : { joined };
  return { names: names ?? {}, merged: merged ?? {}, folders: folders ?? [], ...asked };
}

const noRules: ProjectRules = { names: {}, merged: {}, folders: [] };

export const keepRules = (sql: Sql, rules: ProjectRules): void =>
  saveMeta(sql, "projects.rules", JSON.stringify(rules));

// The OpenEndsStore port: one small document for each project.

/** Closed ends kept of a project; older ones belong to sessions that no start tells of any more. */
const closedMax = 128;
const toldMax = 64;

const openEndsName = (project: string) => `open-ends:${project}` as const;

export const createOpenEnds = (sql: Sql): OpenEndsStore => ({
  of: (project) => {
    const json = metaOf(sql, openEndsName(project));
    // Written below, and by nobody else.
    return json === null ? { closed: [], told: [] } : (JSON.parse(json) as OpenEndsState);
  },
  put: (project, { closed, told }) =>
    saveMeta(
      sql,
      openEndsName(project),
      JSON.stringify({ closed: closed.slice(-closedMax), told: told.slice(-toldMax) }),
    ),
});

// The NotesStore port: what instruction files were found to say of memories, by folder. It is only found out once more
// where it is gone, so forgetting drops all of it.

const notesPrefix = "notes:";
/** With more than these it begins anew. */
const noteFoldersMax = 64;

export const createNotes = (sql: Sql): NotesStore => ({
  of: (folder) => findingsIn(metaOf(sql, `${notesPrefix}${folder}`)),
  put: (folder, findings) => {
    const name = `${notesPrefix}${folder}` as const;
    const value = findings.size === 0 ? null : JSON.stringify([...findings]);
    if (metaOf(sql, name) === value) return;
    const count = sql.value<number>(
      "SELECT count(*) FROM meta WHERE name GLOB ?",
      `${notesPrefix}*`,
    );
    if (value !== null && (count ?? 0) >= noteFoldersMax) dropNotes(sql);
    saveMeta(sql, name, value);
  },
});

/** Lines of such files may repeat what was forgotten. */
export const dropNotes = (sql: Sql): void =>
  void sql.run("DELETE FROM meta WHERE name GLOB ?", `${notesPrefix}*`);

function findingsIn(value: string | null): ReadonlyMap<number, NoteLine> {
  if (value === null) return new Map();
  // Written above, and by nobody else.
  return new Map(JSON.parse(value) as readonly [number, NoteLine][]);
}
