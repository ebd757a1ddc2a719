/** `status --jobs`: background jobs; failed ones are tried again or dropped. */
import type { JobsJson } from "#api";
import { counted } from "#kit";
import type { Context } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import { hasFlag, type Input } from "../spec.ts";
import { ageOf, type Column, safeLine } from "../text.ts";
import { countOption, numberOf } from "./filters.ts";

type Job = JobsJson["parked"][number];

const jobActions = new Set(["list", "retry", "drop"]);

export async function jobs(context: Context, input: Input): Promise<number | void> {
  const [action = "list", ...ids] = input.args;
  if (!jobActions.has(action))
    throw misuse(`"${safeLine(action)}" is nothing to do with jobs`, "write list, retry or drop");
  return action === "list" ? listJobs(context) : changeJobs(context, { action, ids });
}

async function listJobs(context: Context): Promise<number | void> {
  const jobs = await context.ask("read", (api) => api.jobs.$get());
  if (context.isJson) return context.printJson(jobs);
  const rows = [...jobs.parked, ...jobs.open];
  if (rows.length === 0) return context.print("No pending or failed jobs.\n");
  const columns: readonly Column<Job>[] = [
    { title: "ID", value: ({ id }) => `${id}`, align: "right" },
    { title: "TASK", value: ({ kind }) => taskWords[kind] ?? kind },
    { title: "STATE", value: ({ state }) => stateWords[state] ?? state },
    { title: "TRIED", value: ({ attempt }) => `${attempt}`, align: "right" },
    { title: "SINCE", value: ({ created_at: at }) => ageOf(at, context.nowMs) },
    { title: "SESSION", value: ({ session_id: session }) => (session ?? "").slice(0, 8) },
    { title: "REASON", value: ({ reason }) => reasonOf(reason), least: 16 },
  ];
  context.print(context.table(rows, columns));
}

const taskWords: Readonly<Partial<Record<string, string>>> = {
  turn: "keep a turn",
  checkpoint: "sum up a session",
  transcript: "read a transcript",
  quiet: "look after a silent session",
  notes: "read the agent's notes",
  session: "ask the model",
};

const stateWords: Readonly<Partial<Record<string, string>>> = {
  queued: "waiting",
  leased: "running",
  skipped: "failed",
};

/** Without the error's type, which the log has. */
const reasonOf = (reason: string | null): string =>
  reason === "llm.breaker-open"
    ? "waits until the model answers again"
    : (reason ?? "").replace(/^[a-z]+\.[a-z-]+: /, "");

async function changeJobs(
  context: Context,
  asked: { readonly action: string; readonly ids: readonly string[] },
): Promise<number | void> {
  const ids = asked.ids.map((id) => numberOf(id, "job"));
  const api = await context.api("write");
  const json = { ids: ids.length === 0 ? null : ids };
  const isRetry = asked.action === "retry";
  const answer = isRetry ? api.jobs.retry.$post({ json }) : api.jobs.drop.$post({ json });
  const done = await (await answer).json();
  if (!context.isJson && ids.length > 0 && done.changed === 0)
    throw new CliFailure(
      `no ${isRetry ? "pending or failed" : "failed"} job has the number ${ids.join(" or ")}`,
      "see `continuity status --jobs`",
    );
  const verb = isRetry ? "Queued again" : "Dropped";
  context.show(done, () => `${verb}: ${counted(done.changed, "job")}.\n`);
  return ids.length > done.changed ? 1 : 0;
}

// `status --log`: the log of the daemon.

/** Twice a second reads as "live" and costs next to nothing. */
const followEveryMs = 500;
/** Lines looked back at while following: more than half a second writes. */
const followLines = 500;

export async function showLog(context: Context, input: Input): Promise<number | void> {
  const tail = countOption(input, "tail", 10_000) ?? 50;
  const show = (lines: readonly string[]): void => {
    for (const line of lines) context.show(recordOfLogLine(line), () => `${safeLine(line)}\n`);
  };
  const read = async (lines: number): Promise<readonly string[]> => {
    return (await context.ask("read", (api) => api.logs.$get({ query: { tail: `${lines}` } })))
      .lines;
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
