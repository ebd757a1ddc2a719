/** `install` and `uninstall`. */
import { agentNames, editors, isAgentCli } from "#domain";
import { type Context, settingNow } from "../context.ts";
import type { InstallReport, SetupReport } from "../local.ts";
import { CliFailure, isCliFailure, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input, type OptionSpec, optionText } from "../spec.ts";
import { isYes, safeLine, safeText } from "../text.ts";
import { importFrom } from "./import.ts";

const dryRunOption: OptionSpec = { flags: "--dry-run", summary: "only show what would change" };
const projectOption: OptionSpec = {
  flags: "--project",
  summary: "this project's settings (at the root of its repository) instead of yours",
};

const setupFields = {
  failed: "true when something could not be done",
  "steps[].state": "done, unchanged, would, failed or note",
  "steps[].text": "what was or would be done",
};

const agentOption: OptionSpec = {
  flags: "--agent <name>",
  summary: "which agent: claude (the default) or another, or all that are found",
  choices: [...agentNames, ...editors, "all"],
};

/** Names the place where a session is sent, by the name that `--llm` takes. */
const receivers: Readonly<Record<string, string>> = {
  "claude-cli": "to Anthropic, through your Claude login",
  "codex-cli": "to OpenAI, through your Codex login",
  "gemini-cli": "to Google, through your Gemini login",
  "opencode-cli": "to the provider that your OpenCode is set to",
  "copilot-cli": "to GitHub, through your Copilot login",
  anthropic: "to Anthropic, with an API key",
  gemini: "to Google, with an API key",
  openrouter: "to OpenRouter, with an API key",
  ollama: "to a model on this machine; nothing leaves it",
  auto: "to the first of these that works, looked for at each start",
  none: "nowhere; your orders and what the agent saves are kept",
};

const providers = Object.keys(receivers);

export const installCommand: CommandSpec = {
  name: "install",
  group: "main",
  summary: "Install the hooks and the MCP server in Claude Code or another agent",
  details:
    "Each file is backed up before it is changed. On a terminal it asks once which language model may be used, and " +
    "recommends Claude through your own login, or another agent whose client is here; none is called before one is " +
    "chosen.",
  options: [
    agentOption,
    dryRunOption,
    projectOption,
    { flags: "--plugin", summary: "as a plugin, instead of hooks in the settings" },
    { flags: "--statusline", summary: "also show the status line, unless there is one already" },
    { flags: "--llm <name>", summary: "language model that refines memories", choices: providers },
  ],
  examples: [
    "continuity install",
    "continuity install --dry-run",
    "continuity install --statusline --llm none",
    "continuity install --plugin",
    "continuity install --agent codex",
    "continuity install --agent all",
  ],
  json: {
    shape: "one document",
    fields: {
      ...setupFields,
      "importable[].from": "what to give to `import --from`",
      "importable[].what": "memory that another tool left here",
    },
  },
  run: async (context, input) => {
    const agent = optionText(input, "agent");
    refuseOthers(input, agent);
    const provider = await chosenProvider(context, input);
    const isUnasked = provider === null && context.deps.io.ask === null;
    const dryRun = hasFlag(input, "dryRun");
    const { setup } = await context.deps.local();
    const report = await setup.install({
      agent,
      dryRun,
      project: hasFlag(input, "project"),
      plugin: hasFlag(input, "plugin"),
      statusLine: hasFlag(input, "statusline"),
    });
    const chosen =
      report.failed || provider === null ? [] : [await choose(context, input, provider)];
    const whole = { ...report, steps: [...report.steps, ...chosen] };
    const status = shown(context, whole);
    if (!context.isJson && !report.failed) {
      // With the first installation alone: whoever installs again knows.
      const isFirst = report.steps.some(({ state }) => state === "done");
      if (isUnasked && isFirst) await showChoice(context);
      await takeOver(context, report, isFirst && !dryRun);
      if (!dryRun && [null, "claude", "all"].includes(agent)) context.print(next);
    }
    return chosen.some(({ state }) => state === "failed") ? 1 : status;
  },
};

/** `refuseOthers` refuses options that only Claude Code has. */
function refuseOthers(input: Input, agent: string | null): void {
  if (agent === null || agent === "claude") return;
  const given = ["project", "plugin", "statusline"].find((name) => hasFlag(input, name));
  if (given !== undefined)
    throw misuse(`--${given} is for Claude Code only: leave it out, or leave out --agent`);
}

export const uninstallCommand: CommandSpec = {
  name: "uninstall",
  group: "more",
  summary: "Remove the hooks and the MCP server from every agent; keep memories",
  options: [
    { ...agentOption, summary: "only this agent (default: all)" },
    dryRunOption,
    projectOption,
  ],
  examples: ["continuity uninstall", "continuity uninstall --dry-run"],
  json: { shape: "one document", fields: setupFields },
  run: async (context, input) => {
    const agent = optionText(input, "agent");
    refuseOthers(input, agent);
    const { setup } = await context.deps.local();
    const report = await setup.uninstall({
      agent,
      dryRun: hasFlag(input, "dryRun"),
      project: hasFlag(input, "project"),
    });
    return shown(context, report);
  },
};

/** Cost of a session, told before a provider is chosen: medians of short and dense sessions, and the cap. */
const cost = "2,000 to 5,000 tokens a session, a long one up to 24,000;";
const cap = "at most 300,000 a day (llm.tokens_per_day)";

/** Share that a call adds to the session that it reads: the median of 357 real sessions used 147,555 tokens. */
const shareOfSession = "1.4 to 3.4 % of what a median session of Claude Code uses itself";

/** Explains what is sent where, what it costs, and what is kept without it. `recommended`: what Enter takes. */
function questionFor(recommended: string): string {
  const head =
    "May a language model read each session once, when it ends, and keep what will\n" +
    "be needed again?\n";
  const without = '  Without: only your orders ("remember …") and what the agent saves are kept\n';
  if (recommended === "none")
    return `${head}${without}  No login of an agent was found; an API key or Ollama works too.\n`;
  const added = isAgentCli(recommended)
    ? "that client adds 4,000 to 12,000 of its own to each"
    : shareOfSession;
  return (
    `${head}  Sent:    what you typed, what the agent answered and ran; no secrets, no\n` +
    "           private blocks\n" +
    `  To:      ${receivers[recommended]?.replace(/^to /, "")} (${recommended})\n` +
    `  Cost:    ${cost}\n           ${added};\n           ${cap}\n` +
    without
  );
}

/** All models, one a line, with where a session goes. */
const modelList = providers.map((name) => `  ${name.padEnd(12)} ${receivers[name]}\n`).join("");

/** Default of the question: the text goes where the session has been already. */
const recommendedOf = async ({ local }: Context["deps"]): Promise<string> =>
  (await (await local()).setup.ownClients())[0] ?? "none";

/** Nobody was asked: one line says what that means, and how to choose. */
async function showChoice(context: Context): Promise<void> {
  const known = await settingNow(context.deps, "llm.provider");
  if (known?.source !== "default") return;
  const own = await recommendedOf(context.deps);
  const name = own === "none" ? "auto" : own;
  context.print(
    `${markOf(context, "note")} no language model: only your orders and what the agent saves are kept;\n` +
      `     to use one: continuity config set llm.provider ${name}\n`,
  );
}

/** The provider that was typed, or a person's answer; null = leave it as it is. */
async function chosenProvider({ deps, isJson }: Context, input: Input): Promise<string | null> {
  const typed = optionText(input, "llm");
  const { ask } = deps.io;
  if (typed !== null || ask === null || hasFlag(input, "dryRun") || isJson) return typed;
  const known = await settingNow(deps, "llm.provider");
  if (known?.source !== "default") return null;
  const recommended = await recommendedOf(deps);
  let question = questionFor(recommended);
  let short = shortQuestionFor(recommended);
  let left = triesMax;
  while (left > 0) {
    const said = await ask(question + short);
    // Stopping at the question refuses; a mere return takes what is recommended.
    if (said === null) throw new CliFailure("stopped; nothing was changed");
    const answer = said.trim();
    const chosen = answeredProvider(answer, recommended);
    if (chosen !== null) return chosen;
    const isAsking = answer === "?";
    if (!isAsking) left -= 1;
    const head = isAsking ? "" : `"${safeLine(answer)}" is none of these:\n`;
    question = `${head}${modelList}`;
    short = `One of these names, or Enter for ${recommended}: `;
  }
  throw misuse("none of the answers names a model", "nothing was changed");
}

/** Wrong answers that are asked again. */
const triesMax = 3;

/** Last line of the question; Enter takes the capital letter. */
const shortQuestionFor = (recommended: string): string =>
  recommended === "none" ? "[N, or ? for models] " : "[Y/n, or ? for other models] ";

/** Provider that an answer means; null when it means none, as "y" does where nothing is recommended. */
function answeredProvider(answer: string, recommended: string): string | null {
  if (answer === "") return recommended;
  if (/^no?$/i.test(answer)) return "none";
  if (isYes(answer)) return recommended === "none" ? null : recommended;
  return providers.includes(answer) ? answer : null;
}

type Step = SetupReport["steps"][number];

async function choose({ deps }: Context, input: Input, provider: string): Promise<Step> {
  const text =
    provider === "none"
      ? "model: none; nothing is sent anywhere"
      : `model: ${provider}, ${receivers[provider]}`;
  // A user who was asked has read it in the question.
  const isUnasked = optionText(input, "llm") !== null && provider !== "none";
  const priced = isUnasked ? `${text}; ${cost} ${cap}` : text;
  const setting = await settingNow(deps, "llm.provider");
  // An answer that equals the default is written too: the next installation then does not ask again.
  if (setting?.value === `"${provider}"` && setting.source !== "default")
    return { state: "unchanged", text };
  if (hasFlag(input, "dryRun")) return { state: "would", text: priced };
  try {
    (await deps.local()).config.set("llm.provider", provider);
    return { state: "done", text: priced };
  } catch (error) {
    if (!isCliFailure(error)) throw error;
    return { state: "failed", text: error.message };
  }
}

/** Prints a report; the exit status is 1 when something could not be done. */
function shown(context: Context, report: SetupReport): number {
  if (context.isJson) context.printJson(report);
  else
    for (const { state, text } of report.steps) {
      const print = state === "failed" ? context.deps.io.err : context.print;
      print(`${markOf(context, state)} ${safeText(text).trimEnd()}\n`);
    }
  return report.failed ? 1 : 0;
}

/** Asks on a terminal whether to import the past sessions of Claude Code; names the command for all else. */
async function takeOver(
  context: Context,
  { importable }: InstallReport,
  isAsked: boolean,
): Promise<void> {
  const { ask } = context.deps.io;
  for (const { from, what } of importable) {
    if (isAsked && from === "claude-code" && ask !== null) {
      context.print(
        `\nFound ${safeLine(what)}. Imported, they can be searched;\nnothing leaves this machine.\n`,
      );
      if (isYes(await ask("Import them? [y/N] "))) {
        await importFrom(context, from);
        continue;
      }
    }
    context.print(
      `${markOf(context, "note")} ${safeLine(what)} can be imported: continuity import --from ${from}\n`,
    );
  }
}

const next =
  'Now: restart Claude Code and tell it "remember that …". The next session knows\n' +
  "it; `continuity status` shows whether it works.\n";

function markOf({ style }: Context, state: SetupReport["steps"][number]["state"]): string {
  const marks = {
    done: style.green("done"),
    unchanged: style.dim("same"),
    would: style.yellow("would"),
    failed: style.red("error:"),
    note: style.dim("note"),
  } as const;
  return marks[state];
}
