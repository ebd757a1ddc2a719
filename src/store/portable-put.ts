/** The way back from an export: one record becomes one row, as it is, with its index rows. */
import { isRecord } from "#kit";
import {
  type PortableRecord,
  type PortableStore,
  type PortableValue,
  projectNameOf,
  type PutOutcome,
} from "#domain";
import { parentOf } from "./directories.ts";
import { keepSalts, noteForgotten } from "./forgotten-texts.ts";
import type { IndexWriter } from "./indexes.ts";
import { type PortableColumn, type PortableKind, portableKinds } from "./portable-kinds.ts";
import { recordIn, type Sql, type SqlValue } from "./sql.ts";
import { checkpointOf, storedCheckpoints } from "./checkpoints.ts";
import { memories } from "./node-rows.ts";
import { insert } from "./tables.ts";

// Local ids in records: nodes are named by their URI outside, and by their id inside.

/** A revision's `mergedFrom`, turned from ids into URIs or back. */
export function withMerged(
  fields: PortableValue,
  turn: (list: PortableValue) => PortableValue,
): PortableValue {
  const { mergedFrom, ...rest } = recordIn(JSON.stringify(fields)) as Record<string, PortableValue>;
  return mergedFrom === undefined ? fields : { ...rest, mergedFrom: turn(mergedFrom) };
}

/** Nodes that are gone have no name any more. */
export const urisOf = (sql: Sql, ids: PortableValue): PortableValue =>
  listOf(ids).flatMap((id) =>
    typeof id === "number"
      ? (sql.value<string>("SELECT uri FROM mem_nodes WHERE id = ?", id) ?? [])
      : [],
  );

const idsOf = (sql: Sql, uris: PortableValue): PortableValue =>
  listOf(uris).flatMap((uri) => (typeof uri === "string" ? (idOf(sql, uri) ?? []) : []));

const listOf = (value: PortableValue): readonly PortableValue[] =>
  Array.isArray(value) ? (value as readonly PortableValue[]) : [];

/** `textOf` narrows a value that `mistakeIn` has seen to be a text. */
export const textOf = (value: PortableValue): string => (typeof value === "string" ? value : "");

const idOf = (sql: Sql, uri: string): number | null =>
  sql.value<number>("SELECT id FROM mem_nodes WHERE uri = ?", uri);

const created: PutOutcome = { outcome: "created" };
const there: PutOutcome = { outcome: "there" };
const refused = (reason: string): PutOutcome => ({ outcome: "refused", reason });

const kindByName = new Map(portableKinds.map((kind) => [kind.kind, kind]));

export function createPut(sql: Sql, indexes: IndexWriter): PortableStore["put"] {
  const history = createHistory(sql);
  return (value) => {
    if (!isRecord(value)) return refused("not a record");
    const record = value;
    if (record["kind"] === "salts") return putSalts(sql, record["salts"]);
    const kind = kindByName.get(textOf(record["kind"] as PortableValue));
    if (kind === undefined) return { outcome: "unknown-kind" };
    const mistake = mistakeIn(kind, record);
    if (mistake !== null) return refused(mistake);
    try {
      return sql.transaction(() =>
        putOne({ sql, indexes, history }, kind, record as PortableRecord),
      );
    } catch (error) {
      if (!(error instanceof Error) || !/constraint/i.test(error.message)) throw error;
      return refused(error.message);
    }
  };
}

interface Putting {
  readonly sql: Sql;
  readonly indexes: IndexWriter;
  readonly history: ReturnType<typeof createHistory>;
}

function putOne(
  { sql, indexes, history }: Putting,
  kind: PortableKind,
  record: PortableRecord,
): PutOutcome {
  const values = valuesOf(sql, kind, record);
  if (typeof values === "string") return refused(`${values}: no such node`);
  const joined = putInto[kind.kind];
  if (joined !== undefined) return joined(sql, values);
  const isThere = isKnown(sql, kind, values);
  const isOurs =
    kind.kind !== "revision" || history.follows(Number(values.get("node_id")), isThere);
  if (isThere || !isOurs) return there;
  if (kind.kind === "node" && !isPlaced(record)) return refused("uri: not a place in the tree");
  if (kind.kind === "project" || kind.kind === "session") boundName(kind, values);
  if (kind.kind === "exposure") values.set("uri", textOf(record["uri"] ?? null));
  const { lastId } = insert(sql, kind.table, Object.fromEntries(values));
  indexPut(sql, indexes, kind.indexed, lastId);
  return created;
}

/** A file may come from anywhere: what it calls a project is a name, or a hash. */
function boundName({ kind }: PortableKind, values: Map<string, SqlValue>): void {
  const [nameColumn, keyColumn] =
    kind === "project" ? ["name", "key"] : ["project_name", "project"];
  const [name, key] = [values.get(nameColumn), values.get(keyColumn)];
  if (typeof name === "string")
    values.set(nameColumn, projectNameOf(name, typeof key === "string" ? key : name));
}

/** `valuesOf` gives the values of a row, by column; the key of the record that names a node which is not there. */
function valuesOf(
  sql: Sql,
  kind: PortableKind,
  record: PortableRecord,
): Map<string, SqlValue> | string {
  const values = new Map<string, SqlValue>();
  for (const column of kind.columns) {
    const value = record[column.name] ?? null;
    const id = column.isNode ? idOf(sql, textOf(value)) : null;
    if (column.isNode && id === null) return column.name;
    values.set(column.column, id ?? columnValue(sql, column, value));
  }
  return values;
}

function columnValue(sql: Sql, column: PortableColumn, value: PortableValue): SqlValue {
  if (value === null) return null;
  if (column.type === "bool") return value === true ? 1 : 0;
  if (column.type !== "json") return typeof value === "number" ? value : textOf(value);
  if (column.column === "merged_from") return JSON.stringify(idsOf(sql, value));
  return JSON.stringify(
    column.name === "fields" ? withMerged(value, (uris) => idsOf(sql, uris)) : value,
  );
}

const isKnown = (sql: Sql, kind: PortableKind, values: ReadonlyMap<string, SqlValue>): boolean =>
  sql.get(
    `SELECT 1 FROM ${kind.table} WHERE ${kind.key.map((column) => `${column} IS ?`).join(" AND ")}`,
    ...kind.key.map((column) => values.get(column) ?? null),
  ) !== null;

/** A node that knows already what it was made of keeps that. */
function putMerged(sql: Sql, values: ReadonlyMap<string, SqlValue>): PutOutcome {
  const { changes } = sql.run(
    "UPDATE mem_nodes SET merged_from = ? WHERE uri = ? AND merged_from = '[]'",
    values.get("merged_from") ?? "[]",
    values.get("uri") ?? "",
  );
  return changes === 0 ? there : created;
}

/** Forgotten at two times: the later one counts, so that nothing from between comes back. */
function putForgotten(sql: Sql, values: ReadonlyMap<string, SqlValue>): PutOutcome {
  const mark = values.get("fingerprint") ?? "";
  const isThere = sql.get("SELECT 1 FROM forgotten WHERE fingerprint = ?", mark) !== null;
  noteForgotten(sql, String(mark), Number(values.get("at_ms") ?? 0));
  return isThere ? there : created;
}

/** Kinds of which a record changes what is there. */
const putInto: Readonly<
  Record<string, (sql: Sql, values: ReadonlyMap<string, SqlValue>) => PutOutcome>
> = { merged: putMerged, forgotten: putForgotten };

const placePattern = /^mem:\/\/(?:[a-z0-9._-]+(?:\/[a-z0-9._-]+){0,7})?$/;
const uriCharsMax = 200;

/** Canonical, within the tree, and hanging somewhere above itself. */
function isPlaced({ uri, parentUri }: PortableRecord): boolean {
  const place = textOf(uri ?? null);
  if (place.length > uriCharsMax || !placePattern.test(place)) return false;
  if (place.split("/").some((part) => part === "." || part === "..")) return false;
  for (let above = parentOf(place); above !== null; above = parentOf(above))
    if (above === parentUri) return true;
  return parentUri === null && parentOf(place) === null;
}

function putSalts(sql: Sql, salts: unknown): PutOutcome {
  const isList =
    Array.isArray(salts) &&
    salts.every((salt) => typeof salt === "string" && /^[0-9a-f]{1,128}$/.test(salt));
  if (!isList) return refused("salts: a list of hexadecimal texts was expected");
  return keepSalts(sql, salts as readonly string[]) ? created : there;
}

/**
 * A node that was there before keeps its own history: the records' is added only where it goes on from the same past.
 */
function createHistory(sql: Sql) {
  let current = { nodeId: -1, seen: 0, isOther: false };
  return {
    /** May this revision be added, or counted as known? Its node's history must be what the records said so far. */
    follows: (nodeId: number, isThere: boolean): boolean => {
      if (current.nodeId !== nodeId) current = { nodeId, seen: 0, isOther: false };
      current.seen += 1;
      if (isThere) return true;
      const known = sql.value<number>(
        "SELECT count(*) FROM mem_revisions WHERE node_id = ?",
        nodeId,
      );
      current.isOther ||= known !== current.seen - 1;
      return !current.isOther;
    },
  };
}

// Checks that a record is what its kind says. Pure: knows types, not what is stored.

/** Longer texts are no memory of ours: the longest of a record is a full content of 40,000 characters. */
const textCharsMax = 1_000_000;

/** Says in words why a record is wrong; null when nothing is. Keys that are not known are left out, not refused. */
function mistakeIn(
  { columns }: PortableKind,
  record: Readonly<Record<string, unknown>>,
): string | null {
  for (const column of columns) {
    const value = record[column.name];
    if (value === undefined && column.isLate) continue;
    if (value === undefined) return `${column.name} is missing`;
    if (!isOfType(column, value)) return `${column.name} is not ${expected(column)}`;
  }
  return null;
}

function isOfType({ name, type, isNullable }: PortableColumn, value: unknown): boolean {
  if (value === null) return isNullable;
  switch (type) {
    case "text":
      return typeof value === "string" && value.length <= textCharsMax;
    case "int":
      return Number.isSafeInteger(value);
    case "real":
      return typeof value === "number" && Number.isFinite(value);
    case "bool":
      return typeof value === "boolean";
    case "json":
      return name === "fields" ? isRecord(value) : isList(name, value);
  }
}

/** Lists hold texts; evidence holds pointers. */
const isList = (name: string, value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((entry) => (name === "evidence" ? isRecord(entry) : typeof entry === "string"));

const expected = ({ name, type }: PortableColumn): string =>
  ({
    text: "a text",
    int: "a whole number",
    real: "a number",
    bool: "true or false",
    json: name === "fields" ? "an object" : "a list",
  })[type];

// Index rows of what an import wrote as it was.

function indexPut(sql: Sql, indexes: IndexWriter, what: PortableKind["indexed"], id: number): void {
  if (what === "node") {
    const node = memories.byId(sql, id);
    if (node?.nodeType === "leaf") indexes.node(node);
  } else if (what === "turn")
    indexes.prompt(id, sql.value<string>("SELECT prompt FROM turns WHERE id = ?", id));
  else if (what === "checkpoint") {
    const stored = storedCheckpoints.byId(sql, id);
    if (stored?.current === true) indexes.checkpoint(checkpointOf(stored));
  }
}
