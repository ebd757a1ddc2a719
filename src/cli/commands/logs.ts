/** `status --log`: the log of the daemon. */
import type { Context } from "../context.ts";
import { followed } from "../follow.ts";
import { recordOfLogLine } from "../log-line.ts";
import type { Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
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
