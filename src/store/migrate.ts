/**
 * Brings a database to the schema of this program: numbered migrations, each in a transaction, `user_version` last.
 * A process that comes second finds the work done; one that dies in the middle leaves the version before.
 */
import { join } from "node:path";
import { assert } from "#kit";
import first from "./migrations/0011.sql" with { type: "text" };
import sinceFirst from "./migrations/0015.sql" with { type: "text" };
import { createPrivately } from "./files.ts";
import { versionOf } from "./schema-version.ts";
import type { Sql } from "./sql.ts";

export interface Migration {
  /** `user_version` of the schema that it leads to. */
  readonly version: number;
  readonly sql: string;
}

/**
 * The first schema is that of build d9689840, the oldest whose databases open. Eleven steps led to it and four to the
 * next one; databases in between were of no build that anybody was given. Released migrations never change.
 */
export const migrations: readonly Migration[] = [
  { version: 11, sql: first },
  { version: 15, sql: sinceFirst },
];

/** Version of the schema that a list of migrations leads to. */
export const newestOf = (list: readonly Migration[]): number => list.at(-1)?.version ?? 0;

/**
 * Applies what is missing. Throws what SQLite throws; the failing migration is then undone as a whole. A new database
 * gets all of them at once: another process that opens it meanwhile would take one half way for an old one, and copy
 * it while its tables come and go.
 */
export function migrate(sql: Sql, list: readonly Migration[]): void {
  if (versionOf(sql) === 0) sql.transaction(() => applyMissing(sql, list));
  else applyMissing(sql, list);
  assert(versionOf(sql) >= newestOf(list), "every migration was applied");
}

function applyMissing(sql: Sql, list: readonly Migration[]): void {
  for (const { version, sql: script } of list) {
    if (versionOf(sql) >= version) continue;
    sql.transaction(() => {
      // Another process may have done it while this one waited for the lock.
      if (versionOf(sql) >= version) return;
      sql.script(script);
      sql.script(`PRAGMA user_version = ${version}`);
    });
  }
}

/**
 * Copies the database before a migration into `<folder>/before-v<to>-from-v<from>-<suffix>.db`, 0600 like the original.
 * The suffix keeps two daemons that start together from writing one file.
 */
export function snapshotBefore(
  sql: Sql,
  folder: string,
  names: { readonly from: number; readonly to: number; readonly suffix: string },
): string {
  const path = join(folder, `before-v${names.to}-from-v${names.from}-${names.suffix}.db`);
  createPrivately(path);
  sql.run("VACUUM INTO ?", path);
  return path;
}
