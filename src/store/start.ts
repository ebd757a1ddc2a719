/**
 * The light door of the store: what a session start reads when a hook process opens the database itself. What it does
 * not name is not loaded, so it looks at the version and leaves the inspection of the whole file to the daemon.
 */
import type {
  ExposureJournal,
  NodeStore,
  NotesStore,
  OpenEndsStore,
  OpenError,
  PlaceStore,
  ProjectStore,
  SessionStore,
} from "#domain";
import { ok, type Result } from "#kit";
import { createExposure } from "./exposure.ts";
import { createIndexWriter } from "./indexes.ts";
import { createLinks } from "./links.ts";
import { watchNodes } from "./memo.ts";
import { createNodeReader } from "./nodes.ts";
import { openPlainly } from "./open-plainly.ts";
import { createNotes } from "./notes.ts";
import { createOpenEnds } from "./open-ends.ts";
import { createPlaces } from "./places.ts";
import { projectRules } from "./project-rules.ts";
import { createSessions } from "./sessions.ts";
import type { Sql } from "./sql.ts";

/** What is known when a session starts. Reading may throw what SQLite throws. Dispose it to close. */
export interface StartStore extends Disposable {
  readonly nodes: Pick<NodeStore, "byIds" | "byUri" | "linksOf" | "outlines" | "successors">;
  readonly notes: Pick<NotesStore, "of">;
  readonly openEnds: Pick<OpenEndsStore, "of">;
  readonly sessions: SessionStore;
  readonly exposure: ExposureJournal;
  readonly places: PlaceStore;
  readonly projects: Pick<ProjectStore, "rules">;
}

/** Reading half of the link table. */
const linkReader = (sql: Sql): Pick<NodeStore, "linksOf" | "successors"> => {
  const { linksOf, successors } = createLinks(sql);
  return { linksOf, successors };
};

/** Opens the database for reading; never writes a byte of it. */
export function openForStart(path: string): Result<StartStore, OpenError> {
  const opened = openPlainly(path);
  if (!opened.ok) return opened;
  const { sql, memo } = watchNodes(opened.value);
  return ok({
    nodes: { ...createNodeReader(sql, memo), ...linkReader(sql) },
    notes: createNotes(sql),
    openEnds: createOpenEnds(sql),
    sessions: createSessions(sql, createIndexWriter(sql)),
    exposure: createExposure(sql),
    places: createPlaces(sql),
    projects: { rules: () => projectRules(sql) },
    [Symbol.dispose]: () => sql.close(),
  });
}
