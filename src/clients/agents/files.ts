/**
 * Says which files of each agent an install changes, and how: text in, text out. Every byte that is
 * not ours stays; who writes, backs up and restores is #setup.
 */
import { type Editor, type OtherAgent, userHome } from "#domain";
import { ok, type Result, shellWord, recordOf } from "#kit";
import {
  type Plan,
  planOver,
  type ServerPart,
  type TakeOut,
  takeOutOver,
  valueAt,
  withoutMember,
  withServer,
} from "../claude-code/settings/plan.ts";
import {
  type HookSet,
  isOurProgram,
  type PlanError,
  withHooks,
  withoutHooks,
} from "../claude-code/settings/hooks.ts";
import plugin from "./opencode-plugin.txt" with { type: "text" };
import { editorPlaces, editorRule, ruleLine } from "./editors.ts";
import { agentSpecs, type HookedAgent } from "./spec.ts";
import { takeOutOfToml, withTomlServer } from "./toml-server.ts";

/** One file of an agent: where it lies, and what it becomes. */
export interface AgentFile {
  readonly path: string;
  readonly plan: (text: string | null) => Result<Plan, PlanError>;
  readonly takeOut: TakeOut;
}

/** `binary` is the absolute path of the program; for an uninstall any will do. */
export function agentFiles(
  agent: OtherAgent | Editor,
  env: Env,
  binary: string,
): readonly AgentFile[] {
  const folder = agentFolder(agent, env);
  const command = { command: binary, args: ["mcp"] };
  if (isEditor(agent)) return editorFiles(agent, folder, command);
  const first = hooksPath(agent, env);
  switch (agent) {
    case "codex":
      return [
        jsonFile(first, { hooks: hookSet("codex", binary) }),
        {
          path: `${folder}/config.toml`,
          plan: (text) => withTomlServer(text, binary),
          takeOut: takeOutOfToml,
        },
      ];
    case "gemini":
      return [
        jsonFile(first, {
          hooks: hookSet("gemini", binary),
          server: serverAt("mcpServers", command),
          isCommented: true,
        }),
      ];
    case "copilot":
      return [
        ownFile(first, copilotHooks(binary), {
          what: "the hooks",
          isOurs: (text) => /\bhook --agent copilot\b/.test(text),
        }),
        jsonFile(`${folder}/mcp-config.json`, {
          server: serverAt("mcpServers", { type: "local", ...command, tools: ["*"] }),
        }),
      ];
    case "opencode":
      return [
        ownFile(
          first,
          plugin.replace('"@program@"', () => JSON.stringify(binary)),
          {
            what: "the plugin",
            isOurs: (text) => text.startsWith("// Continuity's plugin for OpenCode"),
          },
        ),
        jsonFile(`${folder}/opencode.json`, {
          server: serverAt("mcp", {
            type: "local",
            command: [binary, "mcp"],
            enabled: true,
          }),
          isCommented: true,
        }),
      ];
  }
}

const isEditor = (agent: OtherAgent | Editor): agent is Editor => agent in editorPlaces;

function editorFiles(editor: Editor, folder: string, entry: object): readonly AgentFile[] {
  const { servers, rule } = editorPlaces[editor];
  const server = serverAt("mcpServers", entry);
  return [jsonFile(`${folder}/${servers}`, { server }), ruleFile(editor, `${folder}/${rule}`)];
}

/** `timeoutOf` gives the seconds that the agent waits for a hook. Codex gives the end of a session 3 at most. */
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

const commandIn = (entry: unknown): unknown => recordOf(entry)["command"];

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
  readonly server?: ServerPart;
  /** The agent allows comments in it, which stay as every byte that is not ours. */
  readonly isCommented?: boolean;
}

const jsonFile = (path: string, { hooks, server, isCommented }: JsonParts): AgentFile => ({
  path,
  plan: (given) =>
    planOver(
      given,
      (text, changes, notes) => {
        const hooked = hooks === undefined ? text : withHooks(text, hooks, changes);
        return server === undefined ? hooked : withServer(hooked, server, changes, notes);
      },
      isCommented,
    ),
  takeOut: (given, original) =>
    takeOutOver(
      given,
      original,
      (text, changes, wasEmpty) => {
        const bare = hooks === undefined ? text : withoutHooks(text, hooks, changes, wasEmpty);
        if (server === undefined || !server.isOurs(valueAt(bare, server.path))) return bare;
        changes.push("remove the MCP server");
        return withoutMember(bare, server.path, wasEmpty);
      },
      isCommented,
    ),
});

const serverAt = (section: string, ours: object): ServerPart => ({
  path: [section, "continuity"],
  // Fields that a person added (`env`, `trust`) stay.
  entry: (known) => ({ ...(known as object | undefined), ...ours }),
  isOurs: (known) => {
    const command = commandIn(known);
    return isOurProgram(Array.isArray(command) ? command[0] : command);
  },
});

/** A file as a whole ours. Another one in its place is left alone. */
const ownFile = (
  path: string,
  ours: string,
  { what, isOurs }: { readonly what: string; readonly isOurs: (text: string) => boolean },
): AgentFile => ({
  path,
  plan: (text) => {
    if (text === ours) return ok({ text, changes: [], notes: [] });
    if (text !== null && text.trim() !== "" && !isOurs(text))
      return ok({ text, changes: [], notes: [`${path} is not ours and was left as it is`] });
    return ok({
      text: ours,
      changes: [text === null ? `add ${what}` : `update ${what}`],
      notes: [],
    });
  },
  takeOut: (text) =>
    ok(isOurs(text) ? { text: null, changes: ["remove the file"] } : { text, changes: [] }),
});

/** The rule file of an editor; Windsurf has one for all rules, so there ours is a line at its end. */
const ruleFile = (editor: Editor, path: string): AgentFile => {
  const ours = editorRule(editor);
  const isShared = editor === "windsurf";
  const line = ruleLine.exec(ours)?.[0] ?? "";
  return {
    path,
    plan: (text) => {
      const kept = { text: text ?? "", changes: [], notes: [] };
      const known = ruleLine.exec(text ?? "")?.[0];
      if (text !== null && known !== undefined)
        return ok(
          known === line
            ? kept
            : { ...kept, text: text.replace(known, () => line), changes: ["update the rule"] },
        );
      if (!isShared && text !== null && text.trim() !== "")
        return ok({ ...kept, notes: [`${path} is not ours and was left as it is`] });
      const added = isShared ? `${kept.text}${kept.text.endsWith("\n") ? "" : "\n"}${ours}` : ours;
      return ok({ ...kept, text: added, changes: ["add the rule"] });
    },
    takeOut: (text) => {
      const known = ruleLine.exec(text)?.[0];
      if (known === undefined) return ok({ text, changes: [] });
      return ok({
        text: withoutLine(text, known, ours),
        changes: ["remove the rule"],
      });
    },
  };
};

/** Null where nothing but our own lines is left of the file. */
function withoutLine(text: string, line: string, ours: string): string | null {
  const rest = text.replace(new RegExp(String.raw`${RegExp.escape(line)}(?:\r?\n)?`), "");
  const head = ours.replace(ruleLine, "").trim();
  return rest.replaceAll("\r\n", "\n").trim() === head ? null : rest;
}

// The command line of a hook as each agent's shell runs it, and how to recognise ours. Pure.

/**
 * Gemini CLI blocks every prompt when a hook ends with more than 1, also when the program is gone: so the line looks
 * for the program first, and always ends with 0.
 */
export function hookCommand(agent: HookedAgent, binary: string, event: string): string {
  const program = shellWord(binary);
  const line = `${program} hook --agent ${agent} ${event}`;
  return agent === "gemini" ? `test -x ${program} || exit 0; ${line}; exit 0` : line;
}

/** Whatever runs a program named continuity as that agent's hook, wherever it lies. */
const isOurCommand = (agent: HookedAgent, command: unknown): boolean =>
  typeof command === "string" &&
  new RegExp(`(?:^|[\\s/\\\\'"])continuity(?:\\.exe)?['"]? hook --agent ${agent}\\b`, "i").test(
    command,
  );

// Finds the files of each agent that install changes and import reads, as the agent itself looks them up. Pure.

type Env = Readonly<Record<string, string | undefined>>;

const homeOf = (env: Env): string => userHome(env) ?? "";
const named = (env: Env, name: string): string | null => env[name]?.trim() || null;

/** The folder of an agent's own files. */
export function agentFolder(agent: OtherAgent | Editor, env: Env): string {
  if (isEditor(agent)) return `${homeOf(env)}/${editorPlaces[agent].folder}`;
  switch (agent) {
    case "codex":
      return named(env, "CODEX_HOME") ?? `${homeOf(env)}/.codex`;
    case "gemini":
      return `${homeOf(env)}/.gemini`;
    case "copilot":
      return named(env, "COPILOT_HOME") ?? `${homeOf(env)}/.copilot`;
    case "opencode":
      return `${named(env, "XDG_CONFIG_HOME") ?? `${homeOf(env)}/.config`}/opencode`;
  }
}

/** The file that makes an agent call us: its hooks, or an editor's list of servers. */
export function hooksPath(agent: OtherAgent | Editor, env: Env): string {
  const folder = agentFolder(agent, env);
  return `${folder}/${isEditor(agent) ? editorPlaces[agent].servers : hooksFile[agent]}`;
}

const hooksFile: Readonly<Record<OtherAgent, string>> = {
  codex: "hooks.json",
  gemini: "settings.json",
  copilot: "hooks/continuity.json",
  opencode: "plugins/continuity.js",
};

/** Its program, as it stands in PATH. */
export const agentProgram: Readonly<Record<OtherAgent | Editor, string>> = {
  codex: "codex",
  gemini: "gemini",
  copilot: "copilot",
  opencode: "opencode",
  cursor: "cursor-agent",
  windsurf: "windsurf",
  kiro: "kiro-cli",
  cline: "cline",
};

/** `sessionsPlace` gives the folder of an agent's sessions: what `import` reads unless another place is named. */
export function sessionsPlace(agent: OtherAgent, env: Env): string {
  switch (agent) {
    case "codex":
      return `${agentFolder(agent, env)}/sessions`;
    case "gemini":
      return `${agentFolder(agent, env)}/tmp`;
    case "copilot":
      return `${agentFolder(agent, env)}/session-state`;
    case "opencode":
      return `${named(env, "XDG_DATA_HOME") ?? `${homeOf(env)}/.local/share`}/opencode/opencode.db`;
  }
}
