/**
 * `diff`, `revert` and `links`: what became of a memory, one change of it taken back, and what it hangs together with.
 */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag, optionText } from "../spec.ts";
import { safeLine, safeText, timeOf } from "../text.ts";
import { one } from "./filters.ts";

type Diff = InferResponseType<Client["nodes"]["diff"]["$get"], 200>;
type Graph = InferResponseType<Client["nodes"]["links"]["$get"], 200>;

const uriArgument = { name: "<uri>", summary: "the memory" };

/** The id of a revision, as `history` shows it; null when it was not given. */
function revisionOf(text: string | null): string | null {
  if (text !== null && !/^[1-9]\d{0,14}$/.test(text))
    throw misuse(
      `"${safeLine(text)}" is not the number of a revision`,
      "`continuity history <uri>` shows them",
    );
  return text;
}

export const diffCommand: CommandSpec = {
  name: "diff",
  group: "trust",
  summary: "Show what changed in a memory",
  arguments: [uriArgument],
  options: [
    { flags: "--from <revision>", summary: "the older one (default: the one before)" },
    { flags: "--to <revision>", summary: "the newer one (default: the last)" },
  ],
  examples: ["continuity diff mem://user/preferences/package-manager"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.DiffJson),
  },
  run: async (context, input) => {
    const api = await context.api("read");
    const query = {
      uri: input.args[0] ?? "",
      ...one("from", revisionOf(optionText(input, "from"))),
      ...one("to", revisionOf(optionText(input, "to"))),
    };
    const diff = await (await api.nodes.diff.$get({ query })).json();
    if (hasFlag(input, "json")) context.printJson(diff);
    else context.print(renderedDiff(context, diff));
    return 0;
  },
};

function renderedDiff({ style }: Context, { from, to, tiers, fields: changed }: Diff): string {
  const before = from === null ? "new" : `${from.id}`;
  const head = `${before} → ${to.id}  ${timeOf(to.at)}  ${to.action} by ${to.by}: ${to.reason}`;
  const lines = [style.dim(safeLine(head))];
  for (const { tier, parts } of tiers) {
    lines.push(style.bold(tier));
    for (const { op, text } of parts)
      for (const line of safeText(text).split("\n")) {
        if (op === "removed") lines.push(style.red(`- ${line}`));
        else if (op === "added") lines.push(style.green(`+ ${line}`));
        else if (line.trim() !== "") lines.push(`  ${line}`);
      }
  }
  for (const { name, before, after } of changed)
    lines.push(`${style.bold(name)}  ${safeLine(before ?? "-")} → ${safeLine(after)}`);
  if (tiers.length + changed.length === 0) lines.push("No differences.");
  return `${lines.join("\n")}\n`;
}

export const revertCommand: CommandSpec = {
  name: "revert",
  group: "trust",
  summary: "Undo the last change to a memory, or restore an earlier revision",
  details:
    "Works on edits, merges, pins, expiry and retractions; a revert is itself a change, so a second one undoes " +
    "it back. What was forgotten is gone.",
  arguments: [uriArgument],
  options: [{ flags: "--to <revision>", summary: "revision to restore, a number from `history`" }],
  examples: [
    "continuity revert mem://user/preferences/package-manager",
    "continuity revert mem://user/preferences/package-manager --to 17",
  ],
  json: { shape: "one document", fields: ({ fieldsOf, memoryForm }) => fieldsOf(memoryForm) },
  needsPerson: () => true,
  run: async (context, input) => {
    const revision = revisionOf(optionText(input, "to"));
    const api = await context.api("write");
    const json = {
      uri: input.args[0] ?? "",
      revision: revision === null ? null : Number(revision),
    };
    const node = await (await api.nodes.revert.$post({ json })).json();
    if (hasFlag(input, "json")) context.printJson(node);
    else
      context.print(
        `As it was: ${safeLine(node.l0)}\n${context.style.dim(`${safeLine(node.uri)}  ${node.status}`)}\n`,
      );
    return 0;
  },
};

export const linksCommand: CommandSpec = {
  name: "links",
  group: "trust",
  summary: "Show the memories that a memory is linked to",
  arguments: [uriArgument],
  options: [
    {
      flags: "--depth <n>",
      summary: "maximum distance in links",
      choices: ["1", "2"],
      fallback: "1",
    },
  ],
  examples: ["continuity links mem://user/entities/billing --depth 2"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.GraphJson),
  },
  run: async (context, input) => links(context, input),
};

async function links(context: Context, input: Input): Promise<number> {
  const api = await context.api("read");
  const depth = optionText(input, "depth") === "2" ? "2" : "1";
  const query = { uri: input.args[0] ?? "", depth } as const;
  const graph = await (await api.nodes.links.$get({ query })).json();
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
