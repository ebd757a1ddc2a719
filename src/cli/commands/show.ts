/** `show`: one memory, or a record of a session. */
import { counted } from "#kit";
import { shortIdOf } from "#domain";
import { isRecordUri, type NodeJson, recordAt } from "#api";
import { anchorLine, type Context, type NameOf, projectNames } from "../context.ts";
import { CliFailure, isCliFailure, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input } from "../spec.ts";
import { ageOf, lastMinuteOf, linesOf, safeLine, safeText, timeOf, wrap } from "../text.ts";

export const showCommand: CommandSpec = {
  name: "show",
  group: "main",
  summary: "Show a memory, or a record of a session",
  details:
    "Showing a memory counts as a use and keeps it relevant; --no-use skips that. --code looks at the files and " +
    "symbols that it names, in the working tree you are in, and prints how each stands: fresh, moved (a git rename), " +
    "changed or gone.",
  arguments: [
    { name: "[uri]", summary: "its URI, a short id such as 4k, or a unique beginning of its name" },
  ],
  options: [
    { flags: "--no-use", summary: "do not count this as a use" },
    { flags: "--code", summary: "compare it with the code that it names" },
    { flags: "--holds", summary: "confirm it for the code as it is now" },
  ],
  examples: ["continuity show mem://user/preferences/package-manager", "continuity show 4k --code"],
  json: { shape: "one document", fields: "NodeJson" },
  run: async (context, input) => {
    const [uri] = input.args;
    if (uri === undefined)
      throw misuse("<uri> is missing", "`continuity list` shows the id of each memory");
    if (hasFlag(input, "code") || hasFlag(input, "holds")) return showCode(context, input, uri);
    return isRecordUri(uri) ? shownRecord(context, uri) : shownNode(context, input, uri);
  },
};

async function shownNode(context: Context, input: Input, uri: string): Promise<number | void> {
  const isUse = input.options["use"] !== false;
  const node = isUse ? await usedNode(context, uri) : await nodeAt(context, uri, "0");
  if (context.isJson) context.printJson(node);
  else context.print(rendered(context, node, await projectNames(context, [node.project])));
}

/** A prompt or a checkpoint: `find` and `why` print where it lies. */
async function shownRecord(context: Context, uri: string): Promise<number | void> {
  const record = await recordAt(await context.api("read"), uri);
  if (record === null)
    throw new CliFailure(`there is no record at ${safeLine(uri)}`, "see `continuity sessions`");
  if (context.isJson) return context.printJson(record);
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
  context.print(linesOf(lines));
}

/** Counting a use needs the daemon; when none can be had, reading still works. */
async function usedNode(context: Context, uri: string): Promise<NodeJson> {
  const hasDaemon = await context.deps.connect("write").then(
    () => true,
    (error: unknown) => {
      if (isCliFailure(error)) return false;
      throw error;
    },
  );
  return nodeAt(context, uri, hasDaemon ? "1" : "0");
}

async function nodeAt(context: Context, uri: string, use: "0" | "1"): Promise<NodeJson> {
  const api = await context.api(use === "1" ? "write" : "read");
  return (await api.nodes.$get({ query: { uri, use } })).json();
}

/** Says who stated a memory, and how it came here. */
function sourceOf({ author, maker, origin }: NodeJson): string {
  if (origin === "team") return `from your colleague ${author ?? "unknown"}`;
  if (maker === "import" || origin === "import") return "imported";
  if (maker === "signal")
    return origin === "user" ? "ordered by you" : "ordered by you, in the agent's words";
  if (maker === "manual") return origin === "user" ? "added by you" : "saved by the agent";
  const who = { user: "you", agent: "the agent", tool: "a tool" }[origin];
  return maker === "extract" ? `found by the model in what ${who} said` : `said by ${who}`;
}

/** Characters of a session's id; `continuity sessions` takes them. */
const sessionCharsShown = 8;

function rendered(context: Context, node: NodeJson, nameOf: NameOf): string {
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
    ...(node.node_type === "dir" ? [] : [[sourceOf(node), timeOf(node.created_at)]]),
    [
      `changed ${ageOf(node.updated_at, nowMs)}`,
      `used ${counted(node.access_count, "time")}`,
      `importance ${node.importance} of 5`,
    ],
    ...(node.expires_at === null ? [] : [[`holds until ${lastMinuteOf(node.expires_at)}`]]),
  ].map((line) => style.dim(line.map(safeLine).join(" · ")));
  const superseded =
    node.superseded_by === null
      ? []
      : [style.yellow(`replaced by ${safeLine(node.superseded_by)}`)];
  const evidence = node.evidence
    .map(
      ({ sessionId, turn, quote }) =>
        `${turn === null ? "" : `turn ${turn} of `}session ${sessionId.slice(0, sessionCharsShown)}: "${quote}"`,
    )
    .join("\n");
  const links = node.links
    .map(({ relation, direction, uri, l0 }) =>
      direction === "to" ? `${relation} → ${uri}  ${l0}` : `← ${relation} ${uri}  ${l0}`,
    )
    .join("\n");
  return linesOf([
    ...wrap(safeText(node.l0), width).map(style.bold),
    style.dim(`${shortIdOf(node.id)} · ${safeLine(node.uri)}`),
    ...facts,
    ...superseded,
    ...block("Overview", node.l1),
    ...block("Full text", node.l2),
    ...block("Code", node.anchors.map(anchorLine).join("\n")),
    ...block("Said in", evidence),
    ...block("Links", links),
    ...block("Tags and files", [...node.tags, ...node.files].join("\n")),
  ]);
}

/** Compares a memory with the code of this working tree; with --holds it is confirmed for that code. */
async function showCode(context: Context, input: Input, uri: string): Promise<number | void> {
  const folder = context.deps.project()?.root;
  if (folder === undefined)
    throw new CliFailure("this folder is in no project", "run it in the project's working tree");
  const json = { uri, folder, holds: hasFlag(input, "holds") };
  const node = await context.ask("write", (api) => api.nodes.verify.$post({ json }));
  context.show(node, () =>
    node.anchors.length === 0
      ? "It names no code of this working tree.\n"
      : linesOf(node.anchors.map(anchorLine)),
  );
}
