/**
 * The real Claude Code client, offline: installed once, run headless, killed with all that it started.
 *
 * The platform's package is installed directly: the wrapper package links its binary in an install script, which npm 11
 * does not run unasked, and wants Node 22. Nothing of the caller's environment reaches the client but PATH and locale.
 * Tests only.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Version that the hooks were last tried with; `CONTINUITY_CLAUDE_VERSION` names another. */
export const triedClaude = "2.1.332";
const version = process.env["CONTINUITY_CLAUDE_VERSION"] ?? triedClaude;
const cache = join(import.meta.dir, "..", "..", ".cache", "claude-code");

/** `@anthropic-ai/claude-code-linux-x64` and the like. */
export function claudePackage(): string {
  const isMusl =
    process.platform === "linux" &&
    existsSync("/lib") &&
    readdirSync("/lib").some((name) => name.startsWith("ld-musl-"));
  return `@anthropic-ai/claude-code-${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
}

/** Path of the client, installed on first use; null with the reason when this machine cannot get it. */
export function installClient():
  | { readonly path: string }
  | { readonly path: null; readonly why: string } {
  const packageName = claudePackage();
  const folder = join(cache, version);
  const binary = process.platform === "win32" ? "claude.exe" : "claude";
  const path = join(folder, "node_modules", packageName, binary);
  if (existsSync(path)) return { path };
  // Beside its place and renamed into it: a test run that is killed leaves no half client behind.
  const half = `${folder}.${process.pid}.part`;
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, "package.json"), '{"private": true}\n');
  const npm = spawnSync(
    "npm",
    [
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--loglevel=error",
      `${packageName}@${version}`,
    ],
    { cwd: half, encoding: "utf8", timeout: 300_000, shell: process.platform === "win32" },
  );
  if (npm.status !== 0) {
    rmSync(half, { recursive: true, force: true });
    return { path: null, why: npm.error?.message ?? npm.stderr.trim().slice(0, 500) };
  }
  try {
    renameSync(half, folder);
  } catch {
    rmSync(half, { recursive: true, force: true }); // Another run was first.
  }
  return existsSync(path) ? { path } : { path: null, why: `${packageName} holds no ${binary}` };
}

export interface ClientRun {
  /** Home folder; the client's settings and transcripts lie in `.claude` below it. */
  readonly home: string;
  /** Working folder. */
  readonly project: string;
  readonly apiUrl: string;
  /** One after the other, each sent when the answer to the one before is there. */
  readonly prompts: readonly string[];
  /** Session to go on with. */
  readonly resume?: string;
  readonly extraArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Everything that the client started is killed after this. Default 90 s. */
  readonly timeoutMs?: number;
}

export interface ClientEvent {
  readonly type: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly hook_event?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit_code?: number;
  readonly outcome?: string;
  readonly [field: string]: unknown;
}

export interface ClientResult {
  /** Lines of stream-json, the hooks' among them. */
  readonly events: readonly ClientEvent[];
  readonly sessionId: string;
  /** Null when it was killed. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly stderr: string;
}

/** Runs one headless session. Rejects only when the client cannot be started. */
export function runClient(path: string, run: ClientRun): Promise<ClientResult> {
  const child = spawn(path, argumentsOf(run), {
    cwd: run.project,
    env: environmentOf(run),
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own: what a terminal sends to this process must not reach the client.
    detached: true,
  });
  const events: ClientEvent[] = [];
  const waiting = [...run.prompts];
  const sendNext = (): void => {
    const prompt = waiting.shift();
    if (prompt === undefined) child.stdin.end();
    else
      child.stdin.write(
        `${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`,
      );
  };
  let stderr = "";
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killTree(child.pid);
  }, run.timeoutMs ?? 90_000);

  child.stdin.on("error", () => undefined); // The client may be gone before its input is.
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  onLines(child.stdout.setEncoding("utf8"), (line) => {
    const event = parseEvent(line);
    if (event === null) return;
    events.push(event);
    if (event.type === "result") sendNext();
  });
  sendNext();

  return new Promise((resolve, reject) => {
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      const sessionId = events.find(({ session_id }) => session_id !== undefined)?.session_id ?? "";
      resolve({ events, sessionId, exitCode, timedOut, stderr });
    });
  });
}

/** `hookOutputs` lists the outputs of an event's hooks, in order. */
export const hookOutputs = (result: ClientResult, hookEvent: string): readonly string[] =>
  result.events
    .filter(({ subtype, hook_event }) => subtype === "hook_response" && hook_event === hookEvent)
    .map(({ stdout }) => stdout ?? "");

const argumentsOf = (run: ClientRun): readonly string[] => [
  "--print",
  "--input-format",
  "stream-json",
  "--output-format",
  "stream-json",
  "--include-hook-events",
  "--verbose",
  "--permission-mode",
  "bypassPermissions",
  ...(run.resume === undefined ? [] : ["--resume", run.resume]),
  ...(run.extraArgs ?? []),
];

/** `environmentOf` gives the client's environment, headless or in a terminal. */
export const environmentOf = (
  run: Pick<ClientRun, "home" | "apiUrl" | "env">,
): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  LANG: process.env["LANG"] ?? "C.UTF-8",
  HOME: run.home,
  ANTHROPIC_BASE_URL: run.apiUrl,
  ANTHROPIC_API_KEY: "not-a-key",
  // Root may bypass permissions only where it says that it is in a sandbox.
  IS_SANDBOX: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  ...run.env,
});

/** The client gives each shell command a group of its own, so its group alone would leave those behind. */
function killTree(root: number | undefined): void {
  if (root === undefined) return;
  for (const target of [-root, ...withDescendants(root)]) {
    try {
      process.kill(target, "SIGKILL");
    } catch {
      // Gone already: kill is the only call here.
    }
  }
}

/** The process and all below it, as `ps` sees them now; the process alone where there is no `ps`. */
function withDescendants(root: number): readonly number[] {
  const listing = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout ?? "";
  const pairs = listing
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  // Grows while it is walked: children are appended behind their parents.
  for (const parent of found) {
    for (const [pid, ppid] of pairs) if (ppid === parent && pid !== undefined) found.push(pid);
  }
  return found;
}

function onLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = "";
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  });
}

function parseEvent(line: string): ClientEvent | null {
  try {
    return JSON.parse(line) as ClientEvent;
  } catch {
    return null; // Not every line the client prints is an event.
  }
}
