/**
 * Doctor's look at other agents and editors: what is installed in each, whether its program is there, and whether the
 * agent trusts it. That hooks do their work is the self-test's to prove.
 */
import { existsSync } from "node:fs";
import { readText } from "#kit";
import {
  agentFiles,
  agentProgram,
  agentSpecs,
  isOurProgram,
  valueAt,
  type AgentFile,
} from "#clients";
import { failed, fine, warned } from "./facts.ts";
import type { Place } from "./facts-install.ts";
import {
  type Check,
  agentTitles,
  type Editor,
  editors,
  otherAgents,
  type OtherAgent,
} from "#domain";

/** One check for each agent or editor that names us in its files; none for the others. */
export async function agentChecks(place: Place): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const agent of otherAgents) {
    const files = agentFiles(agent, place.env, place.binary ?? "");
    if (files.some(({ path }) => (readText(path) ?? "").includes("continuity")))
      checks.push(await agentCheck(agent, files, place));
  }
  for (const editor of editors) {
    const files = agentFiles(editor, place.env, place.binary ?? "");
    if (files.some(({ path }) => /continuity/i.test(readText(path) ?? "")))
      checks.push(editorCheck(editor, files));
  }
  return checks;
}

async function agentCheck(
  agent: OtherAgent,
  files: readonly AgentFile[],
  place: Place,
): Promise<Check> {
  const id = `agent-${agent}`;
  const install = `run \`continuity install --agent ${agent}\``;
  const wrong = fileCheck(id, files, {
    fix: install,
    missingOf: (changes) => (place.binary === null ? "" : changes.join(", ")),
  });
  const untrusted = wrong === null && agent === "codex" ? await trustCheck(id, place) : null;
  return wrong ?? untrusted ?? installed(id, agent, files);
}

/** The first file that is no text of its kind, or misses something; null when none does. */
function fileCheck(
  id: string,
  files: readonly AgentFile[],
  ask: { readonly fix: string; readonly missingOf: (changes: readonly string[]) => string },
): Check | null {
  const { fix, missingOf } = ask;
  for (const { path, plan } of files) {
    const made = plan(readText(path));
    if (!made.ok)
      return failed(id, {
        detail: `${path}: ${made.error.detail}`,
        fix: `correct it, then ${fix}`,
      });
    const missing = missingOf(made.value.changes);
    if (missing !== "") return failed(id, { detail: `${path}: missing: ${missing}`, fix });
  }
  return null;
}

const installed = (id: string, agent: OtherAgent | Editor, files: readonly AgentFile[]): Check =>
  fine(id, `${agentTitles[agent]}: ${files.map(({ path }) => path).join(", ")}`);

/** An older rule is fine, and so is another copy of the program that starts. */
function editorCheck(editor: Editor, files: readonly AgentFile[]): Check {
  const id = `agent-${editor}`;
  const fix = `run \`continuity install --agent ${editor}\``;
  const missingOf = (changes: readonly string[]): string =>
    changes.find((change) => change.startsWith("add ")) ?? "";
  const wrong = fileCheck(id, files, { fix, missingOf });
  if (wrong !== null) return wrong;
  const servers = files[0]?.path ?? "";
  const entry = valueAt(readText(servers) ?? "", ["mcpServers", "continuity"]);
  const { command } = entry as { readonly command?: unknown };
  if (typeof command !== "string" || !isOurProgram(command))
    return failed(id, {
      detail: `${servers}: an MCP server named "continuity" is not ours`,
      fix: `rename it, then ${fix}`,
    });
  if (!existsSync(command))
    return failed(id, { detail: `${servers} runs ${command}, which is not there`, fix });
  return installed(id, editor, files);
}

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
