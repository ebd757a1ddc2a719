/** `list --tree`: the memory tree, directory by directory. */
import type { InferResponseType } from "hono/client";
import { treeRoot } from "#domain";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import type { Input } from "../spec.ts";
import { hasFlag, optionText } from "../spec.ts";
import { safeLine } from "../text.ts";

type Entry = InferResponseType<Client["tree"]["$get"], 200>["items"][number];

/** Entries of one directory that a tree shows; more are counted. */
const entriesMax = 100;

export async function showTree(context: Context, input: Input): Promise<number> {
  const depth = Number(optionText(input, "depth") ?? "2");
  if (!Number.isInteger(depth) || depth < 1 || depth > 8)
    throw misuse("--depth must be a number from 1 to 8");
  const show = hasFlag(input, "json")
    ? (entry: Entry) => context.printJson(entry)
    : (entry: Entry, level: number) => context.print(entryLine(context, entry, level));
  const start = input.args[0] ?? treeRoot;
  const shown = await walk(context, { uri: start, depth, level: 0 }, show);
  if (shown === 0 && !hasFlag(input, "json")) context.print("Nothing is here yet.\n");
  return 0;
}

/** Depth first; resolves to how many entries were shown. */
async function walk(
  context: Context,
  from: { readonly uri: string; readonly depth: number; readonly level: number },
  show: (entry: Entry, level: number) => void,
): Promise<number> {
  const api = await context.api("read");
  const query = { uri: from.uri, limit: `${entriesMax}` };
  const { items, next_cursor: more } = await (await api.tree.$get({ query })).json();
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

function entryLine({ style }: Context, entry: Entry, level: number): string {
  const indent = "  ".repeat(level);
  const name = safeLine(entry.uri.split("/").at(-1) ?? entry.uri);
  const text = safeLine(entry.l0);
  return entry.node_type === "dir"
    ? `${indent}${style.bold(`${name}/`)} ${style.dim(`(${entry.leaves})`)}\n`
    : `${indent}${name}  ${style.dim(text)}\n`;
}
