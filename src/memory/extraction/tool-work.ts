/** Reads a tool record for facts: what failed and was mended, what was searched, read and edited. Pure. */
import { answeredIn, type ToolUse } from "#domain";

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

export const isCommand = (use: Pick<ToolUse, "tool">): boolean =>
  use.tool === "Bash" || use.tool === "PowerShell";

/** True when a command failed and a later run of the same program went well. */
export const isMended = (tools: readonly ToolUse[]): boolean => {
  const commands = tools.filter(isCommand);
  return commands.some(
    (use, at) =>
      use.outcome === "error" &&
      commands
        .slice(at + 1)
        .some((later) => later.outcome === "ok" && programOf(later) === programOf(use)),
  );
};

/** The program a command runs, so that `npm test -- --bail` counts as another try of `npm test`. */
const programOf = (use: ToolUse): string =>
  (use.target ?? use.tool)
    .replace(/^(?:\s*(?:cd \S+\s*(?:&&|;)|\w+=\S+|sudo|time|npx|timeout \S+))+/, "")
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .join(" ");

/** Choices of the user when the agent asked, as `question → answer` lines. */
export const choicesIn = (tools: readonly ToolUse[]): readonly string[] =>
  tools.flatMap(({ tool, outcome, text }) =>
    tool === "AskUserQuestion" && outcome === "ok"
      ? answeredIn(text ?? "").map(({ question, answer }) => `${question} → ${answer}`)
      : [],
  );
