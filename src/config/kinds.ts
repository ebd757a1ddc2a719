/**
 * Describes faults of settings in words for people, and the kinds of values a setting may have: how each is
 * read from TOML and from a variable, and how it is written.
 *
 * By hand rather than with a schema library: a hook reads the configuration while the daemon is away, and loading the
 * library takes longer than the whole hook may.
 */
import { err, msPerMinute, ok, parseDuration, type Result, parseJson } from "#kit";

// The faults that a configuration can have.

export type ConfigError =
  /** Not TOML at all. `line` and `column` from 1. */
  | {
      readonly type: "config.syntax";
      readonly path: string;
      readonly line: number;
      readonly column: number;
      readonly detail: string;
    }
  /**
   * A value of the wrong kind. `source` is the file or the variable; `line` null for variables and the command line.
   */
  | {
      readonly type: "config.value";
      readonly source: string;
      readonly line: number | null;
      readonly key: string;
      readonly expected: string;
      readonly found: string;
    }
  | {
      readonly type: "config.unknown-key";
      readonly key: string;
      readonly nearest: string | null;
    };

export interface ConfigWarning {
  readonly source: string;
  readonly line: number | null;
  readonly key: string;
  readonly nearest: string | null;
}

/** The user who typed the value need not be told where it is. */
function place(source: string, line: number | null): string {
  if (source === commandLine) return "";
  return line === null ? `${source}: ` : `${source}:${line}: `;
}

const hint = (nearest: string | null): string =>
  nearest === null ? "" : `; did you mean ${nearest}?`;

/** The source of a value that was typed as an argument. */
export const commandLine = "command line";

/** One line for people. */
export function describeConfigError(error: ConfigError): string {
  switch (error.type) {
    case "config.syntax":
      return `${error.path}:${error.line}:${error.column}: ${error.detail}`;
    case "config.value":
      return `${place(error.source, error.line)}${error.key} must be ${error.expected}, not ${error.found}`;
    case "config.unknown-key":
      return `unknown key ${error.key}${hint(error.nearest)}`;
    default:
      return error satisfies never;
  }
}

/** One line for people. */
export const describeConfigWarning = (warning: ConfigWarning): string =>
  `${place(warning.source, warning.line)}unknown key ${warning.key} is ignored${hint(warning.nearest)}`;

export interface Kind<Value> {
  /** The expected values, for people: "an integer from 1 to 10". */
  readonly expected: string;
  /** From a value that TOML gave; null = not of this kind (Value itself is never undefined). */
  readonly read: (value: unknown) => Result<Value, string>;
  /** From an environment variable or the command line. */
  readonly readText: (text: string) => Result<Value, string>;
  /** As TOML writes it. */
  readonly write: (value: Value) => string;
  /** A wrong value may be a secret in the wrong place, and is not repeated in messages. */
  readonly isDelicate: boolean;
  /** Every value there is, as one types it; null = they cannot be listed. */
  readonly choices: readonly string[] | null;
}

export const boolean: Kind<boolean> = kindOf({
  expected: "true or false",
  accept: (value) => (typeof value === "boolean" ? value : undefined),
  fromText: onOrOff,
  write: String,
  choices: ["true", "false"],
});

/** `on` or `off`; true and false are understood. */
export const onOff: Kind<boolean> = kindOf({
  expected: '"on" or "off"',
  accept: (value) =>
    typeof value === "boolean" ? value : typeof value === "string" ? onOrOff(value) : undefined,
  fromText: onOrOff,
  write: (value) => (value ? '"on"' : '"off"'),
  choices: ["on", "off"],
});

function onOrOff(text: string): boolean | undefined {
  const clean = text.trim().toLowerCase();
  if (["true", "on", "yes", "1"].includes(clean)) return true;
  return ["false", "off", "no", "0"].includes(clean) ? false : undefined;
}

export const integer = (min: number, max: number): Kind<number> =>
  numberKind(
    `an integer from ${min} to ${max}`,
    (value) => Number.isSafeInteger(value) && value >= min && value <= max,
  );

export const fraction = (min: number, max: number): Kind<number> =>
  numberKind(`a number from ${min} to ${max}`, (value) => value >= min && value <= max);

/** A fraction, or null = `auto`. */
export const fractionOrAuto = (min: number, max: number): Kind<number | null> => {
  const number = fraction(min, max);
  const accept = (value: unknown): number | null | undefined => {
    if (value === "auto") return null;
    const read = number.read(value);
    return read.ok ? read.value : undefined;
  };
  return kindOf<number | null>({
    expected: `${number.expected}, or "auto"`,
    accept,
    fromText: (text) =>
      accept(text.trim() === "" || text.trim() === "auto" ? text.trim() : Number(text)),
    write: (value) => (value === null ? '"auto"' : String(value)),
  });
};

function numberKind(expected: string, isFit: (value: number) => boolean): Kind<number> {
  const accept = (value: unknown): number | undefined =>
    typeof value === "number" && isFit(value) ? value : undefined;
  return kindOf({
    expected,
    accept,
    fromText: (text) => (text.trim() === "" ? undefined : accept(Number(text))),
    write: String,
  });
}

export function choice<Value extends string>(...values: readonly Value[]): Kind<Value> {
  const accept = (value: unknown): Value | undefined => values.find((one) => one === value);
  return kindOf({
    expected: `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
    accept,
    fromText: (text) => accept(text.trim().toLowerCase()),
    write: (value) => JSON.stringify(value),
    choices: values,
  });
}

/** Minutes, written as a duration; null = `never`. Whole minutes only, since nothing here runs by the second. */
export const minutesOrNever: Kind<number | null> = kindOf<number | null>({
  expected: 'a duration such as "30m" or "2h" (at least a minute), or "never"',
  accept: (value) =>
    typeof value === "string"
      ? minutesOf(value)
      : Number.isSafeInteger(value)
        ? minutesOf(`${String(value)}m`)
        : undefined,
  fromText: (text) => minutesOf(/^\d+$/.test(text.trim()) ? `${text}m` : text),
  write: (value) =>
    value === null ? '"never"' : `"${value % 60 === 0 ? `${value / 60}h` : `${value}m`}"`,
});

function minutesOf(text: string): number | null | undefined {
  const ms = parseDuration(text);
  if (ms === Infinity) return null;
  return ms === null || ms < msPerMinute ? undefined : Math.round(ms / msPerMinute);
}

export const text: Kind<string> = textKind("a string of at most 1,000 characters", () => true);

/** Empty = none. */
export const url: Kind<string> = textKind(
  "an address that begins with http:// or https://, or an empty string",
  (value) => value === "" || (/^https?:\/\//i.test(value) && URL.canParse(value)),
);

/** Empty = none. */
export const variableName: Kind<string> = {
  ...textKind("the name of an environment variable, or an empty string", (value) =>
    /^(?:[A-Z_][A-Z0-9_]*)?$/i.test(value),
  ),
  isDelicate: true,
};

const textCharsMax = 1_000;

function textKind(expected: string, isFit: (value: string) => boolean): Kind<string> {
  const accept = (value: unknown): string | undefined =>
    typeof value === "string" && value.length <= textCharsMax && isFit(value.trim())
      ? value.trim()
      : undefined;
  return kindOf({ expected, accept, fromText: accept, write: (value) => JSON.stringify(value) });
}

export const texts: Kind<readonly string[]> = textsKind("a list of strings", () => true);

export const patterns: Kind<readonly string[]> = textsKind(
  "a list of regular expressions",
  isPattern,
);

function isPattern(text: string): boolean {
  try {
    return text !== "" && new RegExp(text) instanceof RegExp;
  } catch {
    return false; // RegExp throws on what is none; nothing else does here.
  }
}

function textsKind(expected: string, isFit: (item: string) => boolean): Kind<readonly string[]> {
  const accept = (value: unknown): readonly string[] | undefined =>
    Array.isArray(value) &&
    value.every((item): item is string => typeof item === "string" && isFit(item))
      ? value
      : undefined;
  return kindOf({
    expected,
    accept,
    fromText: (text) => accept(text.trim().startsWith("[") ? parseJson(text) : splitList(text)),
    write: (value) => `[${value.map((item) => JSON.stringify(item)).join(", ")}]`,
  });
}

const splitList = (text: string): readonly string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

interface Parts<Value> {
  readonly expected: string;
  readonly accept: (value: unknown) => Value | undefined;
  readonly fromText: (text: string) => Value | undefined;
  readonly write: (value: Value) => string;
  readonly choices?: readonly string[];
}

function kindOf<Value>(parts: Parts<Value>): Kind<Value> {
  const answer = (value: Value | undefined): Result<Value, string> =>
    value === undefined ? err(parts.expected) : ok(value);
  return {
    expected: parts.expected,
    read: (value) => answer(parts.accept(value)),
    readText: (text) => answer(parts.fromText(text)),
    write: parts.write,
    isDelicate: false,
    choices: parts.choices ?? null,
  };
}
