/**
 * Export and its way back: every table of the user's as records without local ids, by the descriptions of
 * portable-kinds.ts. What can be computed again (vectors, full-text rows, relevance) is left out and made anew; what is
 * this machine's own (jobs, event keys, transcript offsets) stays here.
 */
import type { PortableRecord, PortableStore, PortableValue } from "#domain";
import { saltsOf } from "./forgotten-texts.ts";
import type { IndexWriter } from "./indexes.ts";
import { portableKinds, type PortableColumn, type PortableKind } from "./portable-kinds.ts";
import { createPut, urisOf, withMerged } from "./portable-put.ts";
import type { Sql, SqlValue } from "./sql.ts";

export const createPortable = (sql: Sql, indexes: IndexWriter): PortableStore => ({
  records: () => readAll(sql),
  fingerprints: () => [...fingerprints(sql)],
  put: createPut(sql, indexes),
});

function* readAll(sql: Sql): Generator<PortableRecord> {
  sql.script("BEGIN");
  try {
    for (const kind of portableKinds) if (kind !== forgottenKind) yield* readKind(sql, kind);
    yield* fingerprints(sql);
  } finally {
    sql.script("COMMIT");
  }
}

const forgottenKind = portableKinds.find(({ kind }) => kind === "forgotten");

/** Salts and fingerprints of what was forgotten. */
export function* fingerprints(sql: Sql): Generator<PortableRecord> {
  const salts = saltsOf(sql);
  if (salts.length === 0 || forgottenKind === undefined) return;
  yield { kind: "salts", salts: salts.toSorted() };
  yield* readKind(sql, forgottenKind);
}

/**
 * `readableRecords` yields what can still be read of a damaged database: of each table everything
 * up to the first damaged page. For a connection of its own.
 */
export function* readableRecords(
  sql: Sql,
  kinds: readonly string[] = portableKinds.map(({ kind }) => kind),
): Generator<PortableRecord> {
  for (const kind of portableKinds) {
    if (!kinds.includes(kind.kind)) continue;
    try {
      yield* readKind(sql, kind);
    } catch {
      // The rest of this table is lost; the next one may not be.
    }
  }
}

type Row = Readonly<Record<string, SqlValue>>;

function* readKind(sql: Sql, kind: PortableKind): Generator<PortableRecord> {
  const nodes = kind.columns.filter(({ isNode }) => isNode);
  const joins = nodes.map(
    ({ column }, at) =>
      `JOIN mem_nodes ${at === 0 ? "n" : "m"} ON t.${column} = ${at === 0 ? "n" : "m"}.id`,
  );
  const selected = kind.columns.map(({ name, column, isNode }) => {
    const isFirst = nodes[0]?.name === name;
    return `${isNode ? `${isFirst ? "n" : "m"}.uri` : `t.${column}`} AS "${name}"`;
  });
  const where = [kind.where ?? "1", ...onlyFirst(kind)].join(" AND ");
  const rows = sql.iterate<Row>(
    `SELECT ${selected.join(", ")} FROM ${kind.table} t ${joins.join(" ")} WHERE ${where} ORDER BY ${kind.order}`,
  );
  for (const row of rows) {
    const record: Record<string, PortableValue> = {};
    for (const column of kind.columns) record[column.name] = valueOf(sql, column, row);
    yield { kind: kind.kind, ...record };
  }
}

/** Rows that say the same in every column are one record: the way back could not tell them apart. */
const onlyFirst = ({ kind, table, columns, key }: PortableKind): readonly string[] => {
  if (key.length < columns.length || columns.length < 3) return [];
  const same = key.map((column) => `d.${column} IS t.${column}`).join(" AND ");
  return [
    `NOT EXISTS (SELECT 1 FROM ${table} d WHERE ${same} AND d.${kind === "session" ? "rowid" : "id"} < t.id)`,
  ];
};

function valueOf(sql: Sql, { name, type, column }: PortableColumn, row: Row): PortableValue {
  const value = row[name] ?? null;
  if (value === null || value instanceof Uint8Array) return null;
  if (type === "bool") return value === 1;
  if (type !== "json") return value;
  const parsed = JSON.parse(String(value)) as PortableValue;
  if (column === "merged_from") return urisOf(sql, parsed);
  return name === "fields" ? withMerged(parsed, (ids) => urisOf(sql, ids)) : parsed;
}
