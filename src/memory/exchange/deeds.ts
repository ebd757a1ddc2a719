/**
 * Deeds of a turn's tools that are worth finding: commits and the open ends that they closed, choices, recipes, and the
 * command that failed last. They stand in the exchange, which search finds and no text tells as a memory. Pure.
 */
import { editingTools, failureLineOf, neverRan, printedFailureOf, type ToolUse } from "#domain";
import { cutAtWord, oneLine } from "#kit";
import { digestWords } from "#language";
import {
  choicesIn,
  hasPassed,
  isCommand,
  looksOnly,
  programOf,
} from "../extraction/checkpoint-files.ts";
import { commitsIn } from "../extraction/digest-title.ts";
import { closedBy } from "../extraction/open-closed.ts";
import type { TurnContext } from "../extraction/significance.ts";

export function deedsOf({ tools, openEnds = [] }: TurnContext): readonly string[] {
  const commits = commitsIn(tools);
  const closed = commits.length === 0 ? [] : closedBy(openEnds, { turns: [], toolUses: tools });
  const ran = tools.filter(({ outcome, text }) => !(outcome === "error" && neverRan(text)));
  const last = ran.findLast(isCommand);
  return [
    ...commits.map((subject) => `${digestWords.committed}: ${subject}`),
    ...closed.map((item) => `Closed: ${item}`),
    ...choicesIn(tools),
    ...recipesIn(ran),
    ...(last?.outcome === "error" ? [`Failed: ${commandOf(last)}`] : []),
  ];
}

/** The deed that stands for a turn in which hardly a word was said: a commit, else a recipe. */
export const mainDeedOf = (deeds: readonly string[]): string | undefined =>
  deeds.find((line) => line.startsWith(digestWords.committed)) ??
  deeds.find((line) => line.startsWith(recipeWord));

const commandOf = ({ target, tool }: ToolUse): string => oneLine(target ?? tool);

const recipeWord = "Failed, then passed";
const recipesMax = 3;
const commandCharsMax = 200;
/** Edits and commands between the failure and the success. */
const stepsMax = 6;

/** `Failed, then passed: bun test (error: …); between: edited src/cart.ts`, the latest three. */
function recipesIn(tools: readonly ToolUse[]): readonly string[] {
  const nextOf = nextOfProgram(tools);
  const recipes = tools.flatMap((failed, at) => {
    if (!isCommand(failed) || failed.outcome !== "error" || looksOnly.test(failed.target ?? ""))
      return [];
    const next = nextOf.get(at);
    const passed = next === undefined ? undefined : tools[next];
    if (passed === undefined || !hasPassed(passed)) return [];
    const steps = tools.slice(at + 1, next).flatMap(stepOf);
    const changed =
      commandOf(passed) === commandOf(failed)
        ? []
        : [`ran ${cutAtWord(commandOf(passed), commandCharsMax)}`];
    const done = [...new Set([...steps, ...changed])].slice(-stepsMax);
    const why = reasonOf(failed.text ?? "");
    return [
      `${recipeWord}: ${cutAtWord(commandOf(failed), commandCharsMax)}` +
        `${why === null ? "" : ` (${oneLine(why)})`}${done.length === 0 ? "" : `; between: ${done.join(", ")}`}`,
    ];
  });
  return recipes.slice(-recipesMax);
}

/** Index of the next command of the same program, by the index of each command that has one. */
function nextOfProgram(tools: readonly ToolUse[]): ReadonlyMap<number, number> {
  const lastAt = new Map<string, number>();
  const nextOf = new Map<number, number>();
  for (const [at, use] of tools.entries()) {
    if (!isCommand(use)) continue;
    const before = lastAt.get(programOf(use));
    if (before !== undefined) nextOf.set(before, at);
    lastAt.set(programOf(use), at);
  }
  return nextOf;
}

const reasonOf = (text: string): string | null =>
  failureLineOf(text)?.text ?? printedFailureOf(text);

function stepOf(use: ToolUse): readonly string[] {
  if (use.outcome !== "ok") return [];
  if (editingTools.has(use.tool)) return use.files.map((path) => `edited ${path}`);
  const isStep = isCommand(use) && !looksOnly.test(use.target ?? "");
  return isStep ? [`ran ${cutAtWord(commandOf(use), commandCharsMax)}`] : [];
}
