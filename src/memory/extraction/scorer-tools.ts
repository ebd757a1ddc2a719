/**
 * What a turn's tool record tells about the work: what changed, what failed, what was overcome.
 *
 * Pure. Reads names, targets and outcomes; never a tool's output.
 */
import type { ToolUse } from "#domain";
import { limits } from "../limits.ts";

export interface Work {
  /** Distinct files edited or written. */
  readonly filesEdited: readonly string[];
  readonly filesRead: readonly string[];
  /** New files. */
  readonly written: number;
  /** Shell commands that ran, errands (list, commit, show) left out. */
  readonly commands: number;
  /** Commands that change something: migrations, moves, installs, applies. */
  readonly changingCommands: number;
  readonly failures: number;
  /** A call failed and a later one of the same kind went well. */
  readonly recovered: boolean;
  /** The last command failed: it is not shown yet that it works. */
  readonly endsFailing: boolean;
  /** Looked before acting: reads and commands ahead of the first change, or without one. */
  readonly looks: number;
}

export const editTools: ReadonlySet<string> = new Set([
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
]);
export const readTools: ReadonlySet<string> = new Set(["Read", "NotebookRead"]);
export const searchTools: ReadonlySet<string> = new Set([
  "Grep",
  "Glob",
  "WebSearch",
  "ToolSearch",
]);

/** Commands that only look or keep house; they say nothing about the work. */
const errandCommand =
  /^\s*(?:cd \S+\s*(?:&&|;)\s*)?(?:ls|cat|head|tail|pwd|echo|find|tree|wc|which|git (?:log(?!.* (?:-[SGL]|--grep))|status|diff|show|add|commit|push|pull|fetch|branch$|stash)|gh (?:pr|issue|run) (?:list|view))\b/;

/** Commands that change the project or the world without an edit tool. */
const changingCommand =
  /\b(?:git (?:mv|rm|checkout --|revert|reset|branch -D)|rm|mv|cp|sed -i|(?:npm|pnpm|yarn|bun|cargo|pip|poetry|go|gem|bundle) (?:i|install|add|remove|get|uninstall|upgrade)|migrate|apply|deploy|create|alter|drop|delete|insert|update|fmt|format|--fix|flash\w*|terraform|helm|kubectl (?:apply|delete|scale|rollout))\b/i;

/** The work of one turn, subagents' calls included. */
export function workOf(tools: readonly ToolUse[]): Work {
  const uses = tools.slice(0, limits.scorerToolsMax);
  const edits = uses.filter((use) => editTools.has(use.tool) && use.outcome === "ok");
  const commands = uses.filter((use) => isCommand(use) && !errandCommand.test(use.target ?? ""));
  const firstEdit = uses.findIndex((use) => editTools.has(use.tool));
  const before = firstEdit < 0 ? uses : uses.slice(0, firstEdit);
  return {
    filesEdited: distinctFiles(edits),
    filesRead: distinctFiles(uses.filter((use) => readTools.has(use.tool))),
    written: edits.filter((use) => use.tool === "Write").length,
    commands: commands.length,
    changingCommands: commands.filter((use) => changingCommand.test(use.target ?? "")).length,
    failures: commands.filter((use) => use.outcome === "error").length,
    recovered: commands.some(
      (use, index) =>
        use.outcome === "error" && commands.slice(index + 1).some((later) => recovers(use, later)),
    ),
    endsFailing: commands.at(-1)?.outcome === "error",
    looks: before.filter((use) => !errandCommand.test(use.target ?? "")).length,
  };
}

export const isCommand = (use: ToolUse): boolean =>
  use.tool === "Bash" || use.tool === "PowerShell";

const recovers = (failed: ToolUse, later: ToolUse): boolean =>
  later.outcome === "ok" && programOf(later) === programOf(failed);

/** The program a command runs, so that `npm test -- --bail` counts as another try of `npm test`. */
const programOf = (use: ToolUse): string =>
  (use.target ?? use.tool)
    .replace(/^(?:\s*(?:cd \S+\s*(?:&&|;)|\w+=\S+|sudo|time|npx|timeout \S+))+/, "")
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .join(" ");

const distinctFiles = (uses: readonly ToolUse[]): readonly string[] => [
  ...new Set(uses.flatMap((use) => (use.files.length > 0 ? use.files : (use.target ?? [])))),
];
