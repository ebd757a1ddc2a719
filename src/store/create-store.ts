/** Puts the adapters of one connection together. */
import type { Store } from "#domain";
import type { ClockDep, Random } from "#kit";
import { createAdmin } from "./admin.ts";
import { createEvents } from "./events.ts";
import { createExposure } from "./exposure.ts";
import { createImports } from "./imports.ts";
import { createIndexWriter } from "./indexes.ts";
import { createJobs } from "./jobs.ts";
import { createLedger } from "./ledger.ts";
import { createLexical } from "./lexical.ts";
import { createNodes } from "./nodes.ts";
import { createSessions } from "./sessions.ts";
import { createPortable } from "./portable.ts";
import type { Sql } from "./sql.ts";
import { createVectors } from "./vectors.ts";

/** The Store port over an open, migrated connection, which it owns from now on. */
export function createStore(sql: Sql, deps: ClockDep & { readonly random: Random }): Store {
  const indexes = createIndexWriter(sql);
  return {
    nodes: createNodes(sql, indexes, deps.random),
    sessions: createSessions(sql, indexes),
    events: createEvents(sql),
    jobs: createJobs(sql, deps),
    ledger: createLedger(sql),
    exposure: createExposure(sql),
    lexical: createLexical(sql, indexes),
    imports: createImports(sql),
    vectors: createVectors(sql),
    admin: createAdmin(sql, deps),
    portable: createPortable(sql, indexes),
    transaction: (work) => sql.transaction(work),
    [Symbol.dispose]: () => sql.close(),
  };
}
