/** `history`: every change of a memory, or what one change altered. */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag, optionText } from "../spec.ts";
import { safeLine, safeText, timeOf } from "../text.ts";
import { first } from "./fields.ts";
import { one } from "./filters.ts";

type Diff = InferResponseType<Client["nodes"]["diff"]["$get"], 200>;

export const historyCommand: CommandSpec = {
  name: "history",
  group: "more",
  summary: "Show every change of a memory, or what one of them changed (--diff)",
  arguments: [
    { name: "<uri>", summary: "its URI, a short id such as 4k, or a unique beginning of its name" },
  ],
  options: [
    { flags: "--diff", summary: "show what changed between two revisions" },
    { flags: "--from <revision>", summary: "with --diff: the older one (default: the one before)" },
    { flags: "--to <revision>", summary: "with --diff: the newer one (default: the last)" },
  ],
  examples: [
    "continuity history mem://user/preferences/package-manager",
    "continuity history 4k --diff",
  ],
  json: {
    shape: "one document a line",
    fields: ({ fieldsOf, revisionForm }) =>
      first(fieldsOf(revisionForm), "id at action by reason status l0 l1 l2".split(" ")),
    others: ({ answerForms, fieldsOf }) => ({ "--diff": fieldsOf(answerForms.DiffJson) }),
  },
  run: (context, input) =>
    hasFlag(input, "diff") ? showDiff(context, input) : showChanges(context, input),
};

async function showChanges(context: Context, input: Input): Promise<number> {
  if (optionText(input, "from") !== null || optionText(input, "to") !== null)
    throw misuse("--from and --to go with --diff");
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
}

async function showDiff(context: Context, input: Input): Promise<number> {
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
}

/** Returns the number of a revision, as `history` prints it; null when none was given. */
export function revisionOf(text: string | null): string | null {
  if (text !== null && !/^[1-9]\d{0,14}$/.test(text))
    throw misuse(
      `"${safeLine(text)}" is not the number of a revision`,
      "`continuity history <uri>` shows them",
    );
  return text;
}

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
