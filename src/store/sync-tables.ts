/** What sync keeps in this database (docs/adr/0044): the SyncTables port. Knows rows, not what entries mean. */
import type { Due, SyncMark, SyncSubject, SyncTables } from "#domain";
import { fingerprintOf, keepSalts, leadSalt, saltsOf } from "./forgotten-texts.ts";
import { metaOf, saveMeta } from "./meta.ts";
import { createSyncLog } from "./sync-log.ts";
import { createSyncNodes } from "./sync-nodes.ts";
import type { IndexWriter } from "./indexes.ts";
import type { Sql } from "./sql.ts";

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

interface SubjectRow {
  readonly subject: string;
  readonly node_id: number | null;
  readonly latest: string;
  readonly forgotten: string | null;
  readonly forget_at: number | null;
  readonly place: string | null;
  readonly slot: string | null;
  readonly is_current: number;
  readonly said: string;
  readonly created_at: number;
  readonly merged_into: string | null;
  readonly uses: string;
  readonly used_at: number | null;
}

const subjectFromRow = (row: SubjectRow): SyncSubject => ({
  subject: row.subject,
  nodeId: row.node_id,
  latest: row.latest,
  forgotten: row.forgotten,
  forgetAt: row.forget_at,
  place: row.place,
  slot: row.slot,
  isCurrent: row.is_current === 1,
  said: row.said,
  createdAt: row.created_at,
  mergedInto: row.merged_into,
  uses: JSON.parse(row.uses) as Readonly<Record<string, number>>,
  usedAt: row.used_at,
});

function createSubjects(sql: Sql) {
  const all = (rest: string, ...params: readonly (string | number)[]): readonly SyncSubject[] =>
    sql.all<SubjectRow>(`SELECT * FROM sync_subjects WHERE ${rest}`, ...params).map(subjectFromRow);
  return {
    subject: (subject) => all("subject = ?", subject)[0] ?? null,
    subjectOf: (nodeId) => all("node_id = ?", nodeId)[0] ?? null,
    putSubject: (row) =>
      void sql.run(
        `INSERT OR REPLACE INTO sync_subjects (subject, node_id, latest, forgotten, forget_at, place, slot, is_current,
           said, created_at, merged_into, uses, used, used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        row.subject,
        row.nodeId,
        row.latest,
        row.forgotten,
        row.forgetAt,
        row.place,
        row.slot,
        row.isCurrent ? 1 : 0,
        row.said,
        row.createdAt,
        row.mergedInto,
        JSON.stringify(row.uses),
        Object.values(row.uses).reduce((sum, n) => sum + n, 0),
        row.usedAt,
      ),
    asking: (what, value) =>
      what === "place"
        ? all("place = ? ORDER BY created_at, subject", value)
        : all("slot = ? ORDER BY said DESC, subject", value),
    slotClock: (slot) =>
      sql.get<{ readonly latest: string | null }>(
        "SELECT max(latest) AS latest FROM sync_subjects WHERE slot = ?",
        slot,
      )?.latest ?? "",
    forgetsDue: (limit) => all("forget_at IS NOT NULL ORDER BY subject LIMIT ?", limit),
  } satisfies Partial<SyncTables>;
}

/** What is still to be done for entries that were taken in. */
const createQueues = (sql: Sql) =>
  ({
    addGone: (nodeId, stamp) =>
      void sql.run(
        "INSERT OR REPLACE INTO sync_gone (node_id, stamp) VALUES (?, ?)",
        nodeId,
        stamp,
      ),
    gone: (limit) =>
      sql
        .all<{ readonly node_id: number; readonly stamp: string }>(
          "SELECT node_id, stamp FROM sync_gone ORDER BY node_id LIMIT ?",
          limit,
        )
        .map((row) => ({ nodeId: row.node_id, stamp: row.stamp })),
    addDue: (what, value) =>
      void sql.run(
        "INSERT INTO sync_due (what, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
        what,
        value,
      ),
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
    marksOf: (text) => saltsOf(sql).flatMap((salt) => fingerprintOf(salt, text) ?? []),
    addWording: ({ subject, token, mark, licence }) =>
      void sql.run(
        `INSERT INTO sync_wordings (subject, token, mark, licence) VALUES (?, ?, ?, ?)
       ON CONFLICT (subject, token, mark) DO UPDATE SET licence = min(licence, excluded.licence)`,
        subject,
        token,
        mark,
        licence,
      ),
    withWording: (mark) =>
      sql
        .all<{ readonly subject: string }>(
          "SELECT DISTINCT subject FROM sync_wordings WHERE mark = ? ORDER BY subject",
          mark,
        )
        .map(({ subject }) => subject),
    wordings: (subject) =>
      sql
        .all<{ readonly mark: string }>(
          "SELECT DISTINCT mark FROM sync_wordings WHERE subject = ? ORDER BY mark",
          subject,
        )
        .map(({ mark }) => mark),
    killedAt: (subject, token) =>
      sql.get<{ readonly at: string | null }>(
        `SELECT max(m.killed) AS at FROM sync_wordings w JOIN sync_marks m ON m.mark = w.mark
        WHERE w.subject = ? AND w.token = ? AND m.killed >= w.licence`,
        subject,
        token,
      )?.at ?? null,
    mark: (mark) =>
      sql.get<SyncMark>(
        "SELECT mark, killed, forgotten, remembered FROM sync_marks WHERE mark = ?",
        mark,
      ) ?? { mark, killed: null, forgotten: null, remembered: null },
    putMark: (mark) => putMark(sql, mark),
    untoldMarks: (limit) =>
      sql
        .all<{ readonly mark: string; readonly at_ms: number }>(
          `SELECT f.fingerprint AS mark, f.at_ms FROM forgotten f LEFT JOIN sync_marks m ON m.mark = f.fingerprint
          WHERE m.forgotten IS NULL OR m.remembered > m.forgotten ORDER BY f.fingerprint LIMIT ?`,
          limit,
        )
        .map((row) => ({ mark: row.mark, atMs: row.at_ms })),
    salts: () => saltsOf(sql),
    keepSalts: (salts) => {
      const before = new Set(saltsOf(sql));
      keepSalts(sql, salts);
      return saltsOf(sql).filter((salt) => !before.has(salt));
    },
  }) satisfies Partial<SyncTables>;

function putMark(sql: Sql, { mark, killed, forgotten, remembered }: SyncMark): void {
  sql.run(
    "INSERT OR REPLACE INTO sync_marks (mark, killed, forgotten, remembered) VALUES (?, ?, ?, ?)",
    mark,
    killed,
    forgotten,
    remembered,
  );
  if (forgotten === null) return;
  if (remembered !== null && remembered > forgotten)
    sql.run("DELETE FROM forgotten WHERE fingerprint = ?", mark);
  else
    sql.run(
      `INSERT INTO forgotten (fingerprint, at_ms) VALUES (?, ?)
        ON CONFLICT (fingerprint) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)`,
      mark,
      Number.parseInt(forgotten.slice(0, forgotten.indexOf(".")), 36),
    );
}
