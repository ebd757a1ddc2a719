/**
 * Opens the database for a process that reads and ends: looks at the version and leaves the inspection of the whole
 * file to the daemon. Never writes a byte of it.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { OpenError } from "#domain";
import { err, ok, type Result } from "#kit";
import { networkFileSystemAt } from "./network-fs.ts";
import { openToRead } from "./read-only.ts";
import { schemaVersion, versionOf } from "./schema-version.ts";
import { createSql, type Sql } from "./sql.ts";
import { sqliteFailure } from "./sqlite-failure.ts";

/** Such a reader does not wait for a writer longer than this. */
const busyTimeoutMs = 10_000;

/** A connection to a database of this program's schema; close it. */
export function openPlainly(path: string): Result<Sql, OpenError> {
  if (!existsSync(path)) return err({ type: "store.missing", path });
  const network = networkFileSystemAt(dirname(path));
  if (network !== null) return err({ type: "store.network-file-system", path, detail: network });
  try {
    const db = openToRead(path);
    const sql = createSql(db, "readonly");
    try {
      db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      db.run("PRAGMA temp_store = MEMORY");
      const fault = versionFault(path, versionOf(sql));
      if (fault === null) return ok(sql);
      sql.close();
      return err(fault);
    } catch (error) {
      sql.close();
      throw error;
    }
  } catch (error) {
    return err(sqliteFailure(path, error));
  }
}

function versionFault(path: string, found: number): OpenError | null {
  if (found === 0) return { type: "store.missing", path };
  if (found < schemaVersion) return { type: "store.outdated", path };
  return found === schemaVersion
    ? null
    : { type: "store.newer", path, found, known: schemaVersion };
}
