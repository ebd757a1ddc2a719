/** Our entries in Claude Code's settings: which there are, and how to recognise them. Pure. */
import { hookNameByClientEvent } from "#domain";
import { err, ok, recordOf, type Result } from "#kit";
import {
  appendChild,
  JsonFault,
  type JsonText,
  memberOf,
  parseJsonText,
  positionOf,
  removeChild,
  replaceValue,
  valueOf,
} from "./json-text.ts";

/** The event and the tools of the guard hook: before a command, or a change of a file. */
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

/**
 * `hookEntryFor` gives our entry in the settings for a client event, in exec form: no shell, so a path with spaces or
 * quotes is no problem. `binary` is an absolute path.
 */
export function hookEntryFor(event: string, binary: string) {
  const hook = event === guardEvent ? "guard" : (hookNameByClientEvent[event] ?? "start");
  // Seconds the client waits (docs/design/operations.md, "Installation"): by default it kills ends after 1.5.
  const timeout = hook === "submit" ? 2 : 5;
  return { type: "command", command: binary, args: ["hook", hook], timeout } as const;
}

/** Ours is what runs a program named continuity with a word as its first argument, wherever it lies. */
function runsOurs(value: unknown, word: "hook" | "mcp"): boolean {
  const { command, args } = recordOf(value);
  return isOurProgram(command) && Array.isArray(args) && args[0] === word;
}

export const isOurEntry = (value: unknown): boolean => runsOurs(value, "hook");

export const isOurServer = (value: unknown): boolean => runsOurs(value, "mcp");

/** A path that ends in the program's name. */
export function isOurProgram(command: unknown): boolean {
  if (typeof command !== "string") return false;
  const name = command.split(/[/\\]/).at(-1)?.toLowerCase();
  return name === "continuity" || name === "continuity.exe";
}

export const claudeHooks = (binary: string): HookSet => ({
  events: registeredEvents,
  entryFor: (event) => hookEntryFor(event, binary),
  matcherFor,
  isOurs: isOurEntry,
});

// Describes our entries in Claude Code's files beside the hooks, and how to recognise them. Pure.

/** Names by which the client knows us: MCP server, plugin and its marketplace. */
const name = "continuity";

/** `mcpServers.continuity` in ~/.claude.json, or in a project's .mcp.json. */
export const serverPath: readonly string[] = ["mcpServers", name];
export const pluginPath: readonly string[] = ["enabledPlugins", `${name}@${name}`];
export const marketplacePath: readonly string[] = ["extraKnownMarketplaces", name];
export const statusLinePath: readonly string[] = ["statusLine"];

/** Our MCP server. What a person added to it (`env`, options behind `mcp`) stays. */
export function serverEntry(binary: string, known: unknown) {
  const kept = recordOf(known);
  const args = Array.isArray(kept["args"]) ? kept["args"].map(String) : ["mcp"];
  return { ...kept, type: "stdio", command: binary, args };
}

/** The client runs a status line through a shell, so the path is quoted where it needs to be. */
export const statusLineEntry = (binary: string) => ({
  type: "command",
  command: `${/^[\w./:\\-]+$/.test(binary) ? binary : quoted(binary)} statusline`,
});

const quoted = (path: string): string =>
  process.platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** Ours is what runs a program named continuity with the one word `statusline`. */
export function isOurStatusLine(value: unknown): boolean {
  const { command } = recordOf(value);
  return (
    typeof command === "string" &&
    /(?:^|[/\\'"])continuity(?:\.exe)?['"]? statusline$/i.test(command)
  );
}

// Our hooks in a settings text: put in, set right, taken out. Pure; every other byte stays.

/** Recognises our hooks in a file of this shape. */
export interface HookSet {
  /** The client's events, in order. */
  readonly events: readonly string[];
  readonly entryFor: (event: string) => object;
  /** Tools that the hook of an event is run for; null or absent = the client is told none. */
  readonly matcherFor?: (event: string) => string | null;
  readonly isOurs: (entry: unknown) => boolean;
}

/** `groupOf` gives the group that one entry of ours forms in an event's list. */
export const groupOf = <Entry extends object>(
  entry: Entry,
  matcher: string | null,
): { readonly matcher?: string; readonly hooks: readonly Entry[] } => ({
  ...(matcher === null ? {} : { matcher }),
  hooks: [entry],
});

/** Entries that are already right stay as they are; moved, doubled and outdated ones are set right. */
export function withHooks(text: string, set: HookSet, changes: string[]): string {
  let result = withoutStrayEntries(text, set, changes);
  for (const event of set.events) result = withEvent(result, event, set, changes);
  return result;
}

/** Takes all our entries out, and what each leaves empty, unless `wasEmpty` says that it was so before us. */
export const withoutHooks = (
  text: string,
  set: HookSet,
  changes: string[],
  wasEmpty: (path: readonly string[]) => boolean,
): string => withoutEntries(text, { set, isUnwanted: () => true }, changes, wasEmpty);

/** The `hooks` object of a settings text; null when it has none. */
function hooksOf(text: string): JsonText | null {
  const root = expectKind(text, parse(text), "object", "the top level");
  const hooks = memberOf(root, "hooks");
  return hooks === null ? null : expectKind(text, hooks, "object", '"hooks"');
}

/** One entry of ours: where it stands. Indices are of children of the nodes beside them. */
interface Found {
  readonly event: string;
  readonly list: JsonText;
  readonly groupIndex: number;
  readonly entries: JsonText;
  readonly entryIndex: number;
  readonly entry: JsonText;
}

/** Our entries in a settings text, in order. */
function ourEntries(text: string, set: HookSet): readonly Found[] {
  const hooks = hooksOf(text);
  return (hooks?.children ?? []).flatMap((member) =>
    entriesOfEvent(text, member.key ?? "", member.value, set),
  );
}

function entriesOfEvent(
  text: string,
  event: string,
  list: JsonText,
  { isOurs }: HookSet,
): readonly Found[] {
  return list.children.flatMap((group, groupIndex) => {
    const entries = memberOf(group.value, "hooks");
    return (entries?.children ?? []).flatMap((child, entryIndex): readonly Found[] => {
      const entry = child.value;
      if (entries === null || !isOurs(valueOf(text, entry))) return [];
      return [{ event, list, groupIndex, entries, entryIndex, entry }];
    });
  });
}

/** Our entries of events that are not (or no longer) registered, and doubles, go first. */
function withoutStrayEntries(text: string, set: HookSet, changes: string[]): string {
  const seen = new Set<string>();
  return withoutEntries(
    text,
    {
      set,
      isUnwanted: ({ event }) => {
        const isStray = !set.events.includes(event) || seen.has(event);
        seen.add(event);
        return isStray;
      },
    },
    changes,
    () => false,
  );
}

function withEvent(text: string, event: string, set: HookSet, changes: string[]): string {
  const wanted = set.entryFor(event);
  const found = ourEntries(text, set).find((one) => one.event === event);
  if (found !== undefined) {
    if (JSON.stringify(valueOf(text, found.entry)) === JSON.stringify(wanted)) return text;
    changes.push(`update the hook for ${event}`);
    return replaceValue(text, found.entry, wanted);
  }
  changes.push(`add a hook for ${event}`);
  const group = groupOf(wanted, set.matcherFor?.(event) ?? null);
  const hooks = hooksOf(text);
  if (hooks === null)
    return appendChild(text, parse(text), { key: "hooks", value: { [event]: [group] } });
  const list = memberOf(hooks, event);
  if (list === null) return appendChild(text, hooks, { key: event, value: [group] });
  expectKind(text, list, "array", `"hooks.${event}"`);
  return appendChild(text, list, { key: null, value: group });
}

/**
 * Removes our entries that `isUnwanted` picks, one at a time (offsets change with every edit), and what each leaves
 * empty: its group, its event's list and `hooks`, unless `wasEmpty` says that they were so before us.
 */
function withoutEntries(
  text: string,
  { set, isUnwanted }: { readonly set: HookSet; readonly isUnwanted: (found: Found) => boolean },
  changes: string[],
  wasEmpty: (path: readonly string[]) => boolean,
): string {
  const unwanted = ourEntries(text, set).filter(isUnwanted);
  let result = text;
  // From the last to the first: what stands before an edit keeps its indices.
  for (const found of unwanted.toReversed()) {
    changes.push(`remove the hook for ${found.event}`);
    const at = ourEntries(result, set).find(
      (one) =>
        one.event === found.event &&
        one.groupIndex === found.groupIndex &&
        one.entryIndex === found.entryIndex,
    );
    if (at !== undefined) result = withoutEntry(result, at, wasEmpty);
  }
  return result;
}

function withoutEntry(
  text: string,
  found: Found,
  wasEmpty: (path: readonly string[]) => boolean,
): string {
  if (found.entries.children.length > 1) return removeChild(text, found.entries, found.entryIndex);
  if (found.list.children.length > 1) return removeChild(text, found.list, found.groupIndex);
  if (wasEmpty(["hooks", found.event])) return removeChild(text, found.list, found.groupIndex);
  const root = parse(text);
  const hooks = hooksOf(text);
  if (hooks === null) return text;
  return hooks.children.length > 1 || wasEmpty(["hooks"])
    ? removeChild(text, hooks, indexOf(hooks, found.list))
    : removeChild(text, root, indexOf(root, hooks));
}

const indexOf = (container: JsonText, value: JsonText): number =>
  container.children.findIndex((child) => child.value.start === value.start);

// Says why a file cannot be planned for, with the place in its text. Thrown while planning, a value for everybody else.

export interface PlanError {
  /** No JSON, or not what Claude Code's files look like. */
  readonly type: "setup.broken-json" | "setup.unexpected-shape";
  readonly line: number;
  readonly column: number;
  readonly detail: string;
}

class PlanFault extends Error {
  readonly reason: PlanError;

  constructor(reason: PlanError) {
    super(reason.detail);
    this.reason = reason;
  }
}

/** Runs a plan; a fault in the text becomes an error with line and column. */
export function planned<Value>(plan: () => Value): Result<Value, PlanError> {
  try {
    return ok(plan());
  } catch (error) {
    if (error instanceof PlanFault) return err(error.reason);
    throw error;
  }
}

/** Parses a text, or faults where it is broken. A text that was planned for may be read as commented. */
export function parse(text: string, isCommented = true): JsonText {
  try {
    return parseJsonText(text, isCommented);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const detail = error.message;
    throw new PlanFault({ type: "setup.broken-json", ...positionOf(text, error.offset), detail });
  }
}

/** The node itself, or a fault that names what should have been of that kind. */
export function expectKind(
  text: string,
  node: JsonText,
  kind: "object" | "array",
  name: string,
): JsonText {
  if (node.kind === kind) return node;
  const detail = `${name} is not an ${kind}`;
  throw new PlanFault({ type: "setup.unexpected-shape", ...positionOf(text, node.start), detail });
}
