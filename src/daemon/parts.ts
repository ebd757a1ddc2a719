/** Puts the parts of a daemon together that share one application. */
import { existsSync, readFileSync } from "node:fs";
import type { ClockDep, LogDep, Random } from "#kit";
import type { HomePaths } from "#domain";
import { createAccept } from "./accept.ts";
import type { DaemonApp } from "./app.ts";
import { createDrainer, type Drainer } from "./drain.ts";
import { flush } from "./flush.ts";
import { createIdleWatch } from "./idle-watch.ts";
import { createIntake, type Intake } from "./intake.ts";
import { createPrivateTurns } from "./private-turns.ts";
import { createRestWatch } from "./rest.ts";
import type { RouteDeps } from "./routes.ts";
import { createSerial } from "./serial.ts";
import { createSpoolWatch, type SpoolWatch } from "./spool-watch.ts";
import { createWorkLoop, type WorkLoop } from "./work-loop.ts";

export interface PartsDeps extends ClockDep, LogDep {
  readonly app: DaemonApp;
  readonly paths: HomePaths;
  readonly random: Random;
  readonly version: string;
  readonly idleExitMs: number | null;
  readonly stop: (reason: string) => void;
}

export interface Parts {
  readonly routes: RouteDeps;
  readonly work: WorkLoop;
  readonly spoolWatch: SpoolWatch;
  /** Resolves when what was accepted so far is committed. */
  readonly settle: () => Promise<void>;
}

const restLookMs = 5_000;

export function createParts(deps: PartsDeps): Parts {
  const { app, clock, log, paths, stop } = deps;
  const serial = createSerial();
  const turns = createPrivateTurns(paths, { ...app, nowMs: clock.nowMs() });
  const onAccepted = (): void => {
    touch();
    work.wakeWorker();
  };
  const accept = createAccept({ app, turns, onAccepted });
  const drainer = createDrainer({ paths, accept, clock, log });
  const intake = createIntake({ accept, drain: drainer.drain, serial, log });
  const waiting = (): number => drainer.waiting() + intake.waiting();
  const idle = createIdleWatch({
    clock,
    idleExitMs: deps.idleExitMs,
    isIdle: () => app.isIdle() && waiting() === 0,
    onIdle: () => stop("idle"),
  });
  const restWatch = createRestWatch({ clock, rest: (how) => app.rest?.(how) });
  const restTimer = setInterval(restWatch.look, restLookMs);
  const touch = (): void => {
    idle.touch();
    restWatch.touch();
  };
  const work = createWorkLoop({ work: app.work, onWorked: touch, log });
  const drain = async (): Promise<number> => serial.run(drainer.drain);
  const spoolWatch = createSpoolWatch(paths, drain);
  return {
    work,
    spoolWatch,
    settle: async () => {
      idle.stop();
      clearInterval(restTimer);
      spoolWatch.stop();
      do {
        await Bun.sleep(0);
        await serial.settled();
      } while (intake.waiting() > 0);
    },
    routes: {
      ...routesOf(deps, { drainer, intake, drain, work }),
      take: intake.take,
      touch,
    },
  };
}

function routesOf(
  { app, clock, log, paths, random, stop, version }: PartsDeps,
  parts: {
    readonly drainer: Drainer;
    readonly intake: Intake;
    readonly drain: () => Promise<number>;
    readonly work: WorkLoop;
  },
): Omit<RouteDeps, "take" | "touch"> {
  const { drainer, intake, drain, work } = parts;
  const flushing = {
    drain,
    work: work.runOnce,
    runDueNow: () => app.runDueNow?.(),
    waiting: () => drainer.waiting() + intake.waiting(),
    pendingJobs: () => app.pendingJobs?.() ?? 0,
    elapsedMs: () => performance.now(),
  };
  return {
    log,
    random,
    version,
    stop,
    nowMs: clock.nowMs,
    fetch: app.fetch,
    delivered: app.delivered,
    flush: async (timeoutMs) => flush(flushing, timeoutMs),
    token: () => (existsSync(paths.token) ? readFileSync(paths.token, "utf8").trim() : null),
  };
}
