/**
 * `continuity doctor`: gathers what is looked at, drives the installed hooks in a home of their own, mends what is
 * safe.
 */
import { errorMessage, recordOf } from "#kit";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCliFailure, type Local } from "#cli";
import { hookEntryFor, registeredEvents } from "#clients";
import { connectDaemon, stopDaemon } from "#daemon";
import {
  agentChecks,
  daemonFacts,
  diagnose,
  homeFacts,
  installFacts,
  selfTest,
  skipped,
  type Facts,
  type HookRun,
  type InstalledHook,
  type SelfTestPorts,
  clearLost,
} from "#keep";
import { type Check, homePaths, type Context, type Remedy } from "#domain";
import { modelFacts, storeFacts } from "./doctor-store.ts";

export interface DoctorDeps {
  readonly app: Context;
  readonly cwd: string;
  /** This program; null when it runs from source. */
  readonly binary: string | null;
  readonly setup: Local["setup"];
  /** Starts a daemon if need be and waits until everything that waits is taken in. */
  readonly flush: () => Promise<unknown>;
}

export const createDoctor =
  (deps: DoctorDeps): Local["doctor"] =>
  async ({ fix, selfTest: isWanted }) => {
    const before = await examine(deps, isWanted && !fix);
    const remedies = fix ? before.flatMap(({ remedy }) => remedy ?? []) : [];
    const fixed: string[] = [];
    for (const remedy of remedies) fixed.push(await applied(deps, remedy));
    const checks = fix ? await examine(deps, isWanted) : before;
    return {
      ok: checks.every(({ state }) => state !== "failed"),
      version: deps.app.version,
      checks,
      fixed: [...new Set(fixed)],
    };
  };

async function examine(deps: DoctorDeps, isTested: boolean): Promise<readonly Check[]> {
  const facts = await factsOf(deps);
  const agents = await agentChecks(placeOf(deps));
  const hooks = drivable(facts.install, agents.length > 0 ? deps.binary : null);
  const tested = isTested
    ? await inThrowAwayHome(deps.app.env, (ports) => selfTest(ports, hooks))
    : skipped("self-test", "not asked for");
  return [...diagnose(facts), tested, ...agents];
}

/**
 * The hooks of the first place that has some, unless they would run what only a project names. Where Claude Code has
 * none and another agent is installed, those that an install of this program would write.
 */
function drivable(
  { places, programs }: Facts["install"],
  binary: string | null,
): readonly InstalledHook[] {
  if (binary !== null && places.every(({ hooks }) => hooks.length === 0))
    return registeredEvents.map((event) => Object.assign({ event }, hookEntryFor(event, binary)));
  const trusted = new Set(programs.filter(({ isTrusted }) => isTrusted).map(({ path }) => path));
  const place = places.find(
    ({ hooks, isOfProject }) =>
      hooks.length > 0 &&
      (!isOfProject || hooks.every(({ args, command }) => args !== null && trusted.has(command))),
  );
  return place?.hooks ?? [];
}

const placeOf = ({ app: { env }, binary, cwd }: DoctorDeps) => ({ env, binary, cwd });

async function factsOf(deps: DoctorDeps): Promise<Facts> {
  const { app } = deps;
  const daemon = await daemonFacts(app);
  // A daemon that hangs holds the database's lock for writing only; reading goes on.
  const store = await storeFacts(app, daemon.state === "running");
  return {
    nowMs: app.clock.nowMs(),
    version: app.version,
    install: await installFacts(placeOf(deps)),
    home: homeFacts(app),
    daemon,
    store,
    model: await modelFacts(app),
  };
}

/** One repair; told in words. */
async function applied({ app, setup, flush }: DoctorDeps, remedy: Remedy): Promise<string> {
  switch (remedy.type) {
    case "install": {
      const report = await setup.install({
        agent: null,
        dryRun: false,
        project: false,
        plugin: false,
        statusLine: false,
      });
      return report.failed ? "the hooks could not be installed" : "installed the hooks anew";
    }
    case "modes":
      for (const { path, mode } of remedy.changes) chmodSync(path, mode);
      return remedy.changes.map(({ path, mode }) => `chmod ${mode.toString(8)} ${path}`).join(", ");
    case "stop-daemon":
      return `ended the daemon: ${await stopDaemon(app.paths)}`;
    case "flush":
      try {
        await flush();
        return "processed the spool";
      } catch (error) {
        if (!isCliFailure(error)) throw error;
        return `the spool was not processed: ${error.message}`;
      }
    case "clear-lost":
      clearLost(app.paths);
      return "cleared the message about lost events";
    default:
      return remedy satisfies never;
  }
}

/** The client waits this long, in seconds, when a hook names no timeout. */
const clientTimeoutSeconds = 60;
const settleMs = 20_000;

/** A throw-away home: another store, another daemon, no model, nothing of the user's. */
async function inThrowAwayHome(
  given: Context["env"],
  use: (ports: SelfTestPorts) => Promise<Check>,
): Promise<Check> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "continuity-doctor-")));
  const home = join(folder, "home");
  const env = { ...clientEnvironment(given, folder), CONTINUITY_HOME: home };
  mkdirSync(home, { mode: 0o700 });
  try {
    return await use({
      folder,
      run: async (hook, payload) => {
        const { command, args } = hook;
        const words = args === null ? ["sh", "-c", command] : [command, ...args];
        const timeout = (hook.timeout ?? clientTimeoutSeconds) * 1_000;
        return runHook(words, payload, { env, cwd: folder, timeout });
      },
      settle: async () => settled(home),
    });
  } finally {
    await stopDaemon(homePaths(home));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The client's variables for a hook, and ours so that nothing else is reached and no model is asked. */
function clientEnvironment(env: Context["env"], folder: string): Context["env"] {
  const theirs = Object.entries(env).filter(([name]) => !name.startsWith("CONTINUITY_"));
  return {
    ...Object.fromEntries(theirs),
    CLAUDECODE: "1",
    CLAUDE_PROJECT_DIR: folder,
    CLAUDE_CODE_SESSION_ID: "doctor-a",
    CONTINUITY_PORT: "0",
  };
}

async function runHook(
  words: readonly string[],
  payload: string,
  how: { readonly env: Context["env"]; readonly cwd: string; readonly timeout: number },
): Promise<HookRun> {
  const started = performance.now();
  const msSince = (): number => Math.round((performance.now() - started) * 10) / 10;
  try {
    const child = Bun.spawn([...words], {
      ...how,
      stdin: new Blob([payload]),
      stdout: "pipe",
      stderr: "pipe",
      killSignal: "SIGKILL",
    });
    const status = await child.exited;
    const ms = msSince();
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { status: child.signalCode === null ? status : null, out, err, ms };
  } catch (error) {
    const err = errorMessage(error);
    return { status: -1, out: "", err, ms: msSince() };
  }
}

const pollMs = 50;

/** Waits for the daemon that the hooks started, and for it to have digested everything. */
async function settled(home: string): Promise<boolean> {
  const endMs = performance.now() + settleMs;
  while (performance.now() < endMs) {
    const daemon = await connectDaemon(homePaths(home));
    if (daemon === null) {
      await Bun.sleep(pollMs);
      continue;
    }
    const response = await daemon.fetch("/api/flush", {
      method: "POST",
      body: JSON.stringify({ timeoutMs: settleMs }),
    });
    return recordOf(await response.json())["done"] === true;
  }
  return false;
}
