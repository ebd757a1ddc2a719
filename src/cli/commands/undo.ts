/** `undo`: the last change taken back, whatever it was, or an earlier step as a whole. */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag, optionText } from "../spec.ts";
import { table } from "../table.ts";
import { ageOf, counted, safeLine } from "../text.ts";
import { countOption, one } from "./filters.ts";

type Undone = InferResponseType<Client["undo"]["$post"], 200>;
type Step = InferResponseType<Client["steps"]["$get"], 200>["items"][number];

export const undoCommand: CommandSpec = {
  name: "undo",
  group: "trust",
  summary: "Undo the last change of any memory, or a job, import or consolidation as a whole",
  details:
    "Undoes what was created, edited, merged, pinned or retracted last, by you or by what was " +
    "learned, with everything that " +
    "changed in the same step. A second `undo` brings it back. --list shows the last steps; with the number of one, " +
    "all of it is undone, but memories that were changed later stay as they are. What was forgotten is gone. For one " +
    "memory, see `continuity revert`.",
  arguments: [{ name: "[number]", summary: "a step of --list, or a revision of `history`" }],
  options: [
    { flags: "--list", summary: "list the last steps, newest first" },
    { flags: "--limit <n>", summary: "with --list: at most n steps (default: 20)" },
  ],
  examples: ["continuity undo", "continuity undo --list", "continuity undo 1841"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => [
      ...fieldsOf(answerForms.UndoneJson),
      ...fieldsOf(answerForms.StepListJson),
    ],
  },
  needsPerson: (input) => !hasFlag(input, "list"),
  run: async (context, input) => {
    const number = numberOf(input);
    if (hasFlag(input, "list")) return listed(context, input);
    if (optionText(input, "limit") !== null)
      throw misuse("--limit goes with --list", "`continuity undo` undoes one step");
    const api = await context.api("write");
    const undone = await (await api.undo.$post({ json: { revision: number } })).json();
    if (hasFlag(input, "json")) context.printJson(undone);
    else context.print(rendered(context, undone));
    return 0;
  },
};

function numberOf(input: Input): number | null {
  const [given] = input.args;
  if (given === undefined) return null;
  if (hasFlag(input, "list")) throw misuse("give either a number or --list");
  if (!/^[1-9]\d{0,14}$/.test(given))
    throw misuse(
      `"${safeLine(given)}" is not the number of a step`,
      "`continuity undo --list` shows them",
    );
  return Number(given);
}

/** Shown of a large step; the others are counted. */
const shownMax = 20;

function rendered({ style, nowMs }: Context, { items, at, undone, kept }: Undone): string {
  const lines = items
    .slice(0, shownMax)
    .map(
      ({ action, l0, uri, status }) =>
        `Undone (${action}, ${ageOf(at, nowMs)}): ${safeLine(l0)}\n` +
        style.dim(`${safeLine(uri)}  ${status}`),
    );
  const more = undone - lines.length;
  return [
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(kept > 0
      ? [
          `${counted(kept, "memory", "memories")} changed since, left as ${kept === 1 ? "it is" : "they are"}`,
        ]
      : []),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

async function listed(context: Context, input: Input): Promise<number> {
  const api = await context.api("read");
  const limit = countOption(input, "limit", 200);
  const query = one("limit", limit === null ? null : `${limit}`);
  const { items } = await (await api.steps.$get({ query })).json();
  const { style, nowMs, deps } = context;
  if (hasFlag(input, "json")) context.printJson({ items });
  else if (items.length === 0) context.print("No changes yet.\n");
  else
    context.print(
      table<Step>(
        items,
        [
          { title: "step", value: ({ id }) => `${id}`, align: "right" },
          { title: "age", value: ({ at }) => ageOf(at, nowMs) },
          { title: "by", value: ({ by }) => safeLine(by) },
          { title: "memories", value: ({ memories }) => `${memories}`, align: "right" },
          { title: "change", value: ({ action }) => action },
          { title: "last of them", value: ({ l0 }) => safeLine(l0) },
        ],
        { width: deps.io.columns, style },
      ),
    );
  return 0;
}
