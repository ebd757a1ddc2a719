/** The command table as a commander program: parsing, help and misuse in one place. */
import { Argument, Command, CommanderError, Help, InvalidArgumentError, Option } from "commander";
import type { Field } from "#api";
import { nearestOf } from "#kit";
import { misuse } from "./failure.ts";
import { fieldsIn, jsonFields, type CommandSpec, type Forms, type Input } from "./spec.ts";
import { linesOf, safeLine } from "./text.ts";

export interface ProgramIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Columns help is wrapped to. */
  readonly helpWidth: number;
  /** The fields of `--json`, for help; null where no help is asked for. */
  readonly forms: Forms | null;
}

type Run = (spec: CommandSpec, input: Input) => Promise<void>;

/** Typed words are echoed, so they are made safe. */
const plainLine = (text: string): string =>
  safeLine(text)
    .replace(/\.$/, "")
    .replace(/command-argument value '(.*)' is invalid for argument '(.*?)'/, "'$1' is no $2");

/** One line of a command, and where to look. */
function commandErrorLine(text: string, { name, arguments: all = [] }: CommandSpec): string {
  const line = plainLine(text);
  const missing = /^error: missing required argument '(.*)'$/.exec(line)?.[1];
  const choices = all.find((one) => one.name.startsWith(`<${missing ?? "?"}`))?.choices ?? [];
  const named = choices.length === 0 ? "" : ` (${choices.join(", ")})`;
  const isText = all.some((one) => one.name.includes("..."));
  const isDash = isText && line.startsWith("error: unknown option");
  const dash = isDash ? "; put `--` before text that begins with a dash" : "";
  return `${line}${named}; see \`continuity help ${name}\`${dash}\n`;
}

/** One line, and where to look. */
function errorLine(text: string, commands: readonly string[]): string {
  const line = plainLine(text);
  const [, word = null] = /^error: unknown (?:command|option) '(.*)'$/.exec(line) ?? [];
  return `${line}; ${nextFor(word, commands)}\n`;
}

function nextFor(word: string | null, commands: readonly string[]): string {
  const said = otherWords[word ?? ""];
  if (said !== undefined) return said;
  const nearest = word === null ? null : nearestOf(word, [...commands, "--version", "--help"]);
  return nearest === null ? "see `continuity help`" : `did you mean \`continuity ${nearest}\`?`;
}

const toDelete =
  "`continuity forget` deletes a memory for good, `continuity undo` takes a change back";
const toStop =
  "`continuity pause` stops recording, `continuity uninstall` removes the hooks; the daemon ends by itself";
const toStart =
  "the daemon starts by itself when it is needed; `continuity status` shows whether all is well";
const toUpgrade = "run `npm install -g continuity@latest`, then `continuity status`";

/** Commands of other programs that people try here, and what to run instead. */
const otherWords: Readonly<Record<string, string>> = {
  add: "run `continuity remember`",
  delete: toDelete,
  disable: toStop,
  enable: "run `continuity install`, or after a pause `continuity pause --off`",
  init: "run `continuity install`",
  login:
    "choose a model with `continuity config set llm.provider auto`; nothing else needs a login",
  memories: "run `continuity list`",
  open: "run `continuity ui`",
  remove: toDelete,
  restart: toStart,
  rm: toDelete,
  save: "run `continuity remember`",
  settings: "run `continuity config get`",
  setup: "run `continuity install`",
  start: toStart,
  stop: toStop,
  update: toUpgrade,
  upgrade: toUpgrade,
  viewer: "run `continuity ui`",
};

/** Columns that the list of commands fits. */
const listWidth = 80;

/** Lists the commands on one screen: 24 lines of 80 columns. */
function commandList(commands: readonly CommandSpec[]): string {
  const inGroup = (group: CommandSpec["group"]) => commands.filter((spec) => spec.group === group);
  const main = inGroup("main").map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`);
  const more: string[] = ["More:"];
  for (const { name } of inGroup("more")) {
    const line = `${more.at(-1)} ${name}`;
    if (line.length > listWidth) more.push(`      ${name}`);
    else more[more.length - 1] = line;
  }
  const usage = "Usage: continuity <command>        (`continuity help <command>` says more)";
  return linesOf([usage, "", ...main, "", ...more]);
}

/**
 * Builds the parser of a table of commands. `run` gets the chosen command and what was typed. Parsing never ends the
 * process.
 */
export function createProgram(
  commands: readonly CommandSpec[],
  io: ProgramIo,
  version: string,
  run: Run,
): Command {
  const names = commands.map(({ name }) => name);
  const program = new Command("continuity")
    .description("Persistent memory for Claude Code: local, private, and out of the way.")
    .version(version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text, write) => write(errorLine(text, names)),
      getOutHelpWidth: () => io.helpWidth,
      getErrHelpWidth: () => io.helpWidth,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ formatHelp: () => commandList(commands) })
    .exitOverride()
    .enablePositionalOptions();
  for (const spec of commands) define(program.command(spec.name), { spec, run, io });
  // For an unknown name commander suggests far ones: `bogus` for `logs`.
  return program.showSuggestionAfterError(false);
}

/** Runs what was typed. Resolves to the exit status where the parser itself ended it: help, or a wrong word. */
export async function parseBy(
  program: Command,
  argv: readonly string[],
  { out, err }: Pick<ProgramIo, "out" | "err">,
): Promise<0 | 2 | null> {
  const [first, topic] = argv;
  const names = program.commands.map((command) => command.name());
  if (first === "help" && topic !== undefined && ![...names, "help"].includes(topic)) {
    err(errorLine(`error: unknown command '${topic}'`, names));
    return 2;
  }
  try {
    if (argv.length === 0) out(program.helpInformation());
    else await program.parseAsync(argv, { from: "user" });
    return null;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

interface Defined {
  readonly spec: CommandSpec;
  readonly run: Run;
  readonly io: ProgramIo;
}

function define(command: Command, { spec, run, io }: Defined): void {
  const details = spec.details === undefined ? "" : ` ${spec.details}`;
  command.summary(spec.summary).description(`${spec.summary}.${details}`);
  for (const argument of spec.arguments ?? []) command.addArgument(argumentOf(argument));
  for (const option of optionsOf(spec)) command.addOption(option);
  command.configureOutput({
    outputError: (text, write) => write(commandErrorLine(text, spec)),
  });
  if (spec.raw === true) command.allowUnknownOption().allowExcessArguments().passThroughOptions();
  command.configureHelp({
    formatHelp: (shown, helper) =>
      `${new Help().formatHelp.call(helper, shown, helper)}\n${helpEnd(spec, io.forms)}`,
  });
  command.action(async () => {
    const args = spec.raw === true ? command.args : command.processedArgs.flat();
    refuseBlank(command);
    await run(spec, {
      args: args.filter((one) => typeof one === "string"),
      options: command.opts(),
    });
  });
}

/** A shell variable that is not set leaves an argument without a character. */
function refuseBlank(command: Command): void {
  for (const [at, argument] of command.registeredArguments.entries()) {
    const value: unknown = command.processedArgs[at];
    const isBlank = [value].flat().every((one) => typeof one === "string" && one.trim() === "");
    if (argument.required && isBlank) throw misuse(`<${argument.name()}> is empty`);
  }
}

function argumentOf({
  name,
  summary,
  choices,
}: NonNullable<CommandSpec["arguments"]>[number]): Argument {
  const argument = new Argument(name, summary);
  return choices === undefined ? argument : argument.choices(choices);
}

function optionsOf(spec: CommandSpec): readonly Option[] {
  const options = (spec.options ?? []).map((one) => {
    const { flags, summary, choices, former = [], fallback, many } = one;
    const option = new Option(flags, summary);
    if (fallback !== undefined) option.default(fallback);
    if (choices !== undefined) option.choices(choices);
    if (many === true) option.argParser(collector(choices, former));
    return option;
  });
  if (spec.json === undefined) return options;
  return [...options, new Option("--json", `print ${spec.json.shape}, for programs`)];
}

/** Collects an option that may be given more than once, each time with one or several comma-separated values. */
const collector =
  (choices: readonly string[] | undefined, former: readonly string[]) =>
  (given: string, before: unknown): readonly string[] => {
    const values = given.split(",").map((value) => value.trim());
    const wrong = values.find((value) => choices?.concat(former).includes(value) === false);
    if (choices !== undefined && wrong !== undefined)
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
    return [...(Array.isArray(before) ? before : []), ...values];
  };

/** `helpEnd` gives the part behind commander's help: examples and the fields of `--json`. */
function helpEnd(spec: CommandSpec, forms: Forms | null): string {
  const examples = `Examples:\n${spec.examples.map((example) => `  $ ${example}\n`).join("")}`;
  if (spec.json === undefined || forms === null) return examples;
  const { shape, others } = spec.json;
  const main = table(jsonFields(spec, forms));
  const more = Object.entries(others ?? {}).map(
    ([option, all]) => `\nFields of --json with ${option}:\n${table(fieldsIn(all, forms))}`,
  );
  return `${examples}\nFields of --json (${shape}; times are epoch milliseconds):\n${main}${more.join("")}`;
}

function table(all: readonly Field[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all.map(({ name, meaning }) => `  ${name.padEnd(width)}  ${meaning}\n`).join("");
}
