/** The manual page, written out of the command table like `--help` and the reference. */
import { commands } from "./commands/index.ts";
import type { CommandSpec, OptionSpec } from "./spec.ts";

/** A text line of roff: backslashes and leading dots mean something there, and so do hyphens. */
const safe = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&");

const bold = (text: string): string => `\\fB${safe(text)}\\fR`;
/** Backquotes of our summaries become bold. */
const prose = (text: string): string =>
  text
    .split("`")
    .map((part, at) => (at % 2 === 1 ? bold(part) : safe(part)))
    .join("");

const section = (title: string, lines: readonly string[]): readonly string[] => [
  `.SH ${title}`,
  ...lines,
];

/** roff for `man`, of this version of the program. */
export function manualPage(version: string): string {
  return [
    `.TH CONTINUITY 1 "" "continuity ${version}" "User Commands"`,
    ...section("NAME", ["continuity \\- persistent memory for Claude Code"]),
    ...section("SYNOPSIS", [
      ".B continuity",
      "\\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]",
    ]),
    ...section("DESCRIPTION", [
      prose(
        "Remembers what matters in Claude Code sessions and injects it when it is relevant. All data is in one " +
          "folder on this machine. `continuity install` connects it, `continuity doctor` proves that it works, " +
          "`continuity uninstall` takes it out again.",
      ),
    ]),
    ...section("COMMANDS", commands.flatMap(commandLines)),
    ...section("EXIT STATUS", [
      prose("0 done, 1 failed, 2 usage error. A hook always ends with 0."),
    ]),
    ...section(
      "ENVIRONMENT",
      environment.flatMap(([name, text]) => [".TP", bold(name), prose(text)]),
    ),
    ...section(
      "FILES",
      files.flatMap(([name, text]) => [".TP", bold(name), prose(text)]),
    ),
    ...section("SEE ALSO", [".BR claude (1)"]),
  ].join("\n");
}

const environment: readonly (readonly [string, string])[] = [
  ["CONTINUITY_HOME", "The folder that holds everything; default ~/.continuity."],
  ["CONTINUITY_OFF", "1: hooks started here do nothing."],
  ["CONTINUITY_NOW", "The clock of one command or hook, epoch milliseconds or ISO 8601."],
  ["NO_COLOR", "No colour, also on a terminal."],
];

const files: readonly (readonly [string, string])[] = [
  ["~/.continuity/continuity.db", "The memories, one SQLite file."],
  ["~/.continuity/config.toml", "Settings; all keys are optional."],
  ["~/.claude/settings.json, ~/.claude.json", "What install and uninstall change, after a backup."],
];

function commandLines(spec: CommandSpec): readonly string[] {
  const words = [spec.name, ...(spec.arguments ?? []).map(({ name }) => name)].join(" ");
  const json: readonly OptionSpec[] =
    spec.json === undefined
      ? []
      : [{ flags: "--json", summary: `print ${spec.json.shape}, for programs` }];
  return [
    ".SS",
    bold(words),
    ".PP",
    prose(`${spec.summary}.${spec.details === undefined ? "" : ` ${spec.details}`}`),
    ...[...(spec.options ?? []), ...json].flatMap(({ flags, summary }) => [
      ".TP",
      bold(flags),
      prose(summary),
    ]),
    ".PP",
    "Examples:",
    ".nf",
    ...spec.examples.map((example) => `.RS\n${safe(example)}\n.RE`),
    ".fi",
  ];
}
