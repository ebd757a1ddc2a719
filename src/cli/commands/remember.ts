/** `remember`: a memory by hand. */
import { memoryCategories } from "#domain";
import { isoDate, localZone, msPerDay, parseNow } from "#kit";
import { agentRunning, type Context, projectMeant, sessionRunning, timeIn } from "../context.ts";
import { misuse } from "../failure.ts";
import { type CommandSpec, type Input, optionText, optionTexts } from "../spec.ts";
import { lastMinuteOf, parseSpan, safeLine } from "../text.ts";
import { countOption, first } from "./filters.ts";

export const rememberCommand: CommandSpec = {
  name: "remember",
  group: "main",
  summary: "Remember something, in your own words",
  details:
    "The memory belongs to the project of the working folder, if there is one; who you are (category profile) " +
    "holds everywhere. Private blocks and secrets are removed before anything is stored.",
  arguments: [{ name: "<text...>", summary: "what to remember; - reads standard input" }],
  options: [
    {
      flags: "--category <name>",
      summary: "what kind of memory it is (default: found out from the words)",
      choices: memoryCategories,
    },
    { flags: "--global", summary: "it holds in every project" },
    { flags: "--project <name>", summary: "it belongs to this project (name or key)" },
    { flags: "--tag <tag>", summary: "label for filtering", many: true },
    {
      flags: "--until <date>",
      summary: "it holds through that day: friday, 2026-09-01; or for 12h, 7d",
    },
    { flags: "--importance <n>", summary: "1 to 5", fallback: "5" },
  ],
  examples: [
    'continuity remember "We deploy on Tuesdays, never on Fridays"',
    'continuity remember --category preferences --global "I prefer pnpm to npm"',
  ],
  json: {
    shape: "one document",
    fields: (of) =>
      first(of("RememberedJson"), [
        "action",
        "reason",
        "replaced",
        "near",
        "redactions",
        "cut_characters",
      ]),
  },
  run,
};

async function run(context: Context, input: Input): Promise<number | void> {
  const text = await textOf(context, input);
  const category = memoryCategories.find((name) => name === optionText(input, "category")) ?? null;
  const project = projectMeant(context, input);
  const agent = agentRunning(context.deps);
  const until = await endIn(context, optionText(input, "until"));
  const remembered = await context.ask("write", (api) =>
    api.memories.$post({
      json: {
        text,
        category,
        project,
        tags: [...optionTexts(input, "tag")],
        importance: countOption(input, "importance", 5) ?? 5,
        session: agent === null ? null : sessionRunning(context.deps),
        agent,
        until,
        zone: localZone(),
        home: context.deps.project()?.key ?? null,
        root: context.deps.project()?.root,
        by: agent === null ? "user" : "agent",
      },
    }),
  );
  if (context.isJson) context.printJson(remembered);
  else {
    const { action, memory, redactions, cut_characters: cut } = remembered;
    context.print(`${sentences[action]}: ${safeLine(memory.l0)}\n`);
    context.print(context.style.dim(`${safeLine(memory.uri)}\n`));
    if (memory.expires_at !== null)
      context.print(`It holds until ${lastMinuteOf(memory.expires_at)}.\n`);
    if (redactions > 0)
      context.print(
        `Redacted secrets: ${redactions}. Words that are none: \`continuity config set privacy.allow\`.\n`,
      );
    if (cut > 0) context.print(`Too long for one memory: the last ${cut} characters were cut.\n`);
  }
}

const sentences = {
  created: "Remembered",
  superseded: "Remembered, replacing an older memory",
  known: "Already known",
  waits: "Waits for your review (`continuity review`)",
} as const;

async function textOf({ deps }: Context, input: Input): Promise<string> {
  const isFromInput = input.args.length === 1 && input.args[0] === "-";
  const text = (isFromInput ? await deps.io.readInput() : input.args.join(" ")).trim();
  if (text === "") throw misuse("there is no text to remember");
  return text;
}

/** A day holds through its end, whatever its length. */
async function endIn({ deps, nowMs }: Context, given: string | null): Promise<string | null> {
  if (given === null) return null;
  const spanMs = parseSpan(given);
  const day = /^\d{4}-\d\d-\d\d$/.test(given) && timeIn(given) !== null ? parseNow(given) : null;
  const until = day === null ? given : isoDate(day + msPerDay);
  const endMs = spanMs === null ? timeIn(until) : nowMs + spanMs;
  const end = endMs ?? (await (await deps.local()).saidEnd(`until ${given}`, nowMs));
  if (end !== null && end > nowMs) return `${end}`;
  throw misuse(
    `"${given}" is not a time in the future`,
    "write tomorrow, another weekday's name, YYYY-MM-DD, YYYY-MM-DDThh:mm, 12h or 7d",
  );
}
