/**
 * Reads a command line that is plainly right, without the parser: that takes longer to load than most commands take to
 * run. Whatever is not plain — a short option, `--name=value`, a word that is missing, wrong or too much — is the
 * parser's, which reads it or says what is wrong with it. Pure.
 */
import type { CommandSpec, Input, OptionSpec } from "./spec.ts";

/** What was typed after the command's name, just as the parser would give it; null = ask the parser. */
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
