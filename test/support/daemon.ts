/**
 * Holds the helpers that the tests of this room share: a temporary home, a small application that
 * remembers what it accepted.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { silentLog, stoppedClock, type Log } from "#kit";
import { homePaths, type HomePaths, type HookEnvelope } from "#domain";
import type { DaemonApp, DaemonContext } from "../../src/daemon/process/app.ts";
import { type DaemonOptions, type DaemonOutcome, runDaemon } from "../../src/daemon/process/run.ts";

export interface TestHome extends Disposable {
  readonly paths: HomePaths;
}

export function testHome(): TestHome {
  const root = realpathSync(mkdtempSync(`${tmpdir()}/continuity-test-`));
  const paths = homePaths(root);
  mkdirSync(`${paths.spool}/keys`, { recursive: true });
  return {
    paths,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

export const testEnvelope = (n: number, change: Partial<HookEnvelope> = {}): HookEnvelope => ({
  v: 1,
  hook: "stop",
  clientEvent: "Stop",
  key: `f${String(n).padStart(31, "0")}`,
  contentHash: `c${n}`,
  anonymous: false,
  atMs: n,
  replayed: false,
  gated: true,
  payload: { session_id: "s-1", prompt_id: "p-1" },
  ...change,
});

interface TestApp extends DaemonApp {
  /** Keys of every commit, in order. */
  readonly commits: string[][];
  readonly accepted: HookEnvelope[];
  closed: boolean;
}

/** Accepts everything once per key. */
export function testApp(change: Partial<DaemonApp> = {}): TestApp {
  const keys = new Set<string>();
  const app: TestApp = {
    commits: [],
    accepted: [],
    closed: false,
    commit: (envelopes) => {
      app.commits.push(envelopes.map(({ key }) => key));
      app.accepted.push(...envelopes);
      return envelopes.map(({ key }) => {
        const fresh = !keys.has(key);
        keys.add(key);
        return { context: fresh ? `hello ${key.slice(-2)}` : "", fresh };
      });
    },
    delivered: () => undefined,
    steps: [],
    leavesNoRecord: () => false,
    fetch: (request, transport) =>
      Response.json({ path: new URL(request.url).pathname, transport }),
    work: async () => null,
    pendingJobs: () => 0,
    runDueNow: () => undefined,
    rest: () => undefined,
    isIdle: () => true,
    close: () => {
      app.closed = true;
    },
    ...change,
  };
  return app;
}

export interface TestDaemon extends AsyncDisposable {
  readonly app: TestApp;
  readonly stop: (reason: string) => void;
  readonly outcome: Promise<DaemonOutcome>;
}

export const testContext = (
  home: TestHome,
  change: Partial<DaemonContext> = {},
): DaemonContext => ({
  paths: home.paths,
  env: {},
  clock: stoppedClock(1_700_000_000_000),
  random: { hex: () => "abcd" },
  version: "1.2.3",
  log: silentLog,
  ...change,
});

/** A whole daemon in this process, listening when the promise resolves. */
export async function testDaemon(
  home: TestHome,
  change: {
    readonly app?: Partial<DaemonApp>;
    readonly context?: Partial<DaemonContext>;
    readonly options?: Partial<DaemonOptions>;
    readonly log?: Log;
  } = {},
): Promise<TestDaemon> {
  const app = testApp(change.app);
  const up = Promise.withResolvers<(reason: string) => void>();
  const context = testContext(home, { log: change.log ?? silentLog, ...change.context });
  const outcome = runDaemon(context, {
    port: 0,
    idleExitMs: null,
    openApp: () => app,
    onStopSignal: up.resolve,
    ...change.options,
  });
  const stop = await Promise.race([up.promise, outcome.then(() => () => undefined)]);
  return {
    app,
    stop,
    outcome,
    [Symbol.asyncDispose]: async () => {
      stop("end of test");
      await outcome;
    },
  };
}
