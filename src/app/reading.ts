/**
 * Opens the store and builds what reads it: search, status and the service. For the daemon, and for a command that
 * reads in its own process; loads nothing that only a daemon needs.
 */
import { exclusionFor, isHookSwitchedOff, isPaused, placesOf, projectOf, spoolSize } from "#hooks";
import { lookUpFor } from "#clients";
import {
  type Context,
  type Embedder,
  isHeadlessEnv,
  type NotesHere,
  type PrivacyGate,
  type ProjectIdentity,
  type Session,
  type Settings,
  type SettingsSource,
  type Store,
  treeRoot,
} from "#domain";
import { createVectorIndex } from "#embed";
import { scrubFiles } from "#keep";
import { assert, type Clock, err, ok, type Result, tailLog, tokensOf } from "#kit";
import { collectStartSnapshot, composeStart, createFinder } from "#memory";
import { createGate } from "#privacy";
import { type ContextPreview, createService, type Service, type ServiceContext } from "#api/server";
import { openStore, storageFailure } from "#store";
import {
  createNotesPort,
  createPrivateWords,
  noteFiles,
  noteFilesHolding,
  instructionsFor,
  type NotesPort,
  previewPrompt,
  quietOf,
  typedMeanwhile,
  upkeepState,
  type Worker,
} from "#daemon";
import type { AppError, Daemon, Reader } from "./context.ts";
import { openEmbedder } from "./embedder-source.ts";
import { createPauseFile, createSettingsPort } from "./config.ts";
import { createModels, createProcessInfo, warningsOf } from "./warnings.ts";
import type { JsonValue } from "#api";

/** Opens store and embedder and fills the vector index. */
export function openReader(
  deps: Context,
  mode: "readwrite" | "readonly",
): Result<Reader, AppError> {
  const { database, backups } = deps.paths;
  const opened = openStore(database, { ...deps, mode, backups });
  if (!opened.ok) return opened;
  const modelFolder = mode === "readwrite" ? deps.paths.model : null;
  const loaded = openEmbedder(deps, deps.settings.current().embedder, modelFolder);
  if (!loaded.ok) {
    opened.value[Symbol.dispose]();
    return err({ type: "embed.failed", detail: loaded.error.detail });
  }
  return readOrClose(deps, opened.value, () => readerOver(deps, opened.value, loaded.value));
}

/** Reads the first rows, which may show damage: then closes the store and names the damage. */
export function readOrClose<Value>(
  deps: Context,
  store: Store,
  read: () => Value,
): Result<Value, AppError> {
  try {
    return ok(read());
  } catch (error) {
    store[Symbol.dispose]();
    const failure = storageFailure(deps.paths.database, error);
    if (failure === null) throw error;
    return err(failure);
  }
}

function readerOver(deps: Context, store: Store, embedder: Embedder): Reader {
  // Opening reads no row of a memory: a damaged table shows here, and not at the first question.
  store.nodes.byUri(treeRoot);
  const vectors = createVectorIndex(embedder.identity.dimension);
  for (const { nodeId, components } of store.vectors.components(embedder.identity.id))
    if (components.length === embedder.identity.dimension)
      vectors.putComponents(nodeId, components);
  return {
    store,
    embedder,
    vectors,
    finder: createFinder({
      lexical: store.lexical,
      vectors,
      embedder,
      nodes: store.nodes,
      sessions: store.sessions,
      weights: deps.settings.current().retrieval,
    }),
    gate: gateOver(deps.settings),
    privateWords: createPrivateWords(deps.paths, { store, embedder, clock: deps.clock }),
  };
}

/** Sends memories that people add by hand the way of all candidates: category, slug, duplicates, merge. */
const memoryWriterOver = (
  worker: Worker | null,
  { store, privateWords }: Reader,
): ServiceContext["memoryWriter"] => ({
  write: (candidate, by) => {
    assert(worker !== null, "a read-only process writes no memory");
    return worker.remember(candidate, by);
  },
  noteFolder: (project, root) => worker?.noteFolder(project, root),
  index: (node) => worker?.index(node),
  withoutSecrets: privateWords.withoutSecrets,
  isQuiet: (sessionId, text) =>
    quietOf(store)[sessionId] !== undefined || privateWords.scrub(sessionId, text) !== text,
});

/** The service over a reader; without a worker it only reads. */
export function serviceOver(deps: Context, reader: Reader, daemon: Daemon | null): Service {
  return createService({
    clock: deps.clock,
    store: reader.store,
    pause: createPauseFile(deps.paths),
    processInfo: createProcessInfo(deps, daemon),
    models: createModels(deps, reader, daemon),
    spoolSize: () => spoolSize(deps.paths),
    noteLatencies: () => daemon?.worker.noteLatencies(),
    upkeep: () => Object.values(upkeepState(reader.store)),
    warnings: () => warningsOf(deps, reader, daemon),
    tailLog: (lines) => tailLog(deps.paths.logs, lines),
    writable: daemon !== null,
    config: createSettingsPort(deps.paths, deps.env, deps.settings),
    finder: reader.finder,
    vectors: reader.vectors,
    gate: reader.gate,
    memoryWriter: memoryWriterOver(daemon?.worker ?? null, reader),
    ...createContextPreview(deps, reader, daemon === null ? null : createNotesPort()),
    isCaptured: (cwd) => isCaptured(deps, cwd),
    guardPlaces: ({ root, cwd }) => placesOf(root, cwd, deps.env),
    typedMeanwhile: typedMeanwhile(deps.paths, reader.store),
    scrubFiles: (texts) => scrubFiles(deps, reader.store, texts),
    noteFilesHolding: (texts) => noteFilesHolding(noteFiles(reader.store), texts),
    work: {
      wake: () => daemon?.control.wakeWorker(),
      consolidate: (ask) => daemon?.worker.consolidate(ask) ?? null,
      anchorsNow: async (node, ask) => (await daemon?.worker.anchorsNow(node, ask)) ?? null,
      backfill: (sliceMs) => daemon?.worker.backfill(sliceMs) ?? null,
      tryModel: async () =>
        daemon?.tryModel() ?? err({ type: "llm.none", detail: "no model is chosen" }),
    },
  });
}

function lookUpBy(deps: Context): (folder: string | null) => string | null {
  const projects = createProjectCache(deps.clock);
  const lookUp = lookUpFor({ env: deps.env, paths: deps.paths, command: deps.command });
  return (folder) => lookUp(folder === null ? null : (projects(folder)?.root ?? null));
}

/** A branch may change. */
const projectCacheMs = 5_000;
const projectCacheMax = 500;

export function createProjectCache(clock: Clock): (cwd: string) => ProjectIdentity | null {
  const cache = new Map<
    string,
    { readonly untilMs: number; readonly project: ProjectIdentity | null }
  >();
  return (cwd) => {
    const nowMs = clock.nowMs();
    const known = cache.get(cwd);
    if (known !== undefined && nowMs < known.untilMs && nowMs > known.untilMs - projectCacheMs)
      return known.project;
    if (cache.size >= projectCacheMax) cache.clear();
    const project = projectOf(cwd);
    cache.set(cwd, { untilMs: nowMs + projectCacheMs, project });
    return project;
  };
}

function gateOver(settings: SettingsSource): PrivacyGate {
  let { privacy } = settings.current();
  let gate = createGate(privacy);
  const now = (): PrivacyGate => {
    const current = settings.current().privacy;
    if (current !== privacy) [privacy, gate] = [current, createGate(current)];
    return gate;
  };
  return {
    clean: (text) => now().clean(text),
    cleanAgainst: (text, hidden) => now().cleanAgainst(text, hidden),
    isSecretPath: (path) => now().isSecretPath(path),
    readsSecrets: (command) => now().readsSecrets(command),
  };
}

// The settings that decide whether anything may be kept of a folder, now.

type Switches = Pick<Context, "clock" | "env" | "paths"> & {
  readonly settings: { readonly current: () => Settings };
};

/** False where the folder is excluded as a whole. */
function isCaptured({ env, settings }: Omit<Switches, "clock" | "paths">, cwd: string): boolean {
  return !exclusionFor(cwd, { settings: settings.current(), env })(".");
}

/** `whyNotCaptured` says in words why nothing of a folder is kept now; null = it is. `folder` null: none is known. */
export function whyNotCaptured(switches: Switches, folder: string | null): string | null {
  if (isHookSwitchedOff(switches.env)) return "memory is switched off here (CONTINUITY_OFF)";
  if (isPaused(switches.paths, switches.clock.nowMs())) return "memory is paused";
  if (isHeadlessEnv(switches.env) && switches.settings.current().capture.headless === "off")
    return "a program runs this session, and capture.headless is off";
  if (folder !== null && !isCaptured(switches, folder))
    return "this folder is excluded from memory";
  return null;
}

// Previews what a session that starts now would be given: the same code as the injection, without writing anything.

function createContextPreview(
  deps: Context,
  reader: Reader,
  notes: NotesPort | null,
): Pick<ServiceContext, "previewPrompt" | "previewStart"> {
  const { store } = reader;
  const lookUp = lookUpBy(deps);
  return {
    previewStart: ({ sessionId, project, nowMs }) => {
      const latest = latestOf(store, sessionId, project);
      const snapshot = collectStartSnapshot(store, {
        sessionId,
        project,
        projectName: store.admin.projects().find(({ key }) => key === project)?.name ?? null,
        branch: latest?.branch ?? null,
        command: lookUp(latest?.cwd ?? null),
        source: "startup",
        nowMs,
        tokensMax: deps.settings.current().inject.startTokens,
        ...loadedFor(reader, notes, latest),
      });
      return plain(composeStart(snapshot));
    },
    previewPrompt: ({ prompt, sessionId, project, nowMs }) => {
      const latest = latestOf(store, sessionId, project);
      const asked = { prompt, project, branch: latest?.branch ?? null, nowMs };
      const loaded = loadedFor(reader, notes, latest);
      return plain(previewPrompt(reader, deps.settings.current().inject, { ...asked, ...loaded }));
    },
  };
}

/**
 * `loadedFor` gives the instruction files' statements for a folder; in a process that is no daemon,
 * what was found last.
 */
function loadedFor(
  { store }: Reader,
  notes: NotesPort | null,
  session: Session | undefined,
): { readonly notesHere?: NotesHere } {
  if (session === undefined || session.cwd === null) return {};
  if (notes !== null) return instructionsFor(notes, session);
  const found = store.notes.of(session.cwd);
  return { notesHere: ({ id }) => found.get(id) ?? null };
}

const latestOf = ({ sessions }: Store, sessionId: string, project: string | null) =>
  sessions.byId(sessionId) ?? sessions.list({ projects: [project ?? ""] }, { limit: 1 })[0];

function plain({
  text,
  nodeIds,
  reasons,
}: Pick<ContextPreview, "nodeIds" | "text"> & { readonly reasons: unknown }): ContextPreview {
  const told: JsonValue = JSON.parse(JSON.stringify(reasons));
  return { text, tokens: text === "" ? 0 : tokensOf(text), reasons: told, nodeIds };
}
