/** Changes one key in the text of config.toml and leaves every other character as it was. */
import { defaultSettings, type Settings } from "#domain";
import { err, nearestOf, ok, type Result } from "#kit";
import { commandLine, type ConfigError } from "./kinds.ts";
import { settingKeys, type SettingKey } from "./keys.ts";
import { parseToml } from "./read.ts";
import { isSame, mapToml, type TomlMap } from "./toml-lines.ts";

/** The value of a key (`server.port`) as TOML writes it. */
export function getSetting(settings: Settings, name: string): Result<string, ConfigError> {
  const key = keyOf(name);
  return key.ok ? ok(key.value.write(settings)) : key;
}

/**
 * The text with `name` set to `value` (as typed on a command line: `60m`, `off`, `a, b` or `["a", "b"]`).
 * Fails on unknown keys, values of the wrong kind and texts that are no TOML; never returns a text that is none.
 */
export function setSetting(text: string, name: string, value: string): Result<string, ConfigError> {
  const key = keyOf(name);
  if (!key.ok) return key;
  const change = key.value.readText(unquoted(value));
  if (!change.ok) return err(wrongValue(key.value, change.error, value));
  const before = parseToml(text, "config.toml");
  if (!before.ok) return before;
  const literal = key.value.write(change.value(defaultSettings));
  const edited = place(text, key.value, literal);
  const after = parseToml(edited, "config.toml");
  return after.ok ? ok(edited) : after;
}

function keyOf(name: string): Result<SettingKey, ConfigError> {
  const key = settingKeys.find((one) => one.name === name);
  if (key !== undefined) return ok(key);
  const names = settingKeys.map((one) => one.name);
  const bare = settingKeys.find((one) => one.key === name)?.name;
  return err({ type: "config.unknown-key", key: name, nearest: bare ?? nearestOf(name, names) });
}

const wrongValue = (key: SettingKey, expected: string, value: string): ConfigError => ({
  type: "config.value",
  source: commandLine,
  line: null,
  key: key.name,
  expected,
  found: key.isDelicate ? "something else" : JSON.stringify(value.slice(0, 60)),
});

/** `"30m"` with its quotes, as copied from the file. */
const unquoted = (value: string): string => /^"([^"\\]*)"$/.exec(value.trim())?.[1] ?? value;

function place(text: string, key: SettingKey, literal: string): string {
  const map = mapToml(text);
  const entry = map.entries.find((one) => isSame(one.path, key.path));
  if (entry !== undefined)
    return text.slice(0, entry.valueStart) + literal + text.slice(entry.valueEnd);
  return (
    intoBraces(text, map, [key, literal]) ??
    intoTable(text, map, [key, literal]) ??
    atEnd(text, key, literal)
  );
}

type Addition = readonly [key: SettingKey, literal: string];

/** `server = { port = 1 }`; the innermost braces that can hold the key (`llm = { gate.model = "…" }`). */
function intoBraces(text: string, map: TomlMap, [key, literal]: Addition): string | null {
  const depths = key.path
    .map((_, index) => key.path.length - 1 - index)
    .filter((depth) => depth > 0);
  const around = depths.flatMap((depth) =>
    map.entries
      .filter((one) => isSame(one.path, key.path.slice(0, depth)))
      .map((braces) => ({ braces, name: key.path.slice(depth).join(".") })),
  );
  const [innermost] = around;
  if (innermost === undefined) return null;
  const { braces, name } = innermost;
  const inside = text.slice(braces.valueStart + 1, braces.valueEnd - 1);
  const head = text.slice(0, braces.valueEnd - 1).trimEnd();
  const comma = inside.trim() === "" || inside.trimEnd().endsWith(",") ? "" : ",";
  return `${head}${comma} ${name} = ${literal} }${text.slice(braces.valueEnd)}`;
}

/** Behind the last key of `[server]`. */
function intoTable(text: string, map: TomlMap, [key, literal]: Addition): string | null {
  const table = key.path.slice(0, -1);
  const header = map.headers.find((one) => isSame(one.path, table));
  if (header === undefined) return besideDotted(text, map, [key, literal]);
  const end = map.headers.find((one) => one.start > header.start)?.start ?? text.length;
  const last = map.entries.findLast(
    (one) => one.place === "table" && one.keyStart > header.start && one.keyStart < end,
  );
  return insertLine(text, last?.valueEnd ?? header.end, `${key.key} = ${literal}`);
}

/** Behind `server.port = 1`: a table that dots have opened may not be opened again by a header. */
function besideDotted(text: string, map: TomlMap, [key, literal]: Addition): string | null {
  const found = map.entries.findLast((one) => {
    const above = tableAt(map, one.keyStart).length;
    const isInside = isSame(tableAt(map, one.keyStart), key.path.slice(0, above));
    const isDotted = one.place === "table" && one.path.length > above + 1;
    return isInside && isDotted && one.path[above] === key.path[above];
  });
  if (found === undefined) return null;
  const name = key.path.slice(tableAt(map, found.keyStart).length).join(".");
  return insertLine(text, found.valueEnd, `${name} = ${literal}`);
}

/** The table whose header is in force at a position. */
const tableAt = (map: TomlMap, at: number): readonly string[] =>
  map.headers.findLast((one) => one.start < at)?.path ?? [];

/** A new line after the one that holds `at`, its comment included. */
function insertLine(text: string, at: number, line: string): string {
  const newline = text.indexOf("\n", at);
  const end = newline === -1 ? text.length : newline;
  const isCrLf = text[end - 1] === "\r";
  const cut = isCrLf ? end - 1 : end;
  return `${text.slice(0, cut)}${isCrLf ? "\r\n" : "\n"}${line}${text.slice(cut)}`;
}

function atEnd(text: string, key: SettingKey, literal: string): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? newline : newline + newline;
  return `${text}${gap}[${key.section}]${newline}${key.key} = ${literal}${newline}`;
}
