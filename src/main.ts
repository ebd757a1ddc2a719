/**
 * The program's first frame: the only reader of argv, environment and exit status.
 *
 * A hook runs at every prompt and tool call, so its path is imported at once and is small; everything else (the
 * command line, the daemon, the spool, the database) is loaded by whoever needs it.
 */
import {
  captureLimits,
  readStdin,
  runHook,
  writeText,
  type AwayHook,
  type HookProcess,
} from "#hooks";
import { homePaths, homeRoot, userHome } from "#domain";
import { systemClock } from "#kit";
import { version } from "../package.json";

const { env } = process;

/**
 * Puts the account's home folder in place of a HOME that is missing, empty or relative (`env -i`, cron, some services):
 * otherwise whatever is written "at home" would land in the working folder. Where the account has none, HOME stays
 * unset.
 */
async function settleHome(): Promise<void> {
  delete env["HOME"];
  delete env["USERPROFILE"];
  const { userInfo } = await import("node:os");
  try {
    const { homedir } = userInfo();
    if (userHome({ HOME: homedir }) !== null) env["HOME"] = homedir;
  } catch {
    // A user id without an account, as in some containers: whoever needs a home says so.
  }
}

/** From source the runtime is the program and this file its first argument; compiled, the program is all. */
const command = Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main];

const loadAway = async (): Promise<AwayHook> => {
  const { awayHook } = await import("./app/hook-away.ts");
  return awayHook(env, command);
};

const hookProcess: HookProcess = {
  env,
  readStdin: async () => readStdin(captureLimits.stdinMs),
  print: async (text) => writeText("stdout", text),
};

/** Before every command and edit of the agent: a chunk of its own, and no daemon. */
const guardHook = async (): Promise<number> => {
  const { runGuardHook } = await import("#hooks/guard");
  return runGuardHook(hookProcess, async (paths, line) => (await loadAway()).note(paths, line));
};

/** Started by a hook that had no time for a long text. */
const courier = async (): Promise<number> => {
  const root = homeRoot(env);
  const input = await readStdin(captureLimits.courierMs);
  if (root === null || input.type !== "text") return 1;
  const place = { paths: homePaths(root), env, clock: systemClock };
  await (await loadAway()).carry(place, input.text);
  return 0;
};

const hook = async (argv: readonly string[]): Promise<number> => {
  const [only, ...more] = argv;
  if (only === "guard" && more.length === 0) return guardHook();
  return only === "courier" && more.length === 0 ? courier() : claudeHook(argv);
};

const claudeHook = async (argv: readonly string[]): Promise<number> =>
  runHook({
    ...hookProcess,
    argv,
    version,
    startedAtMs: performance.timeOrigin,
    elapsedMs: () => performance.now(),
    clock: systemClock,
    invocation: `${process.pid}-${performance.timeOrigin}`,
    complain: async (line) => writeText("stderr", `${line}\n`),
    loadAgent: async (name) => {
      const { hookAdapter } = await import("./app/hook-agent.ts");
      return hookAdapter(name);
    },
    loadAway,
  });

/** Drawn again and again while the agent works: as light as a hook, in a chunk of its own. */
const statusLine = async (): Promise<number> => {
  const { runStatusLine } = await import("#hooks/status-line");
  return runStatusLine(hookProcess);
};

async function run(argv: readonly string[]): Promise<number> {
  if (userHome(env) === null) await settleHome();
  const [first, ...rest] = argv;
  if (first === "hook") return hook(rest);
  if (first === "statusline" && rest.length === 0) return statusLine();
  const { runCommandLine } = await import("./app/command-line.ts");
  return runCommandLine({
    argv,
    env,
    version,
    command,
    cwd: process.cwd(),
    hook,
    statusLine,
  });
}

// Not awaited: the runtime gives back the pages of what is embedded (12 MB of model) once this module has been
// evaluated, and the daemon runs until it is stopped.
void run(process.argv.slice(2)).then((code) => process.exit(code));
