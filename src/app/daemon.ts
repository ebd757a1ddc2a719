/**
 * The composition root of the daemon: the one file that knows every room. Builds the graph over an open store, and
 * closes it in reverse.
 */
import { openStore, storageFailure } from "#store";
import { createGate } from "#privacy";
import { createVectorIndex } from "#embed";
import { leavesNoRecord } from "#memory";
import { createWorker, noteFiles, tryModel, type Worker, type WorkerDeps } from "#worker";
import { createImporter, type Importer } from "#exchange";
import { createService, type Service, type Trial } from "#service";
import { createLive, createServer, type Live } from "#server";
import { viewerFiles } from "#viewer";
import { placesOf } from "#capture/guard/places";
import { envelopesOfRequest, exclusionFor, folderMark, historyAt, projectOf } from "#capture";
import type { AcceptStep, DaemonApp, DaemonControl } from "#daemon";
import {
  createBackground,
  openRecovered,
  scrubFiles,
  watchedApp,
  withBackground,
  type Background,
} from "#keep";
import { treeRoot, type Embedder, type ProjectIdentity, type Store } from "#domain";
import { err, ok, type Clock, type Result } from "#kit";
import { isCaptured } from "./captured.ts";
import { explainStorageFault } from "./errors.ts";
import { giveBack } from "./give-back.ts";
import { faultOf } from "./fault.ts";
import { createCodePort } from "./ports/code.ts";
import { publishGuards } from "./ports/guards-file.ts";
import { removeLink } from "./ports/browser.ts";
import { createContextPreview } from "./ports/start-preview.ts";
import { openEmbedder, preparePrompts, prepareSearch } from "./embedder-source.ts";
import type { AppDeps, AppError, Daemon, Reader, SettingsSource } from "./context.ts";
import { createErrands } from "./ports/errands.ts";
import { createMemoryWriter } from "./ports/memory-writer.ts";
import { createModelSource, type ModelSource } from "./model-source.ts";
import { createSearching, createStatusDeps } from "./reading.ts";
import { createNotesPort } from "./ports/notes.ts";
import { createPauseFile } from "./ports/pause.ts";
import { createSettingsPort } from "./ports/service-settings.ts";
import { createAgentNotesPort, noteFilesHolding } from "./ports/agent-notes.ts";
import { createTranscriptPort, typedMeanwhile } from "./ports/transcripts.ts";
import { withSync } from "./sync-schedule.ts";
import { syncRoute } from "./ports/sync-route.ts";
import { teamRoute, type TeamRoute } from "./ports/team-route.ts";
import { createVectorShelf } from "./ports/vector-shelf.ts";
import { ensureToken, readToken, rotateToken } from "./token.ts";
import { lookUpFor, shellCommand, type LookUp } from "#claude-code";

/** How long `work` may hold the event loop before hooks get their turn. */
const workSliceMs = 20;

/** Opens store and embedder and fills the vector index. */
export function openReader(
  deps: AppDeps,
  mode: "readwrite" | "readonly",
): Result<Reader, AppError> {
  const opened = openStore(deps.paths.database, {
    mode,
    clock: deps.clock,
    random: deps.random,
    backups: deps.paths.backups,
  });
  if (!opened.ok) return opened;
  const loaded = openEmbedder(deps, deps.settings.current().embedder);
  if (!loaded.ok) {
    opened.value[Symbol.dispose]();
    return err({ type: "embed.failed", detail: loaded.error.detail });
  }
  return reading(deps, opened.value, () => readerOver(deps, opened.value, loaded.value));
}

/** Damage may show only when the first rows are read: closes the store again and says what it is. */
function reading<Value>(deps: AppDeps, store: Store, read: () => Value): Result<Value, AppError> {
  try {
    return ok(read());
  } catch (error) {
    store[Symbol.dispose]();
    const failure = storageFailure(deps.paths.database, error);
    if (failure === null) throw error;
    return err(failure);
  }
}

function readerOver(deps: AppDeps, store: Store, embedder: Embedder): Reader {
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
    finder: createSearching(deps, { store, embedder, vectors }),
    gate: createGate({ redact: deps.settings.current().privacy.redact }),
  };
}

/** The daemon's application. Fails with a named reason and leaves the database as it was. */
export const openApp = (deps: AppDeps, control: DaemonControl): Result<DaemonApp, AppError> =>
  openRecovered(deps, () => openOnce(deps, control));

function openOnce(deps: AppDeps, control: DaemonControl): Result<DaemonApp, AppError> {
  const reader = openReader(deps, "readwrite");
  if (!reader.ok) return reader;
  const { value } = reader;
  const background = createBackground(deps, control);
  return reading(deps, value.store, () => {
    const store = value.store;
    const app = withSync(deps, { store, control }, appOver(deps, value, { control, background }));
    return withBackground(watchedApp(deps, { control, store }, app), background);
  });
}

/** Keeps spooled events, which were accepted once, until the settings say what is excluded. */
const waitForSettings = (settings: SettingsSource): AcceptStep => ({
  before: (_, via) => {
    if (via === "spool" && !settings.isKnown()) throw new Error("config.toml cannot be read");
  },
});

/** Steps before each commit of events, in order. */
const stepsOver = (deps: AppDeps, reader: Reader, team: TeamRoute): readonly AcceptStep[] => [
  waitForSettings(deps.settings),
  {
    before: async (envelopes, via) => {
      if (via !== "spool") await preparePrompts(reader.embedder, reader.gate, envelopes);
    },
  },
  { before: team.starting },
];

interface Beside {
  readonly control: DaemonControl;
  readonly background: Background | null;
}

function appOver(deps: AppDeps, reader: Reader, { control, background }: Beside): DaemonApp {
  ensureToken(deps.paths, deps.random);
  removeLink(deps.paths);
  // This process holds the lock, so whoever leased a job is dead: nobody has to wait for the lease to run out.
  reader.store.jobs.releaseAll();
  const model = modelOver(deps, reader);
  // Whoever asks for the status a moment later shall be told who answers, not that it is being found out.
  model.status();
  const worker = createWorker({
    ...workerDeps(deps, reader),
    fault: () => faultOf(deps, { store: reader.store, status: model.status() }),
    ...(background === null ? {} : { background: background.run }),
    llm: model.current,
    onDue: control.wakeWorker,
  });
  // Opened now where it will be needed anyway: the first prompt need not wait, and the runtime gives back the pages it
  // was read from only while it starts (12 MB).
  if (reader.vectors.size() > 0) reader.embedder.embed("");
  const service = serviceOver(deps, reader, { worker, control, model });
  const live = createLive(service);
  const team = teamRoute(deps, { ...reader, worker, service, projectOf });
  const { embedder, store, vectors } = reader;
  const server = serverOver(deps, reader, { control, worker, service, live, team });
  const shelf = createVectorShelf(deps.paths, () => store.vectors.components(embedder.identity.id));
  const rehearse = once(worker.rehearse);
  const port = (): number => control.port() ?? -1;
  const publish = (): void => publishGuards(deps, service.activeGuards());
  publish();
  return {
    commit: worker.accept,
    delivered: worker.delivered,
    leavesNoRecord,
    steps: stepsOver(deps, reader, team),
    fetch: async (request, transport) => {
      await prepareSearch(reader.embedder, reader.gate, request);
      const peer = transport === "socket" ? { transport } : { transport, port: port() };
      const answer = await server.fetch(request, peer);
      // Guards are approved, forgotten, and go from project to project: whatever writes may do one of them.
      if (request.method !== "GET") publish();
      return answer;
    },
    work: async () => {
      rehearse();
      return worker.work(workSliceMs);
    },
    isIdle: () => worker.pendingJobs() === 0 && live.clients() === 0,
    pendingJobs: worker.pendingJobs,
    runDueNow: worker.runDueNow,
    rest: (how) => {
      if (how === "asleep") vectors.rest(shelf);
      reader.store.release(how === "asleep" ? "statements" : "pages");
      giveBack();
    },
    close: async () => {
      live.close();
      worker.stop();
      await model.close();
      reader.store[Symbol.dispose]();
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

const modelOver = (deps: AppDeps, { store: { ledger } }: Reader): ModelSource =>
  createModelSource({ ...deps, ledger, settings: () => deps.settings.current().llm });

interface Served {
  readonly control: DaemonControl;
  readonly worker: Worker;
  readonly service: Service;
  readonly live: Live;
  readonly team: TeamRoute;
}

/** Everything that is asked over HTTP, on the socket and on the port alike. */
function serverOver(
  deps: AppDeps,
  reader: Reader,
  { control, worker, service, live, team }: Served,
): Pick<ReturnType<typeof createServer>, "fetch"> {
  const server = createServer({
    service,
    live,
    mcp: mcpRoute(deps, async (asked) => server.fetch(asked, { transport: "socket" })),
    viewer: viewerFiles(),
    clock: deps.clock,
    log: deps.log,
    port: control.port,
    random: deps.random,
    token: () => readToken(deps.paths),
    rotateToken: () => rotateToken(deps.paths, deps.random),
    onRedeemed: () => removeLink(deps.paths),
    importer: importerOver(deps, reader, worker),
    team: team.answer,
    sync: syncRoute(deps, reader.store, { worker, service }),
    errands: createErrands(deps),
    explain: (error) => explainStorageFault(error, deps.paths),
    accept: control.take,
    delivered: worker.delivered,
    eventsIn: (body, event, atMs) =>
      envelopesOfRequest({
        body,
        event,
        nowMs: atMs ?? deps.clock.nowMs(),
        invocation: deps.random.hex(16),
      }),
  });
  return server;
}

type Answering = (request: Request) => Promise<Response>;

/** MCP over HTTP, loaded by the first who speaks it. */
function mcpRoute(deps: AppDeps, api: Answering): Answering {
  let route: Promise<Answering> | null = null;
  return async (request) => {
    route ??= import("./ports/mcp.ts").then(({ createMcpRoute }) => createMcpRoute(deps, api));
    return (await route)(request);
  };
}

/** What takes imported records, over an open store. */
function importerOver(deps: AppDeps, reader: Reader, worker: Worker): Importer {
  let batches = 0;
  return createImporter({
    ...reader,
    clock: deps.clock,
    remember: worker.remember,
    embedMissing: worker.embedMissing,
    onBatch: () => {
      worker.holdUpkeep();
      batches += 1;
      // Gigabytes go through, and on a busy machine the collector falls behind unless it is asked (tried with 2 GB: 275
      // MB at most instead of 297).
      if (batches % batchesPerCollection === 0) Bun.gc(false);
    },
  });
}

const batchesPerCollection = 50;

/** The same without a daemon, for a trial on a copy of the database. */
export const trialImporter = (deps: AppDeps, reader: Reader): Importer =>
  importerOver(deps, reader, createWorker(workerDeps(deps, reader)));

function workerDeps(deps: AppDeps, reader: Reader): WorkerDeps {
  const projects = createProjectCache(deps.clock);
  const pause = createPauseFile(deps.paths);
  return {
    ...reader,
    clock: deps.clock,
    log: deps.log,
    settings: deps.settings.current,
    transcripts: createTranscriptPort(deps.paths),
    projectOf: projects,
    historyAt,
    folderMark,
    isExcluded: (cwd, paths) => {
      const settings = deps.settings.current();
      const excluded = exclusionFor(cwd, { settings, env: deps.env, projectOf: projects });
      return excluded(".") || paths.some((path) => excluded(path));
    },
    paused: () => pause.state(deps.clock.nowMs()).paused,
    lookUp: lookUpIn(deps),
    code: createCodePort(),
    notes: createNotesPort(),
    agentNotes: createAgentNotesPort(),
    program: shellCommand(deps.command),
  };
}

const lookUpIn = ({ env, paths, command }: AppDeps): LookUp => lookUpFor({ env, paths, command });

function lookUpBy(deps: AppDeps): LookUp {
  const projects = createProjectCache(deps.clock);
  const lookUp = lookUpIn(deps);
  return (folder) => lookUp(folder === null ? null : (projects(folder)?.root ?? null));
}

/** A branch may change. */
const projectCacheMs = 5_000;
const projectCacheMax = 500;

function createProjectCache(clock: Clock): (cwd: string) => ProjectIdentity | null {
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

/** The service over a reader; without a worker it only reads. */
export function serviceOver(deps: AppDeps, reader: Reader, daemon: Daemon | null): Service {
  return createService({
    ...createStatusDeps(deps, reader, daemon),
    config: createSettingsPort(deps.paths, deps.env, deps.settings),
    finder: reader.finder,
    vectors: reader.vectors,
    gate: reader.gate,
    memoryWriter: createMemoryWriter(daemon?.worker ?? null, reader.store),
    ...createContextPreview(
      reader,
      deps.settings.current,
      lookUpBy(deps),
      daemon === null ? undefined : createNotesPort(),
    ),
    isCaptured: (cwd) => isCaptured(deps, cwd),
    guardPlaces: (at) => placesOf(at, deps.env),
    typedMeanwhile: typedMeanwhile(deps.paths, reader.store),
    announce: () => deps.settings.current().announce.moments,
    scrubFiles: (texts) => scrubFiles(deps, reader.store, texts),
    noteFilesHolding: (texts) => noteFilesHolding(noteFiles(reader.store), texts),
    work: {
      wake: () => daemon?.control.wakeWorker(),
      consolidate: (ask) => daemon?.worker.consolidate(ask) ?? null,
      anchorsNow: async (node, ask) => (await daemon?.worker.anchorsNow(node, ask)) ?? null,
      backfill: (sliceMs) => daemon?.worker.backfill(sliceMs) ?? null,
      tryModel: async () => askOnce(daemon?.model ?? null),
    },
  });
}

/** A question by hand, with who answered it. */
async function askOnce(model: ModelSource | null): Promise<Trial> {
  const llm = model?.current() ?? null;
  if (llm === null) return err({ type: "llm.none", detail: "no model is chosen" });
  const answered = await tryModel(llm);
  if (!answered.ok) return answered;
  return ok({ ...answered.value.usage, provider: llm.status().provider });
}
