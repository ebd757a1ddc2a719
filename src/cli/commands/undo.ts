/** `undo`, `history` and `edit`: takes back a change, shows every change of a memory, and makes one. */
import type { DiffJson, NodeJson, UndoneJson } from "#api";
import { counted } from "#kit";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText, optionTexts } from "../spec.ts";
import { ageOf, linesOf, safeLine, safeText, timeOf } from "../text.ts";
import { countOption, first, numberOf, one } from "./filters.ts";
import { madeBy, memoryCategories } from "#domain";

export const undoCommand: CommandSpec = {
  name: "undo",
  group: "main",
  summary: "Undo the last change, an earlier step, or a change of a memory",
  details:
    "Undoes what was created, edited, merged, pinned or retracted last, by you or by what was learned, with " +
    "everything that changed in the same step. A second `undo` brings it back. --list shows the last steps; --step " +
    "undoes all of one, but memories that were changed later stay as they are. With a memory, its " +
    "last change is undone, or --to restores an earlier revision of it. What was forgotten is gone.",
  arguments: [{ name: "[what]", summary: "a memory, or a step where no memory has this id" }],
  options: [
    { flags: "--memory", summary: "take a number for the id of a memory" },
    { flags: "--step <n>", summary: "undo all of this step of --list" },
    { flags: "--to <revision>", summary: "with a memory: a number from `history` to restore" },
    { flags: "--list", summary: "list the last steps, newest first" },
    { flags: "--limit <n>", summary: "with --list: at most n steps (default: 20)" },
  ],
  examples: [
    "continuity undo",
    "continuity undo --list",
    "continuity undo --step 1841",
    "continuity undo '#4k'",
    "continuity undo mem://user/preferences/package-manager --to 17",
  ],
  json: {
    shape: "one document",
    fields: "UndoneJson",
    others: {
      "--list": "StepListJson",
      "a memory": "MemoryJson",
    },
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
    return undo(context, input, what);
  },
};

async function undo(
  context: Context,
  input: Input,
  what: string | undefined,
): Promise<number | void> {
  const step = optionText(input, "step");
  if (step !== null && (what !== undefined || hasFlag(input, "memory")))
    throw misuse("give either a memory or --step");
  if (what !== undefined && (await isMemory(context, input, what)))
    return revert(context, input, what);
  if (hasFlag(input, "memory") || optionText(input, "to") !== null)
    throw misuse("--memory and --to go with a memory");
  const number = step ?? what;
  const list = "`continuity undo --list` shows them";
  return undoStep(context, number === undefined ? null : numberOf(number, "step", list));
}

/** A number may be the id of a memory and that of a step: then neither is guessed. */
async function isMemory(context: Context, input: Input, what: string): Promise<boolean> {
  if (!/^\d+$/.test(what) || hasFlag(input, "memory")) return true;
  const { items } = await context.ask("read", (api) => api.steps.$get({ query: { limit: "1" } }));
  const isStep = (items[0]?.id ?? 0) >= Number(what);
  const query = { uri: `#${what}`, use: "0" } as const;
  const isId = await context
    .ask("read", (api) => api.nodes.$get({ query }))
    .then(
      () => true,
      () => false,
    );
  if (isStep && isId)
    throw misuse(
      `${what} is a step and the memory #${what}`,
      `\`continuity undo --step ${what}\` or \`continuity undo '#${what}'\``,
    );
  return isId;
}

async function undoStep(context: Context, revision: number | null): Promise<number | void> {
  const undone = await context.ask("write", (api) => api.undo.$post({ json: { revision } }));
  context.show(undone, () => rendered(context, undone));
}

async function revert(context: Context, input: Input, uri: string): Promise<number | void> {
  const json = { uri, revision: revisionOf(input, "to") };
  const node = await context.ask("write", (api) => api.nodes.revert.$post({ json }));
  context.show(
    node,
    () =>
      `As it was: ${safeLine(node.l0)}\n${context.style.dim(`${safeLine(node.uri)}  ${node.status}`)}\n`,
  );
}

/** Shown of a large step; the others are counted. */
const shownMax = 20;

function rendered({ style, nowMs }: Context, { items, at, undone, kept }: UndoneJson): string {
  const lines = items
    .slice(0, shownMax)
    .map(
      ({ action, l0, uri, status }) =>
        `Undone (${changeWords[action] ?? action} ${ageOf(at, nowMs)}): ${safeLine(l0)}\n` +
        style.dim(`${safeLine(uri)}  ${status}`),
    );
  const more = undone - lines.length;
  return linesOf([
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(kept > 0
      ? [
          `${counted(kept, "memory", "memories")} changed since, left as ${kept === 1 ? "it is" : "they are"}`,
        ]
      : []),
  ]);
}

/** `added`, or `added 12` where the step changed more than the memory that is shown. */
const changeOf = (action: string, memories: number): string =>
  `${changeWords[action] ?? action}${memories === 1 ? "" : ` ${memories}`}`;

const changeWords: Readonly<Partial<Record<string, string>>> = {
  create: "added",
  merge: "merged",
  supersede: "replaced",
  reinforce: "confirmed",
  retract: "removed",
  edit: "edited",
  pin: "pinned",
  expire: "expired",
  revert: "undone",
  archive: "archived",
  accept: "accepted",
  reject: "rejected",
};

async function listed(context: Context, input: Input): Promise<number | void> {
  const limit = countOption(input, "limit", 200);
  const query = one("limit", limit === null ? null : `${limit}`);
  const { items } = await context.ask("read", (api) => api.steps.$get({ query }));
  const rows = (): string =>
    context.table(items, [
      { title: "STEP", value: ({ id }) => `${id}`, align: "right" },
      { title: "WHEN", value: ({ at }) => ageOf(at, context.nowMs) },
      { title: "CHANGE", value: ({ action, memories }) => changeOf(action, memories) },
      { title: "MEMORY", value: ({ l0 }) => l0, least: 20 },
      { title: "FROM", value: ({ by }) => madeBy(by).name },
    ]);
  context.show({ items }, () => (items.length === 0 ? "No changes yet.\n" : rows()));
}

// `history`: every change of a memory, or what one change altered.

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
    fields: (of) => first(of("RevisionJson"), "id at action by reason status l0 l1 l2".split(" ")),
    others: { "--diff": "DiffJson" },
  },
  run: (context, input) =>
    hasFlag(input, "diff") ? showDiff(context, input) : showChanges(context, input),
};

async function showChanges(context: Context, input: Input): Promise<number | void> {
  if (optionText(input, "from") !== null || optionText(input, "to") !== null)
    throw misuse("--from and --to go with --diff");
  const { items } = await context.ask("read", (api) =>
    api.nodes.history.$get({ query: { uri: input.args[0] ?? "" } }),
  );
  if (context.isJson) for (const item of items) context.printJson(item);
  else
    for (const { id, at, action, by, reason, l0 } of items) {
      const change = changeWords[action] ?? action;
      const head = `${id}  ${timeOf(at)}  ${change}  ${safeLine(`by ${madeBy(by).name}: ${reason}`)}`;
      context.print(`${context.style.dim(head)}\n  ${safeLine(l0)}\n`);
    }
}

async function showDiff(context: Context, input: Input): Promise<number | void> {
  const api = await context.api("read");
  const query = {
    uri: input.args[0] ?? "",
    ...one("from", revisionOf(input, "from")?.toString() ?? null),
    ...one("to", revisionOf(input, "to")?.toString() ?? null),
  };
  const diff = await (await api.nodes.diff.$get({ query })).json();
  context.show(diff, () => renderedDiff(context, diff));
}

function revisionOf(input: Input, option: "from" | "to"): number | null {
  const given = optionText(input, option);
  return given === null
    ? null
    : numberOf(given, "revision", "`continuity history <uri>` shows them");
}

function renderedDiff({ style }: Context, { from, to, tiers, fields: changed }: DiffJson): string {
  const before = from === null ? "new" : `${from.id}`;
  const change = changeWords[to.action] ?? to.action;
  const made = `by ${madeBy(to.by).name}: ${to.reason}`;
  const head = `${before} → ${to.id}  ${timeOf(to.at)}  ${change} ${made}`;
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
  return linesOf(lines);
}

// `edit`: a memory changed by the user.

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
