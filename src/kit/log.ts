/** The log port. What is logged names what happened, never what was said: no prompt text, no memory text. */
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, isoTime } from "./clock.ts";

type LogLevel = "debug" | "info" | "warn" | "error";

/** Values are short facts (ids, counts, milliseconds, error types). */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  readonly write: (level: LogLevel, event: string, fields?: LogFields) => void;
}

export const silentLog: Log = { write: () => undefined };

// The log file: one line per entry, rotating, private to the user. Used by hooks, so it imports node:fs alone and
// never throws: a log that cannot be written must not cost a prompt.

export interface FileLogOptions {
  /** Folder of the log; made when missing, but for the folder around it: a home that was deleted stays deleted. */
  readonly dir: string;
  /** Entries below this level are dropped. */
  readonly level: LogLevel;
  readonly clock: Clock;
  /** The folder for a 0600 file when `dir` cannot be written; the system's temp folder by default. */
  readonly fallbackDir?: string;
}

/** docs/design/operations.md, "Files": 5 × 1 MB. */
const fileBytesMax = 1_000_000;
const filesMax = 5;
const fieldCharsMax = 500;

const rank: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

export const logFileName = "continuity.log";

/** A log that appends to `dir/continuity.log` and keeps four older files beside it. */
export const createFileLog = (options: FileLogOptions): Log => ({
  write: (level, event, fields = {}) => {
    if (rank[level] < rank[options.level]) return;
    const line = `${isoTime(options.clock.nowMs())} ${level} ${oneWord(event)}${render(fields)}\n`;
    if (append(options.dir, logFileName, line)) return;
    append(options.fallbackDir ?? tmpdir(), fallbackName(), line);
  },
});

/** One file per user: a shared temp folder must not let one user read or plant another's. */
const fallbackName = (): string => `continuity-${process.getuid?.() ?? "user"}.log`;

function append(dir: string, name: string, line: string): boolean {
  const file = join(dir, name);
  try {
    if (!existsSync(dir)) mkdirSync(dir, { mode: 0o700 });
    if (isForeign(file)) return false;
    rotate(file);
    appendFileSync(file, line, { mode: 0o600 });
    return true;
  } catch {
    return false; // Read-only, full or missing: the caller has one more place to try.
  }
}

/** A symlink, or a file of another user, under our name. */
function isForeign(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  return !found.isFile() || (process.getuid !== undefined && found.uid !== process.getuid());
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < fileBytesMax) return;
  for (let n = filesMax - 1; n >= 1; n -= 1) {
    const from = n === 1 ? file : `${file}.${n - 1}`;
    if (existsSync(from)) renameSync(from, `${file}.${n}`);
  }
}

const render = (fields: LogFields): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${oneWord(name)}=${quoted(String(value))}`)
    .join("");

/** JSON quoting keeps line breaks and control characters out of the file. */
const quoted = (text: string): string => {
  const short = text.slice(0, fieldCharsMax);
  return /^[\w.:/@+-]+$/.test(short) ? short : JSON.stringify(short);
};

const oneWord = (text: string): string => text.replace(/[^\w.-]/g, "_");

/** Enough for any terminal; the file itself is bounded by its rotation. */
const tailCharsMax = 1_000_000;

/** The last lines of the log in `dir`, oldest first; none where there is no log. */
export function tailLog(dir: string, lines: number): readonly string[] {
  const file = join(dir, logFileName);
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8").slice(-tailCharsMax);
  return text.split("\n").filter(Boolean).slice(-lines);
}
