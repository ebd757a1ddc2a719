/**
 * The compiled program in a home of its own: hooks as the client runs them, commands as a person does, and whatever
 * process comes of it. Tests and benchmarks only; `npm test` builds the program first.
 */
import { Database } from "bun:sqlite";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stopDaemon } from "#daemon";
import { homePaths, type HomePaths, type HookName } from "#domain";

export const binary = resolve(
  process.env["CONTINUITY_BINARY"] ?? join(import.meta.dir, "..", "..", "dist", "continuity"),
);

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Program and arguments that run ours, such as a shell that sets a limit. */
  readonly through?: readonly string[];
}

export interface HookOptions extends Omit<RunOptions, "input"> {
  /** Event time, epoch ms; by default the system's clock. */
  readonly atMs?: number;
}

export interface Program extends AsyncDisposable {
  readonly paths: HomePaths;
  /** Folder around the home, for projects and transcripts; deleted at the end. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
  /** Runs a hook with a payload. Throws when it does not exit 0 with nothing on stderr: no hook may, ever. */
  readonly hook: (
    name: HookName,
    payload: Readonly<Record<string, unknown>>,
    options?: HookOptions,
  ) => Promise<string>;
  /** Starts the daemon, so that the next hook is answered by it. */
  readonly up: () => Promise<void>;
  /** Waits until everything is processed; throws with the log when it is not. */
  readonly flush: () => Promise<void>;
  /** Pids of this home's daemons, those that are just starting included. Linux only. */
  readonly daemons: () => readonly number[];
  readonly stopDaemon: () => Promise<void>;
  /** The database, read-only, for what no command shows. Close it. */
  readonly database: () => Database;
  /** Makes a project folder with the metadata of a git repository. */
  readonly project: (name: string) => string;
  readonly log: () => string;
}

/** A home and a folder around it. `env` is added to what every process gets, and may name another home. */
export function openProgram(env: Readonly<Record<string, string>> = {}): Program {
  const folder = mkdtempSync(join(tmpdir(), "continuity-e2e-"));
  const paths = homePaths(env["CONTINUITY_HOME"] ?? join(folder, "home"));
  const base = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    CONTINUITY_HOME: paths.root,
    CONTINUITY_PORT: "0",
    ...env,
  };
  const run: Program["run"] = async (args, options = {}) =>
    runProgram(args, { base, folder, ...options });
  const log = (): string =>
    existsSync(`${paths.logs}/continuity.log`)
      ? readFileSync(`${paths.logs}/continuity.log`, "utf8")
      : "";
  const daemons = (): readonly number[] => daemonsOf(paths.root);
  const stop = async (): Promise<void> => {
    await stopDaemon(paths);
    // One that had been started but did not hold the lock yet.
    for (const pid of daemons()) kill(pid);
  };
  const flush = async (): Promise<void> => {
    const ran = await run(["flush", "--timeout", "60s"]);
    if (ran.status !== 0) throw new Error(`flush: ${ran.err}\n${log().slice(-2_000)}`);
  };
  return {
    paths,
    folder,
    env: base,
    run,
    up: async () => {
      mkdirSync(paths.root, { recursive: true, mode: 0o700 });
      await flush();
    },
    flush,
    hook: async (name, payload, { atMs, ...options } = {}) => {
      const now = atMs === undefined ? {} : { CONTINUITY_NOW: `${atMs}` };
      const input = JSON.stringify(payload);
      const ran = await run(["hook", name], { ...options, input, env: { ...options.env, ...now } });
      if (ran.status === 0 && ran.err === "") return ran.out;
      throw new Error(`hook ${name} ended with ${ran.status}: ${ran.err}`);
    },
    daemons,
    stopDaemon: stop,
    database: () => {
      const db = new Database(paths.database, { readonly: true });
      // A daemon that begins holds it for a moment.
      db.run("PRAGMA busy_timeout = 5000");
      return db;
    },
    project: (name) => {
      const root = join(folder, name);
      mkdirSync(join(root, ".git"), { recursive: true });
      writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
      writeFileSync(
        join(root, ".git", "config"),
        `[remote "origin"]\n\turl = git@example.com:team/${name}.git\n`,
      );
      return root;
    },
    log,
    [Symbol.asyncDispose]: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function runProgram(
  args: readonly string[],
  given: RunOptions & { readonly base: Readonly<Record<string, string>>; readonly folder: string },
): Promise<Ran> {
  const { base, folder, input, cwd, env, through } = given;
  const child = Bun.spawn([...(through ?? []), binary, ...args], {
    cwd: cwd ?? folder,
    env: { ...base, ...env },
    stdin: new Blob([input ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, out, err };
}

/** Daemons of a home by their environment, which names it: nobody else's process can be meant. */
function daemonsOf(root: string): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const words = procText(pid, "cmdline").split("\0");
      return words[1] === "serve" && procText(pid, "environ").includes(`CONTINUITY_HOME=${root}\0`);
    })
    .map(Number);
}

function procText(pid: string, file: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // It ended meanwhile, or is somebody else's.
  }
}

/** True when the process was there to be killed. */
export function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false; // It ended by itself.
  }
}

/** The text that a hook's output injects; empty when it injects none. */
export function contextOf(output: string): string {
  if (output === "") return "";
  const answer = JSON.parse(output) as {
    readonly hookSpecificOutput?: { readonly additionalContext?: string };
  };
  return answer.hookSpecificOutput?.additionalContext ?? "";
}

/** Looks again until it holds; throws with `what` when it never does. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 15_000,
): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`never: ${what}`);
    await Bun.sleep(20);
  }
}
