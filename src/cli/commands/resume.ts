/** `resume`: ends a pause; where nothing is paused, picks up the thread. */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { ageOf, safeLine } from "../text.ts";
import { fields } from "./fields.ts";
import { one } from "./filters.ts";

type Item = InferResponseType<Client["open"]["$get"], 200>["items"][number];

export const resumeCommand: CommandSpec = {
  name: "resume",
  group: "daily",
  summary: "End a pause; otherwise show what was left open in this project",
  details:
    "While capture is paused, resumes it. Otherwise prints what sessions of the last 30 days left open here, this " +
    "branch first: the goal, what was done, and what is open. An open end goes once the command that failed passes, " +
    "a commit names it, or a later session says that it is done.",
  examples: ["continuity resume"],
  json: {
    shape: "one document",
    fields: /* @__PURE__ */ fields({
      paused: "false",
      until: "null",
      open: "what was left open (empty when a pause was ended): session_id, at, branch, title, done, open",
    }),
  },
  run: async (context, input) => {
    const place = context.deps.project();
    const api = await context.api("read");
    const { paused, items } = await (
      await api.open.$get({
        query: { ...one("project", place?.key ?? null), ...one("branch", place?.branch ?? null) },
      })
    ).json();
    if (paused) return endPause(context, input);
    if (hasFlag(input, "json")) context.printJson({ paused: false, until: null, open: items });
    else if (place === null) context.print("Capture is on. This folder is in no project.\n");
    else if (items.length === 0)
      context.print("Capture is on. Nothing was left open here in the last 30 days.\n");
    else for (const item of items) context.print(rendered(context, item));
    return 0;
  },
};

async function endPause(context: Context, input: Input): Promise<number> {
  const api = await context.api("write");
  const state = await (await api.resume.$post({ json: {} })).json();
  if (hasFlag(input, "json")) context.printJson({ ...state, open: [] });
  else context.print("Capture is on.\n");
  return 0;
}

const rendered = ({ style, nowMs }: Context, { at, branch, title, done, open }: Item): string =>
  [
    style.bold(safeLine(title)),
    style.dim(`    ${ageOf(at, nowMs)}${branch === null ? "" : `, on ${safeLine(branch)}`}`),
    ...(done === "" ? [] : [`    Done: ${safeLine(done)}`]),
    ...open.map((item) => `    Open: ${safeLine(item)}`),
  ]
    .map((line) => `${line}\n`)
    .join("");
