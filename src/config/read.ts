/**
 * Reads the settings: defaults, then config.toml, then CONTINUITY_* variables, each winning over the one before.
 *
 * Pure but for the reader it is given. Never reads from a project's files.
 */
import { parse, TomlError } from "smol-toml";
import { defaultSettings, type Settings } from "#domain";
import { err, nearestOf, ok, type Result } from "#kit";
import type { ConfigError, ConfigWarning } from "./kinds.ts";
import { settingKeys, type Change, type SettingKey } from "./keys.ts";
import { isSame, lineOf } from "./toml-lines.ts";

export interface SettingsInput {
  /** Path of config.toml, for messages and for `readFile`. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text of a file; null when it does not exist. */
  readonly readFile: (path: string) => string | null;
  /**
   * Tells whether the rest may be in force without a section that holds a wrong value; by default
   * none may be missing.
   */
  readonly canMiss?: (section: string) => boolean;
}

export interface ReadSettings {
  readonly settings: Settings;
  readonly warnings: readonly ConfigWarning[];
  /** For each key by name (`server.port`): `default`, `file` or the variable that set it. */
  readonly sources: ReadonlyMap<string, string>;
  /** Wrong values in sections that could be missed; each such section is at its defaults, as a whole. */
  readonly faults: readonly ConfigFault[];
}

interface ConfigFault {
  /** `llm`, of `llm.session.model`. */
  readonly section: string;
  readonly error: ConfigError;
}

/**
 * Settings as they are in force, what was ignored and where each value comes from; or the first thing that is wrong.
 */
export function readSettings(input: SettingsInput): Result<ReadSettings, ConfigError> {
  const text = input.readFile(input.path) ?? "";
  const parsed = parseToml(text, input.path);
  if (!parsed.ok) return parsed;
  const asked = settingKeys.map((key) => ({
    key,
    change: changeOf(key, parsed.value, { ...input, text }),
  }));
  const faults = asked.flatMap(({ key, change }) =>
    change.ok ? [] : [{ section: tableOf(key), error: change.error }],
  );
  const fatal = faults.find(({ section }) => input.canMiss?.(section) !== true);
  if (fatal !== undefined) return err(fatal.error);
  let settings = defaultSettings;
  const sources = new Map(settingKeys.map((key) => [key.name, "default"]));
  for (const { key, change } of asked) {
    if (!change.ok || change.value === null) continue;
    if (faults.some(({ section }) => section === tableOf(key))) continue;
    settings = change.value.change(settings);
    sources.set(key.name, change.value.source);
  }
  const warnings = [
    ...unknownInFile(parsed.value, { text, path: input.path }),
    ...unknownInEnv(input.env),
  ];
  return ok({ settings, warnings, sources, faults });
}

const tableOf = (key: SettingKey): string => key.path[0] ?? "";

interface Asked {
  readonly change: Change;
  readonly source: string;
}

/** The change that a key asks for, and where from; null when it is not set. */
function changeOf(
  key: SettingKey,
  file: Table,
  input: SettingsInput & { readonly text: string },
): Result<Asked | null, ConfigError> {
  const found = fromFile(key, file, input);
  if (!found.ok) return found;
  const overriding = fromEnv(key, input.env);
  if (!overriding.ok) return overriding;
  if (overriding.value !== null)
    return ok({ change: overriding.value, source: key.variable ?? "file" });
  return ok(found.value === null ? null : { change: found.value, source: "file" });
}

type Table = Readonly<Record<string, unknown>>;
interface Source {
  readonly text: string;
  readonly path: string;
}

/** A table, and neither a list nor one of TOML's dates. */
const isTable = (value: unknown): value is Table =>
  typeof value === "object" &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

function fromFile(
  key: SettingKey,
  file: Table,
  source: Source,
): Result<Change | null, ConfigError> {
  const wrong = (path: readonly string[], expected: string, value: unknown): ConfigError => ({
    type: "config.value",
    source: source.path,
    line: lineOf(source.text, path),
    key: path.join("."),
    expected,
    found: describe(value),
  });
  let table = file;
  for (const [depth, part] of key.path.slice(0, -1).entries()) {
    if (!Object.hasOwn(table, part)) return ok(null);
    const inner = table[part];
    if (!isTable(inner)) return err(wrong(key.path.slice(0, depth + 1), "a table", inner));
    table = inner;
  }
  if (!Object.hasOwn(table, key.key)) return ok(null);
  const value = table[key.key];
  const read = key.read(value);
  if (read.ok) return read;
  const failure = wrong(key.path, read.error, value);
  return err(key.isDelicate ? { ...failure, found: "something else" } : failure);
}

function fromEnv(key: SettingKey, env: SettingsInput["env"]): Result<Change | null, ConfigError> {
  const text = key.variable === null ? undefined : env[key.variable];
  if (key.variable === null || text === undefined || text === "") return ok(null);
  const read = key.readText(text);
  if (read.ok) return read;
  return err({
    type: "config.value",
    source: key.variable,
    line: null,
    key: key.name,
    expected: read.error,
    found: key.isDelicate ? "something else" : describe(text),
  });
}

/** `describe` shows a value, short enough for a message. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isTable(value)) return "a table";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "a date";
}

function unknownInFile(file: Table, source: Source): readonly ConfigWarning[] {
  return unknownBelow(file, []).map(({ path, nearest }) => ({
    source: source.path,
    line: lineOf(source.text, path),
    key: path.join("."),
    nearest,
  }));
}

interface Unknown {
  readonly path: readonly string[];
  readonly nearest: string | null;
}

function unknownBelow(table: Table, above: readonly string[]): readonly Unknown[] {
  const siblings = namesBelow(above);
  return Object.entries(table).flatMap(([name, value]) => {
    const path = [...above, name];
    if (siblings.includes(name))
      return isTable(value) && namesBelow(path).length > 0 ? unknownBelow(value, path) : [];
    const nearest = nearestOf(name, siblings);
    if (nearest !== null) return [{ path, nearest: [...above, nearest].join(".") }];
    return [{ path, nearest: above.length === 0 ? null : elsewhere(name) }];
  });
}

/** Keys and tables that a table may hold. */
const namesBelow = (above: readonly string[]): readonly string[] => [
  ...new Set(
    settingKeys
      .filter(
        ({ path }) => path.length > above.length && isSame(path.slice(0, above.length), above),
      )
      .flatMap(({ path }) => path.slice(above.length, above.length + 1)),
  ),
];

/** A known key that stands in the wrong section. */
const elsewhere = (key: string): string | null =>
  settingKeys.find((known) => known.key === key)?.name ?? null;

/** Only what looks like a slip: other CONTINUITY_ variables belong to other parts of the program. */
function unknownInEnv(env: SettingsInput["env"]): readonly ConfigWarning[] {
  const variables = settingKeys.flatMap((key) => key.variable ?? []);
  return Object.keys(env)
    .filter((name) => /^CONTINUITY_\w+$/.test(name) && !variables.includes(name))
    .filter((name) => !otherVariables.some((other) => other.variable === name))
    .map((name) => ({
      name,
      nearest: nearestOf(
        name.slice(11),
        variables.map((one) => one.slice(11)),
      ),
    }))
    .filter(({ nearest }) => nearest !== null)
    .map(({ name, nearest }) => ({
      source: "environment",
      line: null,
      key: name,
      nearest: `CONTINUITY_${nearest ?? ""}`,
    }));
}

/** Variables that are no settings. */
export const otherVariables: readonly { readonly variable: string; readonly effect: string }[] = [
  {
    variable: "CONTINUITY_HOME",
    effect: "The folder that holds everything; `~/.continuity` by default.",
  },
  { variable: "CONTINUITY_OFF", effect: "`1`: hooks exit at once and nothing is captured." },
  {
    variable: "CONTINUITY_NOW",
    effect:
      "Epoch milliseconds or ISO 8601: the clock of one command or hook, for replaying history.",
  },
  {
    variable: "CONTINUITY_INTERNAL",
    effect: "`1`: set by Continuity for its own model calls, so that their hooks exit at once.",
  },
];

/** TOML to plain values, with errors that name line and column. `path` is for the message only. */
export function parseToml(
  text: string,
  path: string,
): Result<Readonly<Record<string, unknown>>, ConfigError> {
  try {
    return ok(parse(withoutMark(text)));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [detail = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    return err({ type: "config.syntax", path, line: error.line, column: error.column, detail });
  }
}

/** Editors on Windows begin files with a byte order mark, which TOML does not know; a blank keeps positions. */
const withoutMark = (text: string): string =>
  text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
