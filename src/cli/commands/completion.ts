/** `completion`: what a shell needs to complete this program's words. */
import { completionFor, shells } from "../completion.ts";
import type { CommandSpec } from "../spec.ts";

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
    return 0;
  },
});
