/** Vectors of L0 as int8 with one scale each: a quarter of the bytes, and rebuildable at any time. */
import { embeddedText, type Maker, type VectorStore } from "#domain";
import type { Sql } from "./sql.ts";

interface LeafRow {
  readonly id: number;
  readonly l0: string;
  readonly maker: Maker;
  /** A list as JSON. */
  readonly aliases: string;
}

const int8Max = 127;
/** Rows read at a time: no statement stays open while the caller works, so a VACUUM is never in its way. */
const pageRows = 2_000;

interface VectorRow {
  readonly node_id: number;
  readonly scale: number;
  readonly vector: Uint8Array;
}

const vectorsOf = (
  sql: Sql,
  identity: string,
  ids: readonly number[],
): ReadonlyMap<number, Float32Array> =>
  new Map(
    sql
      .all<VectorRow>(
        `SELECT node_id, scale, vector FROM mem_vectors
          WHERE identity = ? AND node_id IN (SELECT value FROM json_each(?))`,
        identity,
        JSON.stringify(ids),
      )
      .map(({ node_id, scale, vector }) => [node_id, restored(vector, scale)]),
  );

/** The VectorStore port. */
export const createVectors = (sql: Sql): VectorStore => ({
  put: (nodeId, identity, vector) => {
    const { scale, bytes } = quantised(vector);
    sql.run(
      `INSERT INTO mem_vectors (node_id, identity, scale, vector) VALUES (?, ?, ?, ?)
       ON CONFLICT (node_id, identity) DO UPDATE SET scale = excluded.scale, vector = excluded.vector`,
      nodeId,
      identity,
      scale,
      bytes,
    );
  },
  all: function* (identity) {
    for (const { node_id, scale, vector } of rowsOf(sql, identity))
      yield { nodeId: node_id, vector: restored(vector, scale) };
  },
  of: (identity, ids) => vectorsOf(sql, identity, ids),
  components: function* (identity) {
    for (const { node_id, vector } of rowsOf(sql, identity))
      yield { nodeId: node_id, components: signed(vector) };
  },
  missing: (identity, afterId, limit) => {
    const seen = sql.all<{ readonly id: number }>(
      "SELECT id FROM mem_nodes WHERE id > ? AND node_type = 'leaf' ORDER BY id LIMIT ?",
      afterId,
      limit,
    );
    const lastId = seen.at(-1)?.id ?? null;
    const leaves =
      lastId === null
        ? []
        : sql
            .all<LeafRow>(
              `SELECT n.id, n.l0_abstract AS l0, n.maker, n.aliases FROM mem_nodes n
              WHERE n.id > ? AND n.id <= ? AND n.node_type = 'leaf' AND n.status <> 'retracted'
                AND NOT EXISTS (SELECT 1 FROM mem_vectors v WHERE v.node_id = n.id AND v.identity = ?)
              ORDER BY n.id`,
              afterId,
              lastId,
              identity,
            )
            .map(({ id, l0, maker, aliases }) => ({
              id,
              l0,
              text: embeddedText({ l0, maker, aliases: JSON.parse(aliases) as readonly string[] }),
            }));
    return { leaves, lastId };
  },
  dropOthers: (identity, limit) =>
    sql.run(
      `DELETE FROM mem_vectors WHERE (node_id, identity) IN
         (SELECT node_id, identity FROM mem_vectors WHERE identity <> ? LIMIT ?)`,
      identity,
      limit,
    ).changes,
});

function* rowsOf(sql: Sql, identity: string): Iterable<VectorRow> {
  for (let lastId = 0; ;) {
    const rows = sql.all<VectorRow>(
      `SELECT v.node_id, v.scale, v.vector FROM mem_vectors v
        WHERE v.node_id > ? AND v.identity = ? AND length(v.vector) > 0 ORDER BY v.node_id LIMIT ${pageRows}`,
      lastId,
      identity,
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    lastId = last.node_id;
  }
}

const signed = (bytes: Uint8Array): Int8Array =>
  new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The largest component becomes ±127. Pure. */
export function quantised(vector: Float32Array): {
  readonly scale: number;
  readonly bytes: Uint8Array;
} {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest === 0 ? 1 : largest / int8Max;
  const components = new Int8Array(vector.length);
  vector.forEach((value, i) => (components[i] = Math.round(value / scale)));
  return { scale, bytes: new Uint8Array(components.buffer) };
}

/** The inverse, within half a step of the scale. Pure. */
export function restored(bytes: Uint8Array, scale: number): Float32Array {
  const components = signed(bytes);
  const vector = new Float32Array(components.length);
  for (let i = 0; i < components.length; i += 1) vector[i] = (components[i] ?? 0) * scale;
  return vector;
}
