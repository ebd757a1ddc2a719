/**
 * Answers that are the same in every run of one version: written out by the build, so that printing one loads no
 * table.
 */
import { commands } from "./commands/index.ts";
import { completionFor, shells } from "./completion.ts";
import { createProgram } from "./program.ts";
import { helpWidthDefault } from "./run.ts";

/** By what was typed, its words with spaces between: the text that is printed where no terminal sets the width. */
export async function standingAnswers(version: string): Promise<Readonly<Record<string, string>>> {
  const nothing = (): void => undefined;
  const forms = await import("#api/forms");
  const io = { out: nothing, err: nothing, helpWidth: helpWidthDefault, forms };
  const program = createProgram(commands, io, version, async () => undefined);
  const help = program.helpInformation();
  return {
    "": help,
    help,
    "--help": help,
    "-h": help,
    ...Object.fromEntries(
      shells.map((shell) => [`completion ${shell}`, completionFor(shell, commands)]),
    ),
    ...Object.fromEntries(
      program.commands
        // A raw command takes every word as it is, these too.
        .filter((command) =>
          commands.some(({ name, raw }) => name === command.name() && raw !== true),
        )
        .map((command) => [`${command.name()} --help`, command.helpInformation()]),
    ),
  };
}
