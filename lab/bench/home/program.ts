/** The built program as a subject: real hook processes, a daemon that is stopped by its lock, and a home that can be put back. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { stopDaemon } from "#daemon";
import { homePaths } from "#domain";
import type { ListedMemory, Subject, ToolCall } from "./subject.ts";

export interface ProgramOptions {
  readonly binary: string;
  /** Everything is below this folder. */
  readonly root: string;
  /** Settings for the home; without them, or a played model, no model is asked. */
  readonly config: string | null;
  /** Address of a played model (lab/bench/played): it is asked in the place of Anthropic's. */
  readonly playedUrl: string | null;
}

/** A played model answers as fast as a person writes. */
const flushSeconds = { usual: 300, played: 7_200 } as const;
const msBeyondFlush = 300_000;

export function openSubject({ binary, root, config, playedUrl }: ProgramOptions): Subject {
  const home = join(root, "home", "dev");
  const data = join(home, ".continuity");
  const saved = join(root, "saved");
  const paths = homePaths(data);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  if (config !== null) copyFileSync(config, paths.config);
  if (playedUrl !== null) pointAt(playedUrl, data, paths.config);
  const env = environmentOf(home, data);
  const seconds = playedUrl === null ? flushSeconds.usual : flushSeconds.played;
  const run = async (args: readonly string[], given: Given = {}): Promise<string> => {
    const child = Bun.spawn([binary, ...args], {
      cwd: given.cwd !== undefined && existsSync(given.cwd) ? given.cwd : home,
      env: given.atMs === undefined ? env : { ...env, CONTINUITY_NOW: `${given.atMs}` },
      stdin: new Blob([given.input ?? ""]),
      stdout: "pipe",
      stderr: "ignore",
      timeout: seconds * 1_000 + msBeyondFlush,
    });
    const out = await new Response(child.stdout).text();
    await child.exited;
    return out;
  };
  const stop = async (): Promise<void> => void (await stopDaemon(paths));
  const flush = async (): Promise<void> => void (await run(["flush", "--timeout", `${seconds}s`]));
  return {
    home,
    hook: async (payload, atMs) =>
      contextOf(await run(["hook"], { input: JSON.stringify(payload), cwd: payload.cwd, atMs })),
    callTool: (call) => calledOver({ binary, env }, call),
    tools: () => toolsOver({ binary, env }, home),
    flush,
    memories: async () => listed(await run(["list", "--json"])),
    importFrom: (folder, atMs) =>
      run(["import", "--from", "claude-code", folder, "--json"], { atMs }),
    save: async () => {
      await flush();
      await stop();
      rmSync(saved, { recursive: true, force: true });
      cpSync(data, saved, { recursive: true, filter: isLasting });
    },
    back: async () => {
      await stop();
      rmSync(data, { recursive: true, force: true });
      cpSync(saved, data, { recursive: true });
      // The first hook shall find a daemon, as it does in use.
      await flush();
    },
    stop,
    stored: () => filesBelow(saved).map(unpacked),
  };
}

interface Program {
  readonly binary: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Asks the program's own server, which a client starts for each session. */
async function overServer<T>(
  { binary, env }: Program,
  cwd: string,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: "claude-code", version: "2.1.0" });
  await client.connect(new StdioClientTransport({ command: binary, args: ["mcp"], env, cwd }));
  try {
    return await ask(client);
  } finally {
    await client.close();
  }
}

function calledOver(
  { binary, env }: Program,
  { name, input, sessionId, cwd, atMs }: ToolCall,
): Promise<string> {
  const told = { ...env, CLAUDE_CODE_SESSION_ID: sessionId, CONTINUITY_NOW: `${atMs}` };
  return overServer({ binary, env: told }, cwd, async (client) => {
    const { content } = await client.callTool({ name, arguments: { ...input } });
    return content.map((one) => (one.type === "text" ? one.text : "")).join("\n");
  });
}

const toolsOver = (program: Program, cwd: string): Promise<string> =>
  overServer(program, cwd, async (client) => {
    const { tools } = await client.listTools();
    const told = tools.map(({ name, description, inputSchema }) =>
      [name, description ?? "", JSON.stringify(inputSchema)].join("\n"),
    );
    return [client.getInstructions() ?? "", ...told, ""].join("\n\n");
  });

/** The address to which a key is sent stands in a file only, and the key beside it: a dummy here. */
function pointAt(url: string, data: string, config: string): void {
  const keys = join(data, "keys");
  mkdirSync(keys, { recursive: true, mode: 0o700 });
  writeFileSync(join(keys, "anthropic"), "played", { mode: 0o600 });
  const told = existsSync(config) ? readFileSync(config, "utf8") : "";
  writeFileSync(
    config,
    `${told}\n[llm]\nprovider = "anthropic"\ntimeout_seconds = ${flushSeconds.played}\ntokens_per_day = 100000000\n\n[llm.anthropic]\nbase_url = "${url}"\n`,
  );
}

interface Given {
  readonly input?: string;
  readonly cwd?: string;
  readonly atMs?: number;
}

/** Nothing of whoever runs the bench reaches the program but the path. */
function environmentOf(home: string, data: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env["PATH"] ?? "",
    LANG: "C.UTF-8",
    HOME: home,
    CONTINUITY_HOME: data,
    CONTINUITY_PORT: "0",
    CLAUDECODE: "1",
    CLAUDE_CODE_ENTRYPOINT: "cli",
  };
}

/**
 * `contextOf` gives the text that the client would put before its model; a hook that prints
 * anything else is taken at its word.
 */
function contextOf(out: string): string {
  if (out.trim() === "") return "";
  try {
    const answer = JSON.parse(out) as {
      readonly hookSpecificOutput?: { readonly additionalContext?: string };
    };
    return answer.hookSpecificOutput?.additionalContext ?? "";
  } catch {
    return out;
  }
}

const listed = (out: string): readonly ListedMemory[] =>
  out
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as ListedMemory);

/** Sockets and the daemon's own files name a process that is gone. */
const isLasting = (path: string): boolean =>
  !basename(path).startsWith("daemon.") && !statSync(path).isSocket();

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

function unpacked(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith(".zst") ? Bun.zstdDecompressSync(bytes) : bytes;
}
