/**
 * Answers that are the same in every run of one version: written out by the build, so that printing one loads no
 * table. What is as wide as the terminal is marked, and broken into lines when it is printed.
 */
import { commands } from "./commands/index.ts";
import { completionFor, shells } from "./completion.ts";
import { createProgram } from "./program.ts";
import { markFolding } from "./standing-width.ts";

/** Wider than any text: what is left of it is the room that a text has. */
const wholeWidth = 100_000;

/** By what was typed, its words with spaces between: what is printed once `folded` has given it a width. */
export async function standingAnswers(version: string): Promise<Readonly<Record<string, string>>> {
  const nothing = (): void => undefined;
  const forms = await import("#api/forms");
  const wrap = (text: string, width: number): string => markFolding(text, wholeWidth - width);
  const io = { out: nothing, err: nothing, helpWidth: wholeWidth, forms, wrap };
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
