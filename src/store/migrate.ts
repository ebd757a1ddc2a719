/**
 * Brings a database to the schema of this program: numbered migrations, each in a transaction, `user_version` last.
 * A process that comes second finds the work done; one that dies in the middle leaves the version before.
 */
import { join } from "node:path";
import { assert } from "#kit";
import first from "./migrations/0001.sql" with { type: "text" };
import slots from "./migrations/0002.sql" with { type: "text" };
import exchanges from "./migrations/0003.sql" with { type: "text" };
import places from "./migrations/0004.sql" with { type: "text" };
import estimates from "./migrations/0005.sql" with { type: "text" };
import revisionTimes from "./migrations/0006.sql" with { type: "text" };
import feedback from "./migrations/0007.sql" with { type: "text" };
import sync from "./migrations/0008.sql" with { type: "text" };
import team from "./migrations/0009.sql" with { type: "text" };
import anchored from "./migrations/0010.sql" with { type: "text" };
import guards from "./migrations/0011.sql" with { type: "text" };
import privateTurns from "./migrations/0012.sql" with { type: "text" };
import headlessTurns from "./migrations/0013.sql" with { type: "text" };
import observations from "./migrations/0014.sql" with { type: "text" };
import sightings from "./migrations/0015.sql" with { type: "text" };
import { createPrivately } from "./files.ts";
import { complete } from "./first-schema.ts";
import { versionOf } from "./schema-version.ts";
import type { Sql } from "./sql.ts";

/** Position in the list + 1 is the version it leads to. Released migrations never change. */
export const migrations: readonly string[] = [
  first,
  slots,
  exchanges,
  places,
  estimates,
  revisionTimes,
  feedback,
  sync,
  team,
  anchored,
  guards,
  privateTurns,
  headlessTurns,
  observations,
  sightings,
];

/**
 * Applies what is missing. Throws what SQLite throws; the failing migration is then undone as a whole. A new database
 * gets all of them at once: another process that opens it meanwhile would take one half way for an old one, and copy
 * it while its tables come and go.
 */
export function migrate(sql: Sql, list: readonly string[]): void {
  if (versionOf(sql) === 0) sql.transaction(() => applyMissing(sql, list));
  else applyMissing(sql, list);
  assert(versionOf(sql) >= list.length, "every migration was applied");
}

function applyMissing(sql: Sql, list: readonly string[]): void {
  for (let version = versionOf(sql); version < list.length; version += 1) {
    sql.transaction(() => {
      // Another process may have done it while this one waited for the lock.
      if (versionOf(sql) !== version) return;
      if (version === 1) complete(sql, first);
      sql.script(list[version] ?? "");
      sql.script(`PRAGMA user_version = ${version + 1}`);
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
