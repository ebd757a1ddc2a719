/**
 * The light part of the store: what a session start reads when a hook process opens the database itself. What it does
 * not name is not loaded, so it looks at the version and leaves the inspection of the whole file to the daemon.
 */
import type { OpenError } from "#domain";
import { ok, type Result, err } from "#kit";
import { createExposure } from "./exposure.ts";
import { createIndexWriter } from "./indexes.ts";
import { createLinks, createNodeReader } from "./nodes.ts";
import { watchNodes } from "./node-changes.ts";
import { createSql, schemaVersion, type Sql, versionOf } from "./sql.ts";
import { createNotes, createOpenEnds, projectRules } from "./meta.ts";
import { createPlaces } from "./places.ts";
import { createSessions } from "./sessions.ts";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { networkFileSystemAt, openToRead, sqliteFailure } from "./files.ts";

/** Reads the store when a session starts. Reading may throw what SQLite throws. Dispose it to close. */
export type StartStore = ReturnType<typeof storeOver>;

/** Opens the database for reading; never writes a byte of it. */
export function openForStart(path: string): Result<StartStore, OpenError> {
  const opened = openPlainly(path);
  return opened.ok ? ok(storeOver(opened.value)) : opened;
}

function storeOver(sql: Sql) {
  const { memo } = watchNodes(sql);
  return {
    nodes: { ...createNodeReader(sql, memo), ...createLinks(sql) },
    notes: createNotes(sql),
    openEnds: createOpenEnds(sql),
    sessions: createSessions(sql, createIndexWriter(sql)),
    exposure: createExposure(sql),
    places: createPlaces(sql),
    projects: { rules: () => projectRules(sql) },
    [Symbol.dispose]: () => sql.close(),
  };
}

// Opens the database for a process that reads and ends: looks at the version and leaves the inspection of the whole
// file to the daemon. Never writes a byte of it.

/** A connection to a database of this program's schema; close it. */
function openPlainly(path: string): Result<Sql, OpenError> {
  if (!existsSync(path)) return err({ type: "store.missing", path });
  const network = networkFileSystemAt(dirname(path));
  if (network !== null) return err({ type: "store.network-file-system", path, detail: network });
  let sql: Sql | null = null;
  try {
    sql = createSql(openToRead(path), "readonly");
    const fault = versionFault(path, versionOf(sql));
    if (fault === null) return ok(sql);
    sql.close();
    return err(fault);
  } catch (error) {
    sql?.close();
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
