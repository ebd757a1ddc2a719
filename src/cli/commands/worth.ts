/** `stats --memory`, `audit` and `tune`: whether memory helped, what to clear out, and what to set. */
import type { WorthItemJson, WorthJson } from "#api";
import type { Context } from "../context.ts";
import { failureOf } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { counted, safeLine, timeOf } from "../text.ts";
import { consolidated, type ConsolidationItem } from "./consolidate.ts";
import { fields } from "./fields.ts";
import { countOption } from "./filters.ts";

const daysOption = {
  flags: "--days <n>",
  summary: "days to look back, at most 90",
  fallback: "30",
};

async function worthOf(context: Context, input: Input): Promise<WorthJson> {
  const days = countOption(input, "days", 90) ?? 30;
  const api = await context.api("read");
  return (await api.stats.memory.$get({ query: { days: `${days}` } })).json();
}

const titles = [
  ["start", "At a session's start"],
  ["prompt", "At a prompt"],
  ["tool", "Beside a tool"],
] as const;

/** What `stats --memory` prints. */
export async function memoryStats(context: Context, input: Input): Promise<number> {
  const worth = await worthOf(context, input);
  if (hasFlag(input, "json")) {
    context.printJson(worth);
    return 0;
  }
  const { style, print } = context;
  const sessions = counted(worth.sessions, "session");
  print(`${style.bold("Did memory help?")}  ${sessions} since ${timeOf(worth.since)}\n`);
  for (const [channel, title] of titles) {
    const { given, used, contradicted, tokens, tokens_unused: unused } = worth[channel];
    const rows = [
      ["given", `${given}`],
      ["used", `${used} (${percent(used, given)})`],
      ["contradicted", `${contradicted}`],
      ["tokens", `${tokens}, ${unused} of them for memories that were not used`],
    ] as const;
    print(`${style.bold(title)}\n`);
    for (const [name, value] of rows) print(`  ${name.padEnd(14)} ${value}\n`);
  }
  const { retaught, retaught_given: given, missed, judged, undelivered } = worth;
  const rows = [
    ["said again", `${retaught}, ${given} of them although given`],
    ["missed", `${missed}`],
    ["judged", `${judged.wrong} wrong, ${judged.missing} with something missing`],
    ["not delivered", `${undelivered.late} too late, ${undelivered.failed} failed`],
  ] as const;
  print(`${style.bold("Not helped")}\n`);
  for (const [name, value] of rows) print(`  ${name.padEnd(14)} ${value}\n`);
  return 0;
}

const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;

const lists = [
  ["costly", "Cost tokens and never helped", "continuity forget URI"],
  ["contested", "Contradict each other", "continuity edit URI or continuity forget URI"],
  ["stale", "Stale: not changed and not used for 180 days", "continuity show URI"],
  ["never", "Never given and never used", "continuity show URI"],
  ["said_again", "You had to say again", "continuity pin URI"],
  ["not_given", "Had to be fetched", "continuity pin URI"],
] as const;

export const auditCommand: CommandSpec = {
  name: "audit",
  group: "trust",
  summary: "Show memories that cost more than they help, contradict each other or went stale",
  details:
    "Nothing is changed. Duplicates are what `continuity consolidate` would merge. Each list names at most 20.",
  options: [daysOption],
  examples: ["continuity audit", "continuity audit --days 90 --json | jq .costly"],
  json: {
    shape: "one document",
    fields: ({ answerForms, fieldsOf }) => [
      ...fieldsOf(answerForms.WorthJson),
      ...fields({ "duplicates[]": "what `continuity consolidate` would merge" }),
    ],
  },
  run: async (context, input) => {
    const worth = await worthOf(context, input);
    const { items } = await consolidated(await context.api("write"), false);
    const duplicates = items;
    if (hasFlag(input, "json")) context.printJson({ ...worth, duplicates });
    else context.print(renderedAudit(context, worth, duplicates));
    return 0;
  },
};

function renderedAudit(
  { style }: Context,
  worth: WorthJson,
  duplicates: readonly ConsolidationItem[],
): string {
  const blocks = lists.flatMap(([name, title, next]) =>
    worth[name].length === 0
      ? []
      : [`${style.bold(title)}  ${style.dim(next)}`].concat(worth[name].map(lineOf)),
  );
  const same = duplicates.map(({ l0, parts }) => `  ${safeLine(l0)} (${parts.length + 1} times)`);
  if (same.length > 0)
    blocks.push(
      `${style.bold("Duplicates")}  ${style.dim("continuity consolidate --apply")}`,
      ...same,
    );
  return `${blocks.length === 0 ? "Nothing to clear out." : blocks.join("\n")}\n`;
}

const lineOf = ({ uri, l0, given, used, tokens }: WorthItemJson): string =>
  `  ${safeLine(l0)}\n    ${safeLine(uri)}` +
  (given === 0 ? "" : `  given ${given}, used ${used}, ${tokens} tokens`);

export const tuneCommand: CommandSpec = {
  name: "tune",
  group: "upkeep",
  summary: "Propose eagerness and budgets from your own figures (shown only, unless --apply)",
  details: "Each run proposes one step. `continuity config set` takes a change back.",
  options: [daysOption, { flags: "--apply", summary: "set what is proposed" }],
  examples: ["continuity tune", "continuity tune --apply"],
  json: {
    shape: "one document",
    fields: /* @__PURE__ */ fields({
      applied: "true = set; false = proposed only",
      "proposals[]": "key, now, value and why",
      "notes[]": "why nothing more is proposed",
    }),
  },
  run: async (context, input) => {
    const applied = hasFlag(input, "apply");
    const { proposals, notes } = await worthOf(context, input);
    if (applied)
      for (const { key, value } of proposals) {
        const set = context.deps.config.set(key, value);
        if (!set.ok) throw failureOf(set.error);
      }
    if (hasFlag(input, "json")) context.printJson({ applied, proposals, notes });
    else {
      for (const { key, now, value, why } of proposals)
        context.print(
          applied
            ? `${key} = ${safeLine(value)}  (before ${safeLine(now)}: ${why})\n`
            : `${key} = ${safeLine(value)}  (now ${safeLine(now)}: ${why})\n`,
        );
      for (const note of notes) context.print(`${note}\n`);
      if (proposals.length === 0) context.print("Nothing to change.\n");
      else
        context.print(
          applied
            ? `Set ${counted(proposals.length, "setting")}.\n`
            : "Run `continuity tune --apply` to set this.\n",
        );
    }
    return 0;
  },
};
