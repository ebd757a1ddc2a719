/** Upkeep of the file itself, and small facts by name. */
import { existsSync } from "node:fs";
import type { StoreAdmin } from "#domain";
import { msPerDay, type ClockDep } from "#kit";
import { metaOf, saveMeta } from "./meta.ts";
import { versionOf } from "./migrate.ts";
import { createPrivately } from "./private-file.ts";
import type { Sql } from "./sql.ts";

const textIndexes = [
  "mem_fts",
  "archive_fts",
  "prompt_fts",
  "observation_fts",
  "checkpoint_fts",
] as const;

const projectsMax = 10_000;

/** 10-capture: raw observations stay 90 days; so does everything else that only explains the recent past. */
const keptMs = 90 * msPerDay;

/** What tools printed is kept until it is compressed; a day later no turn goes on that could be judged anew. */
const printedKeptMs = msPerDay;

/** The StoreAdmin port. */
export const createAdmin = (sql: Sql, { clock }: ClockDep): StoreAdmin => ({
  schemaVersion: () => versionOf(sql),
  sizeBytes: () =>
    sql.get<{ readonly bytes: number }>(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
    )?.bytes ?? 0,
  quickCheck: () =>
    sql
      .all<{ readonly quick_check: string }>("PRAGMA quick_check(20)")
      .map((row) => row.quick_check)
      .join("\n"),
  getMeta: (name) => metaOf(sql, name),
  setMeta: (name, value) => saveMeta(sql, name, value),
  purge: () => purge(sql),
  housekeep: (nowMs) =>
    sql.atomically(() => {
      const untilMs = Math.min(nowMs, clock.nowMs());
      return housekeep(sql, untilMs - keptMs) + dropPrinted(sql, untilMs - printedKeptMs);
    }),
  snapshot: (path) => {
    if (existsSync(path)) throw new Error(`${path} exists already`);
    createPrivately(path);
    sql.run("VACUUM INTO ?", path);
  },
  projects: () =>
    sql.all<{ readonly key: string; readonly name: string; readonly sessions: number }>(
      `SELECT p.key, p.name, (SELECT count(*) FROM sessions s WHERE s.project = p.key) AS sessions
         FROM projects p ORDER BY p.name, p.key LIMIT ${projectsMax}`,
    ),
});

/** Jobs that wait or are parked stay: somebody still has to look at them. */
function housekeep(sql: Sql, beforeMs: number): number {
  const deletions = [
    "DELETE FROM tool_uses WHERE at_ms < ?",
    "DELETE FROM events WHERE at_ms < ?1 AND received_at_ms < ?1",
    "DELETE FROM jobs WHERE state = 'done' AND finished_at < ?",
    "DELETE FROM exposures WHERE at_ms < ?",
    "DELETE FROM injections WHERE at_ms < ?",
  ];
  return deletions.reduce((sum, text) => sum + sql.run(text, beforeMs).changes, 0);
}

/** That a tool ran, on which file and how it ended, stays; a session with work left keeps everything. */
const dropPrinted = (sql: Sql, beforeMs: number): number =>
  sql.run(
    `UPDATE tool_uses SET text = NULL
      WHERE at_ms < ? AND text IS NOT NULL
        AND session_id NOT IN (SELECT session_id FROM jobs WHERE state <> 'done' AND session_id IS NOT NULL)`,
    beforeMs,
  ).changes;

/**
 * Makes what was deleted unrecoverable from the file. Merging the indexes drops deleted words; VACUUM rewrites every
 * page, since even with secure_delete a page keeps stale copies of rows that moved while it was rebalanced; truncating
 * the log removes the old page images. Throws when a reader keeps the log open for longer than the busy timeout.
 */
function purge(sql: Sql): void {
  for (const index of textIndexes) sql.run(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
  sql.script("VACUUM");
  const state = sql.get<{ readonly busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)");
  if (state?.busy !== 0)
    throw new Error("a reader keeps the write-ahead log open; purge again later");
}
