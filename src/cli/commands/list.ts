/** `list`: every memory, page by page. */
import type { InferResponseType } from "hono/client";
import { shortIdOf } from "#domain";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag, optionText, optionTexts } from "../spec.ts";
import { table } from "../table.ts";
import { ageOf } from "../text.ts";
import { namesAmong } from "../project-names.ts";
import { countOption, filterOptions, filterQuery, one } from "./filters.ts";

const sorts = ["recent", "created", "used", "importance", "uri"] as const;

type Row = InferResponseType<Client["memories"]["$get"], 200>["items"][number];

/** Memories fetched at a time. */
const pageSize = 500;
/** What a person sees without asking for more. */
const shownDefault = 50;

export const listCommand: CommandSpec = {
  name: "list",
  group: "main",
  summary: "List memories, or browse them as a tree (--tree)",
  arguments: [
    { name: "[uri]", summary: "with --tree: directory to start from (default: the root)" },
  ],
  details:
    "Lists active memories; --status superseded lists replaced ones. Without --project, memories of all projects are " +
    "listed. Exchanges are listed with --archive only. " +
    "Commands that take a memory take its id as well: `continuity show 4k`. With --json all " +
    "memories are listed unless --limit says otherwise; without it, the first 50.",
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
    fields: ({ fieldsOf, memoryForm }) => fieldsOf(memoryForm),
    others: ({ fieldsOf, treeEntryForm }) => ({ "--tree": fieldsOf(treeEntryForm) }),
  },
  run: async (context, input) => {
    if (hasFlag(input, "tree")) return (await import("./tree.ts")).showTree(context, input);
    if (input.args.length > 0) throw misuse("a directory goes with --tree");
    return listed(context, input);
  },
};

async function listed(context: Context, input: Input): Promise<number> {
  const isJson = hasFlag(input, "json");
  const wanted = countOption(input, "limit", 999_999) ?? (isJson ? Infinity : shownDefault);
  const rows: Row[] = [];
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
  if (isJson) return 0;
  if (rows.length === 0) {
    context.print(nothing(context, input));
    return 0;
  }
  const nameOf = namesAmong(context, names);
  const options = { width: context.deps.io.columns, style: context.style };
  context.print(
    table(
      rows,
      [
        { title: "ID", value: ({ id }) => shortIdOf(id) },
        { title: "MEMORY", value: ({ l0 }) => l0, least: 16 },
        {
          title: "PROJECT",
          value: ({ project }) => (project === null ? "-" : nameOf(project)),
          least: 7,
        },
        { title: "CATEGORY", value: ({ category }) => category ?? "-" },
        ...(isShown(input) ? [{ title: "STATUS", value: (row: Row) => row.status }] : []),
        { title: "UPDATED", value: ({ updated_at: at }) => ageOf(at, context.nowMs) },
      ],
      options,
    ),
  );
  if (rows.length < total)
    context.print(context.style.dim(`${rows.length} of ${total}; more with --limit ${total}\n`));
  return 0;
}

/** What is said of an empty list. */
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
