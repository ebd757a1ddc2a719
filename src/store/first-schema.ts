/**
 * Before the first release its schema grew, under one number. A database of that time has what it lacks added, so that
 * the migrations after it find what they expect.
 */
import { Database } from "bun:sqlite";
import type { Sql } from "./sql.ts";

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
}

const objects = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";
const columns = 'SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?)';

/** Adds the tables, columns and indexes of `schema` that are missing. Throws where one cannot be added. */
export function complete(sql: Sql, schema: string): void {
  using wanted = new Database(":memory:");
  wanted.run(schema);
  const there = new Map(sql.all<SchemaObject>(objects).map((one) => [one.name, one.sql]));
  for (const { type, name, sql: text } of wanted.query<SchemaObject, []>(objects).all()) {
    const own = there.get(name);
    if (own === undefined) {
      // Tables beside a full-text index come with it.
      if (!text.startsWith("CREATE TABLE '")) sql.script(text);
      continue;
    }
    if (type === "index" && own !== text) {
      sql.script(`DROP INDEX ${name}`);
      sql.script(text);
    }
    if (type !== "table") continue;
    const known = new Set(sql.all<Column>(columns, name).map((column) => column.name));
    for (const column of wanted.query<Column, [string]>(columns).all(name))
      if (!known.has(column.name)) sql.script(addition(name, column));
  }
}

const addition = (table: string, { name, type, notnull, dflt_value }: Column): string =>
  `ALTER TABLE ${table} ADD COLUMN ${name} ${type}` +
  `${notnull === 1 ? " NOT NULL" : ""}${dflt_value === null ? "" : ` DEFAULT ${dflt_value}`}`;
