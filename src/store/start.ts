/**
 * The light door of the store: what a session start reads when a hook process opens the database itself. What it does
 * not name is not loaded, so it looks at the version and leaves the inspection of the whole file to the daemon.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type {
  ExposureJournal,
  NodeStore,
  OpenError,
  PlaceStore,
  ProjectStore,
  SessionStore,
} from "#domain";
import { err, ok, type Result } from "#kit";
import { createExposure } from "./exposure.ts";
import { createIndexWriter } from "./indexes.ts";
import { createLinks } from "./links.ts";
import { watchNodes } from "./memo.ts";
import { networkFileSystemAt } from "./network-fs.ts";
import { createNodeReader } from "./nodes.ts";
import { createPlaces } from "./places.ts";
import { projectRules } from "./project-rules.ts";
import { openToRead } from "./read-only.ts";
import { schemaVersion } from "./schema-version.ts";
import { createSessions } from "./sessions.ts";
import { createSql } from "./sql.ts";
import { sqliteFailure } from "./sqlite-failure.ts";

/** What is known when a session starts. Reading may throw what SQLite throws. Dispose it to close. */
export interface StartStore extends Disposable {
  readonly nodes: Pick<NodeStore, "byUri" | "outlines" | "successors">;
  readonly sessions: SessionStore;
  readonly exposure: ExposureJournal;
  readonly places: PlaceStore;
  readonly projects: Pick<ProjectStore, "rules">;
}

/** A session start does not wait for a writer longer than this. */
const busyTimeoutMs = 10_000;

/** Opens the database for reading; never writes a byte of it. */
export function openForStart(path: string): Result<StartStore, OpenError> {
  if (!existsSync(path)) return err({ type: "store.missing", path });
  const network = networkFileSystemAt(dirname(path));
  if (network !== null) return err({ type: "store.network-file-system", path, detail: network });
  try {
    const db = openToRead(path);
    const given = createSql(db, "readonly");
    try {
      db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      db.run("PRAGMA temp_store = MEMORY");
      const found = given.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
      if (found === 0) return closed({ type: "store.missing", path });
      if (found < schemaVersion) return closed({ type: "store.outdated", path });
      if (found > schemaVersion)
        return closed({ type: "store.newer", path, found, known: schemaVersion });
    } catch (error) {
      given.close();
      throw error;
    }
    const { sql, memo } = watchNodes(given);
    return ok({
      nodes: { ...createNodeReader(sql, memo), successors: createLinks(sql).successors },
      sessions: createSessions(sql, createIndexWriter(sql)),
      exposure: createExposure(sql),
      places: createPlaces(sql),
      projects: { rules: () => projectRules(sql) },
      [Symbol.dispose]: () => sql.close(),
    });

    function closed(error: OpenError): Result<never, OpenError> {
      given.close();
      return err(error);
    }
  } catch (error) {
    return err(sqliteFailure(path, error));
  }
}
