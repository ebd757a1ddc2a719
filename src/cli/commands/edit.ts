/** `edit`: a memory changed by the user. */
import type { NodeJson } from "#api";
import { memoryCategories } from "#domain";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import { type CommandSpec, type Input, hasFlag, optionText, optionTexts } from "../spec.ts";
import { safeLine } from "../text.ts";
import { countOption, one } from "./filters.ts";

const uriArgument = { name: "<uri>", summary: "the memory" };

export const editCommand: CommandSpec = {
  name: "edit",
  group: "main",
  summary: "Change or pin a memory",
  details:
    "Later learning does not overwrite your edits; `continuity undo <uri>` takes one back. A pinned memory never " +
    "decays and is ranked first. Secrets and private blocks are removed before anything is stored.",
  arguments: [uriArgument, { name: "[text...]", summary: "its new line; - reads standard input" }],
  options: [
    { flags: "--overview <text>", summary: "its overview; empty removes it" },
    { flags: "--full <text>", summary: "its full text; empty removes it" },
    { flags: "--tag <tag>", summary: "its tags, all of them", many: true },
    { flags: "--importance <n>", summary: "1 to 5" },
    { flags: "--category <name>", summary: "another category", choices: memoryCategories },
    { flags: "--pin", summary: "pin it" },
    { flags: "--unpin", summary: "unpin it" },
    { flags: "--reason <text>", summary: "why, for the history" },
  ],
  examples: [
    "continuity edit 4k --pin",
    'continuity edit mem://user/preferences/package-manager "We use pnpm, pinned by corepack"',
    "continuity edit mem://user/entities/billing --importance 5 --tag billing",
  ],
  json: { shape: "one document", fields: "MemoryJson" },
  needsPerson: (input) => !isPinAlone(input),
  run: async (context, input) => {
    const { reason, ...changes } = await changesOf(context, input);
    if (Object.keys(changes).length === 0)
      throw misuse(
        "nothing to change",
        "pass a new line, or one of the options in `continuity edit --help`",
      );
    return patch(context, input, {
      changes: { ...changes, ...one("reason", reason ?? null) },
      verb: isPinAlone(input) ? (changes.pinned === true ? "Pinned" : "Unpinned") : "Changed",
    });
  },
};

const valueOptions = ["overview", "full", "importance", "category"];

/** An agent may pin and unpin; anything else is for a person. */
const isPinAlone = (input: Input): boolean =>
  (hasFlag(input, "pin") || hasFlag(input, "unpin")) &&
  input.args.length === 1 &&
  optionTexts(input, "tag").length === 0 &&
  valueOptions.every((name) => optionText(input, name) === null);

async function changesOf({ deps }: Context, input: Input) {
  const words = input.args.slice(1).join(" ");
  const line = words === "-" ? (await deps.io.readInput()).trim() : words.trim();
  const long = (name: string): string | null | undefined => {
    const text = optionText(input, name);
    return text === null ? undefined : text.trim() === "" ? null : text;
  };
  const tags = optionTexts(input, "tag");
  const [overview, full] = [long("overview"), long("full")];
  const category = memoryCategories.find((name) => name === optionText(input, "category"));
  return {
    ...(line === "" ? {} : { l0: line }),
    ...(overview === undefined ? {} : { l1: overview }),
    ...(full === undefined ? {} : { l2: full }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...one("importance", countOption(input, "importance", 5)),
    ...(category === undefined ? {} : { category }),
    ...(hasFlag(input, "pin") ? { pinned: true } : {}),
    ...(hasFlag(input, "unpin") ? { pinned: false } : {}),
    ...one("reason", optionText(input, "reason")),
  };
}

type Changes = Parameters<Client["nodes"]["$patch"]>[0]["json"];

async function patch(
  context: Context,
  input: Input,
  { changes, verb }: { readonly changes: Changes; readonly verb: string },
): Promise<number | void> {
  const api = await context.api("write");
  const uri = input.args[0] ?? "";
  const node: NodeJson = await (await api.nodes.$patch({ query: { uri }, json: changes })).json();
  context.show(
    node,
    () => `${verb}: ${safeLine(node.l0)}\n${context.style.dim(safeLine(node.uri))}\n`,
  );
}
