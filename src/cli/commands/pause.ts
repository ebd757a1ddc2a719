/** `pause`: stops capture and sending, or ends a pause; shows what was left open. */
import type { OpenEndJson } from "#api";
import type { Context } from "../context.ts";
import { misuse } from "../failure.ts";
import { type CommandSpec, hasFlag } from "../spec.ts";
import { ageOf, linesOf, parseSpan, safeLine } from "../text.ts";
import { one } from "./filters.ts";
import { pauseLine } from "./status.ts";

export const pauseCommand: CommandSpec = {
  name: "pause",
  group: "more",
  summary: "Pause capture and sending, for a while or until --off",
  details:
    "--off ends a pause. If nothing is paused, --off prints what sessions of the last 30 days left open here, this " +
    "branch first: the goal, what was done, and what is open. An open end goes once the command that failed passes, " +
    "a commit names it, or a later session says that it is done.",
  arguments: [{ name: "[duration]", summary: "30m, 1h, 2d (default: until `pause --off`)" }],
  options: [
    { flags: "--off", summary: "end a pause; if nothing is paused, show what was left open" },
  ],
  examples: ["continuity pause 1h", "continuity pause --off"],
  json: {
    shape: "one document",
    fields: { paused: "true", until: "time, or null" },
    others: {
      "--off": {
        paused: "false",
        until: "null",
        open:
          "what was left open (empty when a pause was ended): session_id, at, branch, title, " +
          "done, open",
      },
    },
  },
  run: async (context, input) => {
    const given = input.args[0];
    if (hasFlag(input, "off")) {
      if (given !== undefined) throw misuse("--off takes no duration");
      return endPause(context);
    }
    const forMs = given === undefined ? null : parseSpan(given);
    if (given !== undefined && (forMs === null || forMs < 1))
      throw misuse(`"${given}" is not a duration`, "write 30m, 1h or 2d");
    const state = await context.ask("write", (api) => api.pause.$post({ json: { for_ms: forMs } }));
    context.show(state, () => `Capture is ${pauseLine(state)}.\n`);
  },
};

/** Ends a pause; where nothing is paused, prints what was left open. */
async function endPause(context: Context): Promise<number | void> {
  const place = context.deps.project();
  const { paused, items } = await context.ask("read", (api) =>
    api.open.$get({
      query: { ...one("project", place?.key ?? null), ...one("branch", place?.branch ?? null) },
    }),
  );
  if (paused) return resumeCapture(context);
  context.show({ paused: false, until: null, open: items }, () => {
    if (place === null) return "Capture is on. This folder is in no project.\n";
    return items.length === 0
      ? "Capture is on. Nothing was left open here in the last 30 days.\n"
      : items.map((item) => rendered(context, item)).join("");
  });
}

async function resumeCapture(context: Context): Promise<number | void> {
  const state = await context.ask("write", (api) => api.resume.$post({ json: {} }));
  context.show({ ...state, open: [] }, () => "Capture is on.\n");
}

const rendered = (
  { style, nowMs }: Context,
  { at, branch, title, done, open }: OpenEndJson,
): string =>
  linesOf([
    style.bold(safeLine(title)),
    style.dim(`    ${ageOf(at, nowMs)}${branch === null ? "" : `, on ${safeLine(branch)}`}`),
    ...(done === "" ? [] : [`    Done: ${safeLine(done)}`]),
    ...open.map((item) => `    Open: ${safeLine(item)}`),
  ]);
