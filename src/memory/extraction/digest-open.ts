/** Finds what a session leaves open, by facts: a command that fails, and a request that was interrupted. Pure. */
import type { ToolUse, Turn } from "#domain";
import { cutAtWord, oneLine } from "#kit";
import { digestWords } from "#language";
import { isErrandTitle, titleFor, typedIn } from "./digest-title.ts";
import { isCommand } from "./tool-work.ts";

/** Beginning of an open end that is a command. */
export const failingWord = "Still failing";
const commandCharsMax = 60;
const reasonCharsMax = 80;

/**
 * Returns the open ends of the last turn that worked or was cut short; `earlier` are those that were open before these
 * turns. A turn of words alone neither finishes nor opens anything.
 */
export function openEndsOf(
  turns: readonly Turn[],
  toolUses: readonly ToolUse[],
  earlier: readonly string[] = [],
): readonly string[] {
  const worked = new Set(toolUses.map(({ turn }) => turn));
  const at = turns.findLastIndex((turn) => isCut(turn) || worked.has(turn.n));
  const last = turns[at];
  if (last === undefined) return earlier;
  return [...failingIn(last, toolUses), ...unfinished(last, turns[at - 1]?.answer ?? null)];
}

/** True for a turn that has no end. */
export const isCut = ({ answer, status }: Pick<Turn, "answer" | "status">): boolean =>
  status === "interrupted" || answer === null;

/** An order that was not finished. */
function unfinished(turn: Turn, answerBefore: string | null): readonly string[] {
  const title = isCut(turn) ? titleFor(typedIn(turn, answerBefore)) : "";
  return isErrandTitle(title) ? [] : [plainly(`${digestWords.unfinished}: ${title}`)];
}

/** Looking and finding nothing is no failure. */
const looksOnly =
  /^\s*(?:cd \S+\s*(?:&&|;)\s*)?(?:git (?:grep|diff|show|log|status)|grep|egrep|rg|ag|ls|cat|head|tail|find|fd|test|which|sed -n|kill|pkill|timeout|sleep)\b/u;

/** The last command of a turn, if it failed. */
function failingIn({ n }: Turn, toolUses: readonly ToolUse[]): readonly string[] {
  const last = toolUses.findLast((use) => use.turn === n && isCommand(use));
  if (last === undefined || last.outcome !== "error") return [];
  const command = last.target ?? last.tool;
  if (looksOnly.test(command)) return [];
  const reason = last.text?.split("\n").find((line) => /\p{L}/u.test(line)) ?? "";
  const why = reason === "" ? "" : ` (${cutAtWord(oneLine(reason), reasonCharsMax)})`;
  const name = cutAtWord(oneLine(command), commandCharsMax);
  return [plainly(`${failingWord}: ${name}${why}`)];
}

/** Items are joined by semicolons, so none may hold one. */
const plainly = (item: string): string => item.replace(/;(?=\s)/gu, ",");
