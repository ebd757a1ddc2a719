/**
 * Schedules the daemon's syncs: some seconds after something was said, when a session starts, and
 * now and then to hear of the others. In a process of its own; no hook waits for it.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { DaemonControl, Worker } from "#daemon";
import type {
  BackgroundTask,
  HomePaths,
  HookEnvelope,
  PrivacyGate,
  ProjectIdentity,
  Store,
  Context,
  VectorIndex,
} from "#domain";
import { createBackground } from "#keep";
import {
  msPerMinute,
  type Log,
  type Clock,
  errorMessage,
  isRecord,
  parseJson,
  readText,
} from "#kit";
import type { Service } from "#api/server";
import type { SpaceState } from "#exchange/sync";
import { loadLog, loadTeam, loadWatch, type TeamContext } from "#exchange";

/** Changes in a row travel together. With the look of the others' watch it is there within 5 seconds. */
const changeDelayMs = 1_000;
/** Changes that another machine writes in a row arrive together. */
const newsDelayMs = 500;
/** Between the end of one sync and the next that a change asks for. */
const restMs = 2_000;
const everyMs = 5 * msPerMinute;
/** A session that starts right after a sync needs no other one. */
const freshMs = 20_000;

export interface SyncSchedule {
  /** Something was accepted that other machines may want to hear of. */
  readonly accepted: (isSessionStart: boolean) => void;
  readonly stop: () => void;
}

/** Timers hold nothing up: they end with the process. */
function createSyncSchedule(
  context: Context,
  store: Store,
  run: (task: BackgroundTask) => Promise<string>,
): SyncSchedule {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let dueMs = Number.POSITIVE_INFINITY;
  let endedMs = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let isStopped = false;
  const changes = (): string => `${store.sync.lastRevision()} ${store.activity.forgets()}`;
  let seen = changes();
  const plan = (inMs: number): void => {
    const atMs = performance.now() + inMs;
    if (isStopped || (timer !== null && dueMs <= atMs)) return;
    if (timer !== null) clearTimeout(timer);
    dueMs = atMs;
    timer = setTimeout(() => void syncOnce(), inMs);
    timer.unref();
  };
  const syncOnce = async (): Promise<void> => {
    timer = null;
    if (isStopped || isRunning) return;
    if (isCarried(context.paths)) {
      isRunning = true;
      seen = changes();
      try {
        const note = await run("sync");
        context.log.write("debug", "sync.done", { note });
      } catch (error) {
        const reason = errorMessage(error);
        context.log.write("warn", "sync.failed", { reason: reason.slice(0, 300) });
      }
      isRunning = false;
      endedMs = performance.now();
    }
    watch.check();
    plan(everyMs);
  };
  const watch = createSyncWatch(context, () => plan(newsDelayMs));
  watch.check();
  plan(isCarried(context.paths) ? 0 : everyMs);
  return {
    accepted: (isSessionStart) => {
      if (isSessionStart && performance.now() - endedMs > freshMs) plan(0);
      // A memory of a turn is stored a moment after the turn was accepted.
      else if (changes() !== seen)
        plan(Math.max(changeDelayMs, endedMs + restMs - performance.now()));
    },
    stop: () => {
      isStopped = true;
      watch.stop();
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Syncs for a daemon; null where the program cannot start itself. */
export function syncOver(deps: Context, store: Store, control: DaemonControl): SyncSchedule | null {
  const background = createBackground(deps, control);
  if (background === null) return null;
  const schedule = createSyncSchedule(deps, store, background.run);
  return {
    ...schedule,
    stop: () => {
      schedule.stop();
      void background.stop();
    },
  };
}

type Stop = () => Promise<void>;

interface SyncWatch {
  /** Begins, begins anew where the space is another one, or ends. */
  readonly check: () => void;
  readonly stop: () => void;
}

function createSyncWatch({ paths, log }: Context, onNews: () => void): SyncWatch {
  let watched = "";
  let stopping: Promise<Stop | null> = Promise.resolve(null);
  const begin = async (text: string): Promise<Stop | null> => {
    try {
      const { watchSpace } = await loadWatch();
      const state = JSON.parse(text) as SpaceState;
      return await watchSpace(state, state.device, onNews);
    } catch (error) {
      // It is tried again after the next sync.
      if (watched === text) watched = "";
      const reason = errorMessage(error);
      log.write("debug", "sync.watch", { reason: reason.slice(0, 300) });
      return null;
    }
  };
  const turn = (text: string): void => {
    if (text === watched) return;
    watched = text;
    const before = stopping;
    stopping = (async () => {
      await (
        await before
      )?.();
      return text === "" ? null : begin(text);
    })();
  };
  return { check: () => turn(placeIn(paths)), stop: () => turn("") };
}

/** Facts of the memory's space that its carrier needs; empty without one. */
function placeIn(paths: HomePaths): string {
  const state = parseJson(readText(statePath(paths)) ?? "");
  if (!isRecord(state)) return "";
  const { url, access, device } = state;
  return JSON.stringify({ url, access, device });
}

// `isSynced` tells whether a home is part of a space: light enough for the daemon to ask at any time.

/** `statePath` is the file that holds this device's state of its space (0600). */
export const statePath = ({ sync }: HomePaths): string => join(sync, "space.json");

export const isSynced = (paths: HomePaths): boolean => existsSync(statePath(paths));

export const teamFolder = ({ root }: HomePaths): string => join(root, "team");

/** `teamFiles` lists the files that hold this home's state of each of its teams (0600). */
export function teamFiles(paths: HomePaths): readonly string[] {
  const folder = teamFolder(paths);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
    .map((name) => join(folder, name));
}

const isCarried = (paths: HomePaths): boolean => isSynced(paths) || teamFiles(paths).length > 0;

// The way to the log of this store, which is loaded by the first who syncs.

type Answering = (ask: unknown) => object | null;

/** Answers the process that carries segments; null for a question that makes no sense. */
export function syncRoute(
  { clock }: { readonly clock: Clock },
  store: Store,
  {
    worker,
    service,
    vectors,
  }: { readonly worker: Worker; readonly service: Service; readonly vectors: VectorIndex },
): (ask: unknown) => Promise<object | null> {
  let log: Promise<Answering> | null = null;
  return async (ask) => {
    log ??= loadLog().then(({ answerPeer, peerAsk }) => {
      const forget = (uris: readonly string[]): void => void service.forget(uris, clock.nowMs());
      const withdraw = (ids: readonly number[]): void => {
        store.nodes.withdraw(ids, clock.nowMs());
        for (const id of ids) vectors.remove(id);
      };
      const deps = { store, clock, index: worker.index, forget, withdraw };
      return (given: unknown) => {
        const parsed = peerAsk.safeParse(given);
        return parsed.success ? answerPeer(deps, parsed.data) : null;
      };
    });
    return (await log)(ask);
  };
}

// The way to what a team gives and takes, which is loaded by the first who has to do with one.

export interface TeamRoute {
  /** Null for a question that makes no sense. */
  readonly answer: (ask: unknown) => Promise<object | null>;
  /** Sessions start: what is trusted of their repositories is brought in step. Null = nothing is trusted anywhere. */
  readonly starting: (envelopes: readonly HookEnvelope[]) => Promise<void> | null;
}

interface Parts {
  readonly store: Store;
  readonly gate: PrivacyGate;
  readonly worker: Worker;
  readonly service: Service;
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
}

export function teamRoute(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  parts: Parts,
): TeamRoute {
  const { store, gate, worker, service, projectOf } = parts;
  const deps: TeamContext = {
    store,
    gate,
    clock,
    projectOf,
    looked: new Map(),
    index: worker.index,
    forget: (uris) => void service.forget(uris, clock.nowMs()),
  };
  const refreshed = async (folders: readonly string[]): Promise<void> => {
    const { refreshFolder } = await loadTeam();
    for (const folder of folders) refreshFolder(deps, folder);
  };
  return {
    answer: async (ask) => (await loadTeam()).answerTeam(deps, ask),
    starting: (envelopes) => {
      const folders = envelopes.flatMap(({ hook, payload: { cwd } }) =>
        hook === "start" && typeof cwd === "string" ? [cwd] : [],
      );
      if (folders.length === 0 || store.team.trusting().length === 0) return null;
      return refreshed(folders).catch((error: unknown) => {
        const reason = errorMessage(error);
        log.write("warn", "team.failed", { reason: reason.slice(0, 300) });
      });
    },
  };
}
