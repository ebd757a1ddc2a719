/**
 * Doctor's look at other agents and editors: what is installed in each, whether the agent trusts it, and what comes
 * through its hooks or starts as its MCP server.
 */
import { existsSync, readFileSync } from "node:fs";
import {
  agentFiles,
  agentProgram,
  agentSpecs,
  chainOf,
  chainWord,
  hookCommand,
  hookedAgents,
  isOurProgram,
  valueAt,
  type AgentFile,
  type ChainStep,
} from "#clients";
import { failed, fine, warned } from "./facts.ts";
import type { Place } from "./facts-install.ts";
import { type SelfTestPorts } from "./diagnose.ts";
import {
  type Check,
  agentTitles,
  type Editor,
  editors,
  otherAgents,
  type OtherAgent,
} from "#domain";

type Drive = (run: (ports: SelfTestPorts) => Promise<string | null>) => Promise<string | null>;

/** One check for each agent or editor that names us in its files; none for the others. */
export async function agentChecks(place: Place, drive: Drive): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const agent of otherAgents) {
    const files = agentFiles(agent, place.env, place.binary ?? "");
    if (files.some(({ path }) => (textOf(path) ?? "").includes("continuity")))
      checks.push(await agentCheck(agent, files, { place, drive }));
  }
  for (const editor of editors) {
    const files = agentFiles(editor, place.env, place.binary ?? "");
    if (files.some(({ path }) => /continuity/i.test(textOf(path) ?? "")))
      checks.push(await editorCheck(editor, files, drive));
  }
  return checks;
}

async function agentCheck(
  agent: OtherAgent,
  files: readonly AgentFile[],
  { place, drive }: { readonly place: Place; readonly drive: Drive },
): Promise<Check> {
  const id = `agent-${agent}`;
  const install = `run \`continuity install --agent ${agent}\``;
  for (const { path, plan } of files) {
    const made = plan(textOf(path));
    if (!made.ok)
      return failed(id, {
        detail: `${path}: ${made.error.detail}`,
        fix: `correct it, then ${install}`,
      });
    if (place.binary !== null && made.value.changes.length > 0)
      return failed(id, {
        detail: `${path}: missing: ${made.value.changes.join(", ")}`,
        fix: install,
      });
  }
  const fault = await faultOf(agent, place, drive);
  if (fault !== null) return failed(id, { detail: fault, fix: install });
  if (agent === "codex") return (await trustCheck(id, place)) ?? installed(id, agent, files);
  return installed(id, agent, files);
}

const installed = (id: string, agent: OtherAgent | Editor, files: readonly AgentFile[]): Check =>
  fine(id, `${agentTitles[agent]}: ${files.map(({ path }) => path).join(", ")}`);

/** An older rule is fine, and so is another copy of the program that starts. */
async function editorCheck(
  editor: Editor,
  files: readonly AgentFile[],
  drive: Drive,
): Promise<Check> {
  const id = `agent-${editor}`;
  const fix = `run \`continuity install --agent ${editor}\``;
  for (const { path, plan } of files) {
    const made = plan(textOf(path));
    if (!made.ok)
      return failed(id, {
        detail: `${path}: ${made.error.detail}`,
        fix: `correct it, then ${fix}`,
      });
    const missing = made.value.changes.find((change) => change.startsWith("add "));
    if (missing !== undefined) return failed(id, { detail: `${path}: missing: ${missing}`, fix });
  }
  const servers = files[0]?.path ?? "";
  const entry = valueAt(textOf(servers) ?? "", ["mcpServers", "continuity"]);
  const { command, args } = entry as { readonly command?: unknown; readonly args?: unknown };
  if (typeof command !== "string" || !isOurProgram(command))
    return failed(id, {
      detail: `${servers}: an MCP server named "continuity" is not ours`,
      fix: `rename it, then ${fix}`,
    });
  if (!existsSync(command))
    return failed(id, { detail: `${servers} runs ${command}, which is not there`, fix });
  const fault = await drive(async ({ run }) => {
    const words = Array.isArray(args) ? args.map(String) : [];
    const server = { event: "initialize", command, args: words, timeout: serverSeconds };
    const { out } = await run(server, JSON.stringify(opening));
    return out.includes('"serverInfo"')
      ? null
      : `\`${command} ${words.join(" ")}\` does not answer`;
  });
  return fault === null ? installed(id, editor, files) : failed(id, { detail: fault, fix });
}

const serverSeconds = 10;

/** The first message of an MCP client. */
const opening = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "continuity-doctor", version: "1" },
  },
};

/** `trustCheck` finds what keeps Codex from running the hooks; null = nothing. */
async function trustCheck(id: string, place: Place): Promise<Check | null> {
  const known = await knownHooks(place);
  if (known === null)
    return warned(id, {
      detail:
        "installed; `codex` was not found or did not answer, so whether it trusts the hooks is not known",
      fix: "start `codex`: it asks when hooks need to be trusted",
    });
  const wanted = Object.keys(agentSpecs.codex.events).length;
  if (known.listed < wanted)
    return failed(id, {
      detail: `Codex lists ${known.listed} of ${wanted} hooks, so it cannot read their file or hooks are switched off`,
      fix: "start `codex`: it says what is wrong with the file; then run `continuity doctor` again",
    });
  return known.untrusted === 0
    ? null
    : failed(id, {
        detail: `Codex does not trust ${known.untrusted} of the hooks, so it skips them`,
        fix: "start `codex` and choose to trust the hooks, or open /hooks in it",
      });
}

function textOf(path: string): string | null {
  try {
    return existsSync(path) ? readFileSync(path, "utf8") : null;
  } catch {
    return null; // Not ours to read.
  }
}

const hookSeconds = 5;

/** A prompt goes on without an answer that is late; on a busy machine that says nothing about the chain. */
const laterSessions = ["doctor-b", "doctor-c", "doctor-d", "doctor-e", "doctor-f"];

/**
 * Sends a session through the hooks as they are installed, and asks in later ones until it is answered; what is wrong,
 * or null. OpenCode's plugin runs in OpenCode only.
 */
async function faultOf(agent: OtherAgent, { binary }: Place, drive: Drive): Promise<string | null> {
  const hooked = hookedAgents.find((one) => one === agent);
  if (hooked === undefined || binary === null) return null;
  return drive(async ({ run, settle, folder }) => {
    const { first, next } = chainOf(hooked, folder);
    let fault: string | null = null;
    const driveAll = async (steps: readonly ChainStep[]): Promise<string> => {
      let out = "";
      for (const { event, payload } of steps) {
        const command = hookCommand(hooked, binary, event);
        const hook = { event, command, args: null, timeout: hookSeconds };
        const ran = await run(hook, JSON.stringify(payload));
        out += ran.out;
        if (ran.status !== 0)
          fault ??= `${event}: ended with status ${ran.status ?? "none (timeout)"}`;
        if (fault !== null) break;
      }
      return out;
    };
    await driveAll(first);
    if (fault !== null) return fault;
    if (!(await settle())) return "the daemon did not process the events";
    for (const id of laterSessions) {
      const out = await driveAll(next(id));
      if (fault !== null) return fault;
      if (out.includes(chainWord)) return null;
    }
    return "a memory from one session did not reach the next";
  });
}

const askMs = 8_000;

interface KnownHooks {
  readonly listed: number;
  readonly untrusted: number;
}

/**
 * `knownHooks` counts our hooks that Codex knows and does not trust, as it says itself; null when
 * it does not answer.
 */
async function knownHooks({ env, cwd }: Place): Promise<KnownHooks | null> {
  const program = Bun.which(agentProgram.codex, { PATH: env["PATH"] ?? "" });
  if (program === null) return null;
  const child = Bun.spawn([program, "app-server"], {
    env: { ...env, CONTINUITY_INTERNAL: "1" },
    cwd,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    timeout: askMs,
    killSignal: "SIGKILL",
  });
  try {
    const clientInfo = { name: "continuity", version: "1" };
    for (const message of [
      { id: 1, method: "initialize", params: { clientInfo } },
      { method: "initialized" },
      { id: 2, method: "hooks/list", params: { cwds: [cwd] } },
    ])
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await child.stdin.flush();
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const line = text.split("\n").find((one) => /^\{[^\n]*"id":2\b/.test(one));
      if (line !== undefined && text.includes(`${line}\n`)) return countKnown(line);
    }
    return null;
  } catch {
    return null; // It ended before it answered, or answered something else.
  } finally {
    child.kill("SIGKILL");
  }
}

function countKnown(line: string): KnownHooks {
  const { result } = JSON.parse(line) as {
    readonly result: {
      readonly data: readonly {
        readonly hooks: readonly { readonly command?: string; readonly trustStatus: string }[];
      }[];
    };
  };
  const ours = result.data
    .flatMap(({ hooks }) => hooks)
    .filter(({ command }) => command?.includes("hook --agent codex") === true);
  const isTrusted = (status: string): boolean => status === "trusted" || status === "managed";
  const untrusted = ours.filter(({ trustStatus }) => !isTrusted(trustStatus)).length;
  return { listed: ours.length, untrusted };
}
