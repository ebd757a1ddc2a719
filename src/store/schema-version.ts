/** Which schema a database has, and which one this program reads; apart from the text of migrations, which few need. */
import type { Sql } from "./sql.ts";

/** Version of the last migration. */
export const schemaVersion = 15;

/** `PRAGMA user_version` of an open connection. */
export const versionOf = (sql: Sql): number =>
  sql.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
