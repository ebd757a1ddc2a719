/** `completion`: what a shell needs to complete this program's words. */
import type { CommandSpec, OptionSpec } from "../spec.ts";

/** `commands`: the whole table, asked when it is there. */
export const completionCommand = (commands: () => readonly CommandSpec[]): CommandSpec => ({
  name: "completion",
  group: "more",
  summary: "Print completion for a shell",
  arguments: [{ name: "<shell>", summary: shells.join(", "), choices: shells }],
  examples: [
    "continuity completion bash > ~/.local/share/bash-completion/completions/continuity",
    'continuity completion zsh > "${fpath[1]}/_continuity"',
    "continuity completion fish > ~/.config/fish/completions/continuity.fish",
  ],
  run: async (context, { args: [asked] }) => {
    const shell = shells.find((name) => name === asked) ?? "bash";
    context.print(completionFor(shell, commands()));
  },
});

// Shell completion, written out of the command table: what a shell offers is what the parser takes. Pure.

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

interface Flag {
  /** `--limit`. */
  readonly long: string;
  /** `-f`, or null. */
  readonly short: string | null;
  readonly summary: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** The values that the first argument may have; empty = anything. */
  readonly choices: readonly string[];
}

const help: Flag = {
  long: "--help",
  short: "-h",
  summary: "show help",
  takesValue: false,
  choices: [],
};

const json: Flag = { ...help, long: "--json", short: null, summary: "for programs" };

function entryOf({ name, summary, options, arguments: given, json: form }: CommandSpec): Entry {
  return {
    name,
    summary,
    flags: [...(options ?? []).map(flagOf), ...(form === undefined ? [] : [json]), help],
    choices: given?.[0]?.choices ?? [],
  };
}

function flagOf({ flags, summary, choices }: OptionSpec): Flag {
  return {
    long: /--[\w-]+/.exec(flags)?.[0] ?? "",
    short: /(?:^|\s)(-\w)\b/.exec(flags)?.[1] ?? null,
    summary,
    takesValue: /[<[]/.test(flags),
    choices: choices ?? [],
  };
}

/** The script of one shell for a table of commands. */
export function completionFor(shell: Shell, commands: readonly CommandSpec[]): string {
  const entries = commands.map(entryOf);
  const helper: Entry = {
    name: "help",
    summary: "Show help for a command",
    flags: [],
    choices: entries.map(({ name }) => name),
  };
  const writers = { bash, zsh, fish } as const;
  return `${writers[shell]([...entries, helper]).join("\n")}\n`;
}

const namesOf = (entries: readonly Entry[]): string => entries.map(({ name }) => name).join(" ");

const longs = (flags: readonly Flag[]): readonly string[] => flags.map(({ long }) => long);

function bash(entries: readonly Entry[]): readonly string[] {
  const values = entries.flatMap(({ name, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ long, choices }) => `    "${name} ${long}") values="${choices.join(" ")}"; isValue=1 ;;`,
      ),
  );
  const words = entries.map(
    ({ name, flags, choices }) =>
      `    ${name}) flags="${longs(flags).join(" ")}"; first="${choices.join(" ")}" ;;`,
  );
  return [
    "# continuity completion bash > ~/.local/share/bash-completion/completions/continuity",
    "_continuity() {",
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"',
    '  local flags="" first="" values="" isValue=""',
    "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=( $(compgen -W "${namesOf(entries)} --help --version" -- "$cur") )`,
    "    return",
    "  fi",
    '  case "$command $prev" in',
    ...values,
    "  esac",
    '  if [ -n "$isValue" ]; then',
    '    if [ -n "$values" ]; then COMPREPLY=( $(compgen -W "$values" -- "$cur") )',
    '    else COMPREPLY=( $(compgen -f -- "$cur") ); fi',
    "    return",
    "  fi",
    '  case "$command" in',
    ...words,
    "    *) return ;;",
    "  esac",
    '  case "$cur" in',
    '    -*) COMPREPLY=( $(compgen -W "$flags" -- "$cur") ) ;;',
    '    *) if [ "$COMP_CWORD" -eq 2 ] && [ -n "$first" ]; then COMPREPLY=( $(compgen -W "$first" -- "$cur") )',
    '       else COMPREPLY=( $(compgen -f -- "$cur") ); fi ;;',
    "  esac",
    "}",
    "complete -o filenames -F _continuity continuity",
  ];
}

/** A text between single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** In `_arguments` and `_describe`, brackets and colons mean something. */
const zshText = (text: string): string => text.replaceAll(/[\\[\]:]/g, (mark) => `\\${mark}`);

function zsh(entries: readonly Entry[]): readonly string[] {
  const described = entries.map(
    ({ name, summary }) => `    ${quoted(`${name}:${zshText(summary)}`)}`,
  );
  const cases = entries.flatMap(({ name, flags, choices }) => [
    `    ${name})`,
    "      _arguments \\",
    ...flags.map((flag) => `        ${zshFlag(flag)} \\`),
    choices.length > 0
      ? `        ${quoted(`1:what:(${choices.join(" ")})`)} '*:file:_files' ;;`
      : "        '*:file:_files' ;;",
  ]);
  return [
    "#compdef continuity",
    '# continuity completion zsh > "${fpath[1]}/_continuity"',
    "_continuity() {",
    "  local -a commands",
    "  commands=(",
    ...described,
    "  )",
    "  if (( CURRENT == 2 )); then",
    "    _describe command commands",
    "    return",
    "  fi",
    "  local command=$words[2]",
    "  shift words",
    "  (( CURRENT-- ))",
    "  case $command in",
    ...cases,
    "  esac",
    "}",
    'if [ "$funcstack[1]" = _continuity ]; then _continuity "$@"; else compdef _continuity continuity; fi',
  ];
}

function zshFlag({ long, summary, takesValue, choices }: Flag): string {
  const values = choices.length > 0 ? `(${choices.join(" ")})` : "";
  return quoted(`${long}[${zshText(summary)}]${takesValue ? `:value:${values}` : ""}`);
}

function fish(entries: readonly Entry[]): readonly string[] {
  const head = "complete -c continuity";
  const lines = entries.flatMap(({ name, summary, flags, choices }) => {
    const when = `${head} -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `${head} -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...flags.map((flag) => `${when} ${fishFlag(flag)}`),
      ...(choices.length > 0 ? [`${when} -f -a ${quoted(choices.join(" "))}`] : []),
    ];
  });
  return [
    "# continuity completion fish > ~/.config/fish/completions/continuity.fish",
    `${head} -f -n __fish_use_subcommand -l version -s V -d 'show the version'`,
    ...lines,
  ];
}

function fishFlag({ long, short, summary, takesValue, choices }: Flag): string {
  const name = `-l ${long.slice(2)}${short === null ? "" : ` -s ${short.slice(1)}`}`;
  const value = takesValue
    ? ` -r${choices.length > 0 ? ` -f -a ${quoted(choices.join(" "))}` : ""}`
    : "";
  return `${name}${value} -d ${quoted(summary)}`;
}
