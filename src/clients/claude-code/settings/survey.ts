/**
 * Surveys what else is there when we are installed: other tools that remember, and memory that
 * could be taken over. Reads the client's files and looks for known places; changes nothing. Must
 * not import from any of them.
 */
import { userHome } from "#domain";
import {
  counted,
  isRecord,
  type Json,
  parseJson,
  recordOf,
  type Result,
  unreachable,
  type WriteFault,
} from "#kit";
import type { SetupError, SetupReport } from "./change.ts";

export interface SurveyFiles {
  /** Text of a file; null when there is none, or it cannot be read. */
  readonly text: (path: string) => string | null;
  readonly exists: (path: string) => boolean;
  /** Names in a folder; empty when there is none. */
  readonly names: (path: string) => readonly string[];
  /** Counts the sessions that are remembered already and need no import. */
  readonly countKnown: (sessionIds: readonly string[]) => number;
}

/** Another tool that remembers, on our events or beside us. */
interface OtherTool {
  readonly name: string;
  /** The signs by which it was found: `hooks`, `plugin`, `MCP server`. */
  readonly seen: readonly string[];
  /** The advice, in one sentence. */
  readonly advice: string;
}

interface Importable {
  /** The name after `import --from`. */
  readonly from: "claude-mem" | "claude-code";
  readonly what: string;
}

/** Programs that feed memories to Claude Code, by what stands in their commands and plugin names. */
const knownTools: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: "claude-mem", pattern: /claude-?mem\b/i },
  { name: "mem0", pattern: /\bmem0|openmemory/i },
  { name: "supermemory", pattern: /supermemory/i },
  { name: "letta", pattern: /\bletta\b/i },
  { name: "cipher", pattern: /\bcipher\b.*\b(?:mcp|memory)|byterover/i },
  { name: "basic-memory", pattern: /basic-memory/i },
  { name: "memory-keeper", pattern: /memory-keeper|claude-memory/i },
];

/** Events on which a tool that remembers must listen; a linter on PostToolUse is none. */
const tellingEvents: ReadonlySet<string> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "Stop",
  "SessionEnd",
  "PreCompact",
]);

type Env = Readonly<Record<string, string | undefined>>;

/** Looks at the user's files, and at those of a project when its folder is given. */
export function survey(files: SurveyFiles, env: Env, projectFolder: string | null) {
  const folders = projectFolder === null ? [null] : [null, projectFolder];
  const settings = folders.flatMap((folder) => jsonAt(files, settingsPathFor(env, folder)));
  const servers = folders.flatMap((folder) => jsonAt(files, serversPathFor(env, folder)));
  const sightings = [
    ...settings.flatMap(hookCommands).map((text) => ({ text, seen: "hooks" })),
    ...settings.flatMap(enabledPlugins).map((text) => ({ text, seen: "plugin" })),
    ...servers.flatMap(serverCommands).map((text) => ({ text, seen: "MCP server" })),
  ];
  const others = knownTools.flatMap(({ name, pattern }): readonly OtherTool[] => {
    const found = sightings.filter(({ text }) => pattern.test(text));
    if (found.length === 0) return [];
    const seen = [...new Set(found.map((one) => one.seen))];
    return [{ name, seen, advice: adviceFor(seen, found) }];
  });
  return { others, importable: importableIn(files, env) };
}

function adviceFor(
  seen: readonly string[],
  found: readonly { readonly text: string; readonly seen: string }[],
): string {
  if (seen.every((one) => one === "MCP server"))
    return "it can stay: it is used only when the model calls it";
  const plugin = found.find((one) => one.seen === "plugin")?.text ?? null;
  const off =
    plugin === null
      ? `take its hooks out of Claude Code's settings`
      : `switch it off with \`claude plugin disable ${plugin}\``;
  return `both can run side by side, but each prompt then gets memories from both; to keep only one, ${off}`;
}

function jsonAt(files: SurveyFiles, path: string): readonly Json[] {
  const text = files.text(path);
  if (text === null) return [];
  // Install names a broken file by itself.
  const value = parseJson(text.replace(/^\ufeff/, ""));
  return isRecord(value) ? [value] : [];
}

/** Command lines of the hooks on events that a memory listens to. */
const hookCommands = ({ hooks }: Json): readonly string[] =>
  Object.entries(recordOf(hooks))
    .filter(([event]) => tellingEvents.has(event))
    .flatMap(([, groups]) => [groups].flat())
    .flatMap((group) => [recordOf(group)["hooks"]].flat())
    .map(commandText);

function commandText(entry: unknown): string {
  const { command, args, url } = recordOf(entry);
  return [command, args, url]
    .flat()
    .filter((word) => typeof word === "string")
    .join(" ");
}

const enabledPlugins = ({ enabledPlugins: plugins }: Json): readonly string[] =>
  Object.entries(recordOf(plugins)).flatMap(([name, isOn]) => (isOn === true ? [name] : []));

const serverCommands = ({ mcpServers: servers }: Json): readonly string[] =>
  Object.entries(recordOf(servers)).map(([name, entry]) => `${name} ${commandText(entry)}`);

function importableIn(files: SurveyFiles, env: Env): readonly Importable[] {
  const home = userHome(env) ?? "";
  const database = `${home}/.claude-mem/claude-mem.db`;
  const projects = `${clientFolder(env)}/projects`;
  const folders = files.names(projects);
  const ids = folders
    .flatMap((folder) => files.names(`${projects}/${folder}`))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length));
  const sessions = ids.length - files.countKnown(ids);
  const notes = folders.filter((folder) =>
    files.exists(`${projects}/${folder}/memory/MEMORY.md`),
  ).length;
  const own = [
    ...(sessions === 0 ? [] : [counted(sessions, "past session")]),
    ...(notes === 0 ? [] : [counted(notes, "MEMORY.md file")]),
  ];
  return [
    ...(files.exists(database)
      ? [{ from: "claude-mem" as const, what: `claude-mem's memories (${database})` }]
      : []),
    ...(own.length === 0
      ? []
      : [{ from: "claude-code" as const, what: `${own.join(" and ")} of Claude Code` }]),
  ];
}

// Finds the files of Claude Code that install changes and doctor reads, as the client itself looks them up. Pure.

/** Never a relative path, which would lie in the project; without a home, install refuses (see `hasClientFolder`). */
const homeOf = (env: Env): string => userHome(env) ?? "";

export const hasClientFolder = (env: Env): boolean =>
  userHome(env) !== null || Boolean(env["CLAUDE_CONFIG_DIR"]?.trim());

/** `$CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function clientFolder(env: Env): string {
  const folder = env["CLAUDE_CONFIG_DIR"]?.trim() || `${homeOf(env)}/.claude`;
  return folder.normalize("NFC");
}

/** Claude Code's settings: of the user, or of a project when its folder is given. */
export const settingsPathFor = (env: Env, projectFolder: string | null): string =>
  `${projectFolder === null ? clientFolder(env) : `${projectFolder}/.claude`}/settings.json`;

/**
 * `serversPathFor` gives the file in which the client lists MCP servers: of the user, or of a
 * project when its folder is given.
 */
export function serversPathFor(env: Env, projectFolder: string | null): string {
  if (projectFolder !== null) return `${projectFolder}/.mcp.json`;
  const folder = env["CLAUDE_CONFIG_DIR"]?.trim() || homeOf(env);
  return `${folder.normalize("NFC")}/.claude.json`;
}

/** Settings that an administrator put on this machine; they win over the user's. */
export function managedSettingsPath(platform: string): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode/managed-settings.json";
  if (platform === "win32") return "C:\\Program Files\\ClaudeCode\\managed-settings.json";
  return "/etc/claude-code/managed-settings.json";
}

// Words the steps of a setup for people: one step a line. Wording only; must not decide or touch anything.

export interface SetupStep {
  /** `would`: in a dry run. */
  readonly state: "done" | "unchanged" | "would" | "failed" | "note";
  readonly text: string;
}

export interface SetupSteps {
  readonly failed: boolean;
  readonly steps: readonly SetupStep[];
}

/** The steps of an install or uninstall and its warnings; of a dry run the difference as the last one. */
export function stepsOf(result: Result<SetupReport, SetupError>): SetupSteps {
  if (!result.ok) {
    return { failed: true, steps: [{ state: "failed", text: explain(result.error) }] };
  }
  const { settingsPath, outcome, changes, diff, warnings } = result.value;
  const state = outcome === "would-change" ? "would" : "done";
  const steps: readonly SetupStep[] =
    outcome === "unchanged"
      ? [{ state: "unchanged", text: `${settingsPath}: nothing to change` }]
      : withHooksJoined(changes).map((change) => ({ state, text: `${settingsPath}: ${change}` }));
  return {
    failed: false,
    steps: [...steps, ...warnings.map(note), ...(diff === "" ? [] : [note(diff)])],
  };
}

/** One line for all hooks that are added: the diff of a dry run names them. */
function withHooksJoined(changes: readonly string[]): readonly string[] {
  const others = changes.filter((change) => !change.startsWith(oneHook));
  const hooks = changes.length - others.length;
  return hooks < 2 ? changes : [`add ${hooks} hooks`, ...others];
}

const oneHook = "add a hook for ";

const note = (text: string): SetupStep => ({ state: "note", text });

/** One line about a place that takes no file, for a command that then changes nothing. */
export const notWritten = ({ place, why, next }: WriteFault): string =>
  `${place} cannot be written: ${why}. Nothing was changed. Please ${next}, then run the command again.`;

/** `explain` says the fault, and what to do next. */
function explain(error: SetupError): string {
  switch (error.type) {
    case "setup.broken-json":
      return (
        `${error.path}:${error.line}:${error.column}: not valid JSON (${error.detail}). Nothing ` +
        "was changed. Correct the file, then run the command again."
      );
    case "setup.unexpected-shape":
      return (
        `${error.path}:${error.line}:${error.column}: ${error.detail}. Nothing was changed. Correct it, then ` +
        "run the command again."
      );
    case "setup.not-utf8":
      return `${error.path} is not UTF-8 text. Nothing was changed. Save it as UTF-8, then run the command again.`;
    case "setup.binary-not-absolute":
      return `The program's path must be absolute, not "${error.path}".`;
    case "setup.read-only":
      return (
        `${error.path} is read-only. Nothing was changed. Make it writable (\`chmod u+w\`), or, ` +
        `where another program writes it, add there what \`continuity install --dry-run\` shows.`
      );
    case "setup.outside":
      return (
        `${error.path} leads out of the project to ${error.target}. Nothing was changed. Remove ` +
        `that symlink, or install for yourself without \`--project\`.`
      );
    case "setup.changed-meanwhile":
      return (
        `${error.path} was changed by another program just now. Continuity changed nothing. Run ` +
        "the command again."
      );
    case "setup.not-written":
      return notWritten(error.fault);
    default:
      return unreachable(error);
  }
}
