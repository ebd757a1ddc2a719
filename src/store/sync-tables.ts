/** What sync keeps in this database (docs/adr/0044): the SyncTables port. Knows rows, not what entries mean. */
import type { Due, SyncMark, SyncSubject, SyncTables } from "#domain";
import { keepSalts, leadSalt, marksOf, noteForgotten, saltsOf } from "./forgotten-texts.ts";
import { metaOf, saveMeta } from "./meta.ts";
import { createSyncLog } from "./sync-log.ts";
import { createSyncNodes } from "./sync-nodes.ts";
import type { IndexWriter } from "./indexes.ts";
import type { Sql, SqlValue } from "./sql.ts";
import { insert, replace, tableOf } from "./tables.ts";

const deviceName = "sync.device";

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

/** The SyncTables port. */
export const createSyncTables = (sql: Sql, indexes: IndexWriter): SyncTables => ({
  device: () => metaOf(sql, deviceName),
  reset: (as) =>
    sql.atomically(() => {
      for (const table of tables) sql.run(`DELETE FROM ${table}`);
      sql.run("DELETE FROM meta WHERE name GLOB 'sync.*'");
      if (as === null) return;
      saveMeta(sql, deviceName, as.device);
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

/** What is still to be done for entries that were taken in. */
const createQueues = (sql: Sql) =>
  ({
    addGone: (nodeId, stamp) => replace(sql, "sync_gone", { node_id: nodeId, stamp }),
    gone: (limit) =>
      sql.all("SELECT node_id AS nodeId, stamp FROM sync_gone ORDER BY node_id LIMIT ?", limit),
    addDue: (what, value) =>
      void insert(sql, "sync_due", { what, value }, "ON CONFLICT DO NOTHING"),
    due: () =>
      sql.all<{ readonly what: Due; readonly value: string }>(
        "SELECT what, value FROM sync_due ORDER BY what, value",
      ),
    dropDue: () => void sql.run("DELETE FROM sync_due"),
    dropGone: (nodeIds) =>
      sql.atomically(() => {
        sql.run(
          "DELETE FROM sync_gone WHERE node_id IN (SELECT value FROM json_each(?))",
          JSON.stringify(nodeIds),
        );
        sql.run(
          "DELETE FROM forgotten WHERE fingerprint IN (SELECT mark FROM sync_marks WHERE remembered > forgotten)",
        );
      }),
  }) satisfies Partial<SyncTables>;

/**
 * Called when nodes are forgotten here: their statements go with them, and the others are to be told. A node that was
 * forgotten elsewhere is no subject's any more.
 */
export function forgetSubjects(sql: Sql, nodeIds: readonly number[], atMs: number): void {
  const ids = JSON.stringify(nodeIds);
  const ours =
    "SELECT subject FROM sync_subjects WHERE node_id IN (SELECT value FROM json_each(?1))";
  sql.run(
    "UPDATE sync_subjects SET forget_at = ?2 WHERE node_id IN (SELECT value FROM json_each(?1))",
    ids,
    atMs,
  );
  sql.run(`DELETE FROM sync_log WHERE subject IN (${ours})`, ids);
  sql.run(
    "UPDATE sync_subjects SET node_id = NULL WHERE node_id IN (SELECT value FROM json_each(?1))",
    ids,
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
