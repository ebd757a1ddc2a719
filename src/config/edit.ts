/** Changes one key in the text of config.toml and leaves every other character as it was. */
import { defaultSettings } from "#domain";
import type { Settings } from "#domain";
import { err, ok } from "#kit";
import type { Result } from "#kit";
import type { ConfigError } from "./errors.ts";
import { settingKeys } from "./keys.ts";
import type { SettingKey } from "./keys.ts";
import { nearestOf } from "./nearest.ts";
import { parseToml } from "./parse.ts";
import { isSame, mapToml } from "./toml-lines.ts";
import type { TomlMap } from "./toml-lines.ts";

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
  if (!change.ok) return err(wrongValue(name, change.error, value));
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

const wrongValue = (key: string, expected: string, value: string): ConfigError => ({
  type: "config.value",
  source: "command line",
  line: null,
  key,
  expected,
  found: JSON.stringify(value.slice(0, 60)),
});

/** `"30m"` with its quotes, as somebody copies it from the file. */
const unquoted = (value: string): string => /^"([^"\\]*)"$/.exec(value.trim())?.[1] ?? value;

function place(text: string, key: SettingKey, literal: string): string {
  const map = mapToml(text);
  const path = [key.section, key.key];
  const entry = map.entries.find((one) => isSame(one.path, path));
  if (entry !== undefined)
    return text.slice(0, entry.valueStart) + literal + text.slice(entry.valueEnd);
  return (
    intoBraces(text, map, [key, literal]) ??
    intoTable(text, map, [key, literal]) ??
    atEnd(text, key, literal)
  );
}

type Addition = readonly [key: SettingKey, literal: string];

/** `server = { port = 1 }` */
function intoBraces(text: string, map: TomlMap, [key, literal]: Addition): string | null {
  const braces = map.entries.find((one) => isSame(one.path, [key.section]));
  if (braces === undefined) return null;
  const inside = text.slice(braces.valueStart + 1, braces.valueEnd - 1);
  const head = text.slice(0, braces.valueEnd - 1).trimEnd();
  const comma = inside.trim() === "" || inside.trimEnd().endsWith(",") ? "" : ",";
  return `${head}${comma} ${key.key} = ${literal} }${text.slice(braces.valueEnd)}`;
}

/** Behind the last key of `[server]`, or behind `server.port = 1` at the top. */
function intoTable(text: string, map: TomlMap, [key, literal]: Addition): string | null {
  const header = map.headers.find((one) => isSame(one.path, [key.section]));
  const next = map.headers.find((one) => one.start > (header?.start ?? -1));
  const end = next?.start ?? text.length;
  const last = map.entries.findLast(
    (one) =>
      one.place === "table" &&
      one.path[0] === key.section &&
      one.keyStart > (header?.start ?? -1) &&
      one.keyStart < end,
  );
  if (header === undefined && last === undefined) return null;
  const dotted = header === undefined ? `${key.section}.` : "";
  return insertLine(text, last?.valueEnd ?? header?.end ?? 0, `${dotted}${key.key} = ${literal}`);
}

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
