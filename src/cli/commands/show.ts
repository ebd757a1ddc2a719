/** `show`, `history`, `tree` and `profile`: memories up close. */
import type { InferResponseType } from "hono/client";
import { treeRoot, shortIdOf } from "#domain";
import { isRecordUri, recordAt } from "#api/client";
import { anchorLine } from "../anchor-line.ts";
import type { Client, Context } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag, optionText } from "../spec.ts";
import { ageOf, counted, safeLine, safeText, timeOf, wrap } from "../text.ts";
import { projectNames, type NameOf } from "../project-names.ts";
import { first } from "./fields.ts";
import { one } from "./filters.ts";

type Node = InferResponseType<Client["nodes"]["$get"], 200>;
type Entry = InferResponseType<Client["tree"]["$get"], 200>["items"][number];
type Profile = InferResponseType<Client["profile"]["$get"], 200>;

const uriArgument = {
  name: "<uri>",
  summary: "its URI, a short id such as 4k, or a unique beginning of its name",
} as const;

export const showCommand: CommandSpec = {
  name: "show",
  group: "daily",
  summary: "Show a memory, or a record of a session",
  details: "Showing a memory counts as a use and keeps it relevant; --no-use skips that.",
  arguments: [uriArgument],
  options: [{ flags: "--no-use", summary: "do not count this as a use" }],
  examples: ["continuity show mem://user/preferences/package-manager", "continuity show 4k"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.NodeJson),
  },
  run: async (context, input) => {
    const uri = input.args[0] ?? "";
    if (isRecordUri(uri)) return shownRecord(context, input, uri);
    const isUse = input.options["use"] !== false;
    const node = isUse ? await usedNode(context, uri) : await nodeAt(context, uri, "0");
    if (hasFlag(input, "json")) context.printJson(node);
    else context.print(rendered(context, node, await projectNames(context, [node.project])));
    return 0;
  },
};

/** A prompt or a checkpoint: `find` and `why` print where it lies. */
async function shownRecord(context: Context, input: Input, uri: string): Promise<number> {
  const record = await recordAt(await context.api("read"), uri);
  if (record === null)
    throw new CliFailure(`there is no record at ${safeLine(uri)}`, "see `continuity sessions`");
  if (hasFlag(input, "json")) {
    context.printJson(record);
    return 0;
  }
  const { style, deps } = context;
  const nameOf = await projectNames(context, [record.project]);
  const where = record.project === null ? "no project" : nameOf(record.project);
  const facts = [record.kind, where, timeOf(record.at)];
  const text = record.l2 === null || record.l2 === "" ? record.l0 : record.l2;
  const lines = [
    style.bold(safeLine(record.uri)),
    style.dim(facts.map(safeLine).join(" · ")),
    "",
    ...wrap(safeText(record.kind === "turn" ? text : `${record.l0}\n${text}`), deps.io.columns),
    ...(record.files.length === 0
      ? []
      : ["", style.bold("Files"), ...record.files.map((file) => safeLine(file))]),
  ];
  context.print(lines.map((line) => `${line}\n`).join(""));
  return 0;
}

/** Counting a use needs the daemon; when none can be had, reading still works. */
async function usedNode(context: Context, uri: string): Promise<Node> {
  const connection = await context.deps.connect("write");
  return nodeAt(context, uri, connection.ok ? "1" : "0");
}

async function nodeAt(context: Context, uri: string, use: "0" | "1"): Promise<Node> {
  const api = await context.api(use === "1" ? "write" : "read");
  return (await api.nodes.$get({ query: { uri, use } })).json();
}

const sourceOf = ({ author, maker, origin }: Node): string =>
  origin === "team" ? `from your colleague ${author ?? "unknown"}` : `from ${origin} by ${maker}`;

function rendered(context: Context, node: Node, nameOf: NameOf): string {
  const { style, deps, nowMs } = context;
  const width = deps.io.columns;
  const block = (title: string, text: string | null): readonly string[] =>
    text === null || text === "" ? [] : ["", style.bold(title), ...wrap(safeText(text), width)];
  const facts = [
    [
      node.category ?? node.node_type,
      node.project === null ? "all projects" : nameOf(node.project),
      node.status,
    ],
    [`importance ${node.importance}`, `relevance ${node.relevance.toFixed(2)}`],
    [sourceOf(node), `learnt ${timeOf(node.created_at)}`],
    [`updated ${ageOf(node.updated_at, nowMs)}`, `used ${counted(node.access_count, "time")}`],
  ].map((line) => style.dim(line.map(safeLine).join(" · ")));
  const superseded =
    node.superseded_by === null
      ? []
      : [style.yellow(`superseded by ${safeLine(node.superseded_by)}`)];
  const evidence = node.evidence
    .map(
      ({ sessionId, turn, line, quote }) =>
        `${sessionId}${turn === null ? "" : ` turn ${turn}`}${line === null ? "" : ` line ${line}`}: "${quote}"`,
    )
    .join("\n");
  const links = node.links
    .map(({ relation, direction, uri, l0 }) =>
      direction === "to" ? `${relation} → ${uri}  ${l0}` : `← ${relation} ${uri}  ${l0}`,
    )
    .join("\n");
  return [
    style.bold(`${safeLine(node.uri)}  ${shortIdOf(node.id)}`),
    ...facts,
    ...superseded,
    "",
    ...wrap(safeText(node.l0), width),
    ...block("Overview", node.l1),
    ...block("Full text", node.l2),
    ...block("Code", node.anchors.map(anchorLine).join("\n")),
    ...block("Evidence", evidence),
    ...block("Links", links),
    ...block("Tags and files", [...node.tags, ...node.files].join("\n")),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

export const historyCommand: CommandSpec = {
  name: "history",
  group: "trust",
  summary: "Show every change of a memory",
  arguments: [uriArgument],
  examples: ["continuity history mem://user/preferences/package-manager"],
  json: {
    shape: "one document a line",
    fields: ({ fieldsOf, revisionForm }) =>
      first(fieldsOf(revisionForm), "id at action by reason status l0 l1 l2".split(" ")),
  },
  run: async (context, input) => {
    const api = await context.api("read");
    const answer = await api.nodes.history.$get({ query: { uri: input.args[0] ?? "" } });
    const { items } = await answer.json();
    if (hasFlag(input, "json")) for (const item of items) context.printJson(item);
    else
      for (const { id, at, action, by, reason, l0 } of items) {
        const head = `${id}  ${timeOf(at)}  ${action}  ${safeLine(`by ${by}: ${reason}`)}`;
        context.print(`${context.style.dim(head)}\n  ${safeLine(l0)}\n`);
      }
    return 0;
  },
};

/** Entries of one directory that a tree shows; more are counted. */
const entriesMax = 100;

export const treeCommand: CommandSpec = {
  name: "tree",
  group: "daily",
  summary: "Browse the memory tree",
  arguments: [{ name: "[uri]", summary: "directory to start from (default: the root)" }],
  options: [{ flags: "--depth <n>", summary: "levels to show, 1 to 8", fallback: "2" }],
  examples: ["continuity tree", "continuity tree mem://user/preferences"],
  json: {
    shape: "one document a line",
    fields: ({ fieldsOf, treeEntryForm }) => fieldsOf(treeEntryForm),
  },
  run: async (context, input) => {
    const depth = Number(optionText(input, "depth"));
    if (!Number.isInteger(depth) || depth < 1 || depth > 8)
      throw misuse("--depth must be a number from 1 to 8");
    const show = hasFlag(input, "json")
      ? (entry: Entry) => context.printJson(entry)
      : (entry: Entry, level: number) => context.print(entryLine(context, entry, level));
    const start = input.args[0] ?? treeRoot;
    const shown = await walk(context, { uri: start, depth, level: 0 }, show);
    if (shown === 0 && !hasFlag(input, "json")) context.print("Nothing is here yet.\n");
    return 0;
  },
};

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

export const profileCommand: CommandSpec = {
  name: "profile",
  group: "daily",
  summary: "Show who you are to Claude: profile and preferences",
  options: [{ flags: "--project <name>", summary: "only this project (name or key) and global" }],
  examples: ["continuity profile"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.ProfileJson),
  },
  run: async (context, input) => {
    const api = await context.api("read");
    const query = one("project", optionText(input, "project"));
    const profile = await (await api.profile.$get({ query })).json();
    if (hasFlag(input, "json")) context.printJson(profile);
    else await printProfile(context, profile);
    return 0;
  },
};

async function printProfile(
  context: Context,
  { communication, profile, preferences }: Profile,
): Promise<void> {
  const all = [...profile, ...preferences];
  const nameOf = await projectNames(
    context,
    all.map(({ project }) => project),
  );
  const { style, print } = context;
  if (communication !== null)
    print(
      `${style.bold("Working with you")}\n${safeText(communication.l1 ?? communication.l0)}\n\n`,
    );
  for (const [title, memories] of [
    ["Profile", profile],
    ["Preferences", preferences],
  ] as const) {
    print(`${style.bold(title)}\n`);
    if (memories.length === 0) print(style.dim("  nothing yet\n"));
    for (const { l0, project, created_at: at } of memories) {
      const where = project === null ? "" : ` · ${safeLine(nameOf(project))}`;
      print(`  ${safeLine(l0)} ${style.dim(`${ageOf(at, context.nowMs)}${where}`)}\n`);
    }
  }
}
