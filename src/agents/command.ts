/** The command line of a hook as each agent's shell runs it, and how to recognise ours. Pure. */
import type { HookedAgent } from "./spec.ts";

/** A word for `sh`; a plain path stays as it is, so that the line is the same on every machine where it lies there. */
const quoted = (word: string): string =>
  /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Gemini CLI blocks every prompt when a hook ends with more than 1, also when the program is gone: so the line looks
 * for the program first, and always ends with 0.
 */
export function hookCommand(agent: HookedAgent, binary: string, event: string): string {
  const program = quoted(binary);
  const line = `${program} hook --agent ${agent} ${event}`;
  return agent === "gemini" ? `test -x ${program} || exit 0; ${line}; exit 0` : line;
}

/** Whatever runs a program named continuity as that agent's hook, wherever it lies. */
export const isOurCommand = (agent: HookedAgent, command: unknown): boolean =>
  typeof command === "string" &&
  new RegExp(`(?:^|[\\s/\\\\'"])continuity(?:\\.exe)?['"]? hook --agent ${agent}\\b`, "i").test(
    command,
  );
