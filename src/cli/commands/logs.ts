/** `status --log`: the log of the daemon. */
import type { Context } from "../context.ts";
import { type Input, hasFlag } from "../spec.ts";
import { safeLine } from "../text.ts";
import { countOption } from "./filters.ts";

/** Twice a second reads as "live" and costs next to nothing. */
const followEveryMs = 500;
/** Lines looked back at while following: more than half a second writes. */
const followLines = 500;

export async function showLog(context: Context, input: Input): Promise<number> {
  const tail = countOption(input, "tail", 10_000) ?? 50;
  const show = (lines: readonly string[]): void => {
    for (const line of lines)
      if (hasFlag(input, "json")) context.printJson(recordOfLogLine(line));
      else context.print(`${safeLine(line)}\n`);
  };
  const read = async (lines: number): Promise<readonly string[]> => {
    const api = await context.api("read");
    return (await (await api.logs.$get({ query: { tail: `${lines}` } })).json()).lines;
  };
  let seen = await read(tail);
  show(seen);
  if (!hasFlag(input, "follow")) return 0;
  const { io } = context.deps;
  while (!io.isInterrupted()) {
    await io.sleep(followEveryMs);
    const now = await read(Math.max(tail, followLines));
    show(followed(seen, now));
    seen = now;
  }
  return 0;
}

/**
 * The lines of `now` that were not in `before`: what follows the longest end of `before` with which `now` begins
 * or which it contains. Everything, when they have nothing in common (more was written than is looked back at).
 */
export function followed(before: readonly string[], now: readonly string[]): readonly string[] {
  const last = before.at(-1);
  if (last === undefined) return now;
  // The usual case, and the one that tells equal lines apart: nothing has scrolled out yet.
  if (before.every((line, at) => now[at] === line)) return now.slice(before.length);
  for (let at = now.length - 1; at >= 0; at -= 1) {
    if (now[at] === last && isTail(before, now, at)) return now.slice(at + 1);
  }
  return now;
}

/** Does `now` up to and including `at` end as `before` does, as far as both reach? */
function isTail(before: readonly string[], now: readonly string[], at: number): boolean {
  const shared = Math.min(before.length, at + 1);
  for (let back = 0; back < shared; back += 1)
    if (before[before.length - 1 - back] !== now[at - back]) return false;
  return true;
}

const head = /^(\S+) (debug|info|warn|error) (\S+)/;
const field = / ([\w.-]+)=("(?:[^"\\]|\\.)*"|\S*)/g;

/** `time`, `level`, `event` and whatever else the line says; a line of another form is the field `text`. */
export function recordOfLogLine(line: string): Readonly<Record<string, string>> {
  const found = head.exec(line);
  if (found === null) return { text: line };
  const [start, time = "", level = "", event = ""] = found;
  const fields = [...line.slice(start.length).matchAll(field)].map(
    ([, name = "", value = ""]) => [name, unquoted(value)] as const,
  );
  return { ...Object.fromEntries(fields), time, level, event };
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value; // Quoting that is not ours.
  }
}
