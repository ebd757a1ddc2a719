/** Runs one command line: parses, does it, prints failures as one line, and says with which status to exit. */
import { CommanderError } from "commander";
import { createContext } from "./context.ts";
import type { CliDeps } from "./deps.ts";
import type { CommandSpec, Forms } from "./spec.ts";
import { CliFailure, OutputFailure } from "./failure.ts";
import { createProgram } from "./program.ts";
import { helpWidthDefault } from "./standing-width.ts";
import { safeLine } from "./text.ts";

/** Commands by which to understand what was typed. */
export interface Table {
  readonly commands: readonly CommandSpec[];
  /** What `help --man` prints, by the version; null where that is not asked for. */
  readonly manual: ((version: string) => string) | null;
  /** What help says of `--json`, loaded when help is asked for; null where it is not. */
  readonly forms: (() => Promise<Forms>) | null;
}

/**
 * Resolves to the exit status: 0 = done, 1 = failed, 2 = asked wrongly. Rejects only for bugs. Prints to `deps.io`
 * and never ends the process.
 */
export async function runTable({ commands, manual, forms }: Table, deps: CliDeps): Promise<number> {
  const { io } = deps;
  let status = 0;
  const shown = forms !== null && asksForHelp(deps) ? await forms() : null;
  // A command that is named needs no other: to describe them all takes longer than what most of them do.
  const named = commands.filter(({ name }) => name === deps.argv[0]);
  const program = createProgram(
    named.length === 0 ? commands : named,
    { out: io.out, err: io.err, helpWidth: io.columns ?? helpWidthDefault, forms: shown },
    deps.version,
    async (spec, input) => {
      status = await spec.run(createContext(deps), input);
    },
  );
  try {
    if (deps.argv.length === 0) io.out(program.helpInformation());
    else if (manual !== null && deps.argv.join(" ") === "help --man")
      io.out(`${manual(deps.version)}\n`);
    else await program.parseAsync(deps.argv, { from: "user" });
    return status;
  } catch (error) {
    return failed(io, error);
  }
}

/** May these words bring up help? A wrong yes costs a moment, and no more. */
export const asksForHelp = ({ argv }: Pick<CliDeps, "argv">): boolean =>
  argv.some((word) => word === "help" || /^-\w*h|^--help$/u.test(word));

/** Says what ended the command, when there is somebody to be told; resolves to the exit status. */
function failed(io: CliDeps["io"], error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OutputFailure && error.isReaderGone) return 0;
  if (error instanceof OutputFailure) {
    io.err(`error: ${safeLine(error.message)}\n`);
    return 1;
  }
  if (!(error instanceof CliFailure)) throw error;
  const next = error.next === null ? "" : `; ${safeLine(error.next)}`;
  io.err(`error: ${safeLine(error.message)}${next}\n`);
  return error.exitStatus;
}
