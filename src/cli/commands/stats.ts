/** `stats`: what is remembered, whether it helped, and what models cost. */
import type { UsageJson, WorthItemJson, WorthJson } from "#api";
import { projectLabels } from "#domain";
import { counted, localZone } from "#kit";
import { momentOf, type Context } from "../context.ts";
import { type CommandSpec, hasFlag, type Input, optionText } from "../spec.ts";
import { type Column, dollarsOf, safeLine, timeOf } from "../text.ts";
import { countOption } from "./filters.ts";

export const statsCommand: CommandSpec = {
  name: "stats",
  group: "more",
  summary: "Show what is remembered, whether it helped (--memory), or model use (--models)",
  details:
    "--memory also names memories that cost more than they help or went stale, at most 20 each. Nothing is changed.",
  options: [
    { flags: "--memory", summary: "whether memory helped: sent, used, missed, to clear out" },
    { flags: "--days <n>", summary: "with --memory: days to look back, at most 90 (default: 30)" },
    { flags: "--models", summary: "language model calls, tokens and cost" },
    { flags: "--since <time>", summary: "with --models: 7d, 2026-09-01 (default: 30d)" },
  ],
  examples: [
    "continuity stats",
    "continuity stats --memory --days 90",
    "continuity stats --models",
  ],
  json: {
    shape: "one document",
    fields: "StatsJson",
    others: {
      "--memory": "WorthJson",
      "--models": "UsageJson",
    },
  },
  run: (context, input) => {
    if (hasFlag(input, "memory")) return showWorth(context, input);
    return hasFlag(input, "models") ? showUsage(context, input) : showStats(context);
  },
};

async function showStats(context: Context): Promise<void> {
  const stats = await context.ask("read", (api) => api.stats.$get({ query: {} }));
  if (context.isJson) return context.printJson(stats);
  const { style, print } = context;
  const block = (title: string, figures: Readonly<Record<string, number>>): void => {
    const shown = Object.entries(figures).filter(([, figure]) => figure > 0);
    if (shown.length === 0) return;
    print(`${style.bold(title)}\n`);
    for (const [name, figure] of shown)
      print(`  ${safeLine(figureNames[name] ?? name).padEnd(24)} ${`${figure}`.padStart(7)}\n`);
  };
  const { sessions: _, ...categories } = stats.by_category;
  block("Recorded", stats.counts);
  block("Memories by category", categories);
  block("Memories by state", stats.by_status);
  block("Memories by who said them", stats.by_origin);
  block("Memories by how they came", stats.by_maker);
  block("Given to agents", stats.surfaced);
  print(`${style.bold("Projects")}\n`);
  const labels = projectLabels(stats.projects);
  for (const { key, name, sessions } of stats.projects) {
    // The key of a folder tells a person nothing.
    const place = key.includes(":") ? "" : `${safeLine(key)}, `;
    const shown = safeLine(labels.get(key) ?? name);
    print(`  ${shown}  ${style.dim(`${place}${counted(sessions, "session")}`)}\n`);
  }
}

/** Names of figures for people, where the API's say too little. */
const figureNames: Readonly<Partial<Record<string, string>>> = {
  exchanges: "turns to search",
  checkpoints: "session summaries",
  turns: "prompts",
  events: "hook calls",
  active: "current",
  pending: "to review",
  superseded: "replaced",
  user: "you",
  agent: "the agent",
  tool: "a tool",
  team: "colleagues",
  import: "imported",
  signal: "your orders",
  stop: "at a turn's end",
  precompact: "before a compaction",
  extract: "by the model",
  manual: "added or saved by hand",
  shown: "times shown",
  hints: "reminders to save",
};

async function showWorth(context: Context, input: Input): Promise<void> {
  const days = countOption(input, "days", 90) ?? 30;
  const worth = await context.ask("read", (api) =>
    api.stats.memory.$get({ query: { days: `${days}` } }),
  );
  if (context.isJson) return context.printJson(worth);
  printFigures(context, worth);
  printAdvice(context, worth);
}

const titles = [
  ["start", "At a session's start"],
  ["prompt", "At a prompt"],
  ["tool", "Beside a tool"],
] as const;

function printFigures({ style, print }: Context, worth: WorthJson): void {
  const sessions = counted(worth.sessions, "session");
  print(`${style.bold("Did memory help?")}  ${sessions} since ${timeOf(worth.since)}\n`);
  for (const [channel, title] of titles) {
    const { given, used, contradicted, tokens, tokens_unused: unused } = worth[channel];
    const rows = [
      ["sent", `${given}`],
      ["used", `${used} (${percent(used, given)})`],
      ["contradicted", `${contradicted}`],
      ["tokens", `${tokens}, of them ${unused} for memories that were not used`],
    ] as const;
    if (given === 0) continue;
    print(`${style.bold(title)}\n`);
    for (const [name, value] of rows) print(`  ${name.padEnd(14)} ${value}\n`);
  }
  const { missed, judged, undelivered } = worth;
  const rows = [
    ["missed", `${missed}`],
    ["judged", `${judged.wrong} wrong, ${judged.missing} with something missing`],
    ["not delivered", `${undelivered.late} too late, ${undelivered.failed} failed`],
  ] as const;
  print(`${style.bold("Not helped")}\n`);
  for (const [name, value] of rows) print(`  ${name.padEnd(14)} ${value}\n`);
}

const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;

const lists = [
  ["costly", "Cost tokens and never helped", "continuity forget URI"],
  ["stale", "Stale: not changed and not used for 180 days", "continuity show URI"],
] as const;

function printAdvice({ style, print }: Context, worth: WorthJson): void {
  for (const [name, title, next] of lists)
    if (worth[name].length > 0) {
      print(`${style.bold(title)}  ${style.dim(next)}\n`);
      for (const item of worth[name]) print(lineOf(item));
    }
}

const lineOf = ({ uri, l0, given, used, tokens }: WorthItemJson): string =>
  `  ${safeLine(l0)}\n    ${safeLine(uri)}` +
  `${given === 0 ? "" : `  sent ${given}, used ${used}, ${tokens} tokens`}\n`;

async function showUsage(context: Context, input: Input): Promise<void> {
  const sinceMs = momentOf(optionText(input, "since") ?? "30d", context.nowMs);
  const usage = await context.ask("read", (api) =>
    api.usage.$get({ query: { since: `${sinceMs}`, zone: localZone() } }),
  );
  context.show(usage, () =>
    usage.items.length === 0 ? "No model calls.\n" : renderedUsage(context, usage),
  );
}

/** `~` before what is in part an estimate, since a provider did not count. */
const told = ({ estimated }: { readonly estimated: number }, tokens: number): string =>
  `${estimated > 0 ? "~" : ""}${tokens}`;

function renderedUsage(context: Context, { items, total }: UsageJson): string {
  type Line = UsageJson["items"][number];
  const columns: readonly Column<Line>[] = [
    { title: "DAY", value: ({ day }) => day },
    { title: "PURPOSE", value: ({ purpose }) => purpose },
    { title: "MODEL", value: ({ model }) => model, least: 8 },
    { title: "CALLS", value: ({ calls }) => `${calls}`, align: "right" },
    { title: "FAILED", value: ({ failed }) => `${failed}`, align: "right" },
    { title: "IN", value: (line) => told(line, line.tokens_in), align: "right" },
    { title: "OUT", value: (line) => told(line, line.tokens_out), align: "right" },
    { title: "COST", value: ({ cost_usd: cost }) => dollarsOf(cost), align: "right" },
  ];
  const sum: Line = { ...total, day: "total", purpose: "", model: "" };
  return context.table([...items, sum], columns);
}
