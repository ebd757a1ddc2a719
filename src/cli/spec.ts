/** Describes commands: one definition gives the parser, `--help` and the reference. */
import type { Client, Field, Forms as ApiForms } from "#api";
import type { CliDeps } from "./deps.ts";
import type { Column, Style } from "./text.ts";

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
  /** Values of earlier versions, taken beside the choices and not offered. */
  readonly former?: readonly string[];
  readonly fallback?: string;
  /** May be given more than once. */
  readonly many?: boolean;
}

/** The forms of the API's answers: loaded where fields are shown, because a command's start must not wait for them. */
export type Forms = typeof import("#api/forms");

/** The fields of an answer of the API, by the name of its form; or names and meanings, as a command says them. */
type Fields = keyof ApiForms | Readonly<Record<string, string>>;

/** A command line after parsing. */
export interface Input {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** The context of every command: the typed API client, the terminal and the caller's place and time. */
export interface Context {
  readonly deps: CliDeps;
  readonly style: Style;
  /** The command's own now (the maker of the clock honours CONTINUITY_NOW). */
  readonly nowMs: number;
  /** Connects and returns the client; throws `CliFailure` when there is no way. */
  readonly api: (need: "read" | "write") => Promise<Client>;
  /** The answer to one question of the API. */
  readonly ask: <Answer>(
    need: "read" | "write",
    question: (api: Client) => Promise<{ readonly json: () => Promise<Answer> }>,
  ) => Promise<Answer>;
  readonly isJson: boolean;
  readonly print: (text: string) => void;
  /** One JSON document on one line. */
  readonly printJson: (value: unknown) => void;
  /** Prints an answer: as a JSON document, or as a text for people. */
  readonly show: (document: unknown, text: () => string) => void;
  /** Prints a list: a JSON document for each, or a text for people, or that there is none. */
  readonly showAll: (items: readonly unknown[], none: string, text: () => string) => void;
  readonly table: <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => string;
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
  /** Resolves to the exit status, or to nothing when all went well; throws `CliFailure` for what a user should read. */
  readonly run: (context: Context, input: Input) => Promise<number | void>;
}

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

export const hasFlag = (input: Input, name: string): boolean => input.options[name] === true;
