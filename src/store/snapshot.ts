/**
 * A sound copy of a database of one moment, and whether a file is one. Reads through a connection of its own, so it may
 * run beside the writer, in another process; it writes nothing but its copy.
 */
import { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { OpenError } from "#domain";
import { err, ok, type Random, type Result } from "#kit";
import { migrate, migrations, preflight } from "./preflight.ts";
import { createPrivately, notAFile, openToRead, sqliteFailure } from "./files.ts";
import { createSql } from "./sql.ts";

/** Faults named at most. */
const faultsMax = 20;

/**
 * Copies `database` to `target` (0600), which appears whole or not at all and is checked before it does. Takes about a
 * second for 100,000 memories.
 */
export function takeSnapshot(
  database: string,
  target: string,
  random: Random,
): Result<{ readonly bytes: number }, OpenError> {
  const seen = preflight(database, migrations);
  if (!seen.ok) return seen;
  if (seen.value === 0) return err({ type: "store.missing", path: database });
  if (existsSync(target))
    return err({ type: "store.unavailable", path: target, detail: "a file is there already" });
  const part = `${target}.part-${random.hex(8)}`;
  try {
    copyInto(database, part);
    const checked = checkDatabase(part);
    if (!checked.ok) return checked;
    persist(part);
    renameSync(part, target);
    persist(dirname(target));
    return ok({ bytes: statSync(target).size });
  } catch (error) {
    return err(sqliteFailure(database, error));
  } finally {
    discardPart(part);
  }
}

/**
 * Removes an unfinished file and what SQLite leaves beside it. Only what is there: a disk that takes no writes refuses
 * even to remove what is not (tried: EROFS), and that would hide why nothing could be written.
 */
export function discardPart(part: string): void {
  for (const suffix of ["", "-journal", "-wal", "-shm"])
    if (existsSync(`${part}${suffix}`)) rmSync(`${part}${suffix}`, { force: true });
}

function copyInto(database: string, part: string): void {
  createPrivately(part);
  using db = openToRead(database);
  db.query("VACUUM INTO ?").run(part);
}

/**
 * Makes a file, or the names in a folder, last. Folders cannot be opened on Windows, where names last by themselves.
 */
export function persist(path: string): void {
  if (process.platform === "win32" && statSync(path).isDirectory()) return;
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

type Checked = Result<{ readonly version: number }, OpenError>;

/**
 * May this file be put in the place of the database? It is a regular one, sound, and holds our schema and nothing
 * else.
 */
export function checkBackup(path: string): Checked {
  const wrong = existsSync(path) ? notAFile(path) : null;
  return wrong === null ? checkOurs(path) : err({ type: "store.unavailable", path, detail: wrong });
}

/** As `checkDatabase`; and no trigger, view or table was added. */
export const checkOurs = (path: string): Checked =>
  checkWith(path, (db, version) => {
    const detail = foreignIn(db, version);
    return detail === null ? null : { type: "store.foreign", path, detail };
  });

/**
 * Reads a whole database (1.1 s for 100,000 memories): sound, of ours, and known to this program? Gives the schema's
 * version.
 */
export const checkDatabase = (path: string): Checked => checkWith(path, () => null);

function checkWith(
  path: string,
  more: (db: Database, version: number) => OpenError | null,
): Checked {
  const seen = preflight(path, migrations);
  if (!seen.ok) return seen;
  const { value: version } = seen;
  if (version === 0) return err({ type: "store.missing", path });
  try {
    using db = openToRead(path);
    const faults = db
      .query<{ quick_check: string }, []>(`PRAGMA quick_check(${faultsMax})`)
      .all()
      .map((row) => row.quick_check);
    if (faults.length !== 1 || faults[0] !== "ok")
      return err({ type: "store.corrupt", path, detail: faults[0] ?? "unknown" });
    const wrong = more(db, version);
    return wrong === null ? ok({ version }) : err(wrong);
  } catch (error) {
    return err(sqliteFailure(path, error));
  }
}

// Checks that the schema of a database is ours and nothing else. A file from elsewhere may hold triggers that copy what
// is written later, or views and tables in the place of ours.

/** Names what is foreign or missing in an open database of a schema version, in words; null when nothing is. */
function foreignIn(db: Database, version: number): string | null {
  const ours = schemaOf(version);
  const theirs = objectsIn(db);
  for (const [key, { type, name, sql }] of theirs) {
    if (isKnown(type, name)) continue;
    const own = ours.get(key);
    if (own === undefined) return `it contains a foreign ${type}: ${name}`;
    if (own.sql !== sql) return `its ${type} ${name} is not the one that continuity makes`;
  }
  const missing = [...ours.values()].find(
    ({ type, name }) => !isKnown(type, name) && !theirs.has(`${type} ${name}`),
  );
  return missing === undefined ? null : `its ${missing.type} ${missing.name} is missing`;
}

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  /** Blanks folded; null for what SQLite words itself. */
  readonly sql: string | null;
}

/**
 * Statistics of SQLite, and what Litestream keeps in a database that it replicates: tables that nothing of ours reads.
 */
const isKnown = (type: string, name: string): boolean =>
  /^(?:sqlite_stat[14]|sqlite_sequence|_litestream_(?:seq|lock))$/.test(name) && type === "table";

/** Tables of a full-text index: another version of SQLite may word them otherwise. */
const isShadow = (type: string, name: string): boolean =>
  type === "table" && /_fts_(?:data|idx|content|docsize|config)$/.test(name);

/** `ALTER TABLE` writes the blanks around a column otherwise than a migration does. */
const folded = (sql: string): string =>
  sql
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(),]) ?/g, "$1")
    .trim();

/** More than any of ours has, so that a hostile file cannot make the list long. */
const objectsMax = 2_000;

function objectsIn(db: Database): ReadonlyMap<string, SchemaObject> {
  const rows = db
    .query<SchemaObject, []>(`SELECT type, name, sql FROM sqlite_schema LIMIT ${objectsMax}`)
    .all();
  return new Map(
    rows.map(({ type, name, sql }) => {
      const worded = isShadow(type, name) ? null : sql === null ? null : folded(sql);
      return [`${type} ${name}`, { type, name, sql: worded }];
    }),
  );
}

const schemas = new Map<number, ReadonlyMap<string, SchemaObject>>();

/** The schema as the migrations up to a version make it. */
function schemaOf(version: number): ReadonlyMap<string, SchemaObject> {
  const known = schemas.get(version);
  if (known !== undefined) return known;
  using db = new Database(":memory:");
  migrate(
    createSql(db, "readwrite"),
    migrations.filter((one) => one.version <= version),
  );
  const made = objectsIn(db);
  schemas.set(version, made);
  return made;
}
