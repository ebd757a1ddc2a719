/** Runs one command line: parses, does it, prints failures as one line, and says with which status to exit. */
import { createContext } from "./context.ts";
import type { CliDeps } from "./deps.ts";
import { refuseAgent } from "./agent-shell.ts";
import type { CommandSpec, Forms, Input } from "./spec.ts";
import { isCliFailure, isOutputFailure } from "./failure.ts";
import { currentWords } from "./old-words.ts";
import { readPlain } from "./plain.ts";
import { safeLine } from "./text.ts";

/** Help is wrapped to this many columns when output goes to a file or a pipe. */
const helpWidthDefault = 100;

/** Commands by which to understand what was typed. */
export interface Table {
  readonly commands: readonly CommandSpec[];
  /** What help says of `--json`, loaded when help is asked for; null where it is not. */
  readonly forms: (() => Promise<Forms>) | null;
}

/**
 * Resolves to the exit status: 0 = done, 1 = failed, 2 = asked wrongly. Rejects only for bugs. Prints to `deps.io`
 * and never ends the process.
 */
export async function runTable(table: Table, deps: CliDeps): Promise<number> {
  const { io } = deps;
  const argv = currentWords(deps.argv);
  // A command that is named needs no other: to describe them all takes longer than what most of them do.
  const named = table.commands.filter(({ name }) => name === argv[0]);
  const [spec] = named;
  const plain = spec === undefined || asksForHelp({ argv }) ? null : readPlain(spec, argv.slice(1));
  try {
    if (spec !== undefined && plain !== null) return await perform(spec, deps, plain);
    return await parsed(named.length === 0 ? table : { ...table, commands: named }, argv, deps);
  } catch (error) {
    return failed(io, error);
  }
}

/** Runs a command, or refuses what an agent's shell may not do. */
async function perform(spec: CommandSpec, deps: CliDeps, input: Input): Promise<number> {
  if (spec.needsPerson?.(input) === true) refuseAgent(deps, spec.name);
  return await spec.run(createContext(deps), input);
}

/** By the whole parser, which knows help and what to say of a wrong word. */
async function parsed(
  { commands, forms }: Table,
  argv: readonly string[],
  deps: CliDeps,
): Promise<number> {
  const { io } = deps;
  // The list of commands needs no forms of answers; the help of one command does.
  const shown = forms !== null && argv.length > 1 && asksForHelp({ argv }) ? await forms() : null;
  const { createProgram, parseBy } = await import("./program.ts");
  let status = 0;
  const program = createProgram(
    commands,
    { out: io.out, err: io.err, helpWidth: io.columns ?? helpWidthDefault, forms: shown },
    deps.version,
    async (spec, input) => {
      status = await perform(spec, deps, input);
    },
  );
  return (await parseBy(program, argv, io.out)) ?? status;
}

/** May these words bring up help? A wrong yes costs a moment, and no more. */
export const asksForHelp = ({ argv }: Pick<CliDeps, "argv">): boolean =>
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
