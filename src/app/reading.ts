/** What is read over an open store, by the daemon and by a command that reads for itself: search and status. */
import { spoolSize } from "#capture";
import { createFinder, type Finder, type FinderInput } from "#memory";
import { tailLog } from "#kit";
import type { ServiceDeps } from "#service";
import { upkeepState } from "#worker";
import type { AppDeps, Daemon, Reader } from "./context.ts";
import { createPauseFile } from "./ports/pause.ts";
import { createModels, createProcessInfo } from "./process.ts";
import { warningsOf } from "./warnings.ts";

/** What the facts about a home are read from. */
export type StatusFrom = Pick<AppDeps, "clock" | "paths" | "settings" | "version">;

/** What search looks with: words in the file, meaning in the vectors that were read from it. */
export const createSearching = (
  { settings }: Pick<AppDeps, "settings">,
  { store, embedder, vectors }: Pick<Reader, "embedder" | "store"> & Pick<FinderInput, "vectors">,
): Finder =>
  createFinder({
    lexical: store.lexical,
    vectors,
    embedder,
    nodes: store.nodes,
    sessions: store.sessions,
    weights: settings.current().retrieval,
  });

type StatusDeps = Pick<
  ServiceDeps,
  | "clock"
  | "models"
  | "noteLatencies"
  | "pause"
  | "processInfo"
  | "spoolSize"
  | "store"
  | "tailLog"
  | "upkeep"
  | "warnings"
  | "writable"
>;

/** What `status` is told from; `daemon` null: a command that reads for itself. */
export const createStatusDeps = (
  deps: StatusFrom,
  reader: Pick<Reader, "embedder" | "store">,
  daemon: Daemon | null,
): StatusDeps => ({
  clock: deps.clock,
  store: reader.store,
  pause: createPauseFile(deps.paths),
  processInfo: createProcessInfo(deps, daemon),
  models: createModels(deps, reader, daemon),
  spoolSize: () => spoolSize(deps.paths.spool),
  noteLatencies: () => daemon?.worker.noteLatencies(),
  upkeep: () => Object.values(upkeepState(reader.store)),
  warnings: () => warningsOf(deps, reader, daemon),
  tailLog: (lines) => tailLog(deps.paths.logs, lines),
  writable: daemon !== null,
});
