/**
 * Looks at a database file before anything may write to it: missing, blank, ours, newer, or not a sound database.
 * Leaves the file, and the folder around it, as they were.
 */
import { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { OpenError } from "#domain";
import { assert, err, ok, type Result } from "#kit";
import { createPrivately, databaseMark, headOf, openUnchanging, sqliteFailure } from "./files.ts";
import first from "./migrations/0011.sql" with { type: "text" };
import sinceFirst from "./migrations/0015.sql" with { type: "text" };
import { type Sql, versionOf } from "./sql.ts";

export interface Preflight {
  /** `blank`: no file, or an empty one, or one another process is about to fill. */
  readonly state: "blank" | "ours";
  /** `user_version`; 0 when blank. */
  readonly version: number;
}

/** A writer may be at work while we look; what was torn then is whole a moment later. */
const looksMax = 4;
const pauseMs = 25;

/** Inspects a file. `known` leads to each schema that this program can read. */
export function preflight(path: string, known: readonly Migration[]): Result<Preflight, OpenError> {
  let seen = inspect(path, known);
  for (let look = 1; look < looksMax && isDoubtful(seen); look += 1) {
    Bun.sleepSync(pauseMs);
    seen = inspect(path, known);
  }
  return seen;
}

const isDoubtful = (seen: Result<Preflight, OpenError>): boolean =>
  !seen.ok && seen.error.type === "store.corrupt";

const blank: Preflight = { state: "blank", version: 0 };

function inspect(path: string, known: readonly Migration[]): Result<Preflight, OpenError> {
  try {
    if (!existsSync(path)) return ok(blank);
    const facts = statSync(path);
    if (!facts.isFile()) {
      const what = facts.isDirectory() ? "a folder" : "something that is no regular file";
      return err({ type: "store.unavailable", path, detail: `${what} is in its place` });
    }
    const header = readHeader(path, facts.size);
    if (header === null) return ok(blank);
    const fault = headerFault(header, hasLog(path));
    if (fault !== null) return err({ type: "store.corrupt", path, detail: fault });
    if (header.version > newestOf(known)) return err(newer(path, header.version, known));
    return look(path, known);
  } catch (error) {
    return err(sqliteFailure(path, error));
  }
}

interface Header {
  readonly magic: string;
  readonly pageBytes: number;
  /** Pages by the header; null when the header does not vouch for it. */
  readonly pages: number | null;
  readonly version: number;
  readonly fileBytes: number;
}

const headerBytes = 100;

/** The 100 bytes of https://www.sqlite.org/fileformat2.html#the_database_header; null for an empty file. */
function readHeader(path: string, fileBytes: number): Header | null {
  const head = headOf(path, headerBytes);
  if (head.length === 0) return null;
  const bytes = Buffer.concat([head, Buffer.alloc(headerBytes - head.length)]);
  const pageSize = bytes.readUInt16BE(16);
  const isCountValid = bytes.readUInt32BE(24) === bytes.readUInt32BE(92);
  return {
    magic: bytes.toString("latin1", 0, 16),
    pageBytes: pageSize === 1 ? 65_536 : pageSize,
    pages: isCountValid ? bytes.readUInt32BE(28) : null,
    version: bytes.readInt32BE(60),
    fileBytes,
  };
}

/**
 * `headerFault` says in words the fault of a header; null when nothing is. A file with a log may be
 * shorter than it says.
 */
function headerFault(header: Header, hasLog: boolean): string | null {
  if (header.magic !== databaseMark) return "not a SQLite database";
  const { pageBytes, fileBytes, pages } = header;
  if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0) return "the page size is impossible";
  if (hasLog) return null;
  if (pages !== null && pages * pageBytes > fileBytes)
    return `the file is cut short: ${fileBytes} bytes of ${pages * pageBytes}`;
  return null;
}

const hasLog = (path: string): boolean =>
  existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;

/**
 * Reads the schema and the first page of every table. Without a log the file is opened as immutable, since even a
 * read-only connection would otherwise leave -wal and -shm files beside it.
 */
function look(path: string, known: readonly Migration[]): Result<Preflight, OpenError> {
  const db = hasLog(path) ? new Database(path, { readonly: true }) : openUnchanging(path);
  try {
    db.run("PRAGMA busy_timeout = 5000");
    const version = userVersion(db);
    if (version > newestOf(known)) return err(newer(path, version, known));
    const tables = tableNames(db);
    if (version === 0 && tables.length > 0)
      return err({ type: "store.corrupt", path, detail: "a database of another program" });
    if (version !== 0 && known.every((one) => one.version !== version)) {
      const detail = `its schema ${version} is of a build that was never given out`;
      return err({ type: "store.unavailable", path, detail });
    }
    for (const table of tables) db.query(`SELECT 1 FROM "${table}" LIMIT 1`).get();
    return ok(version === 0 ? blank : { state: "ours", version });
  } finally {
    db.close();
  }
}

/** `PRAGMA user_version`. */
const userVersion = (db: Database): number =>
  db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;

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

const newer = (path: string, found: number, known: readonly Migration[]): OpenError => ({
  type: "store.newer",
  path,
  found,
  known: newestOf(known),
});

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

/**
 * Copies the database before a migration into `<folder>/before-v<to>-from-v<from>-<suffix>.db`, 0600 like the original.
 * The suffix keeps two daemons that start together from writing one file.
 */
export function snapshotBefore(
  sql: Sql,
  folder: string,
  names: { readonly from: number; readonly to: number; readonly suffix: string },
): string {
  const path = join(folder, `before-v${names.to}-from-v${names.from}-${names.suffix}.db`);
  createPrivately(path);
  sql.run("VACUUM INTO ?", path);
  return path;
}
