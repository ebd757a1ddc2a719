/** Entries of the sync log, and how far the logs of others were read. */
import type { MemoryEntry, SyncHead, SyncTables } from "#domain";
import type { Sql } from "./sql.ts";
import { insert, replace } from "./tables.ts";

/** The log half of the port. */
export const createSyncLog = (sql: Sql) =>
  ({
    statements: (subject) =>
      sql
        .all<{ readonly id: string; readonly json: string; readonly is_sent: number }>(
          "SELECT id, json, is_sent FROM sync_log WHERE subject = ? ORDER BY stamp, id",
          subject,
        )
        .map(({ id, json, is_sent: sent }) =>
          Object.assign(JSON.parse(json) as MemoryEntry, { id, isSent: sent === 1 }),
        ),
    add: (id, entry, isSent) => {
      // One that states nothing (any more) only has to be sent.
      const isStatement =
        entry.k === "memory" && (Object.keys(entry.set).length > 0 || entry.pin !== undefined);
      return (
        insert(
          sql,
          "sync_log",
          {
            id,
            subject: isStatement ? entry.s : null,
            stamp: entry.t,
            token: isStatement ? entry.o : "",
            is_sent: isSent ? 1 : 0,
            json: JSON.stringify(entry),
          },
          "ON CONFLICT (id) DO NOTHING",
        ).changes > 0
      );
    },
    drop: (ids) =>
      void sql.run(
        "DELETE FROM sync_log WHERE id IN (SELECT value FROM json_each(?))",
        JSON.stringify(ids),
      ),
    unsent: (limit) =>
      sql.all<{ readonly id: string; readonly json: string }>(
        "SELECT id, json FROM sync_log WHERE is_sent = 0 ORDER BY stamp, id LIMIT ?",
        limit,
      ),
    sent: (ids) => {
      const list = JSON.stringify(ids);
      sql.run(
        "DELETE FROM sync_log WHERE subject IS NULL AND id IN (SELECT value FROM json_each(?))",
        list,
      );
      sql.run("UPDATE sync_log SET is_sent = 1 WHERE id IN (SELECT value FROM json_each(?))", list);
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

/** What is said now stays, and is forgotten in its own right. */
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
