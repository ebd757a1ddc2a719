/** Tells whether a prompt only cites the words of a quote. Pure. */
import { foldText, withoutCitations } from "#language";
import { sureWords, type TypedInTurn } from "./sure-words.ts";

/**
 * True for a quote that stands only where a paste may stand; for `isWide`, what is to hold everywhere, also behind "the
 * page says:" within a line.
 */
export function isOnlyCited(
  quote: string,
  turn: Omit<TypedInTurn, "answerBefore">,
  isWide: boolean,
): boolean {
  const said = letters(quote);
  if (!letters(turn.prompt ?? "").includes(said)) return false;
  const sure = sureWords({ ...turn, answerBefore: null });
  const own = withoutCitations(sure).split("\n");
  const lines = sure.split("\n").filter((_, n) => own[n]?.trim() !== "");
  return !letters((isWide ? own : lines).join("\n")).includes(said);
}

const letters = (text: string): string => foldText(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
