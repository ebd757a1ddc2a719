/** Puts the parts of a daemon together that share one application. */
import { existsSync, watch } from "node:fs";
import type { HomePaths, HookReply } from "#domain";
import { type Clock, type Log, errorMessage } from "#kit";
import { type Accept, createRestWatch, type DaemonApp, type DaemonContext } from "./app.ts";
import { createDrainer } from "../intake/drain.ts";
import {
  createIntake,
  createPrivateTurnGuard,
  createSerial,
  type PrivateTurnGuard,
} from "../intake/intake.ts";

export type Parts = ReturnType<typeof createParts>;

const restLookMs = 5_000;

export function createParts(
  context: DaemonContext,
  app: DaemonApp,
  options: { readonly idleExitMs: number | null; readonly stop: (reason: string) => void },
) {
  const { clock, log, paths } = context;
  const serial = createSerial();
  const guard = createPrivateTurnGuard(paths, app.leavesNoRecord, clock);
  const onAccepted = (): void => {
    touch();
    work.wakeWorker();
  };
  const accept = createAccept(app, guard, onAccepted);
  const drainer = createDrainer(context, accept);
  const intake = createIntake(log, accept, drainer.drain, serial);
  const waiting = (): number => drainer.waiting() + intake.waiting();
  const idle = createIdleWatch(
    clock,
    options.idleExitMs,
    () => app.isIdle() && waiting() === 0,
    () => options.stop("idle"),
  );
  const restWatch = createRestWatch(clock, app.rest);
  const restTimer = setInterval(restWatch.look, restLookMs);
  const touch = (): void => {
    idle.touch();
    restWatch.touch();
  };
  const work = createWorkLoop(log, app.work, touch);
  const drain = async (): Promise<number> => serial.run(drainer.drain);
  const spoolWatch = createSpoolWatch(paths, drain);
  /** Resolves when what was accepted so far is committed. */
  const settle = async (): Promise<void> => {
    idle.stop();
    clearInterval(restTimer);
    spoolWatch.stop();
    do {
      await Bun.sleep(0);
      await serial.settled();
    } while (intake.waiting() > 0);
  };
  return {
    context,
    app,
    intake,
    work,
    spoolWatch,
    stop: options.stop,
    touch,
    drain,
    waiting,
    settle,
  };
}

/** `idleExitMs`: null = never leave. `isIdle`: false while a client is connected or something runs. */
function createIdleWatch(
  clock: Clock,
  idleExitMs: number | null,
  isIdle: () => boolean,
  onIdle: () => void,
) {
  if (idleExitMs === null) return { touch: () => undefined, stop: () => undefined };
  let lastMs = clock.nowMs();
  const timer = setInterval(
    () => {
      if (!isIdle()) lastMs = clock.nowMs();
      else if (clock.nowMs() - lastMs >= idleExitMs) onIdle();
    },
    Math.max(20, Math.min(idleExitMs / 4, 30_000)),
  );
  return {
    touch: (): void => void (lastMs = clock.nowMs()),
    stop: (): void => clearInterval(timer),
  };
}

const retryMs = 5_000;
/** The longest a timer can wait is 2^31 ms; a look every hour is cheap. */
const timerMsMax = 3_600_000;

function createWorkLoop(log: Log, work: DaemonApp["work"], onWorked: () => void) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<number | null> = Promise.resolve(null);
  let stopped = false;
  const plan = (ms: number | null): void => {
    if (timer !== null) clearTimeout(timer);
    timer =
      ms === null || stopped ? null : setTimeout(() => void runOnce(), Math.min(ms, timerMsMax));
  };
  const workSafely = async (): Promise<number | null> => {
    if (stopped) return null;
    try {
      const next = await work();
      if (next === 0) onWorked();
      return next;
    } catch (error) {
      log.write("error", "work.failed", { error: errorMessage(error) });
      return retryMs;
    }
  };
  /** Works once, after what is running. Resolves to what `work` says is next, in ms; null = nothing waits. */
  const runOnce = async (): Promise<number | null> => {
    const mine = running.then(workSafely);
    running = mine;
    const next = await mine;
    if (running === mine) plan(next);
    return next;
  };
  return {
    /** Something may be due: look soon. */
    wakeWorker: (): void => plan(0),
    runOnce,
    /** No further calls; resolves when the running one is over. */
    stop: async (): Promise<void> => {
      stopped = true;
      plan(null);
      await running;
    },
  };
}

/** `onAccepted` is called after each commit. */
function createAccept(app: DaemonApp, guard: PrivateTurnGuard, onAccepted: () => void): Accept {
  return async (envelopes, via) => {
    const guarded = envelopes.map((envelope) => guard(envelope, via));
    const kept = guarded.filter((envelope) => envelope !== null);
    try {
      const replies = await committed(app, kept, via);
      onAccepted();
      let at = 0;
      return guarded.map((envelope) => (envelope === null ? leftOut : (replies[at++] ?? leftOut)));
    } catch (error) {
      for (const { failed } of app.steps) failed?.(error);
      throw error;
    }
  };
}

/** Answers an event of a turn that leaves no record. */
const leftOut: HookReply = { context: "", fresh: true };

async function committed(
  { commit, steps }: DaemonApp,
  ...[envelopes, via]: Parameters<Accept>
): Promise<readonly HookReply[]> {
  for (const { before } of steps) await before?.(envelopes, via);
  const replies = await commit(envelopes, via);
  return steps.reduce((sofar, { after }) => after?.(envelopes, sofar) ?? sofar, replies);
}

// Notices when a hook left something in the spool while the daemon was slow, or when the home folder is gone.

const pollMs = 2_000;

/** The reason to leave that is written nowhere: there is no place left for it. */
export const homeIsGone = "home is gone";

/**
 * Drains when something appears in the spool. The system's notice is quick but not promised everywhere, so the folder
 * is also looked at every two seconds. A home that was deleted ends the daemon: it could not be reached any more.
 */
function createSpoolWatch(paths: HomePaths, drain: () => Promise<number>) {
  const endings: (() => void)[] = [];
  let draining = false;
  const drainOnce = async (): Promise<void> => {
    if (draining) return;
    draining = true;
    await drain();
    draining = false;
  };
  return {
    start: (stop: (reason: string) => void): void => {
      const timer = setInterval(() => {
        if (existsSync(paths.lock)) void drainOnce();
        else stop(homeIsGone);
      }, pollMs);
      endings.push(() => clearInterval(timer), noticeNewFiles(paths.spool, drainOnce));
      void drainOnce();
    },
    stop: (): void => {
      for (const end of endings.splice(0)) end();
    },
  };
}

function noticeNewFiles(folder: string, notice: () => Promise<void>): () => void {
  try {
    const watcher = watch(folder, (_, name) => {
      if (name?.endsWith(".json") === true) void notice();
    });
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined; // No notices on this file system: the timer alone will do.
  }
}
