/** Help of the program and of its commands, and what to run instead of a word that is none. */
import type { Field } from "#api";
import { nearestOf } from "#kit";
import { type CliFailure, misuse } from "./failure.ts";
import { type CommandSpec, fieldsIn, type Forms, jsonFields, type OptionSpec } from "./spec.ts";
import { linesOf, wrap } from "./text.ts";
import { bareName } from "./words.ts";

/** Columns that the list of commands fits. */
const listWidth = 80;

/** Lists the commands on one screen: 24 lines of 80 columns. */
export function commandList(commands: readonly CommandSpec[]): string {
  const inGroup = (group: CommandSpec["group"]) => commands.filter((spec) => spec.group === group);
  const main = inGroup("main").map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`);
  const more: string[] = ["More:"];
  for (const { name } of inGroup("more")) {
    const line = `${more.at(-1)} ${name}`;
    if (line.length > listWidth) more.push(`      ${name}`);
    else more[more.length - 1] = line;
  }
  const usage = "Usage: continuity <command>        (`continuity help <command>` says more)";
  return linesOf([usage, "", ...main, "", ...more]);
}

/** Help of one command within so many columns, with the fields of its `--json`. */
export function commandHelp(spec: CommandSpec, forms: Forms | null, width: number): string {
  const { details, json, name, summary } = spec;
  const args = spec.arguments ?? [];
  const ownOptions = (spec.options ?? []).map((one): Row => [
    one.flags,
    `${one.summary}${notesOf(one)}`,
  ]);
  const jsonOption: readonly Row[] =
    json === undefined ? [] : [["--json", `print ${json.shape}, for programs`]];
  const options: readonly Row[] = [...ownOptions, ...jsonOption, ["-h, --help", "show help"]];
  const taken = args.map((one): Row => [bareName(one.name), `${one.summary}${notesOf(one)}`]);
  const left = Math.max(...[...options, ...taken].map(([term]) => term.length));
  const usage = ["Usage: continuity", name, "[options]", ...args.map((one) => one.name)].join(" ");
  const about = `${summary}.${details === undefined ? "" : ` ${details}`}`;
  const block = (title: string, rows: readonly Row[]): readonly string[] =>
    rows.length === 0 ? [] : ["", title, ...rows.flatMap((row) => rowLines(row, left, width))];
  return linesOf([
    usage,
    "",
    ...wrap(about, boundedWidth(width)),
    ...block("Arguments:", taken),
    ...block("Options:", options),
    "",
    "Examples:",
    ...spec.examples.map((example) => `  $ ${example}`),
    ...fieldLines(spec, forms),
  ]);
}

type Row = readonly [term: string, meaning: string];

/** Text is not wrapped into fewer columns than this. */
const widthMin = 40;
const boundedWidth = (width: number): number | null => (width < widthMin ? null : width);

function rowLines([term, meaning]: Row, left: number, width: number): readonly string[] {
  const [first = "", ...more] = wrap(meaning, boundedWidth(width - left - 4));
  const indent = " ".repeat(left + 4);
  return [`  ${term.padEnd(left)}  ${first}`, ...more.map((line) => `${indent}${line}`)];
}

/** ` (choices: "a", "b", default: "a")`. */
function notesOf({ choices, fallback }: Pick<OptionSpec, "choices" | "fallback">): string {
  const notes = [
    ...(choices === undefined ? [] : [`choices: ${choices.map((one) => `"${one}"`).join(", ")}`]),
    ...(fallback === undefined ? [] : [`default: "${fallback}"`]),
  ];
  return notes.length === 0 ? "" : ` (${notes.join(", ")})`;
}

function fieldLines(spec: CommandSpec, forms: Forms | null): readonly string[] {
  if (spec.json === undefined || forms === null) return [];
  const { shape, others = {} } = spec.json;
  return [
    "",
    `Fields of --json (${shape}; times are epoch milliseconds):`,
    ...tableLines(jsonFields(spec, forms)),
    ...Object.entries(others).flatMap(([option, fields]) =>
      ["", `Fields of --json with ${option}:`].concat(tableLines(fieldsIn(fields, forms))),
    ),
  ];
}

function tableLines(all: readonly Field[]): readonly string[] {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all.map(({ name, meaning }) => `  ${name.padEnd(width)}  ${meaning}`);
}

/** Misuse of a first word that is neither a command nor an option of the program. */
export function unknownWord(word: string, commands: readonly CommandSpec[]): CliFailure {
  const kind = word.startsWith("-") ? "option" : "command";
  const names = [...commands.map(({ name }) => name), "--version", "--help"];
  const nearest = nearestOf(word, names);
  const next =
    nearest === null ? "see `continuity help`" : `did you mean \`continuity ${nearest}\`?`;
  return misuse(`unknown ${kind} '${word}'`, otherWords[word] ?? next);
}

const toDelete =
  "`continuity forget` deletes a memory for good, `continuity undo` takes a change back";
const toStop =
  "`continuity pause` stops recording, `continuity uninstall` removes the hooks; the daemon ends by itself";
const toStart =
  "the daemon starts by itself when it is needed; `continuity status` shows whether all is well";
const toUpgrade = "run `npm install -g continuity@latest`, then `continuity status`";

/** Commands of other programs that people try here, and what to run instead. */
const otherWords: Readonly<Record<string, string>> = {
  add: "run `continuity remember`",
  delete: toDelete,
  disable: toStop,
  enable: "run `continuity install`, or after a pause `continuity pause --off`",
  init: "run `continuity install`",
  login:
    "choose a model with `continuity config set llm.provider auto`; nothing else needs a login",
  memories: "run `continuity list`",
  open: "run `continuity ui`",
  remove: toDelete,
  restart: toStart,
  rm: toDelete,
  save: "run `continuity remember`",
  settings: "run `continuity config get`",
  setup: "run `continuity install`",
  start: toStart,
  stop: toStop,
  update: toUpgrade,
  upgrade: toUpgrade,
  viewer: "run `continuity ui`",
};
