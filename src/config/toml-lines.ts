/**
 * Locates the parts of a TOML text: every key with the position of its value, every table header.
 *
 * The parser of smol-toml gives values without positions; errors name lines and `config set` must leave comments and
 * layout alone. Reads texts that smol-toml has accepted; on others it may miss keys, but never throws and always ends.
 */

interface TomlEntry {
  /** Full path, such as `["server", "port"]`. */
  readonly path: readonly string[];
  /** `inline`: the path was written with dots on one line, or within braces. */
  readonly place: "table" | "inline";
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

interface TomlHeader {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

export interface TomlMap {
  readonly entries: readonly TomlEntry[];
  readonly headers: readonly TomlHeader[];
}

/** Line of a position, from 1. */
const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Line on which a path is set (or its table opened); null when it is nowhere. */
export function lineOf(text: string, path: readonly string[]): number | null {
  const map = mapToml(text);
  const found =
    map.entries.find((entry) => isSame(entry.path, path))?.keyStart ??
    map.headers.find((header) => isSame(header.path, path))?.start ??
    map.entries.find((entry) => isSame(entry.path.slice(0, path.length), path))?.keyStart;
  return found === undefined ? null : lineAt(text, found);
}

export const isSame = (one: readonly string[], two: readonly string[]): boolean =>
  one.length === two.length && one.every((part, index) => part === two[index]);

interface Reader {
  readonly text: string;
  at: number;
  readonly entries: TomlEntry[];
  readonly headers: TomlHeader[];
}

export function mapToml(text: string): TomlMap {
  const reader: Reader = { text, at: 0, entries: [], headers: [] };
  let table: readonly string[] = [];
  while ((skip(reader, /(?:\s|#[^\n]*)*/y), reader.at < text.length)) {
    const start = reader.at;
    if (text[start] === "[") table = readHeader(reader);
    else readEntry(reader, table, "table");
    if (reader.at === start) reader.at += 1; // Not TOML; go on.
  }
  return { entries: reader.entries, headers: reader.headers };
}

function readHeader(reader: Reader): readonly string[] {
  const start = reader.at;
  skip(reader, /\[\[?[ \t]*/y);
  const path = readKey(reader);
  skip(reader, /[ \t]*\]\]?/y);
  reader.headers.push({ path, start, end: reader.at });
  return path;
}

function readEntry(reader: Reader, table: readonly string[], place: TomlEntry["place"]): void {
  const keyStart = reader.at;
  const path = [...table, ...readKey(reader)];
  skip(reader, /[ \t]*=[ \t]*/y);
  const valueStart = reader.at;
  readValue(reader, path);
  reader.entries.push({ path, place, keyStart, valueStart, valueEnd: reader.at });
}

const keyPart = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+/y;

function readKey(reader: Reader): readonly string[] {
  const parts: string[] = [];
  do {
    skip(reader, /[ \t]*/y);
    const part = skip(reader, keyPart);
    if (part === "") return parts;
    parts.push(/^["']/.test(part) ? part.slice(1, -1) : part);
    skip(reader, /[ \t]*/y);
  } while (skip(reader, /\./y) !== "");
  return parts;
}

const stringValue = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;

function readValue(reader: Reader, path: readonly string[]): void {
  const first = reader.text[reader.at];
  if (first === '"' || first === "'") skip(reader, stringValue);
  else if (first === "[") readArray(reader);
  else if (first === "{") readInline(reader, path);
  else skip(reader, /[^\s,#\]}]*(?: \d\d:[^\s,#\]}]*)?/y);
}

function readArray(reader: Reader): void {
  reader.at += 1;
  while ((skip(reader, /(?:[\s,]|#[^\n]*)*/y), reader.at < reader.text.length)) {
    if (skip(reader, /\]/y) !== "") return;
    const start = reader.at;
    readValue(reader, ["[]"]); // Keys of tables within arrays are no settings.
    if (reader.at === start) reader.at += 1;
  }
}

function readInline(reader: Reader, path: readonly string[]): void {
  reader.at += 1;
  while ((skip(reader, /(?:[\s,]|#[^\n]*)*/y), reader.at < reader.text.length)) {
    if (skip(reader, /\}/y) !== "") return;
    const start = reader.at;
    readEntry(reader, path, "inline");
    if (reader.at === start) reader.at += 1;
  }
}

/** Moves past a sticky pattern; returns what it matched. */
function skip(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? "";
  reader.at += found.length;
  return found;
}
