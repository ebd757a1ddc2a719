/** The command-line reference, rendered from the same table as `--help`. */
import * as forms from "#api/forms";
import { commands } from "../../src/cli/commands/index.ts";
import { commandHelp, commandList } from "../../src/cli/help.ts";

/** Columns of the help text in the reference. */
const referenceWidth = 100;

/** Markdown for docs/reference/cli.md: each command's `--help`, word for word. */
export function cliReference(): string {
  const sections = commands.map((spec) => {
    const help = commandHelp(spec, forms, referenceWidth);
    return `## continuity ${spec.name}\n\n\`\`\`text\n${help.trim()}\n\`\`\`\n`;
  });
  const head = [
    "# Command line",
    "",
    "Generated from the command table; do not edit. Exit status: 0 done, 1 failed, 2 usage error. Results go to " +
      "standard output, errors to standard error.",
    "",
    `\`\`\`text\n${commandList(commands).trim()}\n\`\`\``,
    "",
  ];
  return [...head, ...sections].join("\n");
}
