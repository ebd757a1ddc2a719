/** `import`: what other programs remember, and what this one exported. */
import { counted } from "#kit";
import { type ImportReport, type ImportSource, importSources, otherAgents } from "#domain";
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import type { ImportProgress } from "../local.ts";
import { misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, optionText, optionTexts } from "../spec.ts";
import { bytesOf, durationOf, isYes, linesOf, safeLine } from "../text.ts";

export const importCommand: CommandSpec = {
  name: "import",
  group: "main",
  summary: "Bring in past sessions, an export, or memories of another program",
  details:
    "Reads sessions of Claude Code and other agents, claude-mem, an MCP memory, or an export. The source is read and " +
    "never changed. Existing records are skipped; after an interruption, run the import again. If a model is " +
    "configured, you are asked whether it is to read the imported sessions: in the background, the newest first, " +
    "within 70 % of the daily budget; `continuity status` shows how far it is.",
  arguments: [{ name: "[path]", summary: "file or folder (default: where the program keeps it)" }],
  options: [
    { flags: "--from <source>", summary: "what to read", choices: importSources },
    {
      flags: "--project <name>",
      summary: "only sessions of this project: name, key or folder (claude-code)",
      many: true,
    },
    {
      flags: "--ask-model",
      summary: "let the model read the imported sessions without a question",
    },
    { flags: "--dry-run", summary: "show what would be imported; write nothing" },
  ],
  examples: [
    "continuity import --from claude-mem",
    "continuity import --from claude-code --project api --dry-run",
    "continuity import --from codex --dry-run",
    "continuity import --from mcp-memory memory.jsonl",
    "continuity import --from continuity backup.jsonl",
  ],
  json: {
    shape: "one document",
    fields: {
      source: "where the records came from",
      dry_run: "true = nothing was written",
      read: "records that were read: created + merged + skipped + refused",
      created: "records that are new here",
      merged: "records that were merged into existing ones",
      skipped: "records that were skipped, see reasons",
      refused: "invalid records",
      reasons: "skipped records by reason",
      memories: "what the sentences of imported turns became: created, merged, skipped",
      elapsed_ms: "time it took",
    },
  },
  run: async (context, input) => {
    const from = importSources.find((source) => source === optionText(input, "from"));
    if (from === undefined)
      throw misuse("missing option --from: what to import", `one of ${importSources.join(", ")}`);
    const projects = optionTexts(input, "project");
    if (projects.length > 0 && from !== "claude-code")
      throw misuse("--project chooses among transcripts: use it with --from claude-code");
    const local = await context.deps.local();
    const report = await local.importFrom(
      { source: from, path: input.args[0] ?? null, projects, dryRun: hasFlag(input, "dryRun") },
      progressOf(context),
    );
    context.show(report, () => rendered(report));
    if (!report.dry_run) await offerBackfill(context, input);
  },
};

/** Imports from the source's usual place, as `import --from` does without options. */
export const importFrom = (context: Context, from: ImportSource): Promise<number | void> =>
  importCommand.run(context, { args: [], options: { from } });

/** Says what it takes to let a model read the imported sessions, and asks; nobody to ask means no. */
async function offerBackfill(context: Context, input: Input): Promise<void> {
  const { io } = context.deps;
  const isAsked = hasFlag(input, "askModel");
  const { isJson } = context;
  if (isJson && !isAsked) return;
  const found = await context.ask("read", (api) => api.backfill.$get());
  if (found.provider === "none" || found.sessions === 0) return;
  if (!isAsked && !(await agreesTo(context, costOf(found)))) return;
  const queued = await queueAll(await context.api("write"));
  const say = isJson ? io.err : context.print;
  say(`${readLine(queued, found.sessions)}\n`);
}

/** Tells how many sessions will be read; those without a typed request hold nothing to ask about. */
function readLine(queued: number, sessions: number): string {
  if (queued === 0) return "None of them holds anything to ask about.";
  const rest = queued < sessions ? `, ${sessions - queued} with nothing to ask about will not` : "";
  return `${counted(queued, "session")} will be read${rest}; see \`continuity status\`.`;
}

async function agreesTo({ deps: { io }, print }: Context, what: string): Promise<boolean> {
  if (io.ask === null) {
    print(`${what}. They are not read; to read them, run the import again with --ask-model.\n`);
    return false;
  }
  print(`${what}, in the background, the newest first.\n`);
  return isYes(await io.ask("Read them? [y/N] "));
}

/** A slice at a time, between hooks. */
async function queueAll(api: Client): Promise<number> {
  let queued = 0;
  for (let more = true; more;) {
    const done = await (await api.backfill.$post({ json: {} })).json();
    queued += done.queued;
    more = done.more;
  }
  return queued;
}

function costOf({
  provider,
  sessions,
  tokens,
  minutes,
  tokens_per_day: perDay,
}: InferResponseType<Client["backfill"]["$get"], 200>): string {
  const days = Math.ceil(tokens / Math.max(1, perDay * shareOfDay));
  const time = days > 1 ? `${days} days within the daily budget` : counted(minutes, "minute");
  return (
    `${safeLine(provider)} can read ${counted(sessions, "imported session")}: about ` +
    `${tokens.toLocaleString("en-US")} tokens, ${time}`
  );
}

/** Share of a day's budget that the daemon gives to imported sessions. */
const shareOfDay = 0.7;

/** A bar on standard error, so that what is printed stays clean; none without a terminal. */
function progressOf({ deps, isJson }: Context): (progress: ImportProgress) => void {
  if (!deps.io.isTerminal || isJson) return () => undefined;
  let lastMs = -barEveryMs;
  return (progress) => {
    if (!progress.isLast && progress.elapsedMs - lastMs < barEveryMs) return;
    lastMs = progress.elapsedMs;
    deps.io.err(progress.isLast ? "\r\u001b[K" : `\r\u001b[K${barOf(progress, deps.io.columns)}`);
  };
}

const barEveryMs = 100;
const barCells = 24;

/** `[######      ]  25 %  31.2 MB/s  1 min left` */
export function barOf(progress: ImportProgress, columns: number | null): string {
  const { done, total, unit, elapsedMs } = progress;
  const perSecond = done / Math.max(0.001, elapsedMs / 1_000);
  const rate = unit === "bytes" ? `${bytesOf(perSecond)}/s` : `${Math.round(perSecond)} records/s`;
  if (total === null || total === 0) return rate.slice(0, (columns ?? 80) - 1);
  const share = Math.min(1, done / total);
  const filled = Math.round(share * barCells);
  const bar = `[${"#".repeat(filled)}${" ".repeat(barCells - filled)}]`;
  const leftMs = perSecond === 0 ? 0 : ((total - Math.min(done, total)) / perSecond) * 1_000;
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  return `${bar} ${percent}  ${rate}  ${durationOf(leftMs)} left`.slice(0, (columns ?? 80) - 1);
}

/** Sources that keep sessions and nothing else. */
const hasSessions = (source: ImportSource): boolean =>
  ["claude-code", ...otherAgents].includes(source);

function rendered(report: ImportReport): string {
  const verb = report.dry_run ? "would be " : "";
  const { source, read, created: fresh } = report;
  const others = (["merged", "skipped", "refused"] as const)
    .filter((outcome) => report[outcome] > 0)
    .map((outcome) => `, ${report[outcome]} ${outcome}`);
  const what = hasSessions(source)
    ? `${read} sessions and prompts of ${source}`
    : `${counted(read, "record")} of ${source}`;
  const lines = [
    `${what}: ${fresh} ${verb}${report.dry_run ? "added" : "new"}${others.join("")}`,
    ...Object.entries(report.reasons).map(([reason, count]) => `  ${count} × ${safeLine(reason)}`),
  ];
  const { created, merged } = report.memories;
  if (created + merged > 0)
    lines.push(
      `${counted(created, "memory", "memories")} ${verb}created from them, ${merged} already known`,
    );
  return linesOf(lines);
}
