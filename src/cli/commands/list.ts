/** `list`: every memory, page by page. */
import type { ListedMemoryJson, TimelineItemJson, TreeEntryJson } from "#api";
import { momentKinds, shortIdOf, treeRoot } from "#domain";
import { type Context, namesAmong } from "../context.ts";
import { misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText, optionTexts } from "../spec.ts";
import { ageOf, type Column, lastDayOf, safeLine, timeOf } from "../text.ts";
import { countOption, filterOptions, filterQuery, one } from "./filters.ts";

const sorts = ["recent", "created", "used", "importance", "uri"] as const;

/** Memories fetched at a time. */
const pageSize = 500;
/** The length of a list when the person does not ask for more. */
const shownDefault = 50;

export const listCommand: CommandSpec = {
  name: "list",
  group: "main",
  summary: "List memories, or browse them as a tree (--tree)",
  arguments: [
    { name: "[uri]", summary: "with --tree: directory to start from (default: the root)" },
  ],
  details:
    "Lists active memories; --status superseded lists replaced ones. NEWER names the memory that replaced one, or " +
    "may have replaced it where both are active. Without --project, memories of all projects are listed. Exchanges " +
    "are listed with --archive only. Commands that take a memory take its id as well: `continuity show 4k`. With " +
    "--json all memories are listed unless --limit says otherwise; without it, the first 50.",
  options: [
    { flags: "--sort <order>", summary: "order of the list", choices: sorts, fallback: "recent" },
    { flags: "--limit <n>", summary: "at most n memories" },
    { flags: "--archive", summary: "exchanges instead of memories" },
    { flags: "--pinned", summary: "only pinned memories" },
    { flags: "--tree", summary: "browse the memory tree instead" },
    { flags: "--depth <n>", summary: "with --tree: levels to show, 1 to 8 (default: 2)" },
    ...filterOptions,
  ],
  examples: [
    "continuity list --category preferences",
    "continuity list --json | jq -r .l0",
    "continuity list --archive --since 7d",
    "continuity list --tree mem://user/preferences",
  ],
  json: {
    shape: "one document a line",
    fields: "ListedMemoryJson",
    others: { "--tree": "TreeEntryJson" },
  },
  run: async (context, input) => {
    if (hasFlag(input, "tree")) return showTree(context, input);
    if (input.args.length > 0) throw misuse("a directory goes with --tree");
    return listed(context, input);
  },
};

async function listed(context: Context, input: Input): Promise<void> {
  const { isJson } = context;
  const wanted = countOption(input, "limit", 999_999) ?? (isJson ? Infinity : shownDefault);
  const rows: ListedMemoryJson[] = [];
  const names = new Map<string, string>();
  let total = 0;
  for await (const page of pages(context, input, wanted)) {
    total = page.total;
    if (isJson) for (const memory of page.items) context.printJson(memory);
    else {
      rows.push(...page.items);
      for (const [key, name] of Object.entries(page.project_names)) names.set(key, name);
    }
  }
  if (isJson) return;
  if (rows.length === 0) return context.print(nothing(context, input));
  const nameOf = namesAmong(context, names);
  const untilOf = ({ expires_at: end }: ListedMemoryJson): string =>
    end === null ? "" : `until ${lastDayOf(end, context.nowMs)}`;
  const projectOf = ({ project }: ListedMemoryJson): string =>
    project === null ? "-" : nameOf(project);
  context.print(
    context.table(rows, [
      { title: "ID", value: ({ id }) => shortIdOf(id) },
      { title: "MEMORY", value: ({ l0 }) => l0, least: 16 },
      { title: "PROJECT", value: projectOf, least: 7 },
      { title: "CATEGORY", value: ({ category }) => category ?? "-" },
      ...(isShown(input)
        ? [{ title: "STATUS", value: (row: ListedMemoryJson) => row.status }]
        : []),
      ...(rows.some(({ expires_at: end }) => end !== null)
        ? [{ title: "HOLDS", value: untilOf }]
        : []),
      ...newerColumn(rows),
      { title: "UPDATED", value: ({ updated_at: at }) => ageOf(at, context.nowMs) },
    ]),
  );
  if (rows.length < total)
    context.print(context.style.dim(`${rows.length} of ${total}; more with --limit ${total}\n`));
}

/** Column of newer memories, by short id where the list has them, else by address; none where there are no newer. */
function newerColumn(rows: readonly ListedMemoryJson[]): readonly Column<ListedMemoryJson>[] {
  if (rows.every(({ superseded_by: newer }) => newer === null)) return [];
  const ids = new Map(rows.map(({ id, uri }) => [uri, shortIdOf(id)]));
  const newerOf = ({ superseded_by: newer }: ListedMemoryJson): string =>
    newer === null ? "" : (ids.get(newer) ?? newer);
  return [{ title: "NEWER", value: newerOf, least: 16 }];
}

/** `nothing` words an empty list. */
function nothing(context: Context, input: Input): string {
  const isNarrowed =
    Object.keys(filterQuery(context, input)).length > 0 ||
    hasFlag(input, "pinned") ||
    hasFlag(input, "archive");
  return isNarrowed
    ? "No memories match.\n"
    : "No memories yet. Add one with `continuity remember <text>`.\n";
}

/** Without --status they are all active. */
const isShown = (input: Input): boolean => optionTexts(input, "status").length > 0;

/** Pages until `wanted` memories came or there are no more. */
async function* pages(context: Context, input: Input, wanted: number) {
  const api = await context.api("read");
  const sort = sorts.find((order) => order === optionText(input, "sort")) ?? "recent";
  let left = wanted;
  let cursor: string | null = null;
  do {
    const query = {
      status: ["active"],
      ...filterQuery(context, input),
      sort,
      archive: hasFlag(input, "archive") ? ("1" as const) : ("0" as const),
      ...one("pinned", hasFlag(input, "pinned") ? ("1" as const) : null),
      limit: `${Math.min(left, pageSize)}`,
      ...one("cursor", cursor),
    };
    const response: Awaited<ReturnType<typeof api.memories.$get>> = await api.memories.$get({
      query,
    });
    const page = await response.json();
    yield page;
    left -= page.items.length;
    cursor = page.next_cursor;
  } while (cursor !== null && left > 0);
}

// `list --tree`: the memory tree, directory by directory.

/** Entries of one directory that a tree shows; more are counted. */
const entriesMax = 100;

async function showTree(context: Context, input: Input): Promise<number | void> {
  const depth = Number(optionText(input, "depth") ?? "2");
  if (!Number.isInteger(depth) || depth < 1 || depth > 8)
    throw misuse("--depth must be a number from 1 to 8");
  const show = context.isJson
    ? (entry: TreeEntryJson) => context.printJson(entry)
    : (entry: TreeEntryJson, level: number) => context.print(entryLine(context, entry, level));
  const start = input.args[0] ?? treeRoot;
  const shown = await walk(context, { uri: start, depth, level: 0 }, show);
  if (shown === 0 && !context.isJson) context.print("Nothing is here yet.\n");
}

/** Depth first; resolves to how many entries were shown. */
async function walk(
  context: Context,
  from: { readonly uri: string; readonly depth: number; readonly level: number },
  show: (entry: TreeEntryJson, level: number) => void,
): Promise<number> {
  const query = { uri: from.uri, limit: `${entriesMax}` };
  const { items: all, next_cursor: more } = await context.ask("read", (api) =>
    api.tree.$get({ query }),
  );
  // A directory whose memories were all forgotten holds nothing to browse.
  const items = all.filter(({ node_type: type, leaves }) => type !== "dir" || leaves > 0);
  let shown = items.length;
  for (const entry of items) {
    show(entry, from.level);
    if (entry.node_type !== "dir" || from.depth <= 1) continue;
    const below = { uri: entry.uri, depth: from.depth - 1, level: from.level + 1 };
    shown += await walk(context, below, show);
  }
  if (more !== null) {
    const hint = `more than ${entriesMax} entries in ${from.uri}: run \`continuity list\``;
    context.deps.io.err(`${context.style.dim(hint)}\n`);
  }
  return shown;
}

function entryLine({ style }: Context, entry: TreeEntryJson, level: number): string {
  const indent = "  ".repeat(level);
  const name = safeLine(entry.uri.split("/").at(-1) ?? entry.uri);
  const text = safeLine(entry.l0);
  return entry.node_type === "dir"
    ? `${indent}${style.bold(`${name}/`)} ${style.dim(`(${entry.leaves})`)}\n`
    : `${indent}${name}  ${style.dim(text)}\n`;
}

// `timeline`: what happened around a moment.

export const timelineCommand: CommandSpec = {
  name: "timeline",
  group: "more",
  summary: "Show what happened around a time, a memory, a session or a turn",
  arguments: [
    {
      name: "[around]",
      summary: "2026-09-01, a mem:// URI, a session, or session/turn (default: now)",
    },
  ],
  options: [
    { flags: "--limit <n>", summary: "at most n entries, up to 200", fallback: "40" },
    { flags: "--project <name>", summary: "only this project (name or key)" },
    {
      flags: "--kind <kind>",
      summary: "only this kind; a moment is an exchange",
      choices: momentKinds,
      many: true,
    },
  ],
  examples: [
    "continuity timeline",
    "continuity timeline mem://user/events/2026-02-25-deploy --limit 10",
  ],
  json: { shape: "one document a line", fields: "TimelineItemJson" },
  run,
};

async function run(context: Context, input: Input): Promise<number | void> {
  const api = await context.api("read");
  const query = {
    limit: `${countOption(input, "limit", 200) ?? 40}`,
    ...one("around", input.args[0] ?? null),
    ...one("project", optionText(input, "project")),
    ...one("kind", optionTexts(input, "kind").join(",") || null),
  };
  const { items } = await (await api.timeline.$get({ query })).json();
  context.showAll(items, "No events.\n", () =>
    items.map((item) => rendered(context, item)).join(""),
  );
}

function rendered({ style }: Context, { at, kind, title, uri }: TimelineItemJson): string {
  const place = uri === null ? "" : style.dim(`${" ".repeat(30)}${safeLine(uri)}\n`);
  return `${style.dim(timeOf(at))}  ${kind.padEnd(11)} ${safeLine(title)}\n${place}`;
}
