/**
 * Reads tables of another program's SQLite file and changes nothing: not a byte of it, and no file beside it.
 *
 * The file is hostile until proven otherwise: only ordinary tables are read (no view, no virtual table, whose reading
 * would run SQL that is not ours), cells are bounded, damage is found before the first row is given. Must not know what
 * any program keeps in its tables.
 */
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { ForeignDatabase, ForeignError, ForeignQuery, ForeignRow } from "#domain";
import { err, ok, type Result, errorMessage } from "#kit";
import { databaseMark, headOf, notAFile, openUnchanging } from "./files.ts";

/** Longer texts than this stand in no record that an import keeps. */
const cellCharsMax = 200_000;
const tablesMax = 500;

export function openForeign(path: string): Result<ForeignDatabase, ForeignError> {
  const wrong = notAFile(path) ?? notSqlite(path);
  if (wrong !== null) return err({ type: "foreign.unreadable", message: wrong });
  const opened = openFile(path);
  if (!opened.ok) return opened;
  try {
    return ok(databaseOver(opened.value));
  } catch (error) {
    opened.value.close();
    return err(unreadable(path, error));
  }
}

const unreadable = (path: string, error: unknown): ForeignError => ({
  type: "foreign.unreadable",
  message: `${path} cannot be read as a database: ${errorMessage(error)}`,
});

function notSqlite(path: string): string | null {
  try {
    const head = headOf(path, databaseMark.length).toString("latin1");
    if (head === "") return `${path} is empty`;
    return head === databaseMark ? null : `${path} is not a SQLite database`;
  } catch (error) {
    return `${path} cannot be read: ${errorMessage(error)}`;
  }
}

interface OpenFile {
  readonly db: Database;
  readonly close: () => void;
}

/**
 * Nothing beside the file: it can be read where it lies, as a file that does not change. With a log beside it (its
 * program runs, or was killed) part of the content is in the log, and reading would write there: then a private copy is
 * read.
 */
function openFile(path: string): Result<OpenFile, ForeignError> {
  try {
    const logs = ["-wal", "-journal"].filter((suffix) => holdsBytes(`${path}${suffix}`));
    if (logs.length > 0) return ok(openCopy(path, logs));
    const db = openUnchanging(path);
    return ok({ db, close: () => db.close() });
  } catch (error) {
    return err(unreadable(path, error));
  }
}

const holdsBytes = (path: string): boolean => existsSync(path) && lstatSync(path).size > 0;

/** A copy that is read while its program writes may be torn; then it is taken again. */
const copyTriesMax = 3;

function openCopy(path: string, logs: readonly string[]): OpenFile {
  const folder = mkdtempSync(join(tmpdir(), "continuity-import-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const copy = join(folder, basename(path));
  try {
    for (let attempt = 1; attempt <= copyTriesMax; attempt += 1) {
      const before = stateOf(path, logs);
      for (const suffix of ["", ...logs])
        if (existsSync(`${path}${suffix}`)) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
      if (stateOf(path, logs) === before) break;
    }
    const db = new Database(copy, { readwrite: true, create: false });
    return {
      db,
      close: () => {
        db.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const stateOf = (path: string, logs: readonly string[]): string =>
  ["", ...logs]
    .map((suffix) => {
      const facts = existsSync(`${path}${suffix}`) ? lstatSync(`${path}${suffix}`) : null;
      return `${facts?.size}:${facts?.mtimeMs}`;
    })
    .join();

function databaseOver({ db, close }: OpenFile): ForeignDatabase {
  for (const pragma of [
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "query_only = ON",
    "mmap_size = 0",
    "temp_store = MEMORY",
  ])
    db.run(`PRAGMA ${pragma}`);
  const schema = db
    .query<{ type: string; name: string; sql: string | null }, []>(
      `SELECT type, name, substr(sql, 1, 40) AS sql FROM sqlite_master LIMIT ${tablesMax * 20}`,
    )
    .all();
  const isTable = ({ type, sql }: (typeof schema)[number]): boolean =>
    type === "table" && sql !== null && /^\s*create\s+table\b/i.test(sql);
  const tables = new Map(
    schema
      .filter(isTable)
      .slice(0, tablesMax)
      .map(({ name }) => [name, columnsOf(db, name)] as const),
  );
  return {
    tables,
    others: new Set(schema.filter((one) => !isTable(one)).map(({ name }) => name)),
    count: (table) =>
      tables.has(table)
        ? (db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${quoted(table)}`).get()?.n ?? 0)
        : 0,
    rows: (table, query) => rowsOf(db, { table, known: tables.get(table) ?? [] }, query),
    damage: (table) => damageOf(db, table),
    [Symbol.dispose]: close,
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const columnsOf = (db: Database, table: string): readonly string[] =>
  db
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => name);

function damageOf(db: Database, table: string): string | null {
  try {
    const [first] = db
      .query<{ quick_check: string }, []>(`PRAGMA quick_check(${quoted(table)})`)
      .all();
    return first === undefined || first.quick_check === "ok"
      ? null
      : (first.quick_check.split("\n")[0] ?? "");
  } catch (error) {
    return errorMessage(error);
  }
}

/** Numbers and the beginnings of texts; anything else is null. */
const cellOf = (column: string): string =>
  `CASE typeof(${quoted(column)}) WHEN 'text' THEN substr(${quoted(column)}, 1, ${cellCharsMax})
     WHEN 'integer' THEN ${quoted(column)} WHEN 'real' THEN ${quoted(column)} END AS ${quoted(column)}`;

function* rowsOf(
  db: Database,
  { table, known }: { readonly table: string; readonly known: readonly string[] },
  { columns, where, orderBy }: ForeignQuery,
): Iterable<ForeignRow> {
  const there = columns.filter((column) => known.includes(column));
  if (there.length === 0) return;
  const order = orderBy.filter((column) => known.includes(column)).map(quoted);
  const condition =
    where === undefined || !known.includes(where.column)
      ? ""
      : ` WHERE ${quoted(where.column)} = ?`;
  using statement = db.prepare<ForeignRow, (string | number)[]>(
    `SELECT ${there.map(cellOf).join(", ")} FROM ${quoted(table)}${condition}
      ${order.length === 0 ? "" : `ORDER BY ${order.join(", ")}`}`,
  );
  yield* statement.iterate(...(where === undefined || condition === "" ? [] : [where.equals]));
}
