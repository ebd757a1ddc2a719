/**
 * Runs the client once, as a language model and nothing else: in an empty folder of our own, with an environment from
 * a list, its input on stdin (arguments show in `ps`), and with a deadline after which nothing of it is left.
 */
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { modelFolderName } from "#domain";
import { err, errorMessage, listedVariables, ok, type Result, sha256 } from "#kit";
import { createSlots, detailOf, llmLimits } from "./breaker.ts";
import type { Answer } from "./read-json.ts";
import {
  isThere,
  killLeftBy,
  killTree,
  parentOf,
  untilGone,
  variableOf,
  visibleProcesses,
} from "./processes.ts";
import type { ModelContext } from "./http.ts";

interface ClaudeCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Beside the listed ones. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that this client may have too: where its login and its files lie. */
  readonly inherits?: readonly string[];
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface ClaudeOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when a signal ended it. */
  readonly status: number | null;
}

type RunFailure = "timeout" | "stopped" | { readonly detail: string };

/** The variables that a model call needs beside that: a shell, the login, the way out. No keys. */
const inherited: ReadonlySet<string> = new Set([
  "SHELL",
  "XDG_CONFIG_HOME",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  // The folder of the user's login, when not at its usual place.
  "CLAUDE_CONFIG_DIR",
  // A login for machines without a browser (`claude setup-token`); it is the subscription's, not an API key.
  "CLAUDE_CODE_OAUTH_TOKEN",
  "APPDATA",
]);

/** Our own hooks exit at once; nothing is reported, updated, remembered or cached; an error is told, not retried. */
const fixed: Readonly<Record<string, string>> = {
  CONTINUITY_INTERNAL: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
  MAX_STRUCTURED_OUTPUT_RETRIES: "1",
  MAX_THINKING_TOKENS: "0",
  // Writing to the cache costs a quarter more, and nothing of ours is ever sent twice.
  DISABLE_PROMPT_CACHING: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
};

/** Marks every process of a call; inherited by whatever the client starts. */
const markName = "CONTINUITY_CALL";

const stderrBytesMax = 64_000;

/** Runs a provider's client: one call at a time, the first one after what a killed daemon left is gone. */
export function createRunner(deps: ModelContext) {
  const closing = new AbortController();
  const slots = createSlots(1);
  let isSwept = false;
  return {
    run: (command: Omit<ClaudeCommand, "signal">): ReturnType<typeof runClaude> =>
      slots.run(async () => {
        if (!isSwept) await killLeftOver(deps.home);
        isSwept = true;
        return runClaude(deps, { ...command, signal: closing.signal });
      }),
    close: async () => {
      closing.abort();
      // A process that still runs there is ending; after that nothing of it is left.
      await slots.idle();
    },
  };
}

/** The answer of a client that printed nothing. */
export function notRun(program: string, failure: RunFailure, timeoutMs: number): Answer {
  if (failure === "timeout") return err({ type: "llm.timeout", afterMs: timeoutMs });
  const detail = failure === "stopped" ? failure : detailOf(`${program}: ${failure.detail}`, null);
  return err({ type: "llm.unavailable", detail });
}

async function runClaude(
  deps: ModelContext,
  command: ClaudeCommand,
): Promise<Result<ClaudeOutput, RunFailure>> {
  if (command.signal.aborted) return err("stopped");
  const cwd = emptyFolder(join(deps.home, modelFolderName));
  if (!cwd.ok) return err({ detail: cwd.error });
  const mark = `${markOf(deps.home)}-${process.pid}-${deps.random.hex(16)}`;
  const env = {
    ...listedVariables(deps.env, new Set([...inherited, ...(command.inherits ?? [])])),
    ...fixed,
    ...command.env,
    [markName]: mark,
  };
  const started = spawn(command, cwd.value, env);
  if (!started.ok) return started;
  const child = started.value;

  const stop = Promise.withResolvers<"timeout" | "stopped">();
  const timer = setTimeout(() => stop.resolve("timeout"), command.timeoutMs);
  const onAbort = (): void => stop.resolve("stopped");
  command.signal.addEventListener("abort", onAbort, { once: true });
  try {
    const output = collect(child);
    const ended = await Promise.race([output, stop.promise]);
    return typeof ended === "string" ? err(ended) : ok(ended);
  } finally {
    clearTimeout(timer);
    command.signal.removeEventListener("abort", onAbort);
    // After a plain end too: what it left behind holds our folder and may hold our prompt.
    const kill = isRunning(child) ? killTree : killLeftBy;
    await untilGone(kill(child.pid, `${markName}=${mark}`));
    await child.exited;
  }
}

type Child = Bun.Subprocess<Uint8Array, "pipe", "pipe">;

const isRunning = (child: Child): boolean => child.exitCode === null && child.signalCode === null;

function spawn(
  { program, args, input }: ClaudeCommand,
  cwd: string,
  env: Record<string, string>,
): Result<Child, RunFailure> {
  try {
    return ok(
      Bun.spawn([program, ...args], {
        cwd,
        env,
        stdin: new TextEncoder().encode(input),
        stdout: "pipe",
        stderr: "pipe",
        // A group of its own, to be killed as one.
        detached: true,
        windowsHide: true,
      }),
    );
  } catch (error) {
    return err({ detail: errorMessage(error) });
  }
}

async function collect(child: Child): Promise<ClaudeOutput> {
  const stdout = gather(child.stdout, llmLimits.replyBytesMax);
  const stderr = gather(child.stderr, stderrBytesMax);
  const status = await child.exited;
  // A grandchild may hold the pipes open for ever.
  const drained = Promise.all([stdout.done, stderr.done]);
  await Promise.race([drained, Bun.sleep(llmLimits.drainMs)]);
  return {
    stdout: stdout.text(),
    stderr: stderr.text(),
    status: child.signalCode === null ? status : null,
  };
}

/** Reads all, keeps `bytesMax`. */
function gather(stream: ReadableStream<Uint8Array>, bytesMax: number) {
  const chunks: Uint8Array[] = [];
  let bytesLeft = bytesMax;
  const read = async (): Promise<void> => {
    for await (const chunk of stream) {
      chunks.push(chunk.subarray(0, bytesLeft));
      bytesLeft = Math.max(0, bytesLeft - chunk.byteLength);
    }
  };
  // A pipe that breaks ends what can be read; the exit status tells the rest.
  return {
    text: () => Buffer.concat(chunks).toString("utf8"),
    done: read().catch(() => undefined),
  };
}

/** Makes the folder, or empties it: what lies in a working folder can find its way into a prompt. */
function emptyFolder(folder: string): Result<string, string> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!lstatSync(folder).isDirectory()) return err(`${folder} is no folder`);
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    return ok(folder);
  } catch {
    return err(`${folder} cannot be made and emptied`);
  }
}

/** The same for all calls of one home. */
const markOf = (home: string): string => sha256(home, 12);

/**
 * Kills calls of a daemon that was itself killed: the process that their mark names is gone, or is not the one that
 * started them. On Linux; elsewhere such a call ends by itself when its answer is there.
 */
async function killLeftOver(home: string): Promise<void> {
  for (const pid of visibleProcesses()) {
    const mark = variableOf(pid, markName);
    const owner = new RegExp(`^${markOf(home)}-(\\d+)-`).exec(mark ?? "")?.[1];
    if (mark === null || owner === undefined) continue;
    if (!isThere(Number(owner)) || parentOf(pid) === 1)
      await untilGone(killTree(pid, `${markName}=${mark}`));
  }
}
