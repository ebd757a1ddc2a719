/** `jobs`, `usage` and `llm`: what waits, what models cost, and whether one answers. */
import { ownZone } from "#kit";
import type { InferResponseType } from "hono/client";
import { momentOf, type Client, type Context } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag, optionText } from "../spec.ts";
import { table, type Column } from "../table.ts";
import { ageOf, safeLine } from "../text.ts";

type Jobs = InferResponseType<Client["jobs"]["$get"], 200>;
type Job = Jobs["parked"][number];
type Usage = InferResponseType<Client["usage"]["$get"], 200>;
type Trial = InferResponseType<Client["llm"]["test"]["$post"], 200>;

const jobActions = ["list", "retry", "drop"] as const;

export const jobsCommand: CommandSpec = {
  name: "jobs",
  group: "upkeep",
  summary: "List background jobs; retry or drop failed ones",
  details: "A job that fails three times is parked with the reason; local results are kept.",
  arguments: [
    { name: "[action]", summary: "list (default), retry or drop", choices: jobActions },
    { name: "[id...]", summary: "jobs to retry or drop (default: all failed jobs)" },
  ],
  examples: ["continuity jobs", "continuity jobs retry", "continuity jobs drop 17 18"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => [
      ...fieldsOf(answerForms.JobsJson),
      ...fieldsOf(answerForms.JobsChangedJson),
    ],
  },
  run: async (context, input) => {
    const [action = "list", ...ids] = input.args;
    return action === "list"
      ? listJobs(context, input)
      : changeJobs(context, input, { action, ids });
  },
};

async function listJobs(context: Context, input: Input): Promise<number> {
  const api = await context.api("read");
  const jobs = await (await api.jobs.$get()).json();
  if (hasFlag(input, "json")) {
    context.printJson(jobs);
    return 0;
  }
  const rows = [...jobs.parked, ...jobs.open];
  if (rows.length === 0) {
    context.print("No pending or failed jobs.\n");
    return 0;
  }
  const columns: readonly Column<Job>[] = [
    { title: "ID", value: ({ id }) => `${id}`, align: "right" },
    { title: "KIND", value: ({ kind }) => kind },
    { title: "STATE", value: ({ state }) => (state === "skipped" ? "parked" : state) },
    { title: "TRIED", value: ({ attempt }) => `${attempt}`, align: "right" },
    { title: "SINCE", value: ({ created_at: at }) => ageOf(at, context.nowMs) },
    { title: "SESSION", value: ({ session_id: session }) => session ?? "", least: 8 },
    { title: "REASON", value: ({ reason }) => reason ?? "", least: 16 },
  ];
  context.print(table(rows, columns, { width: context.deps.io.columns, style: context.style }));
  return 0;
}

async function changeJobs(
  context: Context,
  input: Input,
  asked: { readonly action: string; readonly ids: readonly string[] },
): Promise<number> {
  const wrong = asked.ids.find((id) => !/^[1-9]\d{0,14}$/.test(id));
  if (wrong !== undefined) throw misuse(`"${safeLine(wrong)}" is not the number of a job`);
  const api = await context.api("write");
  const json = { ids: asked.ids.length === 0 ? null : asked.ids.map(Number) };
  const isRetry = asked.action === "retry";
  const answer = isRetry ? api.jobs.retry.$post({ json }) : api.jobs.drop.$post({ json });
  const done = await (await answer).json();
  if (hasFlag(input, "json")) context.printJson(done);
  else if (asked.ids.length > 0 && done.changed === 0)
    throw new CliFailure(
      `no ${isRetry ? "pending or failed" : "failed"} job has the number ${asked.ids.join(" or ")}`,
      "see `continuity jobs`",
    );
  else {
    const what = `${done.changed} ${done.changed === 1 ? "job" : "jobs"}`;
    context.print(isRetry ? `Queued again: ${what}.\n` : `Dropped: ${what}.\n`);
  }
  return asked.ids.length > done.changed ? 1 : 0;
}

export const usageCommand: CommandSpec = {
  name: "usage",
  group: "upkeep",
  summary: "Show language model calls, tokens and cost",
  options: [
    { flags: "--since <time>", summary: "calls from here on: 7d, 2026-09-01", fallback: "30d" },
  ],
  examples: ["continuity usage", "continuity usage --since 2026-09-01"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.UsageJson),
  },
  run: async (context, input) => {
    const sinceMs = momentOf(optionText(input, "since") ?? "30d", context.nowMs);
    const api = await context.api("read");
    const usage = await (
      await api.usage.$get({ query: { since: `${sinceMs}`, zone: ownZone() } })
    ).json();
    if (hasFlag(input, "json")) context.printJson(usage);
    else if (usage.items.length === 0) context.print("No model calls.\n");
    else context.print(renderedUsage(context, usage));
    return 0;
  },
};

/** `~` before what is in part an estimate, since a provider did not count. */
const told = ({ estimated }: { readonly estimated: number }, tokens: number): string =>
  `${estimated > 0 ? "~" : ""}${tokens}`;

const dollars = (cost: number | null): string => (cost === null ? "-" : `$${cost.toFixed(4)}`);

function renderedUsage({ deps, style }: Context, { items, total }: Usage): string {
  type Line = Usage["items"][number];
  const columns: readonly Column<Line>[] = [
    { title: "DAY", value: ({ day }) => day },
    { title: "PURPOSE", value: ({ purpose }) => purpose },
    { title: "MODEL", value: ({ model }) => model, least: 8 },
    { title: "CALLS", value: ({ calls }) => `${calls}`, align: "right" },
    { title: "FAILED", value: ({ failed }) => `${failed}`, align: "right" },
    { title: "IN", value: (line) => told(line, line.tokens_in), align: "right" },
    { title: "OUT", value: (line) => told(line, line.tokens_out), align: "right" },
    { title: "COST", value: ({ cost_usd: cost }) => dollars(cost), align: "right" },
  ];
  const sum: Line = { ...total, day: "total", purpose: "", model: "" };
  return table([...items, sum], columns, { width: deps.io.columns, style });
}

export const llmCommand: CommandSpec = {
  name: "llm",
  group: "upkeep",
  summary: "Test the configured model with one real call",
  details:
    "Shows latency and cost. The question is about an invented session and counts towards the day's budget.",
  arguments: [{ name: "<action>", summary: "test", choices: ["test"] }],
  examples: ["continuity llm test"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => fieldsOf(answerForms.TrialJson),
  },
  run: async (context, input) => {
    const api = await context.api("write");
    const { model } = await (await api.status.$get()).json();
    if (model.provider === "none") throw withoutModel(context, safeLine(model.reason));
    const trial = await (await api.llm.test.$post({ json: {} })).json();
    if (hasFlag(input, "json")) context.printJson(trial);
    else context.print(renderedTrial(context, trial));
    return trial.error === null ? 0 : 1;
  },
};

/** Why one that is configured cannot be had names its own next step. */
function withoutModel({ deps }: Context, reason: string): CliFailure {
  const configured = deps.config.get("llm.provider");
  const isNone = !configured.ok || configured.value[0]?.value === '"none"';
  return isNone
    ? new CliFailure(
        "no language model is configured",
        "choose one with `continuity config set llm.provider auto`",
      )
    : new CliFailure(`no language model: ${reason}`);
}

function renderedTrial({ style }: Context, trial: Trial): string {
  const name = trial.purpose.padEnd(11);
  if (trial.error !== null) return `${style.red("failed")} ${name} ${safeLine(trial.error)}\n`;
  const about = trial.estimated ? "~" : "";
  const tokens = `${about}${trial.tokens_in} in, ${about}${trial.tokens_out} out`;
  const model = safeLine(`${trial.provider} ${trial.model ?? ""}`);
  return (
    `${style.green("ok")}     ${name} ${trial.latency_ms ?? 0} ms, ${tokens}, ` +
    `${dollars(trial.cost_usd)}, ${model}\n`
  );
}
