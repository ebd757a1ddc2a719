/** Views of `show` beside the memory itself: the profile, the links of a memory, and the code that it names. */
import type { InferResponseType } from "hono/client";
import { anchorLine } from "../anchor-line.ts";
import type { Client, Context } from "../context.ts";
import { CliFailure } from "../failure.ts";
import { projectNames } from "../project-names.ts";
import type { Input } from "../spec.ts";
import { hasFlag, optionText } from "../spec.ts";
import { ageOf, safeLine, safeText } from "../text.ts";
import { one } from "./filters.ts";

type Graph = InferResponseType<Client["nodes"]["links"]["$get"], 200>;
type Profile = InferResponseType<Client["profile"]["$get"], 200>;

export async function showProfile(context: Context, input: Input): Promise<number> {
  const api = await context.api("read");
  const query = one("project", optionText(input, "project"));
  const profile = await (await api.profile.$get({ query })).json();
  if (hasFlag(input, "json")) context.printJson(profile);
  else await printProfile(context, profile);
  return 0;
}

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

export async function showLinks(context: Context, input: Input, uri: string): Promise<number> {
  const api = await context.api("read");
  const depth = optionText(input, "depth") === "2" ? "2" : "1";
  const graph = await (await api.nodes.links.$get({ query: { uri, depth } })).json();
  if (hasFlag(input, "json")) context.printJson(graph);
  else context.print(renderedGraph(context, graph));
  return 0;
}

function renderedGraph({ style }: Context, graph: Graph): string {
  const l0Of = new Map(graph.nodes.map(({ uri, l0 }) => [uri, l0]));
  if (graph.edges.length === 0) return "No links.\n";
  const lines = graph.edges.map(({ from, to, relation, weight }) => {
    const isFrom = from === graph.uri;
    const other = isFrom ? to : from;
    const arrow = isFrom ? `${relation} →` : `← ${relation}`;
    const beyond = isFrom || to === graph.uri ? "" : ` (of ${safeLine(to)})`;
    return (
      `${arrow} ${style.dim(weight.toFixed(2))}  ${safeLine(l0Of.get(other) ?? "")}${beyond}\n  ` +
      style.dim(safeLine(other))
    );
  });
  if (graph.truncated) lines.push(style.dim("More links exist; see `continuity ui`."));
  return `${lines.join("\n")}\n`;
}

/** Compares a memory with the code of this working tree; with --holds it is confirmed for that code. */
export async function showCode(context: Context, input: Input, uri: string): Promise<number> {
  const folder = context.deps.project()?.root;
  if (folder === undefined)
    throw new CliFailure("this folder is in no project", "run it in the project's working tree");
  const api = await context.api("write");
  const json = { uri, folder, holds: hasFlag(input, "holds") };
  const node = await (await api.nodes.verify.$post({ json })).json();
  if (hasFlag(input, "json")) context.printJson(node);
  else if (node.anchors.length === 0) context.print("It names no code of this working tree.\n");
  else context.print(node.anchors.map((anchor) => `${anchorLine(anchor)}\n`).join(""));
  return 0;
}
