/**
 * Keeps the tables of sync in this database (docs/adr/0044): the SyncTables port. Knows rows, not
 * what entries mean.
 */
import {
  fieldsOfWire,
  wireOf,
  type Due,
  type MemoryEntry,
  type SyncEntry,
  type SyncHead,
  type SyncMark,
  type SyncSubject,
  type SyncTables,
} from "#domain";
import { canonicalJson, sha256, type Json } from "#kit";
import { keepSalts, leadSalt, marksOf, noteForgotten, saltsOf } from "./forgotten-texts.ts";
import { metaOf, saveMeta } from "./meta.ts";
import { createSyncNodes } from "./sync-nodes.ts";
import type { IndexWriter } from "./indexes.ts";
import type { Sql, SqlValue } from "./sql.ts";
import { insert, replace, tableOf } from "./tables.ts";

const tables = [
  "sync_subjects",
  "sync_log",
  "sync_wordings",
  "sync_marks",
  "sync_links",
  "sync_heads",
  "sync_gone",
  "sync_due",
] as const;

export const createSyncTables = (sql: Sql, indexes: IndexWriter): SyncTables => ({
  device: () => metaOf(sql, "sync.device"),
  reset: (as) =>
    sql.atomically(() => {
      for (const table of tables) sql.run(`DELETE FROM ${table}`);
      sql.run("DELETE FROM meta WHERE name GLOB 'sync.*'");
      if (as === null) return;
      saveMeta(sql, "sync.device", as.device);
      leadSalt(sql, as.salt);
    }),
  ...createSubjects(sql),
  ...createQueues(sql),
  ...createMarks(sql),
  ...createSyncLog(sql),
  ...createSyncNodes(sql, indexes),
});

const subjects = tableOf<SyncSubject>()(
  "sync_subjects s",
  "subject nodeId latest forgotten forgetAt place slot isCurrent:bool said createdAt mergedInto uses:json usedAt",
);
const marks = tableOf<SyncMark>()("sync_marks m", "mark killed forgotten remembered");

function createSubjects(sql: Sql) {
  const all = (rest: string, ...params: readonly SqlValue[]): readonly SyncSubject[] =>
    subjects.all(sql, `WHERE ${rest}`, ...params);
  return {
    subject: (subject) => all("subject = ?", subject)[0] ?? null,
    subjectOf: (nodeId) => all("node_id = ?", nodeId)[0] ?? null,
    putSubject: (row) => {
      const used = Object.values(row.uses).reduce((sum, n) => sum + n, 0);
      replace(sql, "sync_subjects", { ...subjects.values(row), used });
    },
    asking: (what, value) =>
      what === "place"
        ? all("place = ? ORDER BY created_at, subject", value)
        : all("slot = ? ORDER BY said DESC, subject", value),
    slotClock: (slot) =>
      sql.value<string>("SELECT max(latest) FROM sync_subjects WHERE slot = ?", slot) ?? "",
    forgetsDue: (limit) => all("forget_at IS NOT NULL ORDER BY subject LIMIT ?", limit),
  } satisfies Partial<SyncTables>;
}

/** `createQueues` keeps the work that entries leave when they were taken in. */
const createQueues = (sql: Sql) =>
  ({
    addGone: (nodeId, stamp) => replace(sql, "sync_gone", { node_id: nodeId, stamp: stamp ?? "" }),
    gone: (limit) =>
      sql.all(
        "SELECT node_id AS nodeId, nullif(stamp, '') AS stamp FROM sync_gone ORDER BY node_id LIMIT ?",
        limit,
      ),
    addDue: (what, value) =>
      void insert(sql, "sync_due", { what, value }, "ON CONFLICT DO NOTHING"),
    due: () =>
      sql.all<{ readonly what: Due; readonly value: string }>(
        "SELECT what, value FROM sync_due ORDER BY what, value",
      ),
    dropDue: () => void sql.run("DELETE FROM sync_due"),
    dropGone: (nodeIds) =>
      sql.atomically(() => {
        sql.run("DELETE FROM sync_gone WHERE node_id IN (SELECT value FROM json_each(?))", nodeIds);
        sql.run(
          "DELETE FROM forgotten WHERE fingerprint IN (SELECT mark FROM sync_marks WHERE remembered > forgotten)",
        );
      }),
  }) satisfies Partial<SyncTables>;

/**
 * Called when nodes are forgotten here: their statements go with them, and the others are to be told. A node that was
 * forgotten elsewhere is no subject's any more.
 */
export function forgetSubjects(sql: Sql, nodeIds: readonly number[], forgetAt: number): void {
  const ours =
    "SELECT subject FROM sync_subjects WHERE node_id IN (SELECT value FROM json_each(?1))";
  sql.run(
    "UPDATE sync_subjects SET forget_at = ?2 WHERE node_id IN (SELECT value FROM json_each(?1))",
    nodeIds,
    forgetAt,
  );
  sql.run(`DELETE FROM sync_log WHERE subject IN (${ours})`, nodeIds);
  sql.run(
    "UPDATE sync_subjects SET node_id = NULL WHERE node_id IN (SELECT value FROM json_each(?1))",
    nodeIds,
  );
}

const createMarks = (sql: Sql) =>
  ({
    marksOf: (text) => marksOf(sql, text),
    addWording: ({ subject, token, mark, licence }) =>
      void insert(
        sql,
        "sync_wordings",
        { subject, token, mark, licence },
        "ON CONFLICT (subject, token, mark) DO UPDATE SET licence = min(licence, excluded.licence)",
      ),
    withWording: (mark) =>
      sql.column<string>(
        "SELECT DISTINCT subject FROM sync_wordings WHERE mark = ? ORDER BY subject",
        mark,
      ),
    wordings: (subject) =>
      sql.column<string>(
        "SELECT DISTINCT mark FROM sync_wordings WHERE subject = ? ORDER BY mark",
        subject,
      ),
    killedAt: (subject, token) =>
      sql.value<string>(
        `SELECT max(m.killed) FROM sync_wordings w JOIN sync_marks m ON m.mark = w.mark
        WHERE w.subject = ? AND w.token = ? AND m.killed >= w.licence`,
        subject,
        token,
      ),
    mark: (mark) =>
      marks.get(sql, "WHERE m.mark = ?", mark) ?? {
        mark,
        killed: null,
        forgotten: null,
        remembered: null,
      },
    putMark: (mark) => putMark(sql, mark),
    untoldMarks: (limit) =>
      sql.all(
        `SELECT f.fingerprint AS mark, f.at_ms AS atMs FROM forgotten f LEFT JOIN sync_marks m ON m.mark = f.fingerprint
          WHERE m.forgotten IS NULL OR m.remembered > m.forgotten ORDER BY f.fingerprint LIMIT ?`,
        limit,
      ),
    salts: () => saltsOf(sql),
    keepSalts: (salts) => {
      const before = new Set(saltsOf(sql));
      keepSalts(sql, salts);
      return saltsOf(sql).filter((salt) => !before.has(salt));
    },
  }) satisfies Partial<SyncTables>;

function putMark(sql: Sql, state: SyncMark): void {
  replace(sql, "sync_marks", marks.values(state));
  const { mark, forgotten, remembered } = state;
  if (forgotten === null) return;
  if (remembered !== null && remembered > forgotten)
    sql.run("DELETE FROM forgotten WHERE fingerprint = ?", mark);
  else noteForgotten(sql, mark, Number.parseInt(forgotten.slice(0, forgotten.indexOf(".")), 36));
}

// Entries of the sync log, and how far the logs of others were read.

const createSyncLog = (sql: Sql) =>
  ({
    statements: (subject) =>
      sql
        .all<{ readonly id: string; readonly json: string; readonly is_sent: number }>(
          "SELECT id, json, is_sent FROM sync_log WHERE subject = ? ORDER BY stamp, id",
          subject,
        )
        .map(({ id, json, is_sent: sent }) =>
          // Written by `add`, and by nobody else.
          Object.assign(fieldsOfWire(JSON.parse(json) as Json) as unknown as MemoryEntry, {
            id,
            isSent: sent === 1,
          }),
        ),
    add: (entry, isSent) => {
      const wire = wireOf(entry);
      const row = {
        id: sha256(canonicalJson(wire)),
        ...placeOf(entry),
        stamp: entry.stamp,
        is_sent: isSent ? 1 : 0,
        json: JSON.stringify(wire),
      };
      return insert(sql, "sync_log", row, "ON CONFLICT (id) DO NOTHING").changes > 0;
    },
    drop: (ids) =>
      void sql.run("DELETE FROM sync_log WHERE id IN (SELECT value FROM json_each(?))", ids),
    unsent: (limit) =>
      sql.all<{ readonly id: string; readonly json: string }>(
        "SELECT id, json FROM sync_log WHERE is_sent = 0 ORDER BY stamp, id LIMIT ?",
        limit,
      ),
    sent: (ids) => {
      sql.run(
        "DELETE FROM sync_log WHERE subject IS NULL AND id IN (SELECT value FROM json_each(?))",
        ids,
      );
      sql.run("UPDATE sync_log SET is_sent = 1 WHERE id IN (SELECT value FROM json_each(?))", ids);
    },
    scrub: (subject, isForgotten) => scrub(sql, subject, isForgotten),
    lines: () =>
      sql.all(
        `SELECT subject, token, coalesce(json ->> '$.r', '') AS licence, json ->> '$.set.l0' AS l0 FROM sync_log
          WHERE subject IS NOT NULL AND json ->> '$.set.l0' IS NOT NULL`,
      ),
    heads: () => sql.all<SyncHead>("SELECT device, seq, hash FROM sync_heads ORDER BY device"),
    putHead: ({ device, seq, hash }) => replace(sql, "sync_heads", { device, seq, hash }),
  }) satisfies Partial<SyncTables>;

/** The memory that an entry states something of; one that states nothing (any more) only has to be sent. */
const placeOf = (entry: SyncEntry) =>
  entry.kind === "memory" && (Object.keys(entry.set).length > 0 || entry.pin !== undefined)
    ? { subject: entry.subject, token: entry.token }
    : { subject: null, token: "" };

/** Text that is said now stays, and is forgotten in its own right. */
function scrub(sql: Sql, subject: string, isForgotten: (l0: string) => boolean): void {
  const old = sql.all<{ readonly id: number; readonly l0: string }>(
    `SELECT r.id, r.l0_abstract AS l0 FROM mem_revisions r JOIN sync_subjects s ON s.node_id = r.node_id
      WHERE s.subject = ?1 AND r.id < (SELECT max(id) FROM mem_revisions WHERE node_id = r.node_id)`,
    subject,
  );
  for (const { id, l0 } of old)
    if (isForgotten(l0)) sql.run("DELETE FROM mem_revisions WHERE id = ?", id);
  const said = sql.all<{ readonly id: string; readonly l0: string | null }>(
    "SELECT id, json ->> '$.set.l0' AS l0 FROM sync_log WHERE subject = ?",
    subject,
  );
  for (const { id, l0 } of said)
    if (l0 !== null && isForgotten(l0))
      // The texts with it go as well; the line last, since it tells that they are to go.
      for (const field of ["$.set.l1", "$.set.l2", "$.set.l0"])
        sql.run(
          `UPDATE sync_log SET json = json_remove(json, ?2) WHERE id = ?1
              AND EXISTS (SELECT 1 FROM sync_log o WHERE o.subject = sync_log.subject AND o.token = sync_log.token
                             AND o.stamp > sync_log.stamp AND json_type(o.json, ?2) IS NOT NULL)`,
          id,
          field,
        );
}
