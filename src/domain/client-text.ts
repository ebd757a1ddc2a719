/**
 * Lists what Claude Code, its hooks, editors, orchestrators, skills and plugins write where a user
 * writes: the one list of their tags and the one list of how their texts begin. The gate, the
 * transcripts and the reader of prompts use these and none of their own. Data only; additions need
 * no other change.
 */
import { memoryBlockTag } from "./privacy.ts";

/** Names as the clients write them. Hyphens and underscores are the same: clients have used both for one tag. */
const written = [
  memoryBlockTag,
  // Notes of the client to the model.
  "system-reminder",
  "system-notification",
  "task-notification",
  "subagent-notification",
  "persisted-output",
  "new-diagnostics",
  "tools-used-before-summary",
  "user-memory-input",
  "fork-boilerplate",
  "turn-aborted",
  "tick",
  // Slash commands and the shell of the prompt.
  "command-name",
  "command-message",
  "command-args",
  "command-contents",
  "local-command-stdout",
  "local-command-stderr",
  "local-command-caveat",
  "bash-input",
  "bash-stdout",
  "bash-stderr",
  // Hooks.
  "user-prompt-submit-hook",
  "session-start-hook",
  "pre-tool-use-hook",
  "post-tool-use-hook",
  "stop-hook",
  // Editors.
  "ide-opened-file",
  "ide-selection",
  "ide-diagnostics",
  "ide-context",
  "open-and-recently-viewed-files",
  "attached-files",
  "current-note",
  // Other agents, orchestrators and schedules.
  "teammate-message",
  "agent-message",
  "cross-session-message",
  "channel-message",
  "scheduled-task",
  "mcp-resource-update",
  "mcp-polling-update",
  "remote-review",
  // Other clients.
  "environment-context",
  "environment-details",
  "user-instructions",
  "user-action",
  "permissions-instructions",
  "collaboration-mode",
  "skills-instructions",
] as const;

/** Lower-case names of tags whose content no user typed, with hyphens and with underscores. */
export const clientTags: ReadonlySet<string> = new Set(
  written.flatMap((name) => [name, name.replaceAll("-", "_")]),
);

const injected =
  /^(?:system|task|subagent|teammate|agent|cross|channel|ide|bash|local|environment|mcp)[-_]|[-_]hook$|^persisted/;

/**
 * Blocks that a program puts into a message. One that begins or ends a line and is never closed was cut: what follows
 * it is the program's text to the end. People name these tags too ("what does <system-reminder> do?"), but in mid-line.
 */
export const isInjectedTag = (name: string): boolean => clientTags.has(name) && injected.test(name);

/** The beginnings of messages that a program wrote as a whole. Each is looked for at the start of the trimmed text. */
export const clientStarts: readonly RegExp[] = [
  /^\[Request interrupted/,
  /^\[Image(?::| source)/,
  /^This session is being continued from a previous conversation/,
  /^Please continue the conversation from where we left/,
  /^Caveat: The messages below were generated/,
  /^Base directory for this skill/,
  /^Full transcript available at/,
  /^(?:Read the output file|Use the Read tool on the output file) to (?:retrieve|see) the (?:result|output)/,
  /^Operation stopped by hook/,
  /^Stop hook (?:feedback|error|blocking)/,
  new RegExp(
    String.raw`^(?:SessionStart|UserPromptSubmit|PreToolUse|PostToolUse|SubagentStop)(?::\w{1,40})? hook (?:success` +
      String.raw`|error|feedback|additional|blocking)`,
  ),
  /^API Error: /,
  /^Continue: "Continue to iterate/,
  /^# AGENTS\.md instructions for/,
  /^# Agent Instructions\b/,
  /^# Context\s+Your name is\b/,
  // The head of a skill's or an agent's file.
  /^---\s*\nname:/,
  // Plugins.
  /^▣ DCP\b/,
  /^\[\[ ## /,
  // Task prompts of orchestrators.
  /^You are (?:an?|the) [\w -]{3,60}\b(?:agent|reviewer|assistant|engineer|expert|subagent)\b/,
  // A tag of theirs without its end: the text was cut.
  new RegExp(
    String.raw`^<(?:teammate[-_]message|task[-_]notification|system[-_]reminder|bash-(?:input|stdout|stderr)` +
      String.raw`|local-command-\w{1,20}|environment[-_]context)(?=[\s>])`,
  ),
];

/** Matches what Codex's editor extension puts above a request: files, tabs, a selection that may hold any heading. */
const aboveRequest =
  /^# Context from my IDE setup:\n[\s\S]*\n## My request for [\w .-]{1,40}:[ \t]*\n/;

/** A request without what an editor put above it. */
export const requestIn = (prompt: string): string =>
  prompt.startsWith("# Context from") ? prompt.replace(aboveRequest, "") : prompt;

/** The beginnings of an agent's plan that the client puts in as a prompt once it is approved. */
const planStarts: readonly RegExp[] = [
  /^(?:please )?implement (?:the following|this) plan:/i,
  /^Plan to implement:/i,
];

/** True for a plan of the agent that the client put in as a prompt: the user approved it and typed none of it. */
export const isPlan = (prompt: string): boolean => planStarts.some((start) => start.test(prompt));

const planLabel = "[agent's plan] ";

/** The client's words below a plan that its session has ended. */
const planEnd = /\n\s*If you need specific details from before exiting plan mode[^]*$/;

/** The plan that a prompt puts in, without what the client writes around it; null when it puts in none. */
export function planPut(prompt: string): string | null {
  const start = planStarts.find((one) => one.test(prompt));
  return start === undefined ? null : prompt.replace(start, "").replace(planEnd, "").trim();
}

/** A prompt as it is shown: a plan is called the agent's, everything else stands as it is. */
export function attributed(prompt: string): string {
  const plan = planPut(prompt);
  return plan === null ? prompt : `${planLabel}${plan}`;
}

/** True for what `attributed` made of a plan. */
export const isShownAsPlan = (shown: string): boolean => shown.startsWith(planLabel);
