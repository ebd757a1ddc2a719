/**
 * The composition root of the daemon: the one file that knows every room. Builds the graph over an open store, and
 * closes it in reverse.
 */
import { readFileSync } from "node:fs";
import { leavesNoRecord } from "#memory";
import {
  type AcceptStep,
  createAgentNotesPort,
  createCodePort,
  createNotesPort,
  createTranscriptPort,
  createWorker,
  type DaemonApp,
  type DaemonControl,
  publishGuards,
  type Rest,
  tryModel,
  type Worker,
  type WorkerParts,
} from "#daemon";
import { createImporter, type Importer } from "#exchange";
import { createLive, createServer, type Live, type Service, type Trial } from "#api/server";
import { viewerFiles } from "#viewer";
import { exclusionFor, folderMark, historyAt, isStopCarried, projectOf } from "#hooks";
import { createBackground, openRecovered, watchDamage } from "#keep";
import { err, errorMessage, type Log, ok, type Result } from "#kit";
import { lookUpFor, shellCommand } from "#clients";
import { unpackedVectors } from "#embed";
import { explainStorageFault, faultOf } from "./fault.ts";
import { ensureToken, readToken, removeLink, rotateToken } from "./viewer-access.ts";
import { createErrands } from "./errands.ts";
import { preparePrompts, prepareSearch } from "./embedder-source.ts";
import type { AppError, Reader } from "./context.ts";
import { createModelSource, type ModelSource } from "./model-source.ts";
import { createProjectCache, openReader, readOrClose, serviceOver } from "./reading.ts";
import { createPauseFile } from "./config.ts";
import {
  syncOver,
  syncRoute,
  type SyncSchedule,
  teamRoute,
  type TeamRoute,
} from "./sync-schedule.ts";
import type { Context, Store } from "#domain";

/** `work` may hold the event loop for this long before hooks get their turn. */
const workSliceMs = 20;

/** The daemon's application. Fails with a named reason and leaves the database as it was. */
export const openApp = (deps: Context, control: DaemonControl): Result<DaemonApp, AppError> =>
  openRecovered(deps, () => openOnce(deps, control));

function openOnce(deps: Context, control: DaemonControl): Result<DaemonApp, AppError> {
  const reader = openReader(deps, "readwrite");
  if (!reader.ok) return reader;
  return readOrClose(deps, reader.value.store, () => appOver(deps, reader.value, control));
}

/** Steps around each commit of events, in order. */
const stepsOver = (
  deps: Context,
  reader: Reader,
  parts: {
    readonly damage: AcceptStep;
    readonly team: TeamRoute;
    readonly sync: SyncSchedule | null;
  },
): readonly AcceptStep[] => [
  parts.damage,
  {
    before: async (envelopes, via) => {
      if (via !== "spool") return preparePrompts(reader.embedder, reader, envelopes);
      // Spooled events were accepted once: they are kept until the settings say what is excluded.
      if (!deps.settings.isKnown()) throw new Error("config.toml cannot be read");
    },
  },
  { before: parts.team.starting },
  {
    after: (envelopes, replies) => {
      parts.sync?.accepted(envelopes.some(({ hook }) => hook === "start"));
      return replies;
    },
  },
];

function appOver(deps: Context, reader: Reader, control: DaemonControl): DaemonApp {
  const background = createBackground(deps, control);
  // This process holds the lock, so whoever leased a job is dead: nobody has to wait for the lease to run out.
  reader.store.jobs.releaseAll();
  const model = createModelSource(deps, reader.store.ledger);
  // Whoever asks for the status a moment later shall be told who answers, not that it is being found out.
  model.status();
  const worker = createWorker({
    ...workerDeps(deps, reader),
    fault: () => faultOf(deps, reader.store, model.status().isUsable),
    ...(background === null ? {} : { background: background.run }),
    llm: model.current,
    onDue: control.wakeWorker,
  });
  // Opened now where it will be needed anyway: the first prompt need not wait.
  if (reader.vectors.size() > 0) reader.embedder.embed("");
  const service = serviceOver(deps, reader, { worker, control, model, tryModel: tryOver(model) });
  const live = createLive(service);
  const team = teamRoute(deps, { ...reader, worker, service, projectOf });
  const server = serverOver(deps, reader, { control, worker, service, live, team });
  const { work, endRehearsal } = rehearsing(worker, deps.log);
  const port = (): number => control.port() ?? -1;
  const publish = (): void => publishGuards(deps, service.activeGuards());
  publish();
  const damage = watchDamage(deps, reader.store, control.stop);
  const sync = syncOver(deps, reader.store, control);
  return {
    commit: worker.accept,
    delivered: worker.delivered,
    leavesNoRecord,
    steps: stepsOver(deps, reader, { damage: damage.step, team, sync }),
    fetch: async (request, transport) => {
      await prepareSearch(reader.embedder, reader.gate, request);
      const peer = transport === "socket" ? { transport } : { transport, port: port() };
      const answer = await server.fetch(request, peer);
      if (request.method === "GET") return answer;
      // Guards are approved, forgotten, and go from project to project: whatever writes may do one of them.
      publish();
      sync?.accepted(false);
      return answer;
    },
    work: () => damage.watched(work()),
    isIdle: () =>
      background?.isBusy() !== true && worker.pendingJobs() === 0 && live.clients() === 0,
    pendingJobs: worker.pendingJobs,
    runDueNow: worker.runDueNow,
    rest: (how) => {
      reader.store.release(how === "asleep" ? "statements" : "pages");
      giveBack(how, deps.paths.model);
    },
    close: async () => {
      endRehearsal();
      await background?.stop();
      sync?.stop();
      live.close();
      worker.stop();
      await model.close();
      finishPurge(deps.log, reader.store);
      reader.store[Symbol.dispose]();
    },
  };
}

/** Bytes of a database that is rewritten within a second; upkeep of the next daemon rewrites a larger one. */
const purgedAtEndBytesMax = 64 * 1024 * 1024;

/** Does a purge that upkeep had no time for: text that left no record must not wait for the next start. */
function finishPurge(log: Log, { admin }: Store): void {
  try {
    if (admin.isPurgeDue() && admin.sizeBytes() <= purgedAtEndBytesMax) admin.finishPurge();
  } catch (error) {
    log.write("warn", "purge.failed", { reason: errorMessage(error) });
  }
}

/** Work begins with a rehearsal, each step in a turn of the event loop of its own: hooks get theirs between. */
function rehearsing(worker: Worker, log: Log) {
  let isEnded = false;
  let rehearsed: Promise<void> | null = null;
  /** Never rejects: a prompt that meets the same failure says so. */
  const rehearse = async (): Promise<void> => {
    try {
      for (const step of worker.rehearsal()) {
        await Bun.sleep(0);
        if (isEnded) return;
        step();
      }
    } catch (error) {
      log.write("warn", "rehearsal.failed", { error: errorMessage(error) });
    }
  };
  return {
    work: async (): Promise<number | null> => {
      await (rehearsed ??= rehearse());
      return worker.work(workSliceMs);
    },
    /** Takes no further step: the store is about to close. */
    endRehearsal: (): void => void (isEnded = true),
  };
}

/** Asks the chosen model one question, and names the provider that answered. */
const tryOver = (model: ModelSource) => async (): Promise<Trial> => {
  const llm = model.current();
  if (llm === null) return err({ type: "llm.none", detail: "no model is chosen" });
  const answered = await tryModel(llm);
  return answered.ok ? ok({ ...answered.value.usage, provider: llm.status().provider }) : answered;
};

interface Served {
  readonly control: DaemonControl;
  readonly worker: Worker;
  readonly service: Service;
  readonly live: Live;
  readonly team: TeamRoute;
}

/** Everything that is asked over HTTP, on the socket and on the port alike. */
function serverOver(
  deps: Context,
  reader: Reader,
  { control, worker, service, live, team }: Served,
): ReturnType<typeof createServer> {
  ensureToken(deps.paths, deps.random);
  removeLink(deps.paths);
  return createServer({
    service,
    live,
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
    sync: syncRoute(deps, reader.store, { ...reader, worker, service }),
    errands: createErrands(deps),
    explain: (error) => explainStorageFault(error, deps.paths),
    accept: control.take,
    delivered: worker.delivered,
  });
}

function importerOver(deps: Context, reader: Reader, worker: Worker): Importer {
  let batches = 0;
  return createImporter({
    ...worker,
    store: reader.store,
    clock: deps.clock,
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
export const trialImporter = (deps: Context, reader: Reader): Importer =>
  importerOver(deps, reader, createWorker(workerDeps(deps, reader)));

function workerDeps(deps: Context, reader: Reader): WorkerParts {
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
    isStopCarried: (session) => isStopCarried(deps.paths, session, deps.clock.nowMs()),
    lookUp: lookUpFor({ env: deps.env, paths: deps.paths, command: deps.command }),
    code: createCodePort(),
    notes: createNotesPort(),
    agentNotes: createAgentNotesPort(),
    program: shellCommand(deps.command),
  };
}

// Memory of this process that the system may have back: garbage, what the allocator holds in reserve, and the pages
// of the program's own file and of the model's, which are read again from the system's cache when they are needed.

/** Smaller mappings are not worth the call. */
const mappingKilobytesMin = 1_024;
/** MADV_DONTNEED: the next access reads the page from its file again. */
const dontNeed = 4;
const libraries = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
];

/**
 * Collects garbage and returns what is free. Compiled code goes with the sleep alone: the next prompt would compile it
 * again for some 50 ms. Never throws.
 */
function giveBack(how: Rest, modelFolder: string): void {
  Bun.gc(true);
  if (how === "asleep") Bun.shrink();
  void dropFilePages(modelFolder);
}

/** Linux only: elsewhere the system takes such pages when it wants them. */
async function dropFilePages(modelFolder: string): Promise<void> {
  if (process.platform !== "linux") return;
  try {
    const mappings = unchangedMappings(readFileSync("/proc/self/smaps", "utf8"), {
      program: process.execPath,
      model: unpackedVectors(modelFolder),
    });
    if (mappings.length === 0) return;
    const advise = (await openAdvise()) ?? (() => 0);
    for (const { from, to } of mappings) advise(from, to - from, dontNeed);
  } catch {
    // No /proc, or not to be read: the pages stay.
  }
}

type Advise = (address: bigint, bytes: bigint, advice: number) => number;

async function openAdvise(): Promise<Advise | null> {
  const { dlopen } = await import("bun:ffi");
  const madvise = { args: ["u64", "u64", "i32"], returns: "i32" } as const;
  for (const library of libraries) {
    try {
      return dlopen(library, { madvise }).symbols.madvise;
    } catch {
      continue; // Another C library.
    }
  }
  return null;
}

/**
 * Mappings of the program's file and of the model's that are as they lie in the file: read-only, or never written, and
 * not a page of them a copy of this process. Others would lose what was written. Pages of a program installed a moment
 * ago are dirty until the disk has them, and no copies: the file's own cache keeps them.
 */
export function unchangedMappings(
  smaps: string,
  { program, model }: { readonly program: string; readonly model: string },
): readonly { readonly from: bigint; readonly to: bigint }[] {
  return smaps.split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/).flatMap((text) => {
    const head = /^([0-9a-f]+)-([0-9a-f]+) r([w-])[x-]p \S+ \S+ \d+ +(\/.*)$/m.exec(text);
    const isModel = head?.[4] === model;
    if (head === null || !(isModel || (head[4] === program && head[3] === "-"))) return [];
    const isUnchanged = kilobytes(text, "Anonymous") === 0;
    if (!isUnchanged || kilobytes(text, "Rss") < mappingKilobytesMin) return [];
    return [{ from: BigInt(`0x${head[1] ?? "0"}`), to: BigInt(`0x${head[2] ?? "0"}`) }];
  });
}

/** The number behind a name; not a number where the system does not say. */
function kilobytes(text: string, name: string): number {
  const at = text.indexOf(`\n${name}:`);
  return at < 0 ? Number.NaN : Number.parseInt(text.slice(at + name.length + 2), 10);
}
