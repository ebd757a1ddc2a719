/** Small facts by name. */
import type { Sql } from "./sql.ts";

/** Null when never set. */
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
