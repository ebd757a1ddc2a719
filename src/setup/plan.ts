/**
 * Decides what a settings file becomes: text in, text out, nothing touched.
 *
 * Everything that is not ours keeps its bytes. Whoever applies a plan brings the file, the backup and the state
 * (see install.ts).
 */
import { err, ok, type Result, sha256 } from "#kit";
import { hookEntryFor, isOurEntry, registeredEvents } from "./hooks.ts";
import { appendChild, memberOf, removeChild, replaceValue, valueOf } from "./json-edit.ts";
import { JsonFault, type JsonText, parseJsonText, positionOf } from "./json-text.ts";

export type PlanError =
  | {
      readonly type: "setup.broken-json";
      readonly line: number;
      readonly column: number;
      readonly detail: string;
    }
  | {
      /** JSON, but not what Claude Code's settings look like. */
      readonly type: "setup.unexpected-shape";
      readonly line: number;
      readonly column: number;
      readonly detail: string;
    };

export interface Plan {
  readonly text: string;
  /** One line per change, for people; empty when there is nothing to do. */
  readonly changes: readonly string[];
}

/** What an install left behind, to undo it exactly. */
export interface InstallState {
  /** The file before us; null when there was none. */
  readonly original: string | null;
  /** Hash of the file as we left it (see textHash). */
  readonly installedHash: string;
}

/** Whole SHA-256 of a settings text, in hex. */
export const textHash = (text: string): string => sha256(text, 64);

/**
 * Adds our hooks to a settings text (null or blank: there was no file). Entries that are already right stay as they
 * are, moved or doubled ones are set right; so a second run changes nothing.
 */
export function planInstall(
  settingsText: string | null,
  options: { readonly binary: string },
): Result<Plan, PlanError> {
  const given = settingsText ?? "";
  // trim() takes a byte order mark for white space.
  const start = given.trim() === "" ? "{}\n" : given;
  return planned(() => {
    const changes: string[] = [];
    let text = withoutStrayEntries(start, changes);
    for (const event of registeredEvents) text = withEvent(text, event, options.binary, changes);
    return { text: changes.length === 0 ? given : text, changes };
  });
}

/**
 * Takes our hooks out. When the file is as we left it, it becomes what it was before us, byte for byte (text null: it
 * was not there). Else only our entries go, and the lists and objects that they leave empty.
 */
export function planUninstall(
  settingsText: string,
  state: InstallState | null,
): Result<{ readonly text: string | null; readonly changes: readonly string[] }, PlanError> {
  if (state !== null && textHash(settingsText) === state.installedHash) {
    const change = state.original === null ? "remove the file" : "restore the file as it was";
    return ok({ text: state.original, changes: [change] });
  }
  if (settingsText.trim() === "") return ok({ text: settingsText, changes: [] });
  return planned(() => {
    const changes: string[] = [];
    const wasEmpty = emptyIn(state?.original ?? "");
    const text = withoutEntries(settingsText, () => true, changes, wasEmpty);
    return { text, changes };
  });
}

/** Runs a plan; a fault in the text becomes an error with line and column. */
function planned<Value>(plan: () => Value): Result<Value, PlanError> {
  try {
    return ok(plan());
  } catch (error) {
    if (error instanceof PlanFault) return err(error.reason);
    throw error;
  }
}

class PlanFault extends Error {
  readonly reason: PlanError;

  constructor(reason: PlanError) {
    super(reason.detail);
    this.reason = reason;
  }
}

function parse(text: string): JsonText {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const detail = error.message;
    throw new PlanFault({
      type: "setup.broken-json",
      ...positionOf(text, error.offset),
      detail,
    });
  }
}

function expectKind(
  text: string,
  node: JsonText,
  kind: "object" | "array",
  name: string,
): JsonText {
  if (node.kind === kind) return node;
  const detail = `${name} is not an ${kind}`;
  throw new PlanFault({ type: "setup.unexpected-shape", ...positionOf(text, node.start), detail });
}

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
function ourEntries(text: string): readonly Found[] {
  const hooks = hooksOf(text);
  return (hooks?.children ?? []).flatMap((member) =>
    entriesOfEvent(text, member.key ?? "", member.value),
  );
}

function entriesOfEvent(text: string, event: string, list: JsonText): readonly Found[] {
  return list.children.flatMap((group, groupIndex) => {
    const entries = memberOf(group.value, "hooks");
    return (entries?.children ?? []).flatMap((child, entryIndex): readonly Found[] => {
      const entry = child.value;
      if (entries === null || !isOurEntry(valueOf(text, entry))) return [];
      return [{ event, list, groupIndex, entries, entryIndex, entry }];
    });
  });
}

/** Our entries of events that are not (or no longer) registered, and doubles, go first. */
function withoutStrayEntries(text: string, changes: string[]): string {
  const seen = new Set<string>();
  return withoutEntries(
    text,
    ({ event }) => {
      const isStray = !registeredEvents.includes(event) || seen.has(event);
      seen.add(event);
      return isStray;
    },
    changes,
    () => false,
  );
}

function withEvent(text: string, event: string, binary: string, changes: string[]): string {
  const wanted = hookEntryFor(event, binary);
  const found = ourEntries(text).find((one) => one.event === event);
  if (found !== undefined) {
    if (JSON.stringify(valueOf(text, found.entry)) === JSON.stringify(wanted)) return text;
    changes.push(`update the hook for ${event}`);
    return replaceValue(text, found.entry, wanted);
  }
  changes.push(`add a hook for ${event}`);
  const group = { hooks: [wanted] };
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
  isUnwanted: (found: Found) => boolean,
  changes: string[],
  wasEmpty: (path: string) => boolean,
): string {
  const unwanted = ourEntries(text).filter(isUnwanted);
  let result = text;
  // From the last to the first: what stands before an edit keeps its indices.
  for (const found of unwanted.toReversed()) {
    changes.push(`remove the hook for ${found.event}`);
    const at = ourEntries(result).find(
      (one) =>
        one.event === found.event &&
        one.groupIndex === found.groupIndex &&
        one.entryIndex === found.entryIndex,
    );
    if (at !== undefined) result = withoutEntry(result, at, wasEmpty);
  }
  return result;
}

function withoutEntry(text: string, found: Found, wasEmpty: (path: string) => boolean): string {
  if (found.entries.children.length > 1) return removeChild(text, found.entries, found.entryIndex);
  if (found.list.children.length > 1) return removeChild(text, found.list, found.groupIndex);
  if (wasEmpty(`hooks.${found.event}`)) return removeChild(text, found.list, found.groupIndex);
  const root = parse(text);
  const hooks = hooksOf(text);
  if (hooks === null) return text;
  return hooks.children.length > 1 || wasEmpty("hooks")
    ? removeChild(text, hooks, indexOf(hooks, found.list))
    : removeChild(text, root, indexOf(root, hooks));
}

const indexOf = (container: JsonText, value: JsonText): number =>
  container.children.findIndex((child) => child.value.start === value.start);

/** Tells which containers stood empty in the file before us, so that they are left standing. */
function emptyIn(original: string): (path: string) => boolean {
  const hooks = original.trim() === "" ? null : hooksOf(original);
  return (path) => {
    if (hooks === null) return false;
    const node = path === "hooks" ? hooks : memberOf(hooks, path.slice("hooks.".length));
    return node !== null && node.children.length === 0;
  };
}
