/**
 * Tables as records of the domain: one list of columns for reading, writing and mapping. A column is named like its key
 * in snake case; `key=column` where it is not. `key:kind` says how a value that SQLite has no type for is kept.
 */
import { type Evidence, isCategory } from "#domain";
import { isRecord, listOf, snakeCase } from "#kit";
import { recordIn, type Sql, type SqlChange, type SqlParam, type SqlValue } from "./sql.ts";

export type Values = Readonly<Record<string, SqlValue>>;

interface Kind {
  readonly read: (value: never) => unknown;
  readonly write?: (value: never) => SqlValue;
  /** True where null means that the record has no such key. */
  readonly isOptional?: boolean;
}

const asJson = (value: unknown): string => JSON.stringify(value);

const kinds = {
  bool: { read: (value: number) => value === 1, write: (value: boolean) => (value ? 1 : 0) },
  /** True or absent. */
  flag: { read: () => true, write: (value: boolean) => (value ? 1 : null), isOptional: true },
  opt: { read: (value: string) => value, isOptional: true },
  category: { read: (name: string) => (isCategory(name) ? name : null) },
  /** Written here, and by nobody else. */
  json: { read: (text: string) => JSON.parse(text) as unknown, write: asJson },
  record: { read: recordIn, write: asJson },
  strings: {
    read: (text: string) => listIn(text).filter((entry) => typeof entry === "string"),
    write: asJson,
  },
  numbers: {
    read: (text: string) => listIn(text).filter((entry) => typeof entry === "number"),
    write: asJson,
  },
  evidence: { read: (text: string) => listIn(text).filter(isEvidence), write: asJson },
} satisfies Readonly<Record<string, Kind>>;

function listIn(text: string): readonly unknown[] {
  // Most lists are empty, and a node has six of them.
  if (text === "[]") return [];
  return listOf(JSON.parse(text));
}

const isEvidence = (value: unknown): value is Evidence =>
  isRecord(value) &&
  typeof value["sessionId"] === "string" &&
  typeof value["quote"] === "string" &&
  "turn" in value &&
  "line" in value;

type Key<Word extends string> = Word extends `${infer Before}\n`
  ? Key<Before>
  : Word extends `${infer Before}=${string}`
    ? Before
    : Word extends `${infer Before}:${string}`
      ? Before
      : Word;

type Keys<Text extends string, Found = never> = Text extends `${infer Word} ${infer Rest}`
  ? Keys<Rest, Found | Key<Word>>
  : Found | Key<Text>;

type Missing<Row, Text extends string> = Exclude<keyof Row, Keys<Text>>;

export interface Table<Row> {
  /** Columns of a SELECT, each by its key. */
  readonly columns: string;
  /** The record of a row of these columns, which it takes over. */
  readonly read: (row: object) => Row;
  /** The same by column, for rows that hold more than the record; keys that are not given are left out. */
  readonly values: (record: Partial<Row>) => Values;
  /** Adds a row of a record; `rest` stands behind its values (ON CONFLICT …). */
  readonly insert: (sql: Sql, record: Partial<Row>, rest?: string) => SqlChange;
  /** Changes the row with an id; keys that are not given stay as they are. */
  readonly update: (sql: Sql, record: Partial<Row>, id: number) => void;
  /** `rest` stands behind FROM. */
  readonly all: (sql: Sql, rest: string, ...params: readonly SqlParam[]) => readonly Row[];
  readonly get: (sql: Sql, rest: string, ...params: readonly SqlParam[]) => Row | null;
  readonly byId: (sql: Sql, id: number) => Row | null;
  /** In the order asked for; unknown ids are left out. */
  readonly byIds: (sql: Sql, ids: readonly number[]) => readonly Row[];
}

/**
 * Describes a table with its alias ("turns t"). Every key of `Row` must be named. `selects` gives expressions for
 * columns that are read otherwise than they are written.
 */
export const tableOf =
  <Row extends object>() =>
  <const Text extends string>(
    table: string,
    text: Text & (Missing<Row, Text> extends never ? unknown : Missing<Row, Text>),
    selects: Readonly<Record<string, string>> = {},
  ): Table<Row> => {
    const [name = table, alias = table] = table.split(" ");
    const columns = text.trim().split(/\s+/).map(columnOf);
    const list = columns
      .map(({ key, column }) => `${selects[key] ?? `${alias}.${column}`} AS "${key}"`)
      .join(", ");
    const read = reader(columns) as (row: object) => Row;
    const select = `SELECT ${list} FROM`;
    const selectById = `${select} ${table} WHERE ${alias}.id = ?`;
    const selectByIds = `${select} json_each(?) j CROSS JOIN ${table} ON ${alias}.id = j.value ORDER BY j.key`;
    const first = (sql: Sql, statement: string, params: readonly SqlParam[]): Row | null => {
      const row = sql.get<object>(statement, ...params);
      return row === null ? null : read(row);
    };
    return {
      columns: list,
      read,
      values: (record) => valuesOf(columns, record),
      insert: (sql, record, rest) => insert(sql, name, valuesOf(columns, record), rest),
      update: (sql, record, id) => {
        const values = valuesOf(columns, record);
        const sets = Object.keys(values).map((column) => `${column} = ?`);
        sql.run(`UPDATE ${name} SET ${sets.join(", ")} WHERE id = ?`, ...Object.values(values), id);
      },
      all: (sql, rest, ...params) =>
        sql.all<object>(`${select} ${table} ${rest}`, ...params).map(read),
      get: (sql, rest, ...params) => first(sql, `${select} ${table} ${rest}`, params),
      byId: (sql, id) => first(sql, selectById, [id]),
      byIds: (sql, ids) => sql.all<object>(selectByIds, ids).map(read),
    };
  };

interface Column {
  readonly key: string;
  readonly column: string;
  readonly kind: Kind | null;
}

function columnOf(word: string): Column {
  const [named = "", kind] = word.split(":");
  const [key = "", column = snakeCase(key)] = named.split("=");
  return { key, column, kind: kind === undefined ? null : kinds[kind as keyof typeof kinds] };
}

function reader(columns: readonly Column[]): (row: Record<string, unknown>) => unknown {
  const changed = columns.flatMap(({ key, kind }) => (kind === null ? [] : [{ key, kind }]));
  return (row) => {
    for (const { key, kind } of changed) {
      const value = row[key];
      if (value !== null) row[key] = kind.read(value as never);
      else if (kind.isOptional === true) row[key] = undefined; // Deleted keys make an object slow.
    }
    return row;
  };
}

function valuesOf(columns: readonly Column[], record: Readonly<Record<string, unknown>>): Values {
  const values: Record<string, SqlValue> = {};
  for (const { key, column, kind } of columns) {
    const value = record[key];
    if (value !== undefined) values[column] = encoded(kind, value);
  }
  return values;
}

const encoded = (kind: Kind | null, value: unknown): SqlValue =>
  value === null || kind?.write === undefined ? (value as SqlValue) : kind.write(value as never);

/** Adds a row by its columns; `rest` stands behind its values (ON CONFLICT …). */
export const insert = (sql: Sql, table: string, values: Values, rest = ""): SqlChange =>
  inserting(sql, `INSERT INTO ${table}`, values, rest);

/** Adds a row in the place of the one with its key. */
export const replace = (sql: Sql, table: string, values: Values): void =>
  void inserting(sql, `INSERT OR REPLACE INTO ${table}`, values, "");

function inserting(sql: Sql, begin: string, values: Values, rest: string): SqlChange {
  const columns = Object.keys(values);
  const marks = columns.map(() => "?").join(", ");
  return sql.run(
    `${begin} (${columns.join(", ")}) VALUES (${marks}) ${rest}`,
    ...Object.values(values),
  );
}
