/** Our hooks in a settings text: put in, set right, taken out. Pure; every other byte stays. */
import { appendChild, memberOf, removeChild, replaceValue, valueOf } from "./json-edit.ts";
import type { JsonText } from "./json-text.ts";
import { expectKind, parse } from "./plan-fault.ts";

/** Which hooks are ours in a file of this shape. */
export interface HookSet {
  /** The client's events, in order. */
  readonly events: readonly string[];
  readonly entryFor: (event: string) => object;
  /** Tools that the hook of an event is run for; null or absent = the client is told none. */
  readonly matcherFor?: (event: string) => string | null;
  readonly isOurs: (entry: unknown) => boolean;
}

/** What stands in an event's list for one entry of ours. */
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
