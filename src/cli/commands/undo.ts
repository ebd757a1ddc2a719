/** `undo`: takes back the last change, an earlier step as a whole, or a change of one memory. */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag, optionText } from "../spec.ts";
import { table } from "../table.ts";
import { ageOf, counted, safeLine } from "../text.ts";
import { countOption, one } from "./filters.ts";
import { revisionOf } from "./history.ts";

type Undone = InferResponseType<Client["undo"]["$post"], 200>;
type Step = InferResponseType<Client["steps"]["$get"], 200>["items"][number];

export const undoCommand: CommandSpec = {
  name: "undo",
  group: "main",
  summary: "Undo the last change, an earlier step, or a change of a memory",
  details:
    "Undoes what was created, edited, merged, pinned or retracted last, by you or by what was learned, with " +
    "everything that changed in the same step. A second `undo` brings it back. --list shows the last steps; with the " +
    "number of one, all of it is undone, but memories that were changed later stay as they are. With a memory, its " +
    "last change is undone, or --to restores an earlier revision of it. What was forgotten is gone.",
  arguments: [
    { name: "[what]", summary: "a step of --list, a revision of `history`, or a memory" },
  ],
  options: [
    { flags: "--memory", summary: "take a number for the id of a memory, not for a step" },
    { flags: "--to <revision>", summary: "with a memory: a number from `history` to restore" },
    { flags: "--list", summary: "list the last steps, newest first" },
    { flags: "--limit <n>", summary: "with --list: at most n steps (default: 20)" },
  ],
  examples: [
    "continuity undo",
    "continuity undo --list",
    "continuity undo 1841",
    "continuity undo mem://user/preferences/package-manager --to 17",
  ],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.UndoneJson),
    others: ({ answerForms, fieldsOf, memoryForm }) => ({
      "--list": fieldsOf(answerForms.StepListJson),
      "a memory": fieldsOf(memoryForm),
    }),
  },
  needsPerson: (input) => !hasFlag(input, "list"),
  run: async (context, input) => {
    const [what] = input.args;
    if (hasFlag(input, "list")) {
      if (what !== undefined) throw misuse("give either a number or --list");
      return listed(context, input);
    }
    if (optionText(input, "limit") !== null)
      throw misuse("--limit goes with --list", "`continuity undo` undoes one step");
    const isMemory = what !== undefined && (hasFlag(input, "memory") || !/^\d+$/.test(what));
    if (isMemory) return revert(context, input, what);
    if (hasFlag(input, "memory") || optionText(input, "to") !== null)
      throw misuse("--memory and --to go with a memory");
    return undoStep(context, input, what === undefined ? null : stepOf(what));
  },
};

async function undoStep(context: Context, input: Input, revision: number | null): Promise<number> {
  const api = await context.api("write");
  const undone = await (await api.undo.$post({ json: { revision } })).json();
  if (hasFlag(input, "json")) context.printJson(undone);
  else context.print(rendered(context, undone));
  return 0;
}

async function revert(context: Context, input: Input, uri: string): Promise<number> {
  const given = revisionOf(optionText(input, "to"));
  const api = await context.api("write");
  const json = { uri, revision: given === null ? null : Number(given) };
  const node = await (await api.nodes.revert.$post({ json })).json();
  if (hasFlag(input, "json")) context.printJson(node);
  else
    context.print(
      `As it was: ${safeLine(node.l0)}\n${context.style.dim(`${safeLine(node.uri)}  ${node.status}`)}\n`,
    );
  return 0;
}

function stepOf(given: string): number {
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
