/**
 * One SQLite connection as the rest of this room uses it: statements prepared once, transactions that nest.
 * Knows nothing of tables. Only open.ts makes one.
 */
import type { Database, Statement } from "bun:sqlite";
import { assert, type Json, recordOf, type ZoneOffsets } from "#kit";

export type SqlValue = string | number | Uint8Array | null;

/** A list is bound as one JSON text, for `IN (SELECT value FROM json_each(?))`. */
export type SqlParam = SqlValue | readonly (string | number)[];

export interface Sql {
  // `Row` is declared beside the SELECT it describes, and tables are STRICT: the type is stated once, at the edge.
  /** Every row of a query. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  readonly all: <Row>(text: string, ...params: readonly SqlParam[]) => readonly Row[];
  /** The first row. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  readonly get: <Row>(text: string, ...params: readonly SqlParam[]) => Row | null;
  /** The first column of the first row; null where there is none. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  readonly value: <Value>(text: string, ...params: readonly SqlParam[]) => Value | null;
  /** The number in the first column of the first row; 0 where there is none. */
  readonly count: (text: string, ...params: readonly SqlParam[]) => number;
  /** The first column of every row. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  readonly column: <Value>(text: string, ...params: readonly SqlParam[]) => readonly Value[];
  /** Rows one by one, with a statement of their own; other statements may run in between. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  readonly iterate: <Row>(text: string, ...params: readonly SqlParam[]) => Iterable<Row>;
  readonly run: (text: string, ...params: readonly SqlParam[]) => SqlChange;
  /** Several statements without parameters. */
  readonly script: (text: string) => void;
  /** All or nothing; inside another transaction a savepoint, so that a caught failure undoes only itself. */
  readonly transaction: <T>(work: () => T) => T;
  /**
   * As `transaction`, without waiting for the disk: a power cut may undo it, together with whatever was committed after
   * it in this way. For what would be done again. The next `transaction` makes all of it safe.
   */
  readonly repeatable: <T>(work: () => T) => T;
  /** All or nothing with whatever transaction is open: for the store's own methods, which cost no savepoint. */
  readonly atomically: <T>(work: () => T) => T;
  readonly isReadonly: boolean;
  readonly isInTransaction: () => boolean;
  /** Counts the rollbacks of work: what was read meanwhile may never have been. */
  readonly undone: () => number;
  /** Frees pages that are cached; prepared statements as well, while nothing reads. */
  readonly release: (of: "pages" | "statements") => void;
  readonly close: () => void;
}

export interface SqlChange {
  readonly changes: number;
  readonly lastId: number;
}

/** Prepared statements kept; filters make a few hundred shapes at most. */
const statementsMax = 300;

/** Wraps a connection. In readonly mode transactions are read snapshots. */
export function createSql(db: Database, mode: "readwrite" | "readonly"): Sql {
  const statements = createStatementCache(db);
  const outermost = mode === "readonly" ? reading : writing;
  let depth = 0;
  let undone = 0;

  const within = <T>(marks: Marks, work: () => T): T => {
    db.run(marks.open);
    depth += 1;
    try {
      const value = work();
      assert(!(value instanceof Promise), "a transaction waits for nothing");
      db.run(marks.keep);
      return value;
    } catch (error) {
      undone += 1;
      // A full disk makes SQLite roll back on its own; then there is nothing left to undo.
      if (db.inTransaction) db.run(marks.undo);
      throw error;
    } finally {
      depth -= 1;
    }
  };

  return {
    all: (text, ...params) => statements.of(text).all(...bound(params)) as never,
    get: (text, ...params) => statements.of(text).get(...bound(params)) as never,
    value: (text, ...params) => firstOf(statements.of(text).get(...bound(params))) as never,
    count: (text, ...params) => Number(firstOf(statements.of(text).get(...bound(params))) ?? 0),
    column: (text, ...params) => firstsOf(statements.of(text).all(...bound(params))) as never,
    iterate: (text, ...params) => iterate(db, text, bound(params)) as never,
    run: (text, ...params) => {
      if (depth > 0) assertOpen(db);
      const { changes, lastInsertRowid } = statements.of(text).run(...bound(params));
      return { changes, lastId: Number(lastInsertRowid) };
    },
    script: (text) => void db.run(text),
    transaction: (work) => within(depth === 0 ? outermost : savepoint(depth), work),
    repeatable: (work) => {
      if (depth > 0 || mode === "readonly") return work();
      db.run("PRAGMA synchronous = NORMAL");
      try {
        return within(outermost, work);
      } finally {
        db.run("PRAGMA synchronous = FULL");
      }
    },
    atomically: (work) => (depth === 0 ? within(outermost, work) : work()),
    isReadonly: mode === "readonly",
    isInTransaction: () => depth > 0,
    undone: () => undone,
    release: (of) => {
      if (of === "statements" && depth === 0) statements.clear();
      db.run("PRAGMA shrink_memory");
    },
    close: () => {
      statements.clear();
      db.close();
    },
  };
}

const bound = (params: readonly SqlParam[]): SqlValue[] =>
  params.map((value) => (isList(value) ? JSON.stringify(value) : value));

const isList = (value: SqlParam): value is readonly (string | number)[] => Array.isArray(value);

function firstOf(row: unknown): unknown {
  for (const name in row as object) return (row as Record<string, unknown>)[name];
  return null;
}

const firstsOf = (rows: readonly unknown[]): readonly unknown[] => rows.map(firstOf);

/**
 * A full or a broken disk makes SQLite undo a whole transaction on its own. Whoever caught that error inside must not
 * go on: each further statement would be committed by itself.
 */
function assertOpen(db: Database): void {
  if (!db.inTransaction) throw new Error("the transaction was undone by SQLite");
}

/** Finalised however the loop over it ends. */
function* iterate(
  db: Database,
  text: string,
  params: readonly SqlValue[],
): Generator<unknown, void> {
  using statement = db.prepare<unknown, SqlValue[]>(text);
  yield* statement.iterate(...params);
}

interface Marks {
  readonly open: string;
  readonly keep: string;
  readonly undo: string;
}

const reading: Marks = { open: "BEGIN", keep: "COMMIT", undo: "ROLLBACK" };
const writing: Marks = { ...reading, open: "BEGIN IMMEDIATE" };

const savepoint = (depth: number): Marks => ({
  open: `SAVEPOINT s${depth}`,
  keep: `RELEASE s${depth}`,
  undo: `ROLLBACK TO s${depth}; RELEASE s${depth}`,
});

type AnyStatement = Statement<unknown, SqlValue[]>;

/**
 * Hides limits from the planner: SQLite compiles a statement with `LIMIT ?` anew each time, since the value could
 * change the plan. That takes nine times as long as finding a row.
 */
const compiledOnce = (text: string): string => text.replaceAll(/\b(LIMIT|OFFSET) \?/g, "$1 +?");

/** Our own cache: the driver's holds twenty statements, and this room has more. Oldest out first. */
function createStatementCache(db: Database) {
  const byText = new Map<string, AnyStatement>();
  return {
    of: (text: string): AnyStatement => {
      const known = byText.get(text);
      if (known) return known;
      const oldest = byText.size >= statementsMax ? byText.entries().next().value : undefined;
      if (oldest) {
        oldest[1].finalize();
        byText.delete(oldest[0]);
      }
      const statement = db.prepare<unknown, SqlValue[]>(compiledOnce(text));
      byText.set(text, statement);
      return statement;
    },
    clear: () => {
      for (const statement of byText.values()) statement.finalize();
      byText.clear();
    },
  };
}

/** `{"a":1}` from a column; an empty record for anything else. */
export const recordIn = (text: string): Json => recordOf(JSON.parse(text));

// Times of rows by the clocks of a zone.

/** A column of times as the zone's clocks show them, if they ran in UTC. */
export const onClock = (column: string, days: ZoneOffsets = []): string => {
  const [first, ...later] = days;
  const cases = later
    .toReversed()
    .map(({ fromMs, aheadMs }) => `WHEN ${column} >= ${fromMs} THEN ${aheadMs}`);
  const ahead = first?.aheadMs ?? 0;
  return cases.length === 0
    ? `(${column} + ${ahead})`
    : `(${column} + CASE ${cases.join(" ")} ELSE ${ahead} END)`;
};

// Gives the schema of a database, and the one that this program reads; apart from the text of migrations, which few
// need.

/** Version of the last migration. */
export const schemaVersion = 16;

/** `PRAGMA user_version` of an open connection. */
export const versionOf = (sql: Sql): number => sql.value<number>("PRAGMA user_version") ?? 0;

/** Differs once another connection has written. */
export const dataVersionOf = (sql: Sql): number => sql.value<number>("PRAGMA data_version") ?? 0;
