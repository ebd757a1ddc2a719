/** How a command is described: one definition gives the parser, `--help` and the reference. */
import type { Field, Forms as ApiForms } from "#api";
import type { Context } from "./context.ts";

/**
 * Place in the list of commands: `main` with its summary, `more` by its name alone, `hidden` not at all (what only
 * programs call).
 */
type Group = "main" | "more" | "hidden";

interface ArgumentSpec {
  /** Commander's form: `<query...>`, `[uri]`. */
  readonly name: string;
  readonly summary: string;
  readonly choices?: readonly string[];
}

export interface OptionSpec {
  /** Commander's form: `--limit <n>`. */
  readonly flags: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly fallback?: string;
  /** May be given more than once. */
  readonly many?: boolean;
}

/** The forms of the API's answers: loaded where fields are shown, because a command's start must not wait for them. */
export type Forms = typeof import("#api/forms");

/** The fields of an answer of the API, by the name of its form; or names and meanings, as a command says them. */
type Fields = keyof ApiForms | Readonly<Record<string, string>>;

/** What a person typed, after parsing. */
export interface Input {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

export interface CommandSpec {
  readonly name: string;
  readonly group: Group;
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly details?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** The form of `--json` and its fields; commands without it have no `--json`. */
  readonly json?: {
    readonly shape: "one document" | "one document a line";
    readonly fields: Fields | ((of: (fields: Fields) => readonly Field[]) => readonly Field[]);
    /** Fields of other answers, by the option that asks for them. */
    readonly others?: Readonly<Record<string, Fields>>;
  };
  /** True for what only a person may do: in an agent's shell it is refused. */
  readonly needsPerson?: (input: Input) => boolean;
  /** Takes every argument as it is (for `hook`). */
  readonly raw?: boolean;
  /** Resolves to the exit status; throws `CliFailure` for what the user should read. */
  readonly run: (context: Context, input: Input) => Promise<number>;
}

/** The fields of a command's `--json`; none for a command that has none. */
export function jsonFields({ json }: CommandSpec, forms: Forms): readonly Field[] {
  if (json === undefined) return [];
  return typeof json.fields === "function"
    ? json.fields((name) => fieldsIn(name, forms))
    : fieldsIn(json.fields, forms);
}

export const fieldsIn = (fields: Fields, { fieldsOf, forms }: Forms): readonly Field[] =>
  typeof fields === "string"
    ? fieldsOf(forms[fields])
    : Object.entries(fields).map(([name, meaning]) => ({ name, meaning }));

/** The text of an option; null when it was not given. */
export function optionText(input: Input, name: string): string | null {
  const value = input.options[name];
  return typeof value === "string" ? value : null;
}

/** All texts of an option that may be given more than once. */
export function optionTexts(input: Input, name: string): readonly string[] {
  const value = input.options[name];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

/** Was a switch given? */
export const hasFlag = (input: Input, name: string): boolean => input.options[name] === true;
