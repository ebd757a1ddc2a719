/** Runs one command line: parses, does it, prints failures as one line, and says with which status to exit. */
import { createContext, refuseAgent } from "./context.ts";
import type { CliDeps } from "./deps.ts";
import type { CommandSpec, Forms, Input, OptionSpec } from "./spec.ts";
import { isCliFailure, isOutputFailure } from "./failure.ts";
import { safeLine } from "./text.ts";

/** Help is wrapped to this many columns when output goes to a file or a pipe. */
const helpWidthDefault = 100;

/** Commands by which to understand what was typed. */
export interface Table {
  readonly commands: readonly CommandSpec[];
  /** Loads the fields of `--json` when help is asked for; null where it is not. */
  readonly forms: (() => Promise<Forms>) | null;
}

/**
 * Resolves to the exit status: 0 = done, 1 = failed, 2 = asked wrongly. Rejects only for bugs. Prints to `deps.io`
 * and never ends the process.
 */
export async function runTable(table: Table, deps: CliDeps): Promise<number> {
  const { io } = deps;
  const argv = currentWords(deps.argv);
  // A command that is named needs no other: to describe them all takes longer than what most of them do.
  const named = table.commands.filter(({ name }) => name === argv[0]);
  const [spec] = named;
  const plain = spec === undefined || asksForHelp(argv) ? null : readPlain(spec, argv.slice(1));
  try {
    if (spec !== undefined && plain !== null) return await perform(spec, deps, plain);
    return await parsed(named.length === 0 ? table : { ...table, commands: named }, argv, deps);
  } catch (error) {
    return failed(io, error);
  }
}

/** Runs a command, or refuses what an agent's shell may not do. */
async function perform(spec: CommandSpec, deps: CliDeps, input: Input): Promise<number> {
  if (spec.needsPerson?.(input) === true) refuseAgent(deps, spec.name);
  return (await spec.run(createContext(deps, input), input)) ?? 0;
}

/** By the whole parser, which knows help and what to say of a wrong word. */
async function parsed(
  { commands, forms }: Table,
  argv: readonly string[],
  deps: CliDeps,
): Promise<number> {
  const { io } = deps;
  // The list of commands needs no forms of answers; the help of one command does.
  const shown = forms !== null && argv.length > 1 && asksForHelp(argv) ? await forms() : null;
  const { createProgram, parseBy } = await import("./program.ts");
  let status = 0;
  const program = createProgram(
    commands,
    { out: io.out, err: io.err, helpWidth: io.columns ?? helpWidthDefault, forms: shown },
    deps.version,
    async (spec, input) => {
      status = await perform(spec, deps, input);
    },
  );
  return (await parseBy(program, argv, io)) ?? status;
}

/** May these words bring up help? A wrong yes costs a moment, and no more. */
export const asksForHelp = (argv: readonly string[]): boolean =>
  argv.some((word) => word === "help" || /^-\w*h|^--help$/u.test(word));

/** Says what ended the command, when there is somebody to be told; resolves to the exit status. */
function failed(io: CliDeps["io"], error: unknown): number {
  if (isOutputFailure(error) && error.isReaderGone) return 0;
  if (isOutputFailure(error)) {
    io.err(`error: ${safeLine(error.message)}\n`);
    return 1;
  }
  if (!isCliFailure(error)) throw error;
  const next = error.next === null ? "" : `; ${safeLine(error.next)}`;
  io.err(`error: ${safeLine(error.message)}${next}\n`);
  return error.exitStatus;
}

// Reads a command line that is plainly right, without the parser: that takes longer to load than most commands take
// to run. Whatever is not plain — a short option, `--name=value`, a word that is missing, wrong or too much — is the
// parser's, which reads it or says what is wrong with it. Pure.

/** `readPlain` reads the words after the command's name just as the parser would; null = ask the parser. */
export function readPlain(spec: CommandSpec, words: readonly string[]): Input | null {
  const known = spec.raw === true ? null : optionsOf(spec);
  if (known === null) return null;
  const options: Record<string, unknown> = {};
  for (const { key, initial } of known.values()) if (initial !== undefined) options[key] = initial;
  const args: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      args.push(word);
      continue;
    }
    const option = known.get(word);
    if (option === undefined) return null;
    if (option.type === "switch") options[option.key] = option.sets;
    else {
      at += 1;
      const value = valueOf(option.spec, words[at], options[option.key]);
      if (value === null) return null;
      options[option.key] = value;
    }
  }
  return areWanted(spec, args) ? { args, options } : null;
}

type Known = { readonly key: string; readonly initial: string | true | undefined } & (
  | { readonly type: "switch"; readonly sets: boolean }
  | { readonly type: "value"; readonly spec: OptionSpec }
);

/** The options by how they are typed; null where one has a form that is not read here. */
function optionsOf(spec: CommandSpec): ReadonlyMap<string, Known> | null {
  const known = new Map<string, Known>();
  if (spec.json !== undefined)
    known.set("--json", { key: "json", initial: undefined, type: "switch", sets: true });
  for (const option of spec.options ?? []) {
    const [, flag, name = "", value] =
      /^(?:-\w, )?(--(?:no-)?([a-z][a-z-]*))(?: (<[a-z]+>))?$/.exec(option.flags) ?? [];
    if (flag === undefined) return null;
    const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const isOff = flag !== `--${name}`;
    const initial = isOff ? true : option.fallback;
    known.set(
      flag,
      value === undefined
        ? { key, initial, type: "switch", sets: !isOff }
        : { key, initial, type: "value", spec: option },
    );
  }
  return known;
}

/** One value, or with those before it; null when it is missing or not allowed. */
function valueOf(
  { choices, many }: OptionSpec,
  given: string | undefined,
  before: unknown,
): string | readonly unknown[] | null {
  if (given === undefined || given.startsWith("-")) return null;
  const values = many === true ? given.split(",").map((value) => value.trim()) : [given];
  if (choices !== undefined && !values.every((value) => choices.includes(value))) return null;
  if (many !== true) return given;
  return [...(Array.isArray(before) ? (before as readonly unknown[]) : []), ...values];
}

/** As many as the command takes, and none of them blank. */
function areWanted({ arguments: wanted = [] }: CommandSpec, args: readonly string[]): boolean {
  if (args.length === 0) return wanted.every(({ name }) => name.startsWith("["));
  const [only, ...more] = wanted;
  if (only === undefined || more.length > 0 || only.choices !== undefined) return false;
  const isMany = only.name.endsWith("...>");
  if (!isMany && !/^(?:<[a-z]+>|\[[a-z]+\])$/.test(only.name)) return false;
  return (isMany || args.length === 1) && args.every((arg) => /\S/.test(arg));
}

// Words of earlier versions, and what is run in their place. They are in no help text and in no completion.

type Words = readonly string[];

const before =
  (...words: Words) =>
  (rest: Words): Words => [...words, ...rest];

const oldWords: ReadonlyMap<string, (rest: Words) => Words> = new Map([
  ["audit", before("stats", "--memory")],
  ["diff", before("history", "--diff")],
  ["jobs", before("status", "--jobs")],
  ["links", before("show")],
  ["llm", (rest) => ["status", "--test-model", ...rest.filter((word) => word !== "test")]],
  ["logs", before("status", "--log")],
  ["pin", pinWords],
  ["profile", before("list", "--category", "profile", "--category", "preferences")],
  ["resume", before("pause", "--off")],
  ["revert", before("undo", "--memory")],
  ["search", before("find", "--deep")],
  ["token", (rest) => ["config", "rotate-token", ...rest.filter((word) => word !== "rotate")]],
  ["tree", before("list", "--tree")],
  ["tune", before("stats", "--memory")],
  ["unshare", before("share", "--off")],
  ["usage", before("stats", "--models")],
  ["verify", before("show", "--code")],
  ["-v", before("--version")],
]);

function pinWords(rest: Words): Words {
  const isOff = rest.includes("--off");
  const kept = rest.filter((word) => word !== "--off");
  return ["edit", isOff ? "--unpin" : "--pin", ...kept];
}

/** Replaces an old command, also after `help`, by the command that does the same now. */
export function currentWords(argv: Words): Words {
  const [word = "", ...rest] = argv;
  if (word === "help" && oldWords.has(rest[0] ?? "")) return ["help", currentWords(rest)[0] ?? ""];
  return oldWords.get(word)?.(rest) ?? argv;
}
