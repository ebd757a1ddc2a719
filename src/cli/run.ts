/** Runs one command line: parses, does it, prints failures as one line, and says with which status to exit. */
import { CommanderError } from "commander";
import { createContext } from "./context.ts";
import type { CliDeps } from "./deps.ts";
import { CliFailure, OutputFailure } from "./failure.ts";
import { manualPage } from "./manual.ts";
import { createProgram } from "./program.ts";
import { safeLine } from "./text.ts";

/** Help is wrapped to this when output goes to a file or a pipe. */
const helpWidthDefault = 100;

/**
 * Resolves to the exit status: 0 = done, 1 = failed, 2 = asked wrongly. Rejects only for bugs. Prints to `deps.io`
 * and never ends the process.
 */
export async function runCli(deps: CliDeps): Promise<number> {
  const { io } = deps;
  let status = 0;
  const forms = deps.argv.some(asksForHelp) ? await import("#api/forms") : null;
  const program = createProgram(
    { out: io.out, err: io.err, helpWidth: io.columns ?? helpWidthDefault, forms },
    deps.version,
    async (spec, input) => {
      status = await spec.run(createContext(deps), input);
    },
  );
  try {
    if (deps.argv.length === 0) io.out(program.helpInformation());
    else if (deps.argv.join(" ") === "help --man") io.out(`${manualPage(deps.version)}\n`);
    else await program.parseAsync(deps.argv, { from: "user" });
    return status;
  } catch (error) {
    return failed(io, error);
  }
}

/** May this word bring up help? A wrong yes costs a moment, and no more. */
const asksForHelp = (word: string): boolean => word === "help" || /^-\w*h|^--help$/u.test(word);

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
