/**
 * Decides what a file of Claude Code becomes: text in, text out, nothing touched.
 *
 * Everything that is not ours keeps its bytes. The caller that applies a plan brings the file, the backup and the state
 * (see change.ts).
 */
import { ok, type Result, sha256 } from "#kit";
import {
  claudeHooks,
  expectKind,
  isOurServer,
  isOurStatusLine,
  marketplacePath,
  parse,
  type PlanError,
  planned,
  pluginPath,
  serverEntry,
  serverPath,
  statusLineEntry,
  statusLinePath,
  withHooks,
  withoutHooks,
} from "./hooks.ts";
import {
  appendChild,
  type JsonText,
  memberOf,
  parseJsonText,
  removeChild,
  replaceValue,
  valueOf,
} from "./json-text.ts";

export interface Plan {
  readonly text: string;
  /** One line per change, for people; empty when there is nothing to do. */
  readonly changes: readonly string[];
  /** Parts that were left alone and why, for people. */
  readonly notes: readonly string[];
}

/** The state that an install leaves behind, to undo it exactly. */
export interface InstallState {
  /** The file before us; null when there was none. */
  readonly original: string | null;
  /** Hash of the file as we left it (see textHash). */
  readonly installedHash: string;
  /** Folders that were made for the file, the deepest first. */
  readonly folders?: readonly string[];
}

export interface SettingsWish {
  /** Absolute path of the program. */
  readonly binary: string;
  /** Ours in the status line, unless another one is there. */
  readonly statusLine?: boolean;
  /** Folder of our plugin marketplace: the plugin brings hooks and server, so no hooks are written. */
  readonly marketplace?: string | null;
}

/** `isPluginOn` tells whether a settings text switches our plugin on; what is no settings text does not. */
export function isPluginOn(text: string | null): boolean {
  const read = planned(() => {
    parse(text ?? "", false);
    return valueAt(text ?? "", pluginPath) === true;
  });
  return read.ok && read.value;
}

export const textHash = (text: string): string => sha256(text, 64);

/**
 * Adds what is wished to a settings text (null or blank: there was no file). What is already right stays as it is,
 * moved or doubled entries are set right; so a second run changes nothing.
 */
export function planInstall(
  settingsText: string | null,
  wish: SettingsWish,
): Result<Plan, PlanError> {
  return planOver(settingsText, (text, changes, notes) => {
    const hooked = withHooksOrPlugin(text, wish, changes, notes);
    return withStatusLine(hooked, wish, changes, notes);
  });
}

/** Adds our server to a text that lists MCP servers (null or blank: there was no file). */
export const planServer = (
  given: string | null,
  { binary }: { readonly binary: string },
): Result<Plan, PlanError> =>
  planOver(given, (text, changes, notes) => withServer(text, ourServer(binary), changes, notes));

const ourServer = (binary: string): ServerPart => ({
  path: serverPath,
  entry: (known) => serverEntry(binary, known),
  isOurs: isOurServer,
});

/** Our MCP server in a text. What a person added to it stays. */
export interface ServerPart {
  readonly path: readonly string[];
  readonly entry: (known: unknown) => object;
  readonly isOurs: (known: unknown) => boolean;
}

export function withServer(
  text: string,
  { path, entry, isOurs }: ServerPart,
  changes: string[],
  notes: string[],
): string {
  expectObject(text, path);
  const known = valueAt(text, path);
  if (known !== undefined && !isOurs(known)) {
    notes.push('an MCP server named "continuity" that is not ours was left as it is');
    return text;
  }
  const wanted = entry(known);
  if (JSON.stringify(known) === JSON.stringify(wanted)) return text;
  changes.push(known === undefined ? "add the MCP server" : "update the MCP server");
  return withMember(text, path, wanted);
}

/** A text without what is ours; null = no file. `original`: the text before us, where it is known. */
export type TakeOut = (
  text: string,
  original: string | null,
) => Result<{ readonly text: string | null; readonly changes: readonly string[] }, PlanError>;

/** The file before us, byte for byte, when it is as we left it; else `takeOut` of what somebody has changed since. */
export function undone(
  text: string,
  state: InstallState | null,
  takeOut: TakeOut,
): ReturnType<TakeOut> {
  if (state === null || textHash(text) !== state.installedHash)
    return takeOut(text, state?.original ?? null);
  const change = state.original === null ? "remove the file" : "restore the file as it was";
  return ok({ text: state.original, changes: [change] });
}

/** Takes our entries out, and the lists and objects that they leave empty and that were not so before us. */
export function takeOutOver(
  text: string,
  original: string | null,
  edit: (text: string, changes: string[], wasEmpty: (path: readonly string[]) => boolean) => string,
  isCommented = false,
): ReturnType<TakeOut> {
  if (text.trim() === "") return ok({ text, changes: [] });
  return planned(() => {
    const changes: string[] = [];
    expectKind(text, parse(text, isCommented), "object", "the top level");
    return { text: edit(text, changes, emptyIn(original ?? "")), changes };
  });
}

/** Takes ours out of Claude Code's settings, or of its list of servers. */
export const planUninstall =
  (marketplace: string | null = null): TakeOut =>
  (given, original) =>
    takeOutOver(given, original, (text, changes, wasEmpty) => {
      const bare = withoutHooks(text, claudeHooks(""), changes, wasEmpty);
      return withoutOurMembers(bare, { marketplace, changes, wasEmpty });
    });

/** Plans over a text, where null or a blank one is that of no file. */
export function planOver(
  given: string | null,
  edit: (text: string, changes: string[], notes: string[]) => string,
  isCommented = false,
): Result<Plan, PlanError> {
  const before = given ?? "";
  // trim() takes a byte order mark for white space.
  const start = before.trim() === "" ? "{}\n" : before;
  return planned(() => {
    const changes: string[] = [];
    const notes: string[] = [];
    expectKind(start, parse(start, isCommented), "object", "the top level");
    const text = edit(start, changes, notes);
    return { text: changes.length === 0 ? before : text, changes, notes };
  });
}

function withHooksOrPlugin(
  text: string,
  { binary, marketplace }: SettingsWish,
  changes: string[],
  notes: string[],
): string {
  if (typeof marketplace === "string") {
    const bare = withoutHooks(text, claudeHooks(binary), changes, () => false);
    return withPlugin(bare, marketplace, changes);
  }
  if (valueAt(text, pluginPath) !== true) return withHooks(text, claudeHooks(binary), changes);
  notes.push(
    "the plugin is switched on in these settings and brings the hooks: none were added " +
      "(to change over: `continuity uninstall`, or `claude plugin uninstall continuity@continuity` if you " +
      "installed it that way; then `continuity install`)",
  );
  return withoutHooks(text, claudeHooks(binary), changes, () => false);
}

function withPlugin(text: string, marketplace: string, changes: string[]): string {
  const wanted = { source: { source: "directory", path: marketplace } };
  let result = text;
  for (const [path, value, change] of [
    [marketplacePath, wanted, "name the plugin's folder"],
    [pluginPath, true, "switch the plugin on"],
  ] as const) {
    expectObject(result, path.slice(0, 1));
    if (JSON.stringify(valueAt(result, path)) === JSON.stringify(value)) continue;
    changes.push(change);
    result = withMember(result, path, value);
  }
  return result;
}

function withStatusLine(
  text: string,
  { binary, statusLine }: SettingsWish,
  changes: string[],
  notes: string[],
): string {
  const known = valueAt(text, statusLinePath);
  const isOurs = isOurStatusLine(known);
  if (known !== undefined && !isOurs) {
    if (statusLine === true)
      notes.push(
        "there is a status line already and it was kept; to show ours in it, let its script run " +
          `\`${statusLineEntry(binary).command}\` with the same standard input`,
      );
    return text;
  }
  if (!isOurs && statusLine !== true) return text;
  const wanted = statusLineEntry(binary);
  if (JSON.stringify(known) === JSON.stringify(wanted)) return text;
  changes.push(isOurs ? "update the status line" : "add the status line");
  return withMember(text, statusLinePath, wanted);
}

/** Plugin, status line and MCP server: each only when it is ours. */
function withoutOurMembers(
  text: string,
  how: {
    readonly marketplace: string | null;
    readonly changes: string[];
    readonly wasEmpty: (path: readonly string[]) => boolean;
  },
): string {
  const { marketplace, changes, wasEmpty } = how;
  const isOurPlugin =
    marketplace !== null && valueAt(text, [...marketplacePath, "source", "path"]) === marketplace;
  const hasPlugin = valueAt(text, pluginPath) !== undefined;
  let result = text;
  for (const [path, isOurs, change] of [
    [pluginPath, isOurPlugin && hasPlugin, "switch the plugin off"],
    [marketplacePath, isOurPlugin, "take out the plugin's folder"],
    [statusLinePath, isOurStatusLine(valueAt(text, statusLinePath)), "remove the status line"],
    [serverPath, isOurServer(valueAt(text, serverPath)), "remove the MCP server"],
  ] as const) {
    if (!isOurs) continue;
    changes.push(change);
    result = withoutMember(result, path, wasEmpty);
  }
  return result;
}

/** Throws where the first name of a path holds anything but an object. */
function expectObject(text: string, path: readonly string[]): void {
  const root = parse(text);
  const name = path[0] ?? "";
  const found = root.children.findLast(({ key }) => key === name)?.value;
  if (found !== undefined) expectKind(text, found, "object", `"${name}"`);
}

// Named members of nested objects in a JSON text: found, set and taken out with nothing else touched. Pure; knows how
// a text is edited, not what stands in it.

/** The value at a path of member names, and where it stands; null when a name on the way is missing or no object. */
function nodeAt(text: string, path: readonly string[]): JsonText | null {
  let node: JsonText | null = parseJsonText(text, true);
  for (const name of path) node = node?.kind === "object" ? memberOf(node, name) : null;
  return node;
}

/** The parsed value at a path; undefined when there is none. */
export function valueAt(text: string, path: readonly string[]): unknown {
  const node = nodeAt(text, path);
  return node === null ? undefined : valueOf(text, node);
}

/** Sets the value at a path; objects that are missing on the way are made. The objects on the way must be objects. */
function withMember(text: string, path: readonly string[], value: unknown): string {
  const here = nodeAt(text, path);
  if (here !== null) return replaceValue(text, here, value);
  const [key = "", ...outer] = path.toReversed();
  const parent = nodeAt(text, outer.toReversed());
  return parent === null
    ? withMember(text, outer.toReversed(), { [key]: value })
    : appendChild(text, parent, { key, value });
}

/**
 * Takes out the member at a path, and each object around it that this leaves empty, unless `wasEmpty` says that the
 * object stood empty before us.
 */
export function withoutMember(
  text: string,
  path: readonly string[],
  wasEmpty: (path: readonly string[]) => boolean,
): string {
  const outer = path.slice(0, -1);
  const parent = nodeAt(text, outer);
  const index = parent?.children.findLastIndex(({ key }) => key === path.at(-1)) ?? -1;
  if (parent === null || index < 0) return text;
  const isLast = parent.children.length === 1;
  return isLast && outer.length > 0 && !wasEmpty(outer)
    ? withoutMember(text, outer, wasEmpty)
    : removeChild(text, parent, index);
}

/** Tells which objects and lists stood empty in a text; an unreadable one has none. */
function emptyIn(original: string): (path: readonly string[]) => boolean {
  return (path) => {
    const node = original.trim() === "" ? null : nodeAt(original, path);
    return node !== null && node.kind !== "scalar" && node.children.length === 0;
  };
}
