/** Reads the words behind a command's name by its options and arguments, and says what is wrong with them. Pure. */
import { nearestOf } from "#kit";
import { type CliFailure, misuse } from "./failure.ts";
import type { CommandSpec, Input, OptionSpec } from "./spec.ts";

interface Option {
  readonly key: string;
  readonly spec: OptionSpec;
  /** Value of a switch; null for an option that takes a value. */
  readonly sets: boolean | null;
}

/** `help` where these words ask for it. Throws a misuse for words that make no sense. */
export function readWords(spec: CommandSpec, words: readonly string[]): Input | "help" {
  if (spec.raw === true) return isHelp(words[0] ?? "") ? "help" : { args: words, options: {} };
  const known = optionsOf(spec);
  const options = startOf(known.values());
  const args: string[] = [];
  const unknown: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (isHelp(word)) return "help";
    if (word === "--") args.push(...rest.splice(0));
    else if (!isOption(word)) args.push(word);
    else if (!take(spec, known, { word, rest, options })) unknown.push(word);
  }
  if (unknown[0] !== undefined) throw unknownOption(spec, unknown[0], [...known.keys()]);
  demandArguments(spec, args);
  return { args, options };
}

interface Taken {
  readonly word: string;
  /** Words behind it, of which a value is taken off. */
  readonly rest: string[];
  readonly options: Record<string, unknown>;
}

/** Sets an option; false for one that the command does not have. */
function take(
  spec: CommandSpec,
  known: ReadonlyMap<string, Option>,
  { word, rest, options }: Taken,
): boolean {
  const [flag, value] = partsOf(word, rest);
  const option = known.get(flag);
  if (option === undefined || (option.sets !== null && value !== undefined)) return false;
  options[option.key] = option.sets ?? valueOf(spec, option, value ?? rest.shift(), options);
  return true;
}

const isHelp = (word: string): boolean => word === "-h" || word === "--help";

/** A dash alone is standard input, and a number below zero a value. */
const isOption = (word: string): boolean => /^-./.test(word) && !/^-\d+(?:\.\d+)?$/.test(word);

/** `--name=value` has a value; of `-fq` the other letters are put back as `-q`. */
function partsOf(word: string, rest: string[]): readonly [flag: string, value: string | undefined] {
  const [flag = word, value] = word.startsWith("--") ? word.split(/=(.*)/s) : [word.slice(0, 2)];
  if (!word.startsWith("--") && word.length > 2) rest.unshift(`-${word.slice(2)}`);
  return [flag, value];
}

/** Options by how they are typed. */
function optionsOf({ options = [], json }: CommandSpec): ReadonlyMap<string, Option> {
  const all = json === undefined ? options : [...options, { flags: "--json", summary: "" }];
  return new Map(
    all.flatMap((spec): (readonly [string, Option])[] => {
      const [, short, flag = "", no, name = ""] =
        /^(?:(-\w), )?(--(no-)?([a-z-]+))/.exec(spec.flags) ?? [];
      const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const option = { key, spec, sets: spec.flags.includes("<") ? null : no === undefined };
      return short === undefined
        ? [[flag, option]]
        : [
            [flag, option],
            [short, option],
          ];
    }),
  );
}

/** Values before anything was typed: a switch with `no-` is on. */
function startOf(known: Iterable<Option>): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const { key, spec, sets } of known) {
    if (sets === false) options[key] = true;
    else if (spec.fallback !== undefined) options[key] = spec.fallback;
  }
  return options;
}

/** One value, or with those before it. */
function valueOf(
  command: CommandSpec,
  { key, spec: { flags, choices, former = [], many } }: Option,
  given: string | undefined,
  before: Input["options"],
): string | readonly unknown[] {
  if (given === undefined) throw wrong(command, `option '${flags}' argument missing`);
  const values = many === true ? given.split(",").map((value) => value.trim()) : [given];
  const allowed = choices === undefined ? values : [...choices, ...former];
  if (!values.every((value) => allowed.includes(value)))
    throw wrong(command, `option '${flags}' argument '${given}' is invalid.${named(choices)}`);
  const known: unknown = before[key];
  return many === true ? [...(Array.isArray(known) ? known : []), ...values] : given;
}

const named = (choices: readonly string[] = []): string =>
  ` Allowed choices are ${choices.join(", ")}`;

/** As many as the command takes, each one of its choices, and the first not blank. */
function demandArguments(spec: CommandSpec, args: readonly string[]): void {
  const { arguments: wanted = [] } = spec;
  const missing = wanted[args.length];
  if (missing?.name.startsWith("<") === true) {
    const choices = missing.choices === undefined ? "" : ` (${missing.choices.join(", ")})`;
    throw wrong(spec, `missing required argument '${bareName(missing.name)}'${choices}`);
  }
  const isMany = wanted.at(-1)?.name.includes("...") === true;
  if (args.length > wanted.length && !isMany) throw tooMany(spec, args);
  for (const [at, { choices, name }] of wanted.entries()) {
    const given = args[at];
    if (given !== undefined && choices?.includes(given) === false)
      throw wrong(spec, `'${given}' is no ${bareName(name)}.${named(choices)}`);
  }
  refuseBlank(spec, args);
}

/** A shell variable that is not set leaves an argument without a character. */
function refuseBlank({ arguments: [first, second] = [] }: CommandSpec, args: readonly string[]) {
  const given = second === undefined ? args.join("") : args[0];
  if (first !== undefined && args.length > 0 && given?.trim() === "")
    throw misuse(`<${bareName(first.name)}> is empty`);
}

function tooMany(spec: CommandSpec, args: readonly string[]): CliFailure {
  const count = spec.arguments?.length ?? 0;
  const most = `${count} argument${count === 1 ? "" : "s"}`;
  const got = `${args.length}: ${args.join(", ")}`;
  return wrong(spec, `too many arguments for '${spec.name}'. Expected ${most} but got ${got}`);
}

/** `query` of `<query...>`. */
export const bareName = (name: string): string => name.replace(/[<>[\].]/g, "");

const wrong = ({ name }: CommandSpec, message: string): CliFailure =>
  misuse(message, `see \`continuity help ${name}\``);

function unknownOption(spec: CommandSpec, word: string, flags: readonly string[]): CliFailure {
  const [typed = ""] = word.split("=");
  const nearest = typed.startsWith("--") ? nearestOf(typed, flags) : null;
  const meant = nearest === null ? "" : ` (Did you mean ${nearest}?)`;
  const isText = spec.arguments?.some(({ name }) => name.includes("...")) === true;
  const dash = isText ? "; put `--` before text that begins with a dash" : "";
  return misuse(`unknown option '${word}'${meant}`, `see \`continuity help ${spec.name}\`${dash}`);
}
