/**
 * Which files of each agent an install changes, and what they become: text in, text out. Every byte that is not ours
 * stays; who writes, backs up and restores is #setup.
 */
import type { OtherAgent } from "#domain";
import { ok, type Result } from "#kit";
import {
  emptyIn,
  isOurProgram,
  planned,
  planOver,
  textHash,
  valueAt,
  withHooks,
  withMember,
  withoutComments,
  withoutHooks,
  withoutMember,
  type HookSet,
  type Plan,
  type PlanError,
  type TakenOut,
} from "#claude-code";
import { hookCommand, isOurCommand } from "./command.ts";
import plugin from "./opencode-plugin.txt" with { type: "text" };
import { agentFolder, type Env } from "./places.ts";
import { agentSpecs } from "./spec.ts";
import { takenOutOfToml, withTomlServer } from "./toml-server.ts";

/** One file of an agent: where it lies, and what it becomes. */
export interface AgentFile {
  readonly path: string;
  readonly plan: (text: string | null) => Result<Plan, PlanError>;
  readonly takenOut: TakenOut;
}

/** `binary` is the absolute path of the program; for an uninstall any will do. */
export function agentFiles(agent: OtherAgent, env: Env, binary: string): readonly AgentFile[] {
  const folder = agentFolder(agent, env);
  const command = { command: binary, args: ["mcp"] };
  switch (agent) {
    case "codex":
      return [
        jsonFile(`${folder}/hooks.json`, { hooks: hookSet("codex", binary) }),
        {
          path: `${folder}/config.toml`,
          plan: (text) => withTomlServer(text, binary),
          takenOut: takenOutOfToml,
        },
      ];
    case "gemini":
      return [
        commentedFile(`${folder}/settings.json`, {
          hooks: hookSet("gemini", binary),
          server: { path: ["mcpServers", "continuity"], entry: command },
        }),
      ];
    case "copilot":
      return [
        ownFile(`${folder}/hooks/continuity.json`, copilotHooks(binary), "the hooks"),
        jsonFile(`${folder}/mcp-config.json`, {
          server: {
            path: ["mcpServers", "continuity"],
            entry: { type: "local", ...command, tools: ["*"] },
          },
        }),
      ];
    case "opencode":
      return [
        ownFile(
          `${folder}/plugins/continuity.js`,
          plugin.replace('"@program@"', () => JSON.stringify(binary)),
          "the plugin",
        ),
        commentedFile(`${folder}/opencode.json`, {
          server: {
            path: ["mcp", "continuity"],
            entry: { type: "local", command: [binary, "mcp"], enabled: true },
          },
        }),
      ];
  }
}

/** What the agent waits for a hook, in seconds. Codex gives the end of a session 3 at most. */
const timeoutOf = (clientEvent: string): number =>
  clientEvent === "UserPromptSubmit" || clientEvent === "SessionEnd" ? 3 : 5;

/** Codex trusts a hook by a hash over its entry: what is written here must not change without need. */
const hookSet = (agent: "codex" | "gemini", binary: string): HookSet => ({
  events: Object.keys(agentSpecs[agent].events),
  entryFor: (event) => {
    const seconds = timeoutOf(agentSpecs[agent].events[event] ?? "");
    const command = hookCommand(agent, binary, event);
    return agent === "codex"
      ? { type: "command", command, timeout: seconds }
      : { type: "command", name: "continuity", command, timeout: seconds * 1_000 };
  },
  isOurs: (entry) => isOurCommand(agent, commandIn(entry)),
});

const commandIn = (entry: unknown): unknown =>
  typeof entry === "object" && entry !== null && "command" in entry ? entry.command : null;

function copilotHooks(binary: string): string {
  const { events } = agentSpecs.copilot;
  const hooks = Object.entries(events).map(([event, clientEvent]) => [
    event,
    [
      {
        type: "command",
        bash: hookCommand("copilot", binary, event),
        timeoutSec: timeoutOf(clientEvent),
      },
    ],
  ]);
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}

interface JsonParts {
  readonly hooks?: HookSet;
  readonly server?: { readonly path: readonly string[]; readonly entry: object };
}

const jsonFile = (path: string, { hooks, server }: JsonParts): AgentFile => ({
  path,
  plan: (given) =>
    planOver(given, (text, changes, notes) => {
      const hooked = hooks === undefined ? text : withHooks(text, hooks, changes);
      return server === undefined ? hooked : withServer(hooked, server, changes, notes);
    }),
  takenOut: (text, state) => {
    const whole = asItWas(text, state);
    if (whole !== null) return ok(whole);
    if (text.trim() === "") return ok({ text, changes: [] });
    return planned(() => {
      const changes: string[] = [];
      const wasEmpty = emptyIn(state?.original ?? "");
      const bare = hooks === undefined ? text : withoutHooks(text, hooks, changes, wasEmpty);
      if (server === undefined || !isOurServerAt(bare, server.path)) return { text: bare, changes };
      changes.push("remove the MCP server");
      return { text: withoutMember(bare, server.path, wasEmpty), changes };
    });
  },
});

/** The same for an agent that allows comments: they stay, as every byte that is not ours. */
function commentedFile(path: string, parts: JsonParts): AgentFile {
  const strict = jsonFile(path, parts);
  return {
    path,
    plan: (given) => {
      const { text, restored } = withoutComments(given ?? "");
      const planned = strict.plan(given === null ? null : text);
      return planned.ok ? ok({ ...planned.value, text: restored(planned.value.text) }) : planned;
    },
    takenOut: (given, state) => {
      const whole = asItWas(given, state);
      if (whole !== null) return ok(whole);
      const { text, restored } = withoutComments(given);
      const original = state?.original ?? null;
      const before = original === null ? null : withoutComments(original).text;
      const taken = strict.takenOut(text, state === null ? null : { ...state, original: before });
      return taken.ok && taken.value.text !== null
        ? ok({ ...taken.value, text: restored(taken.value.text) })
        : taken;
    },
  };
}

function withServer(
  text: string,
  { path, entry }: NonNullable<JsonParts["server"]>,
  changes: string[],
  notes: string[],
): string {
  const known = valueAt(text, path);
  if (known !== undefined && !isOurServerAt(text, path)) {
    notes.push('an MCP server named "continuity" that is not ours was left as it is');
    return text;
  }
  // What a person added to it (`env`, `trust`) stays.
  const wanted = { ...(known as object | undefined), ...entry };
  if (JSON.stringify(known) === JSON.stringify(wanted)) return text;
  changes.push(known === undefined ? "add the MCP server" : "update the MCP server");
  return withMember(text, path, wanted);
}

function isOurServerAt(text: string, path: readonly string[]): boolean {
  const known = valueAt(text, path);
  if (typeof known !== "object" || known === null || !("command" in known)) return false;
  const { command } = known;
  return isOurProgram(Array.isArray(command) ? command[0] : command);
}

/** A file as a whole ours. Another one in its place is left alone. */
const ownFile = (path: string, ours: string, what: string): AgentFile => ({
  path,
  plan: (text) => {
    if (text === ours) return ok({ text, changes: [], notes: [] });
    if (text !== null && text.trim() !== "" && !isOwnText(text))
      return ok({ text, changes: [], notes: [`${path} is not ours and was left as it is`] });
    return ok({
      text: ours,
      changes: [text === null ? `add ${what}` : `update ${what}`],
      notes: [],
    });
  },
  takenOut: (text, state) => {
    const whole = asItWas(text, state);
    if (whole !== null) return ok(whole);
    return ok(
      isOwnText(text) ? { text: null, changes: ["remove the file"] } : { text, changes: [] },
    );
  },
});

const isOwnText = (text: string): boolean =>
  text.startsWith("// Continuity's plugin for OpenCode") || /\bhook --agent copilot\b/.test(text);

/** The file before us, byte for byte, when nobody changed it since; null when somebody did. */
function asItWas(text: string, state: Parameters<TakenOut>[1]) {
  if (state === null || textHash(text) !== state.installedHash) return null;
  const change = state.original === null ? "remove the file" : "restore the file as it was";
  return { text: state.original, changes: [change] };
}
