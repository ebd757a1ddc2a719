/** Local ids in records: nodes are named by their URI outside, and by their id inside. */
import type { PortableValue } from "#domain";
import { recordOf, type Sql } from "./sql.ts";

/** A revision's `mergedFrom`, turned from ids into URIs or back. */
export function withMerged(
  fields: PortableValue,
  turn: (list: PortableValue) => PortableValue,
): PortableValue {
  const { mergedFrom, ...rest } = recordOf(JSON.stringify(fields)) as Record<string, PortableValue>;
  return mergedFrom === undefined ? fields : { ...rest, mergedFrom: turn(mergedFrom) };
}

/** Nodes that are gone have no name any more. */
export const urisOf = (sql: Sql, ids: PortableValue): PortableValue =>
  listOf(ids).flatMap((id) =>
    typeof id === "number"
      ? (sql.get<{ readonly uri: string }>("SELECT uri FROM mem_nodes WHERE id = ?", id)?.uri ?? [])
      : [],
  );

export const idsOf = (sql: Sql, uris: PortableValue): PortableValue =>
  listOf(uris).flatMap((uri) => (typeof uri === "string" ? (idOf(sql, uri) ?? []) : []));

const listOf = (value: PortableValue): readonly PortableValue[] =>
  Array.isArray(value) ? (value as readonly PortableValue[]) : [];

/** What `mistakeIn` has seen to be a text. */
export const textOf = (value: PortableValue): string => (typeof value === "string" ? value : "");

export const idOf = (sql: Sql, uri: string): number | null =>
  sql.get<{ readonly id: number }>("SELECT id FROM mem_nodes WHERE uri = ?", uri)?.id ?? null;
