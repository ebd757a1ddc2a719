/** `status --jobs`: background jobs; failed ones are tried again or dropped. */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import type { Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { table, type Column } from "../table.ts";
import { ageOf, safeLine } from "../text.ts";

type Jobs = InferResponseType<Client["jobs"]["$get"], 200>;
type Job = Jobs["parked"][number];

const jobActions = new Set(["list", "retry", "drop"]);

export async function jobs(context: Context, input: Input): Promise<number> {
  const [action = "list", ...ids] = input.args;
  if (!jobActions.has(action))
    throw misuse(`"${safeLine(action)}" is nothing to do with jobs`, "write list, retry or drop");
  return action === "list" ? listJobs(context, input) : changeJobs(context, input, { action, ids });
}

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
      "see `continuity status --jobs`",
    );
  else {
    const what = `${done.changed} ${done.changed === 1 ? "job" : "jobs"}`;
    context.print(isRetry ? `Queued again: ${what}.\n` : `Dropped: ${what}.\n`);
  }
  return asked.ids.length > done.changed ? 1 : 0;
}
