/** Upkeep of the file itself, and small facts by name. */
import { embeddedText, type MemoryNode, type StoreAdmin, type VectorStore } from "#domain";
import { type Clock, msPerDay } from "#kit";
import { metaOf, saveMeta } from "./meta.ts";
import { type Sql, versionOf } from "./sql.ts";
import { replace, tableOf } from "./tables.ts";

const textIndexes = [
  "mem_fts",
  "archive_fts",
  "exchange_fts",
  "prompt_fts",
  "checkpoint_fts",
] as const;

const projectsMax = 10_000;

/** Rows of an index that are looked at: enough to tell a rare value from a common one. */
const analysedRowsMax = 400;

/**
 * Raw observations stay 90 days (docs/design/capture.md, "What is kept"); so does everything else that only explains
 * the recent past.
 */
const keptMs = 90 * msPerDay;

/**
 * The time for which tools' output is kept if it is not compressed before; a day later no turn goes
 * on that could be judged anew.
 */
const printedKeptMs = msPerDay;

export const createAdmin = (sql: Sql, { clock }: { readonly clock: Clock }): StoreAdmin => ({
  schemaVersion: () => versionOf(sql),
  sizeBytes: () =>
    sql.count("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"),
  getMeta: (name) => metaOf(sql, name),
  setMeta: (name, value) => saveMeta(sql, name, value),
  purge: () => purge(sql),
  purgeLater: () => saveMeta(sql, "purge.due", wholeFile),
  isPurgeDue: () => metaOf(sql, "purge.due") === wholeFile,
  finishPurge: () => {
    const due = metaOf(sql, "purge.due");
    if (due === wholeFile) rewrite(sql);
    return due === null || emptyLog(sql);
  },
  housekeep: (nowMs, rowsMax = -1) =>
    sql.atomically(() => {
      const untilMs = Math.min(nowMs, clock.nowMs());
      return (
        housekeep(sql, untilMs - keptMs, rowsMax) +
        dropPrinted(sql, untilMs - printedKeptMs, rowsMax)
      );
    }),
  shrink: (pagesMax) => {
    sql.script(`PRAGMA incremental_vacuum(${pagesMax})`);
    return sql.count("PRAGMA freelist_count");
  },
  optimize: () => {
    sql.script(`PRAGMA analysis_limit = ${analysedRowsMax}`);
    sql.script("PRAGMA optimize");
  },
  projects: () =>
    sql.all<{ readonly key: string; readonly name: string; readonly sessions: number }>(
      `SELECT p.key, p.name, (SELECT count(*) FROM sessions s WHERE s.project = p.key) AS sessions
         FROM projects p ORDER BY p.name, p.key LIMIT ${projectsMax}`,
    ),
  projectNames: () =>
    sql.all<{ readonly key: string; readonly name: string }>(
      `SELECT key, name FROM projects ORDER BY name, key LIMIT ${projectsMax}`,
    ),
});

/** The two values of `purge.due`: the whole file is to be cleaned, or only the log that a reader kept. */
const wholeFile = "file";
const logAlone = "1";
/** Hooks wait as long as this does. */
const logWaitMs = 1_000;

/** Notes that it is still to be done first: the note must not be what is left in the log. */
function emptyLog(sql: Sql): boolean {
  const before = sql.count("PRAGMA busy_timeout");
  saveMeta(sql, "purge.due", null);
  sql.script(`PRAGMA busy_timeout = ${logWaitMs}`);
  try {
    const isDone = sql.value<number>("PRAGMA wal_checkpoint(TRUNCATE)") === 0;
    if (!isDone) saveMeta(sql, "purge.due", logAlone);
    return isDone;
  } finally {
    sql.script(`PRAGMA busy_timeout = ${before}`);
  }
}

/** Jobs that wait or are parked stay: a person still has to look at them. */
function housekeep(sql: Sql, beforeMs: number, rowsMax: number): number {
  const old = [
    ["tool_uses", "id", "at_ms < ?1"],
    ["events", "key", "at_ms < ?1 AND received_at_ms < ?1"],
    ["jobs", "id", "state = 'done' AND finished_at < ?1"],
    ["exposures", "id", "at_ms < ?1"],
    ["injections", "id", "at_ms < ?1"],
  ] as const;
  return old.reduce((sum, [table, key, isOld]) => {
    const text = `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${isOld} LIMIT ?2)`;
    return sum + sql.run(text, beforeMs, rowsMax).changes;
  }, 0);
}

/** That a tool ran, on which file and how it ended, stays; a session with work left keeps everything. */
const dropPrinted = (sql: Sql, beforeMs: number, rowsMax: number): number =>
  sql.run(
    `UPDATE tool_uses SET text = NULL WHERE id IN (
       SELECT id FROM tool_uses
        WHERE at_ms < ? AND text IS NOT NULL
          AND session_id NOT IN (SELECT session_id FROM jobs WHERE state <> 'done' AND session_id IS NOT NULL)
        LIMIT ?)`,
    beforeMs,
    rowsMax,
  ).changes;

/**
 * Makes what was deleted unrecoverable from the file. Merging the indexes drops deleted words; VACUUM rewrites every
 * page, since even with secure_delete a page keeps stale copies of rows that moved while it was rebalanced; truncating
 * the log removes the old page images. Throws when a reader (a backup, a replication) keeps the log open; upkeep then
 * empties it.
 */
function purge(sql: Sql): void {
  rewrite(sql);
  if (!emptyLog(sql)) throw new Error("a reader keeps the write-ahead log open; purge again later");
}

function rewrite(sql: Sql): void {
  for (const index of textIndexes) sql.run(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
  sql.script("VACUUM");
}

// Vectors of L0 as int8 with one scale each: a quarter of the bytes, and rebuildable at any time.

const embedded = tableOf<Pick<MemoryNode, "id" | "l0" | "maker" | "aliases">>()(
  "mem_nodes n",
  "id l0=l0_abstract maker aliases:strings",
);

const int8Max = 127;
/** Rows read at a time: no statement stays open while the caller works, so a VACUUM is never in its way. */
const pageRows = 2_000;

interface VectorRow {
  readonly node_id: number;
  readonly vector: Uint8Array;
}

export const createVectors = (sql: Sql): VectorStore => ({
  put: (nodeId, identity, vector) => {
    const { scale, bytes } = quantised(vector);
    replace(sql, "mem_vectors", { node_id: nodeId, identity, scale, vector: bytes });
  },
  components: function* (identity) {
    for (const { node_id, vector } of rowsOf(sql, identity))
      yield {
        nodeId: node_id,
        components: new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength),
      };
  },
  missing: (identity, afterId, limit) => {
    const seen = sql.column<number>(
      "SELECT id FROM mem_nodes WHERE id > ? AND node_type = 'leaf' ORDER BY id LIMIT ?",
      afterId,
      limit,
    );
    const lastId = seen.at(-1) ?? null;
    const leaves = embedded
      .all(
        sql,
        `WHERE n.id > ? AND n.id <= ? AND n.node_type = 'leaf' AND n.status <> 'retracted'
           AND NOT EXISTS (SELECT 1 FROM mem_vectors v WHERE v.node_id = n.id AND v.identity = ?)
         ORDER BY n.id`,
        afterId,
        lastId ?? afterId,
        identity,
      )
      .map(({ id, l0, maker, aliases }) => ({ id, l0, text: embeddedText(l0, aliases, maker) }));
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
      `SELECT v.node_id, v.vector FROM mem_vectors v
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
