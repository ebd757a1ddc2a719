/**
 * The Claude Code client as a language model: the subscription that the user has already. One process at a time; what
 * keeps it from being a session (hooks, memory, transcripts, tools) was measured with the real client and is tested
 * with it in test/e2e/claude-cli.test.ts.
 */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { z } from "zod";
import type { Provider, ProviderCall } from "#domain";
import { err, ok, type Result, parseJson } from "#kit";
import { readClaude } from "./claude-result.ts";
import { type ClaudeOutput, createRunner, notRun } from "./claude-run.ts";
import { llmLimits } from "./breaker.ts";
import { createMeter } from "./meter.ts";
import type { ModelContext } from "./http.ts";

export interface ClaudeCliOptions {
  /** Empty = look for it. */
  readonly path: string;
  /** An API key instead of the client's own login. */
  readonly key: string | null;
  /** Another Messages API; null = the client's own. */
  readonly baseUrl: string | null;
}

export function createClaudeCli(deps: ModelContext, options: ClaudeCliOptions): Provider {
  const { run, close } = createRunner(deps);
  const access = accessOf(options);
  return {
    name: "claude-cli",
    call: async (call) => {
      const found = findClaude({ path: options.path, env: deps.env });
      if (!found.ok) return err({ type: "llm.none", detail: found.error });
      const meter = createMeter(deps.clock, call);
      const ran = await run({
        program: found.value,
        args: argumentsOf(call, options.key !== null),
        input: call.prompt,
        timeoutMs: call.timeoutMs,
        env: { ...access, CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(call.replyTokensMax) },
      });
      if (!ran.ok) return notRun("claude", ran.error, call.timeoutMs);
      return readClaude(ran.value, { meter, secret: options.key, nowMs: deps.clock.nowMs() });
    },
    probe: async () => {
      const found = findClaude({ path: options.path, env: deps.env });
      if (!found.ok) return { usable: false, reason: found.error };
      const { value: program } = found;
      if (options.key !== null)
        return { usable: true, reason: `${program}, with an API key of its own` };
      const ran = await run({
        program,
        args: ["auth", "status"],
        input: "",
        timeoutMs: llmLimits.probeMs,
        env: access,
      });
      return ran.ok
        ? loginOf(program, ran.value)
        : { usable: false, reason: `${program} does not answer` };
    },
    close,
  };
}

const accessOf = ({ key, baseUrl }: ClaudeCliOptions): Readonly<Record<string, string>> => ({
  ...(key === null ? {} : { ANTHROPIC_API_KEY: key }),
  ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: baseUrl }),
});

/** The prompt is not among them: arguments show in `ps`. The system prompt is ours alone and says nothing. */
const argumentsOf = (call: ProviderCall, hasKey: boolean): readonly string[] => [
  "-p",
  // Refuses the subscription's login, so it is for keys only.
  ...(hasKey ? ["--bare"] : ["--disable-slash-commands"]),
  "--model",
  call.model,
  "--tools",
  "",
  "--no-session-persistence",
  "--setting-sources",
  "",
  "--strict-mcp-config",
  "--system-prompt",
  call.system,
  "--settings",
  JSON.stringify({ disableAllHooks: true, autoMemoryEnabled: false }),
  "--output-format",
  "json",
  "--json-schema",
  JSON.stringify(call.schema),
];

const Login = z.object({ loggedIn: z.boolean(), authMethod: z.string().optional() });

/** `claude auth status` looks at files, sends nothing and costs nothing. Older clients do not have it. */
function loginOf(
  program: string,
  { stdout }: ClaudeOutput,
): Awaited<ReturnType<Provider["probe"]>> {
  const { data } = Login.safeParse(parseJson(stdout));
  if (data === undefined) return { usable: true, reason: `${program} (its login is not known)` };
  return data.loggedIn
    ? {
        usable: true,
        isLoggedIn: true,
        reason: `${program}, logged in (${data.authMethod ?? "unknown method"})`,
      }
    : { usable: false, reason: `${program} is not logged in; run it and type /login` };
}

// Finds the `claude` that a call runs: the one that the user's configuration names, else the first on the PATH. The
// daemon's PATH is that of the hook that started it, and a project can put its own folders there; so only absolute
// folders count, none within `node_modules`, and only programs that no other user may change.

interface ClaudePlace {
  /** From the configuration; empty = look for it. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Path of the program, or in words why there is none. */
export function findClaude(place: ClaudePlace): Result<string, string> {
  if (place.path !== "")
    return isAbsolute(place.path) && isSafeProgram(place.path)
      ? ok(place.path)
      : err(`llm.claude-cli.path: ${place.path} is no program that only you may change`);
  return findProgram("claude", place.env);
}

/** The same for a program that no setting names. */
export function findProgram(program: string, env: ClaudePlace["env"]): Result<string, string> {
  for (const folder of foldersOf(env)) {
    for (const name of namesOf(program)) {
      const file = join(folder, name);
      if (isSafeProgram(file)) return ok(file);
    }
  }
  return err(`there is no \`${program}\` on the PATH`);
}

/** The folders of the clients' own installers, for a daemon whose PATH is shorter than its user's. */
const usualFolders: readonly string[] = [
  ".local/bin",
  ".claude/local",
  ".bun/bin",
  ".opencode/bin",
  ".npm-global/bin",
];

function foldersOf(env: ClaudePlace["env"]): readonly string[] {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  const usual = isAbsolute(home) ? usualFolders.map((folder) => join(home, folder)) : [];
  return [...(env["PATH"] ?? "").split(delimiter), ...usual].filter(
    (folder) => isAbsolute(folder) && !/[\\/]node_modules(?:[\\/]|$)/.test(folder),
  );
}

const namesOf = (program: string): readonly string[] =>
  process.platform === "win32" ? [`${program}.exe`, `${program}.cmd`] : [program];

const othersMayWrite = 0o002;

/** A plain file that may be run and that belongs to this user or to the system. */
function isSafeProgram(file: string): boolean {
  try {
    const real = realpathSync(file);
    accessSync(real, constants.X_OK);
    const found = statSync(real);
    if (process.getuid === undefined) return found.isFile();
    const isOwn = found.uid === process.getuid() || found.uid === 0;
    return found.isFile() && isOwn && (found.mode & othersMayWrite) === 0;
  } catch {
    return false; // Not there, or not ours to run.
  }
}
