/** `timeline`: what happened around a moment. */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag, optionText, optionTexts } from "../spec.ts";
import { safeLine, timeOf } from "../text.ts";
import { countOption, one } from "./filters.ts";

type Item = InferResponseType<Client["timeline"]["$get"], 200>["items"][number];

export const timelineCommand: CommandSpec = {
  name: "timeline",
  group: "more",
  summary: "Show what happened around a time, a memory, a session or a turn",
  arguments: [
    {
      name: "[around]",
      summary: "2026-09-01, a mem:// URI, a session, or session/turn (default: now)",
    },
  ],
  options: [
    { flags: "--limit <n>", summary: "at most n entries, up to 200", fallback: "40" },
    { flags: "--project <name>", summary: "only this project (name or key)" },
    {
      flags: "--kind <kind>",
      summary:
        "only this kind: prompt, answer, memory, moment (the archive), checkpoint or injection",
      many: true,
    },
  ],
  examples: [
    "continuity timeline",
    "continuity timeline mem://user/events/2026-02-25-deploy --limit 10",
  ],
  json: {
    shape: "one document a line",
    fields: ({ fieldsOf, timelineItemForm }) => fieldsOf(timelineItemForm),
  },
  run,
};

async function run(context: Context, input: Input): Promise<number> {
  const kinds = optionTexts(input, "kind");
  const api = await context.api("read");
  const query = {
    limit: `${countOption(input, "limit", 200) ?? 40}`,
    ...one("around", input.args[0] ?? null),
    ...one("project", optionText(input, "project")),
    ...one("kind", kinds.length === 0 ? null : kinds.join(",")),
  };
  const { items } = await (await api.timeline.$get({ query })).json();
  if (hasFlag(input, "json")) for (const item of items) context.printJson(item);
  else if (items.length === 0) context.print("No events.\n");
  else context.print(items.map((item) => rendered(context, item)).join(""));
  return 0;
}

function rendered({ style }: Context, { at, kind, title, uri }: Item): string {
  const place = uri === null ? "" : style.dim(`${" ".repeat(30)}${safeLine(uri)}\n`);
  return `${style.dim(timeOf(at))}  ${kind.padEnd(11)} ${safeLine(title)}\n${place}`;
}
