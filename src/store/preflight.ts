/**
 * Looks at a database file before anything may write to it: missing, blank, ours, newer, or not a sound database.
 * Leaves the file, and the folder around it, as they were.
 */
import { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import type { OpenError } from "#domain";
import { assert, err, ok, type Result } from "#kit";
import { openUnchanging, sqliteFailure } from "./files.ts";
import first from "./migrations/0011.sql" with { type: "text" };
import sinceFirst from "./migrations/0015.sql" with { type: "text" };
import changesAbout from "./migrations/0016.sql" with { type: "text" };
import { type Sql, versionOf } from "./sql.ts";

/** A writer may be at work while we look; what was torn then is whole a moment later. */
const looksMax = 4;
const pauseMs = 25;

/**
 * `preflight` gives the version of a file's schema; 0 = no file, an empty one, or one that another process is about to
 * fill. `known` leads to each schema that this program can read.
 */
export function preflight(path: string, known: readonly Migration[]): Result<number, OpenError> {
  let seen = inspect(path, known);
  for (let look = 1; look < looksMax && isDoubtful(seen); look += 1) {
    Bun.sleepSync(pauseMs);
    seen = inspect(path, known);
  }
  return seen;
}

const isDoubtful = (seen: Result<number, OpenError>): boolean =>
  !seen.ok && seen.error.type === "store.corrupt";

function inspect(path: string, known: readonly Migration[]): Result<number, OpenError> {
  try {
    if (!existsSync(path)) return ok(0);
    const facts = statSync(path);
    if (facts.isFile()) return facts.size === 0 ? ok(0) : look(path, facts.size, known);
    const what = facts.isDirectory() ? "a folder" : "something that is no regular file";
    return err({ type: "store.unavailable", path, detail: `${what} is in its place` });
  } catch (error) {
    return err(sqliteFailure(path, error));
  }
}

const hasLog = (path: string): boolean =>
  existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;

/**
 * Reads the schema and the first page of every table. Without a log the file is opened as immutable, since even a
 * read-only connection would otherwise leave -wal and -shm files beside it.
 */
function look(
  path: string,
  fileBytes: number,
  known: readonly Migration[],
): Result<number, OpenError> {
  const isLogged = hasLog(path);
  const db = isLogged ? new Database(path, { readonly: true }) : openUnchanging(path);
  const pragma = (name: string): number =>
    Number(Object.values(db.query<object, []>(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
  try {
    db.run("PRAGMA busy_timeout = 5000");
    const version = pragma("user_version");
    if (version > newestOf(known))
      return err({ type: "store.newer", path, found: version, known: newestOf(known) });
    const bytes = pragma("page_count") * pragma("page_size");
    // SQLite itself misses a last page of which a part is gone.
    if (!isLogged && bytes > fileBytes) {
      const detail = `the file is cut short: ${fileBytes} bytes of ${bytes}`;
      return err({ type: "store.corrupt", path, detail });
    }
    const tables = tableNames(db);
    if (version === 0 && tables.length > 0)
      return err({ type: "store.corrupt", path, detail: "a database of another program" });
    if (version !== 0 && known.every((one) => one.version !== version)) {
      const detail = `its schema ${version} is of a build that was never given out`;
      return err({ type: "store.unavailable", path, detail });
    }
    for (const table of tables) db.query(`SELECT 1 FROM "${table}" LIMIT 1`).get();
    return ok(version);
  } finally {
    db.close();
  }
}

/** Ordinary tables, shadow tables of the indexes included; virtual ones need their module to be read. */
const tableNames = (db: Database): readonly string[] =>
  db
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema
        WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%'
        LIMIT 500`,
    )
    .all()
    .map(({ name }) => name.replaceAll('"', '""'));

// Brings a database to the schema of this program: numbered migrations, each in a transaction, `user_version` last. A
// process that comes second finds the work done; one that dies in the middle leaves the version before.

export interface Migration {
  /** `user_version` of the schema that it leads to. */
  readonly version: number;
  readonly sql: string;
}

/**
 * The first schema is that of build d9689840, the oldest whose databases open. Eleven steps led to it and four to the
 * next one; databases in between were of no build that anybody was given. Released migrations never change.
 */
export const migrations: readonly Migration[] = [
  { version: 11, sql: first },
  { version: 15, sql: sinceFirst },
  { version: 16, sql: changesAbout },
];

/** Version of the schema that a list of migrations leads to. */
export const newestOf = (list: readonly Migration[]): number => list.at(-1)?.version ?? 0;

/**
 * Applies what is missing. Throws what SQLite throws; the failing migration is then undone as a whole. A new database
 * gets all of them at once: another process that opens it meanwhile would take one half way for an old one, and copy
 * it while its tables come and go.
 */
export function migrate(sql: Sql, list: readonly Migration[]): void {
  if (versionOf(sql) === 0) sql.transaction(() => applyMissing(sql, list));
  else applyMissing(sql, list);
  assert(versionOf(sql) >= newestOf(list), "every migration was applied");
}

function applyMissing(sql: Sql, list: readonly Migration[]): void {
  for (const { version, sql: script } of list) {
    if (versionOf(sql) >= version) continue;
    sql.transaction(() => {
      // Another process may have done it while this one waited for the lock.
      if (versionOf(sql) >= version) return;
      sql.script(script);
      sql.script(`PRAGMA user_version = ${version}`);
    });
  }
}
