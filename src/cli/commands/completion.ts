/** `completion` and `complete`: what a shell needs to complete this program's words, and what it then asks. */
import type { CommandSpec, OptionSpec } from "../spec.ts";

export const completionCommand: CommandSpec = {
  name: "completion",
  group: "more",
  summary: "Print completion for a shell",
  arguments: [{ name: "<shell>", summary: "bash, zsh, fish", choices: ["bash", "zsh", "fish"] }],
  examples: [
    "continuity completion bash > ~/.local/share/bash-completion/completions/continuity",
    'continuity completion zsh > "${fpath[1]}/_continuity"',
    "continuity completion fish > ~/.config/fish/completions/continuity.fish",
  ],
  run: async (context, { args: [asked] }) => {
    const shell = shells.find((name) => name === asked) ?? "bash";
    context.print(`${scripts[shell].join("\n")}\n`);
  },
};

/** Each script asks this program, so that a shell offers what the parser of this version takes; else files. */
const scripts = {
  bash: [
    "_continuity() {",
    "  local IFS=$'\\n'",
    '  COMPREPLY=( $(continuity complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1) )',
    "}",
    "complete -o default -F _continuity continuity",
  ],
  zsh: [
    "#compdef continuity",
    "_continuity() {",
    "  local -a found",
    '  found=( ${(f)"$(continuity complete "${(@)words[2,CURRENT]}" 2>/dev/null)"} )',
    "  found=( ${found/$'\\t'/:} )",
    "  if (( $#found )); then _describe continuity found; else _files; fi",
    "}",
    'if [ "$funcstack[1]" = _continuity ]; then _continuity "$@"; else compdef _continuity continuity; fi',
  ],
  fish: [
    "complete -c continuity -a '(continuity complete (commandline -opc)[2..-1] (commandline -ct))'",
  ],
} as const;

const shells = Object.keys(scripts) as readonly (keyof typeof scripts)[];

/** `commands`: the whole table, asked when it is there. */
export const completeCommand = (commands: () => readonly CommandSpec[]): CommandSpec => ({
  name: "complete",
  group: "hidden",
  summary: "Print what may stand in the place of the last word; shells ask for it",
  arguments: [
    { name: "[words...]", summary: "the words of a command line, the last perhaps empty" },
  ],
  examples: ["continuity complete install --dr"],
  raw: true,
  run: async (context, { args }) => {
    for (const { word, summary } of offers(commands(), args))
      context.print(`${word}\t${summary}\n`);
  },
});

interface Offer {
  readonly word: string;
  readonly summary: string;
}

const help: OptionSpec = { flags: "-h, --help", summary: "show help" };
const json: OptionSpec = { flags: "--json", summary: "for programs" };
const helpCommand: Offer = { word: "help", summary: "show help for a command" };

const wordsOf = (words: readonly string[], summary: string): readonly Offer[] =>
  words.map((word) => ({ word, summary }));

const flagOf = ({ flags }: OptionSpec): string => /--[\w-]+/.exec(flags)?.[0] ?? "";

/** Lists what may stand in the place of the last word, behind the others. Pure. */
function offers(commands: readonly CommandSpec[], words: readonly string[]): readonly Offer[] {
  const last = words.at(-1) ?? "";
  return allOffers(commands, words).filter(({ word }) => word.startsWith(last));
}

function allOffers(commands: readonly CommandSpec[], words: readonly string[]): readonly Offer[] {
  const names = commands.map(({ name, summary }) => ({ word: name, summary }));
  if (words.length < 2)
    return [...names, helpCommand, ...wordsOf(["--help", "--version"], "of the program")];
  if (words[0] === "help") return words.length === 2 ? names : [];
  const spec = commands.find(({ name }) => name === words[0]);
  return spec === undefined ? [] : offersOf(spec, words);
}

/** Values of an option, options, or values of the first argument. */
function offersOf(spec: CommandSpec, words: readonly string[]): readonly Offer[] {
  const options = [...(spec.options ?? []), ...(spec.json === undefined ? [] : [json]), help];
  const before = options.find((option) => flagOf(option) === words.at(-2));
  if (before !== undefined && /[<[]/.test(before.flags))
    return wordsOf(before.choices ?? [], before.summary);
  if (words.at(-1)?.startsWith("-") === true)
    return options.map((option) => ({ word: flagOf(option), summary: option.summary }));
  const [first] = spec.arguments ?? [];
  return words.length === 2 && first !== undefined
    ? wordsOf(first.choices ?? [], first.summary)
    : [];
}
