/** Puts the adapters of one connection together. */
import type { Store } from "#domain";
import type { Random, Clock } from "#kit";
import { createActivityLog } from "./activity.ts";
import { createAdmin } from "./admin.ts";
import { createEvents, createImports } from "./events.ts";
import { createExposure } from "./exposure.ts";
import { createGuards } from "./guards.ts";
import { createFigures } from "./figures.ts";
import { createIndexWriter } from "./indexes.ts";
import { createJobs } from "./jobs.ts";
import { createLedger } from "./ledger.ts";
import { createLexical } from "./lexical.ts";
import { watchNodes } from "./memo.ts";
import { createNotes, createOpenEnds } from "./meta.ts";
import { createNodes } from "./nodes.ts";
import { createNodeTraits } from "./node-traits.ts";
import { createRevisionLog } from "./revisions.ts";
import { createSessions } from "./sessions.ts";
import { createPlaces } from "./places.ts";
import { createProjects } from "./projects.ts";
import { createPortable } from "./portable.ts";
import type { Sql } from "./sql.ts";
import { createSyncTables } from "./sync-tables.ts";
import { createTeamTables } from "./team-tables.ts";
import { createTimeline } from "./timeline.ts";
import { createVectors } from "./vectors.ts";

/** The Store port over an open, migrated connection, which it owns from now on. */
export function createStore(
  given: Sql,
  deps: { readonly clock: Clock } & { readonly random: Random },
): Store {
  const { sql, memo } = watchNodes(given);
  const indexes = createIndexWriter(sql);
  const traits = createNodeTraits(sql);
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
