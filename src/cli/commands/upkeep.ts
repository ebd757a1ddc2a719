/** `status`, `stats`, `logs` and `pause`: how it is doing, and the off switch. */
import { projectLabels } from "#domain";
import { ownZone } from "#kit";
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import { followed } from "../follow.ts";
import { recordOfLogLine } from "../log-line.ts";
import type { CommandSpec } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import {
  ageOf,
  bytesOf,
  counted,
  durationOf,
  parseSpan,
  safeLine,
  safeText,
  timeOf,
} from "../text.ts";
import { fields } from "./fields.ts";
import { countOption } from "./filters.ts";
import { memoryStats } from "./worth.ts";

type Status = InferResponseType<Client["status"]["$get"], 200>;

export const statusCommand: CommandSpec = {
  name: "status",
  group: "upkeep",
  summary: "Show the state of the daemon, the database and the hooks",
  examples: ["continuity status", "continuity status --json | jq .counts"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.StatusJson),
  },
  run: async (context, input) => {
    const api = await context.api("read");
    const status = await (await api.status.$get()).json();
    if (hasFlag(input, "json")) {
      context.printJson(status);
      return 0;
    }
    context.print(renderedStatus(context, status));
    return 0;
  },
};

function renderedStatus({ nowMs, style }: Context, status: Status): string {
  const { counts, daemon, jobs, pause, spool } = status;
  const rows: readonly (readonly [string, string])[] = [
    ["version", status.version],
    ["home", status.home],
    ["daemon", daemon === null ? "not running (it starts when needed)" : daemonLine(daemon)],
    ["capture", pauseLine(pause)],
    ["database", `${bytesOf(status.database.bytes)}, schema ${status.database.schema_version}`],
    ["memories", `${counts.memories}`],
    ["archive", counted(counts.exchanges, "exchange")],
    ["records", `${counted(counts.sessions, "session")}, ${counted(counts.turns, "turn")}`],
    [
      "jobs",
      Object.entries(jobs)
        .map(([state, count]) => `${count} ${state}`)
        .join(", "),
    ],
    [
      "spool",
      spool.files === 0 ? "empty" : `${counted(spool.files, "file")}, ${bytesOf(spool.bytes)}`,
    ],
    ...backupRow(status, nowMs),
    ["embedder", `${status.embedder.id} (${status.embedder.dimension} dimensions)`],
    ["model", modelLine(status.model)],
  ];
  const lines = rows.map(([name, value]) => `${style.bold(name.padEnd(10))} ${safeLine(value)}\n`);
  const hooks = status.hooks.map(
    ({ hook, received_at: at, count }) =>
      `  ${safeLine(hook).padEnd(10)} ${ageOf(at, nowMs)}, ${count} in all\n`,
  );
  const hookHead = `${style.bold("hooks")}${hooks.length === 0 ? "      none seen yet" : ""}\n`;
  const warnings = status.warnings.map((text) => `${style.yellow("warning")} ${safeText(text)}\n`);
  return [...lines, hookHead, ...hooks, ...warnings].join("");
}

/** Nothing as long as the daemon has made none. */
function backupRow({ upkeep }: Status, nowMs: number): readonly (readonly [string, string])[] {
  const last = upkeep.find(({ task }) => task === "backup");
  if (last === undefined) return [];
  return [["backup", `${ageOf(last.at, nowMs)}, ${last.outcome}`]];
}

function daemonLine(daemon: NonNullable<Status["daemon"]>): string {
  const port = daemon.port === null ? "no TCP port" : `port ${daemon.port}`;
  const memory = `peak ${bytesOf(daemon.peak_memory_bytes)}`;
  return `pid ${daemon.pid}, version ${daemon.version}, up ${durationOf(daemon.uptime_ms)}, ${port}, ${memory}`;
}

/** Always who answers, and what was asked of it: what is spent must be easy to find. */
function modelLine(model: Status["model"]): string {
  const { today, last_30_days: month, tokens_per_day: limit } = model;
  const spent = (of: typeof today): number => of.tokens_in + of.tokens_out;
  const ofDay = model.provider === "none" ? "" : ` of ${limit}`;
  return (
    `${model.provider} (${shortReason(model.reason)}); today ${counted(today.calls, "call")}, ${spent(today)}${ofDay} tokens; ` +
    `30 days ${counted(month.calls, "call")}, ${spent(month)} tokens${backfillPart(model)}`
  );
}

/** Its warning says the rest. */
const shortReason = (reason: string): string =>
  reason.replace(/^(failed the last time): .*$/s, "$1");

const backfillPart = ({ backfill }: Status["model"]): string =>
  backfill === null
    ? ""
    : `; imported sessions: ${backfill.total - backfill.left} of ${backfill.total} read`;

function pauseLine({ paused, until }: Status["pause"]): string {
  if (!paused) return "on";
  return until === null ? "paused until `continuity resume`" : `paused until ${timeOf(until)}`;
}

export const statsCommand: CommandSpec = {
  name: "stats",
  group: "upkeep",
  summary: "Show statistics: memories by category, state and source, and the projects",
  options: [
    { flags: "--memory", summary: "show whether memory helped instead: given, used, missed" },
    {
      flags: "--days <n>",
      summary: "with --memory: days to look back, at most 90",
      fallback: "30",
    },
  ],
  examples: ["continuity stats", "continuity stats --memory --days 90"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.StatsJson),
  },
  run: async (context, input) => {
    if (hasFlag(input, "memory")) return memoryStats(context, input);
    const api = await context.api("read");
    const stats = await (await api.stats.$get({ query: { zone: ownZone() } })).json();
    if (hasFlag(input, "json")) {
      context.printJson(stats);
      return 0;
    }
    const { style, print } = context;
    const block = (title: string, figures: Readonly<Record<string, number>>): void => {
      print(`${style.bold(title)}\n`);
      for (const [name, figure] of Object.entries(figures))
        print(`  ${safeLine(name).padEnd(14)} ${`${figure}`.padStart(7)}\n`);
    };
    block("Counts", stats.counts);
    block("By category", stats.by_category);
    block("By state", stats.by_status);
    block("By origin", stats.by_origin);
    block("By maker", stats.by_maker);
    block("Given", stats.surfaced);
    print(`${style.bold("Projects")}\n`);
    const labels = projectLabels(stats.projects);
    for (const { key, name, sessions } of stats.projects) {
      // The key of a folder tells a person nothing.
      const place = key.includes(":") ? "" : `${safeLine(key)}, `;
      const shown = safeLine(labels.get(key) ?? name);
      print(`  ${shown}  ${style.dim(`${place}${counted(sessions, "session")}`)}\n`);
    }
    return 0;
  },
};

export const logsCommand: CommandSpec = {
  name: "logs",
  group: "upkeep",
  summary: "Show the log (never contains message text)",
  options: [
    { flags: "-f, --follow", summary: "keep following until interrupted" },
    { flags: "--tail <n>", summary: "lines to start with", fallback: "50" },
  ],
  examples: ["continuity logs --tail 20", "continuity logs -f"],
  json: {
    shape: "one document a line",
    fields: /* @__PURE__ */ fields({
      time: "ISO 8601",
      level: "debug, info, warn or error",
      event: "what happened; further fields depend on it, as text",
    }),
  },
  run: async (context, input) => {
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
  },
};

/** Twice a second reads as "live" and costs next to nothing. */
const followEveryMs = 500;
/** Lines looked back at while following: more than half a second writes. */
const followLines = 500;

export const pauseCommand: CommandSpec = {
  name: "pause",
  group: "upkeep",
  summary: "Pause capture and injection, for a while or until resume",
  arguments: [{ name: "[duration]", summary: "30m, 1h, 2d (default: until `continuity resume`)" }],
  examples: ["continuity pause 1h", "continuity pause"],
  json: {
    shape: "one document",
    fields: /* @__PURE__ */ fields({ paused: "true", until: "time, or null" }),
  },
  run: async (context, input) => {
    const given = input.args[0];
    const forMs = given === undefined ? null : parseSpan(given);
    if (given !== undefined && (forMs === null || forMs < 1))
      throw misuse(`"${given}" is not a duration`, "write 30m, 1h or 2d");
    const api = await context.api("write");
    const state = await (await api.pause.$post({ json: { for_ms: forMs } })).json();
    if (hasFlag(input, "json")) context.printJson(state);
    else context.print(`Capture is ${pauseLine(state)}.\n`);
    return 0;
  },
};
