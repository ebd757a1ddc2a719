/**
 * Is the schema of a database ours and nothing else? A file from elsewhere may hold triggers that copy what
 * is written later, or views and tables in the place of ours.
 */
import { Database } from "bun:sqlite";
import { migrate, migrations } from "./migrate.ts";
import { createSql } from "./sql.ts";

/** What is foreign or missing in an open database of a schema version, in words; null when nothing is. */
export function foreignIn(db: Database, version: number): string | null {
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
