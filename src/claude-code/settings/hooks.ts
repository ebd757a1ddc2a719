/** Our entries in Claude Code's settings: which there are, and how to recognise them. Pure. */
import { type HookName, hookNameByClientEvent } from "#domain";
import type { HookSet } from "./hook-plan.ts";

/** One entry in exec form: no shell, so a path with spaces or quotes is no problem. */
export interface HookEntry {
  readonly type: "command";
  readonly command: string;
  readonly args: readonly string[];
  /** Seconds. */
  readonly timeout: number;
}

/**
 * Seconds the client waits (docs/design/operations.md, "Installation"). Ends must be 5: by default the client kills
 * them after 1.5.
 */
const timeoutSeconds: Readonly<Record<HookName, number>> = {
  start: 5,
  submit: 2,
  tool: 5,
  stop: 5,
  subagent: 5,
  compact: 5,
  end: 5,
};
const guardSeconds = 5;

/** What the guard hook is asked about: before a command, or a change of a file. */
const guardEvent = "PreToolUse";
const guardTools = "Bash|PowerShell|Monitor|Edit|Write|MultiEdit|NotebookEdit";

/** Tools that the client runs the hook of an event for; null = it is told none. */
export const matcherFor = (event: string): string | null =>
  event === guardEvent ? guardTools : null;

/** Client events we register, in order. Not PostToolBatch: every call would come twice. */
export const registeredEvents: readonly string[] = [
  ...Object.keys(hookNameByClientEvent).filter((event) => event !== "PostToolBatch"),
  guardEvent,
];

/** What we want to stand in the settings for a client event. `binary` is an absolute path. */
export function hookEntryFor(event: string, binary: string): HookEntry {
  if (event === guardEvent)
    return { type: "command", command: binary, args: ["hook", "guard"], timeout: guardSeconds };
  const hook = hookNameByClientEvent[event] ?? "start";
  return { type: "command", command: binary, args: ["hook", hook], timeout: timeoutSeconds[hook] };
}

/** Ours is what runs a program named continuity with `hook` as its first argument, wherever it lies. */
export function isOurEntry(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { command, args } = value as { readonly command?: unknown; readonly args?: unknown };
  return isOurProgram(command) && Array.isArray(args) && args[0] === "hook";
}

/** A path that ends in the program's name. */
export function isOurProgram(command: unknown): boolean {
  if (typeof command !== "string") return false;
  const name = command.split(/[/\\]/).at(-1)?.toLowerCase();
  return name === "continuity" || name === "continuity.exe";
}

/** The hooks of Claude Code. */
export const claudeHooks = (binary: string): HookSet => ({
  events: registeredEvents,
  entryFor: (event) => hookEntryFor(event, binary),
  matcherFor,
  isOurs: isOurEntry,
});
