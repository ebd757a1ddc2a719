/** The command-line reference, rendered from the same table as `--help`. */
import { commands } from "../../src/cli/commands/index.ts";
import { createProgram } from "../../src/cli/program.ts";

/** Columns of the help text in the reference. */
const referenceWidth = 100;

/** Markdown for docs/reference/cli.md: each command's `--help`, word for word. */
export async function cliReference(): Promise<string> {
  const nothing = (): void => undefined;
  const io = {
    out: nothing,
    err: nothing,
    helpWidth: referenceWidth,
    forms: await import("#api/forms"),
  };
  const program = createProgram(commands, io, "", async () => undefined);
  const sections = commands.map(({ name }) => {
    const help = program.commands.find((command) => command.name() === name)?.helpInformation();
    return `## continuity ${name}\n\n\`\`\`text\n${(help ?? "").trim()}\n\`\`\`\n`;
  });
  const head = [
    "# Command line",
    "",
    "Generated from the command table; do not edit. Exit status: 0 done, 1 failed, 2 usage error. Results go to " +
      "standard output, errors to standard error.",
    "",
    `\`\`\`text\n${program.helpInformation().trim()}\n\`\`\``,
    "",
  ];
  return [...head, ...sections].join("\n");
}
