/** Runs one command line: reads it, does it, prints failures as one line, and says with which status to exit. */
import { createContext, refuseAgent } from "./context.ts";
import type { CliDeps } from "./deps.ts";
import type { CommandSpec, Forms, Input } from "./spec.ts";
import { isCliFailure, isOutputFailure } from "./failure.ts";
import { safeLine } from "./text.ts";
import { readWords } from "./words.ts";

/** Help is wrapped to this many columns when output goes to a file or a pipe. */
const helpWidthDefault = 100;

/** Commands by which to understand what was typed. */
export interface Table {
  readonly commands: readonly CommandSpec[];
  /** Loads the fields of `--json` for a command's help; null where no help is asked for. */
  readonly forms: (() => Promise<Forms>) | null;
}

/**
 * Resolves to the exit status: 0 = done, 1 = failed, 2 = asked wrongly. Rejects only for bugs. Prints to `deps.io`
 * and never ends the process.
 */
export async function runTable(table: Table, deps: CliDeps): Promise<number> {
  const [word = "help", ...rest] = currentWords(deps.argv);
  const spec = table.commands.find(({ name }) => name === word);
  try {
    if (spec === undefined) return await runProgram(table, deps, [word, ...rest]);
    const input = readWords(spec, rest);
    if (input === "help") return await showHelp(table, deps, word);
    return await perform(spec, deps, input);
  } catch (error) {
    return failed(deps.io, error);
  }
}

/** Runs a command, or refuses what an agent's shell may not do. */
async function perform(spec: CommandSpec, deps: CliDeps, input: Input): Promise<number> {
  if (spec.needsPerson?.(input) === true) refuseAgent(deps, spec.name);
  return (await spec.run(createContext(deps, input), input)) ?? 0;
}

/** Does what no command has: help, and the version. */
async function runProgram(
  table: Table,
  deps: CliDeps,
  [word = "", topic]: readonly string[],
): Promise<number> {
  if (/^(?:-V|--version)$/.test(word)) deps.io.out(`${deps.version}\n`);
  else if (/^(?:help|-h|--help)$/.test(word))
    return showHelp(table, deps, word === "help" ? topic : undefined);
  else throw (await import("./help.ts")).unknownWord(word, table.commands);
  return 0;
}

/** Prints help for a command, or the list of them. */
async function showHelp(
  { commands, forms }: Table,
  { io }: CliDeps,
  topic: string | undefined,
): Promise<number> {
  const { commandHelp, commandList, unknownWord } = await import("./help.ts");
  if (topic === undefined || topic === "help") io.out(commandList(commands));
  else {
    const spec = commands.find(({ name }) => name === topic);
    if (spec === undefined) throw unknownWord(topic, commands);
    io.out(commandHelp(spec, (await forms?.()) ?? null, io.columns ?? helpWidthDefault));
  }
  return 0;
}

/** May these words bring up help? A wrong yes costs a moment, and no more. */
export const asksForHelp = (argv: readonly string[]): boolean =>
  argv.some((word) => word === "help" || /^-\w*h|^--help$/u.test(word));

/** Says what ended the command, when there is somebody to be told; resolves to the exit status. */
function failed(io: CliDeps["io"], error: unknown): number {
  if (isOutputFailure(error) && error.isReaderGone) return 0;
  if (isOutputFailure(error)) {
    io.err(`error: ${safeLine(error.message)}\n`);
    return 1;
  }
  if (!isCliFailure(error)) throw error;
  const next = error.next === null ? "" : `; ${safeLine(error.next)}`;
  io.err(`error: ${safeLine(error.message)}${next}\n`);
  return error.exitStatus;
}

// Words of earlier versions, and what is run in their place. They are in no help text and in no completion.

type Words = readonly string[];

const before =
  (...words: Words) =>
  (rest: Words): Words => [...words, ...rest];

const oldWords: ReadonlyMap<string, (rest: Words) => Words> = new Map([
  ["audit", before("stats", "--memory")],
  ["diff", before("history", "--diff")],
  ["jobs", before("status", "--jobs")],
  ["links", before("show")],
  ["llm", (rest) => ["status", "--test-model", ...rest.filter((word) => word !== "test")]],
  ["logs", before("status", "--log")],
  ["pin", pinWords],
  ["profile", before("list", "--category", "profile", "--category", "preferences")],
  ["resume", before("pause", "--off")],
  ["revert", before("undo", "--memory")],
  ["search", before("find", "--deep")],
  ["token", (rest) => ["config", "rotate-token", ...rest.filter((word) => word !== "rotate")]],
  ["tree", before("list", "--tree")],
  ["tune", before("stats", "--memory")],
  ["unshare", before("share", "--off")],
  ["usage", before("stats", "--models")],
  ["verify", before("show", "--code")],
  ["-v", before("--version")],
]);

function pinWords(rest: Words): Words {
  const isOff = rest.includes("--off");
  const kept = rest.filter((word) => word !== "--off");
  return ["edit", isOff ? "--unpin" : "--pin", ...kept];
}

/** Replaces an old command, also after `help`, by the command that does the same now. */
export function currentWords(argv: Words): Words {
  const [word = "", ...rest] = argv;
  if (word === "help" && oldWords.has(rest[0] ?? "")) return ["help", currentWords(rest)[0] ?? ""];
  return oldWords.get(word)?.(rest) ?? argv;
}
