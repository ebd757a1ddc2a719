/** `status`: how the program is doing. */
import type { StatusJson, TrialJson } from "#api";
import { counted } from "#kit";
import { type Context, settingNow } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag } from "../spec.ts";
import { ageOf, bytesOf, dollarsOf, durationOf, safeLine, safeText, timeOf } from "../text.ts";

export const statusCommand: CommandSpec = {
  name: "status",
  group: "main",
  summary: "Show that it works, how much there is and what waits; --jobs, --log",
  details:
    "A task that fails three times waits for `--jobs retry`; local results are kept. The log never contains message " +
    "text. --test-model shows latency and cost; its question is about an invented session and counts towards the " +
    "day's budget.",
  arguments: [
    { name: "[action]", summary: "with --jobs: list (default), retry or drop" },
    { name: "[id...]", summary: "with --jobs: jobs to retry or drop (default: all failed jobs)" },
  ],
  options: [
    { flags: "--jobs", summary: "list background jobs; retry or drop failed ones" },
    { flags: "--log", summary: "show the log" },
    { flags: "-f, --follow", summary: "with --log: keep following until interrupted" },
    { flags: "--tail <n>", summary: "with --log: lines to start with (default: 50)" },
    { flags: "--test-model", summary: "test the configured model with one real call" },
  ],
  examples: [
    "continuity status",
    "continuity status --json | jq .counts",
    "continuity status --jobs retry",
    "continuity status --log -f",
  ],
  json: {
    shape: "one document",
    fields: "StatusJson",
    others: {
      "--jobs": "JobsJson",
      "--jobs retry or drop": "JobsChangedJson",
      "--log (one document a line)": {
        time: "ISO 8601",
        level: "debug, info, warn or error",
        event: "what happened; further fields depend on it, as text",
      },
      "--test-model": "TrialJson",
    },
  },
  run: async (context, input) => {
    if (hasFlag(input, "jobs")) return (await import("./jobs.ts")).jobs(context, input);
    if (input.args.length > 0) throw misuse("list, retry and drop go with --jobs");
    if (hasFlag(input, "log")) return (await import("./jobs.ts")).showLog(context, input);
    if (hasFlag(input, "testModel")) return testModel(context);
    const status = await context.ask("read", (api) => api.status.$get());
    if (context.isJson) return context.printJson(status);
    context.print(renderedStatus(context, status, await context.deps.isInstalled()));
  },
};

/** Ten lines at most before the warnings; `--json` has the rest. */
function renderedStatus(
  { nowMs, style }: Context,
  status: StatusJson,
  isInstalled: boolean,
): string {
  const { counts, daemon, home, version } = status;
  const rows: readonly (readonly [string, string])[] = [
    ["recording", recordingLine(status, nowMs, isInstalled)],
    ["memories", `${counts.memories}`],
    ["sessions", `${counts.sessions}, with ${counted(counts.turns, "prompt")}`],
    ["model", modelLine(status.model)],
    ...waitingRow(status),
    [
      "daemon",
      daemon === null ? "not running (it starts when needed)" : daemonLine(daemon, version),
    ],
    ["stored", `${bytesOf(status.database.bytes)} in ${home}${backupPart(status, nowMs)}`],
    ["version", version],
  ];
  const lines = rows.map(([name, value]) => `${style.bold(name.padEnd(10))} ${safeLine(value)}\n`);
  const warnings = status.warnings.map((text) => `${style.yellow("warning")} ${safeText(text)}\n`);
  return [...lines, ...warnings].join("");
}

function recordingLine({ hooks, pause }: StatusJson, nowMs: number, isInstalled: boolean): string {
  const state = isInstalled
    ? pauseLine(pause)
    : "off, no agent has the hooks: run `continuity install`";
  const last = Math.max(...hooks.map((hook) => hook.received_at));
  if (hooks.length > 0) return `${state}; last activity ${ageOf(last, nowMs)}`;
  return isInstalled ? `${state}; nothing seen yet: restart Claude Code and send a prompt` : state;
}

/** Events and jobs that are not processed yet, and jobs that failed; nothing when there are none. */
function waitingRow({ jobs, spool }: StatusJson): readonly (readonly [string, string])[] {
  const open = (jobs["queued"] ?? 0) + (jobs["leased"] ?? 0);
  const failed = jobs["skipped"] ?? 0;
  const parts = [
    ...(spool.files === 0 ? [] : [`${bytesOf(spool.bytes)} of recordings to read`]),
    ...(open === 0 ? [] : [`${counted(open, "task")} to do`]),
    ...(failed === 0 ? [] : [`${failed} failed (\`continuity status --jobs\`)`]),
  ];
  return parts.length === 0 ? [] : [["waiting", parts.join(", ")]];
}

/** Nothing as long as the daemon has made no backup. */
function backupPart({ upkeep }: StatusJson, nowMs: number): string {
  const last = upkeep.find(({ task }) => task === "backup");
  if (last === undefined) return "";
  return `; backup ${last.outcome === "done" ? "" : "failed "}${ageOf(last.at, nowMs)}`;
}

function daemonLine(daemon: NonNullable<StatusJson["daemon"]>, version: string): string {
  const other = daemon.version === version ? "" : `, still version ${daemon.version}`;
  return `running for ${durationOf(daemon.uptime_ms)}${other}`;
}

/** The model that answers and what was asked of it; where there is none, the reason names the next step. */
function modelLine(model: StatusJson["model"]): string {
  const { today, last_30_days: month, tokens_per_day: limit } = model;
  const isSpent = month.tokens_in + month.tokens_out > 0;
  const ofMonth = isSpent ? `; ${spent(month)} in 30 days` : "";
  const { provider, reason } = model;
  if (provider === "none") return `none: ${reason}${ofMonth}${backfillPart(model)}`;
  // Its warning says the rest.
  const state = reason.startsWith("failed the last time") ? ", failing" : "";
  const ofToday = `today ${spent(today)} of ${limit.toLocaleString("en-US")} tokens`;
  return `${provider}${state}; ${ofToday}${ofMonth}${backfillPart(model)}`;
}

const spent = ({ tokens_in: sent, tokens_out: received }: StatusJson["model"]["today"]): string =>
  (sent + received).toLocaleString("en-US");

const backfillPart = ({ backfill }: StatusJson["model"]): string =>
  backfill === null
    ? ""
    : `; imported sessions: ${backfill.total - backfill.left} of ${backfill.total} read`;

export function pauseLine({ paused, until }: StatusJson["pause"]): string {
  if (!paused) return "on";
  return until === null ? "paused until `continuity pause --off`" : `paused until ${timeOf(until)}`;
}

// `status --test-model`: one real call of the configured model.

async function testModel(context: Context): Promise<number | void> {
  const { model } = await context.ask("write", (api) => api.status.$get());
  if (model.provider === "none") throw await withoutModel(context, safeLine(model.reason));
  const trial = await context.ask("write", (api) => api.llm.test.$post({ json: {} }));
  context.show(trial, () => renderedTrial(context, trial));
  return trial.error === null ? 0 : 1;
}

/** The reason why a configured provider cannot be had names its own next step. */
async function withoutModel({ deps }: Context, reason: string): Promise<CliFailure> {
  const configured = await settingNow(deps, "llm.provider");
  return configured === undefined || configured.value === '"none"'
    ? new CliFailure(
        "no language model is configured",
        "choose one with `continuity config set llm.provider auto`",
      )
    : new CliFailure(`no language model: ${reason}`);
}

function renderedTrial({ style }: Context, trial: TrialJson): string {
  const name = trial.purpose.padEnd(11);
  if (trial.error !== null) return `${style.red("failed")} ${name} ${safeLine(trial.error)}\n`;
  const about = trial.estimated ? "~" : "";
  const tokens = `${about}${trial.tokens_in} in, ${about}${trial.tokens_out} out`;
  const model = safeLine(`${trial.provider} ${trial.model ?? ""}`);
  return (
    `${style.green("ok")}     ${name} ${trial.latency_ms ?? 0} ms, ${tokens}, ` +
    `${dollarsOf(trial.cost_usd)}, ${model}\n`
  );
}
