/**
 * Opens the one database file, or says why not and leaves it as it was.
 *
 * Must not know what is in the tables: that is for the adapters it puts together.
 */
import { Database } from "bun:sqlite";
import { dirname, join } from "node:path";
import type { OpenError, Store } from "#domain";
import { type Clock, err, existingFolder, ok, type Random, type Result } from "#kit";
import { migrate, type Migration, migrations, newestOf, preflight } from "./preflight.ts";
import { noteLoss } from "./lost-frames.ts";
import {
  busyTimeoutMs,
  createPrivately,
  isBusy,
  networkFileSystemAt,
  openToRead,
  sqliteFailure,
} from "./files.ts";
import { createProjects, joinSpellings } from "./projects.ts";
import { createSql, type Sql, versionOf } from "./sql.ts";
import { createActivityLog } from "./activity.ts";
import { createAdmin, createVectors } from "./admin.ts";
import { createEvents, createGuards, createImports } from "./events.ts";
import { createExposure } from "./exposure.ts";
import { createFigures } from "./figures.ts";
import { createIndexWriter } from "./indexes.ts";
import { createJobs } from "./jobs.ts";
import { createLedger, createPlaces } from "./places.ts";
import { createLexical } from "./lexical.ts";
import { createNotes, createOpenEnds } from "./meta.ts";
import { createNodes } from "./nodes.ts";
import { watchNodes } from "./node-changes.ts";
import { createNodeTraits } from "./node-entries.ts";
import { createRevisionLog } from "./revisions.ts";
import { createSessions } from "./sessions.ts";
import { createPortable } from "./portable.ts";
import { createSyncTables } from "./sync-tables.ts";
import { createTeamTables } from "./team-tables.ts";
import { createTimeline } from "./timeline.ts";

export interface OpenOptions {
  readonly clock: Clock;
  /** `readonly` never writes a byte of the database: hooks read with it while the daemon is away. */
  readonly mode: "readwrite" | "readonly";
  readonly random: Random;
  /** The folder of the snapshot before a migration; by default `backups` beside the database. */
  readonly backups?: string;
  /** Other migrations than the released ones, for tests of the upgrade itself. */
  readonly migrations?: readonly Migration[];
  /** The network file system a folder lies on, null when local; by default asked of the system. */
  readonly networkAt?: (folder: string) => string | null;
}

const busyTriesMax = 40;
const busyPauseMs = 50;

/** Opens (and in readwrite mode creates or migrates) the store. Dispose it to close. */
export function openStore(path: string, options: OpenOptions): Result<Store, OpenError> {
  const network = (options.networkAt ?? networkFileSystemAt)(existingFolder(dirname(path)));
  if (network !== null) return err(networkRefusal(path, network));
  const list = options.migrations ?? migrations;
  // The daemon has looked already, and did more than note it.
  if (options.mode === "readonly") noteLoss(path, options.clock.nowMs());
  const seen = preflight(path, list);
  if (!seen.ok) return seen;
  if (options.mode === "readonly") return openReadonly(path, options, seen.value);
  try {
    return ok(openReadwrite(path, options, seen.value));
  } catch (error) {
    return err(sqliteFailure(path, error));
  }
}

function openReadonly(
  path: string,
  options: OpenOptions,
  version: number,
): Result<Store, OpenError> {
  const known = newestOf(options.migrations ?? migrations);
  if (version === 0) return err({ type: "store.missing", path });
  if (version < known) return err({ type: "store.outdated", path });
  try {
    return ok(createStore(createSql(openToRead(path), "readonly"), options));
  } catch (error) {
    return err(sqliteFailure(path, error));
  }
}

function openReadwrite(path: string, options: OpenOptions, version: number): Store {
  const list = options.migrations ?? migrations;
  createPrivately(path);
  const db = new Database(path, { create: true, readwrite: true });
  try {
    configure(db, version === 0);
    const sql = createSql(db, "readwrite");
    if (version > 0 && version < newestOf(list)) keepSnapshot(sql, path, options);
    migrate(sql, list);
    joinSpellings(sql);
    return createStore(sql, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Copies the database before a migration; the suffix keeps two daemons that start together from writing one file. */
function keepSnapshot(sql: Sql, path: string, options: OpenOptions): void {
  const to = newestOf(options.migrations ?? migrations);
  const name = `before-v${to}-from-v${versionOf(sql)}-${options.random.hex(8)}.db`;
  const copy = join(options.backups ?? join(dirname(path), "backups"), name);
  createPrivately(copy);
  sql.run("VACUUM INTO ?", copy);
}

function configure(db: Database, isBlank: boolean): void {
  // Before WAL: switching journal modes needs an exclusive lock, and without a timeout two cold starts racing each
  // other fail instead of taking turns.
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  // Before the first table: free pages can then go back to the disk a few at a time. Of an existing database it would
  // write the header at every opening.
  if (isBlank) db.run("PRAGMA auto_vacuum = INCREMENTAL");
  patiently(() => db.run("PRAGMA journal_mode = WAL"));
  for (const pragma of [
    "synchronous = FULL",
    // On macOS plain fsync leaves data in the drive's cache; elsewhere these two do nothing.
    "fullfsync = ON",
    "checkpoint_fullfsync = ON",
    "foreign_keys = ON",
    "secure_delete = ON",
    "cell_size_check = ON",
    "trusted_schema = OFF",
    // Sorting must not leave memory text in temporary files.
    "temp_store = MEMORY",
    "cache_size = -8000",
    "journal_size_limit = 8000000",
  ])
    db.run(`PRAGMA ${pragma}`);
}

/** The busy handler is not asked where waiting could deadlock (a log being recovered); then this tries again. */
function patiently(work: () => void): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || attempt >= busyTriesMax) throw error;
      Bun.sleepSync(busyPauseMs);
    }
  }
}

const networkRefusal = (path: string, network: string): OpenError => ({
  type: "store.network-file-system",
  path,
  detail: `${network} cannot keep the locks a database needs; set CONTINUITY_HOME to a folder on a local disk`,
});

// Puts the adapters of one connection together.

/** The Store port over an open, migrated connection, which it owns from now on. */
export function createStore(
  sql: Sql,
  deps: { readonly clock: Clock; readonly random: Random },
): Store {
  const { memo, touched } = watchNodes(sql);
  const indexes = createIndexWriter(sql);
  const traits = createNodeTraits(sql, touched);
  return {
    notes: createNotes(sql),
    openEnds: createOpenEnds(sql),
    nodes: createNodes(sql, indexes, { memo, traits, random: deps.random }),
    sessions: createSessions(sql, indexes),
    events: createEvents(sql),
    jobs: createJobs(sql, deps),
    ledger: createLedger(sql),
    exposure: createExposure(sql),
    imports: createImports(sql),
    lexical: createLexical(sql, indexes, traits),
    vectors: createVectors(sql),
    places: createPlaces(sql),
    projects: createProjects(sql),
    admin: createAdmin(sql, deps),
    history: createRevisionLog(sql),
    activity: createActivityLog(sql),
    timeline: createTimeline(sql),
    figures: createFigures(sql, memo),
    portable: createPortable(sql, indexes),
    sync: createSyncTables(sql, indexes),
    team: createTeamTables(sql),
    guards: createGuards(sql),
    transaction: (work) => sql.transaction(work),
    repeatable: (work) => sql.repeatable(work),
    release: (of) => sql.release(of),
    [Symbol.dispose]: () => sql.close(),
  };
}
