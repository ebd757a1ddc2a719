/** `edit` and `pin`: a memory edited by the user. */
import type { InferResponseType } from "hono/client";
import { memoryCategories } from "#domain";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag, optionText, optionTexts } from "../spec.ts";
import { safeLine } from "../text.ts";
import { countOption, one } from "./filters.ts";

type Node = InferResponseType<Client["nodes"]["$patch"], 200>;

const uriArgument = { name: "<uri>", summary: "the memory" };

export const editCommand: CommandSpec = {
  name: "edit",
  group: "daily",
  summary: "Edit a memory: summary line, overview, full text, tags, importance or category",
  details:
    "Later learning does not overwrite your edits. `continuity revert <uri>` undoes the edit. " +
    "Secrets and private blocks are removed before anything is stored.",
  arguments: [uriArgument, { name: "[text...]", summary: "its new line; - reads standard input" }],
  options: [
    { flags: "--overview <text>", summary: "its overview; empty removes it" },
    { flags: "--full <text>", summary: "its full text; empty removes it" },
    { flags: "--tag <tag>", summary: "its tags, all of them", many: true },
    { flags: "--importance <n>", summary: "1 to 5" },
    { flags: "--category <name>", summary: "another category", choices: memoryCategories },
    { flags: "--reason <text>", summary: "why, for the history" },
  ],
  examples: [
    'continuity edit mem://user/preferences/package-manager "We use pnpm, pinned by corepack"',
    "continuity edit mem://user/entities/billing --importance 5 --tag billing",
  ],
  json: { shape: "one document", fields: ({ fieldsOf, memoryForm }) => fieldsOf(memoryForm) },
  needsPerson: () => true,
  run: async (context, input) => {
    const { reason, ...changes } = await changesOf(context, input);
    if (Object.keys(changes).length === 0)
      throw misuse(
        "nothing to change",
        "pass a new line, or one of the options in `continuity edit --help`",
      );
    return patch(context, input, {
      changes: { ...changes, ...one("reason", reason ?? null) },
      verb: "Changed",
    });
  },
};

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
    ...one("reason", optionText(input, "reason")),
  };
}

export const pinCommand: CommandSpec = {
  name: "pin",
  group: "daily",
  summary: "Pin a memory (never decays, ranked first)",
  arguments: [uriArgument],
  options: [{ flags: "--off", summary: "unpin it" }],
  examples: [
    "continuity pin mem://user/preferences/package-manager",
    "continuity pin --off mem://user/preferences/package-manager",
  ],
  json: { shape: "one document", fields: ({ fieldsOf, memoryForm }) => fieldsOf(memoryForm) },
  run: async (context, input) => {
    const pinned = !hasFlag(input, "off");
    return patch(context, input, {
      changes: { pinned },
      verb: pinned ? "Pinned" : "Unpinned",
    });
  },
};

type Changes = Parameters<Client["nodes"]["$patch"]>[0]["json"];

async function patch(
  context: Context,
  input: Input,
  { changes, verb }: { readonly changes: Changes; readonly verb: string },
): Promise<number> {
  const api = await context.api("write");
  const uri = input.args[0] ?? "";
  const node: Node = await (await api.nodes.$patch({ query: { uri }, json: changes })).json();
  if (hasFlag(input, "json")) context.printJson(node);
  else context.print(`${verb}: ${safeLine(node.l0)}\n${context.style.dim(safeLine(node.uri))}\n`);
  return 0;
}
