/** The schema reference: tables, columns and indexes of a database that was just made, with the migrations' comments. */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stoppedClock, systemRandom } from "#kit";
import { openStore } from "#store";

interface TableRow {
  readonly name: string;
  readonly type: "table" | "virtual" | "shadow" | "view";
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

interface KeyRow {
  readonly from: string;
  readonly table: string;
  readonly to: string | null;
}

/** Markdown for docs/reference/schema.md. `migrations` are the SQL texts in order, read for their comments only. */
export function schemaReference(migrations: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "continuity-schema-"));
  try {
    const path = join(folder, "continuity.db");
    const opened = openStore(path, {
      mode: "readwrite",
      clock: stoppedClock(0),
      random: systemRandom,
    });
    if (!opened.ok) throw new Error(`no database: ${opened.error.type}`);
    opened.value[Symbol.dispose]();
    using db = new Database(path, { readonly: true });
    return render(db, commentsIn(migrations));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function render(db: Database, comments: ReadonlyMap<string, string>): string {
  const version = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version;
  const tables = db
    .query<TableRow, []>("PRAGMA table_list")
    .all()
    .filter(({ name, type }) => type !== "shadow" && !name.startsWith("sqlite_"))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const head = [
    "# Schema",
    "",
    "Generated from a database that was just made; do not edit. Times are epoch milliseconds, lists are JSON text. The",
    "daemon is the only writer; anything may read, for instance with `sqlite3 -readonly ~/.continuity/continuity.db`.",
    "Columns and tables may change with any version: `--json` and the HTTP API are the stable forms.",
    "",
    `Schema version: ${version}.`,
    "",
  ];
  return [...head, ...tables.flatMap((table) => sectionOf(db, table, comments))].join("\n");
}

function sectionOf(
  db: Database,
  { name, type }: TableRow,
  comments: ReadonlyMap<string, string>,
): readonly string[] {
  const comment = comments.get(name);
  const rows = type === "virtual" ? searched(db, name) : columns(db, name);
  const indexes = indexesOf(db, name);
  return [
    `## ${name}`,
    "",
    ...(comment === undefined ? [] : [comment, ""]),
    ...rows,
    "",
    ...(indexes.length === 0 ? [] : ["Indexes:", "", ...indexes, ""]),
  ];
}

/** An FTS5 index has columns without types. */
const searched = (db: Database, table: string): readonly string[] => {
  const names = columnRows(db, table).map(({ name }) => `\`${name}\``);
  return [`Full-text index (FTS5) over ${names.join(", ")}.`];
};

function columns(db: Database, table: string): readonly string[] {
  const sql = db
    .query<{ sql: string }, [string]>("SELECT sql FROM sqlite_schema WHERE name = ?")
    .get(table)?.sql;
  const keys = db.query<KeyRow, [string]>("SELECT * FROM pragma_foreign_key_list(?)").all(table);
  return [
    "| column | type | |",
    "|---|---|---|",
    ...columnRows(db, table).map((column) => {
      const key = keys.find(({ from }) => from === column.name);
      return `| \`${column.name}\` | ${column.type} | ${notesOf(column, sql ?? "", key).join("; ")} |`;
    }),
  ];
}

const columnRows = (db: Database, table: string): readonly ColumnRow[] =>
  db.query<ColumnRow, [string]>("SELECT * FROM pragma_table_info(?)").all(table);

function notesOf(column: ColumnRow, sql: string, key: KeyRow | undefined): readonly string[] {
  const check = new RegExp(`\\b${column.name}\\s[^\\n]*CHECK \\((.*)\\),?\\n`).exec(sql)?.[1];
  const allowed = /IN \((.*)\)/.exec(check ?? "")?.[1]?.replaceAll("'", "`");
  const range = /BETWEEN (\d+) AND (\d+)/.exec(check ?? "");
  return [
    ...(column.pk > 0 ? ["key"] : []),
    ...(column.notnull === 0 && column.pk === 0 ? ["may be null"] : []),
    ...(column.dflt_value === null ? [] : [`default \`${column.dflt_value}\``]),
    ...(allowed === undefined ? [] : [`one of ${allowed}`]),
    ...(range === null ? [] : [`${range[1]} to ${range[2]}`]),
    ...(key === undefined ? [] : [`a row of \`${key.table}\``]),
  ];
}

const indexesOf = (db: Database, table: string): readonly string[] =>
  db
    .query<{ name: string; sql: string }, [string]>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL ORDER BY name",
    )
    .all(table)
    .map(({ name, sql }) => {
      const unique = sql.startsWith("CREATE UNIQUE") ? "unique " : "";
      const over = sql.slice(sql.indexOf(" ON ") + 4).replace(/^\w+ /, "");
      return `- \`${name}\`: ${unique}\`${over}\``;
    });

/** The comment lines that stand right above each CREATE TABLE. */
function commentsIn(migrations: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let comment: string[] = [];
  for (const line of migrations.join("\n").split("\n")) {
    if (line.startsWith("-- ")) {
      comment.push(line.slice(3));
      continue;
    }
    const name = /^CREATE (?:VIRTUAL )?TABLE (\w+)/.exec(line)?.[1];
    if (name !== undefined && comment.length > 0) found.set(name, comment.join("\n"));
    comment = [];
  }
  return found;
}
