/**
 * Deals the tasks to players: in a Latin square each does every task once, and each task is done once in every condition.
 * A player's folders have numbers; which condition a number is stands in a key that players don't see.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "#kit";
import { writeFiles, type Task } from "./task.ts";

/** `auto`: the client's own notes. `local`: the product without a model. `other`: its text about the developer's other project. */
export const conditions = ["none", "auto", "continuity", "notes"] as const;
export const harmConditions = ["placebo", "other", "local"] as const;
export type Condition = (typeof conditions)[number] | (typeof harmConditions)[number];

export interface Dealt {
  readonly player: string;
  readonly folder: string;
  readonly task: string;
  readonly condition: Condition;
  /** Text that the agent is given. */
  readonly text: string;
}

/** Text of a condition for a task. */
export type TextOf = (task: Task, condition: Condition) => string;

/** In groups, so that each player has every condition equally often in each. */
const inGroups = (tasks: readonly Task[]): readonly Task[] =>
  tasks.toSorted((a, b) => a.group.localeCompare(b.group) || a.name.localeCompare(b.name));

/** The same order in every run, another for each player. */
const shuffled = (tasks: readonly Task[], player: string): readonly Task[] =>
  tasks.toSorted((a, b) =>
    sha256(`${player} ${a.name}`).localeCompare(sha256(`${player} ${b.name}`)),
  );

export function dealt(
  tasks: readonly Task[],
  { letter, among, textOf }: { letter: string; among: readonly Condition[]; textOf: TextOf },
): readonly Dealt[] {
  const order = inGroups(tasks);
  return among.flatMap((_, n) => {
    const player = `${letter}${n + 1}`;
    return shuffled(order, player).map((task, at) => {
      const condition = among[(n + order.indexOf(task)) % among.length] ?? "none";
      const folder = join(player, `${at + 1}`.padStart(2, "0"));
      return { player, folder, task: task.name, condition, text: textOf(task, condition) };
    });
  });
}

/** Nothing tells where a text is from. */
const plain = (text: string): string =>
  text
    .replaceAll(/^<\/?continuity-memory[^>]*>\n?/gmu, "")
    .replaceAll(/`[^`]*continuity find "words"`/gu, '`./memory "words"`')
    .replaceAll(/ and `[^`]*continuity show ID` to print one in full/gu, "")
    .replaceAll(/ \(Continuity\)/gu, "")
    .replaceAll(/\bcontinuity\b/giu, "memory")
    .trim();

export const contextOf = (text: string): string =>
  `# From earlier sessions\n\n${text.trim() === "" ? "(nothing)" : plain(text)}\n`;

/** Writes what a player sees. `memory` is the command line that answers `./memory`, without its words. */
export function writeFolder(
  root: string,
  task: Task,
  { one, memory }: { one: Dealt; memory: string },
): void {
  const folder = join(root, one.folder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "repo"), { recursive: true });
  writeFiles(join(folder, "repo"), task.files);
  writeFileSync(join(folder, "PROMPT.md"), `${task.prompt}\n`);
  writeFileSync(join(folder, "CONTEXT.md"), contextOf(one.text));
  const scripts = {
    memory: `exec ${memory} "$@"`,
    ask: `printf '%s\\n' "$*" >> "$(dirname "$0")/asked.txt"\necho "No answer for now. Do what you think is right, then run ./done."`,
    done: `date > "$(dirname "$0")/done.txt"\necho recorded`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

const commonplaces = [
  "Short functions are easier to read than long ones.",
  "A good name says what a thing is for.",
  "Tests are run before a change is handed over.",
  "A commit message says why a change was made.",
  "Code is read more often than it is written.",
  "An error message should tell what to do next.",
];

/** Commonplaces of the same length. */
export function placeboFor(text: string): string {
  const lines: string[] = [];
  for (let at = 0; lines.join("\n").length < text.length; at += 1)
    lines.push(`- ${commonplaces[at % commonplaces.length]}`);
  return lines.join("\n").slice(0, text.length);
}
