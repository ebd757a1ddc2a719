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
  let unknown: string | null = null;
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      args.push(...rest);
      break;
    }
    if (isHelp(word)) return "help";
    const [flag, value] = isOption(word) ? partsOf(word, rest) : [null, undefined];
    const option = known.get(flag ?? "");
    if (flag === null) args.push(word);
    else if (option === undefined || (option.sets !== null && value !== undefined))
      unknown ??= word;
    else options[option.key] = option.sets ?? valueOf(spec, option, value ?? rest.shift(), options);
  }
  if (unknown !== null) throw unknownOption(spec, unknown, [...known.keys()]);
  return { args: demandArguments(spec, args), options };
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
    all.flatMap((spec) => {
      const [, short, flag = "", no, name = ""] =
        /^(?:(-\w), )?(--(no-)?([a-z-]+))/.exec(spec.flags) ?? [];
      const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const option = { key, spec, sets: spec.flags.includes("<") ? null : no === undefined };
      return [flag, ...(short === undefined ? [] : [short])].map((typed) => [typed, option]);
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

/** As many as the command takes, each one of its choices, and the first not blank, as a shell variable may leave it. */
function demandArguments(spec: CommandSpec, args: readonly string[]): readonly string[] {
  const { arguments: wanted = [], name } = spec;
  const missing = wanted[args.length];
  if (missing?.name.startsWith("<") === true) {
    const choices = missing.choices === undefined ? "" : ` (${missing.choices.join(", ")})`;
    throw wrong(spec, `missing required argument '${bareName(missing.name)}'${choices}`);
  }
  const isMany = wanted.at(-1)?.name.includes("...") === true;
  if (args.length > wanted.length && !isMany) {
    const most = `${wanted.length} argument${wanted.length === 1 ? "" : "s"}`;
    const got = `${args.length}: ${args.join(", ")}`;
    throw wrong(spec, `too many arguments for '${name}'. Expected ${most} but got ${got}`);
  }
  for (const [at, { choices, name: full }] of wanted.entries()) {
    const given = full.includes("...") ? args.slice(at).join("") : args[at];
    if (choices !== undefined && given !== undefined && !choices.includes(given))
      throw wrong(spec, `'${given}' is no ${bareName(full)}.${named(choices)}`);
    if (at === 0 && args.length > 0 && given?.trim() === "")
      throw misuse(`<${bareName(full)}> is empty`);
  }
  return args;
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
