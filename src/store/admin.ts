/** Upkeep of the file itself, and small facts by name. */
import type { StoreAdmin } from "#domain";
import { versionOf } from "./migrate.ts";
import type { Sql } from "./sql.ts";

const textIndexes = [
  "mem_fts",
  "archive_fts",
  "prompt_fts",
  "observation_fts",
  "checkpoint_fts",
] as const;

const projectsMax = 10_000;

/** The StoreAdmin port. */
export const createAdmin = (sql: Sql): StoreAdmin => ({
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
  projects: () =>
    sql.all<{ readonly key: string; readonly name: string; readonly sessions: number }>(
      `SELECT p.key, p.name, (SELECT count(*) FROM sessions s WHERE s.project = p.key) AS sessions
         FROM projects p ORDER BY p.name, p.key LIMIT ${projectsMax}`,
    ),
});

/** A small fact; null when never set. */
export const metaOf = (sql: Sql, name: string): string | null =>
  sql.get<{ readonly value: string }>("SELECT value FROM meta WHERE name = ?", name)?.value ?? null;

/** Null removes it. */
export function saveMeta(sql: Sql, name: string, value: string | null): void {
  if (value === null) sql.run("DELETE FROM meta WHERE name = ?", name);
  else
    sql.run(
      "INSERT INTO meta (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2",
      name,
      value,
    );
}

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
