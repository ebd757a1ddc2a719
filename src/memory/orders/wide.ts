/** Tells prompts that may order what holds everywhere: nothing in them may be another's text. Pure. */
import { cites, readPrompt } from "#language";
import { oneLine } from "#kit";
import { isRememberCommand, type TurnContext } from "../extraction/significance.ts";

/**
 * True where the order stands in the prompt's first line, so that no line announces it as a text; and where the rest
 * holds no paste, cites nobody and asks about nothing below that line.
 */
export function isAllOwn({ prompt, previousAnswer }: TurnContext, order: string): boolean {
  if (prompt === null || isRememberCommand(prompt)) return true;
  const [first = "", ...below] = prompt.trim().split("\n").map(oneLine);
  const quote = oneLine(order);
  if (!first.includes(quote) && !quote.startsWith(first)) return false;
  const { pastedChars, quoted } = readPrompt(prompt, previousAnswer);
  const isTyped = pastedChars === 0 && quoted === "";
  return isTyped && !below.some(asks) && ![first.replace(quote, " "), ...below].some(cites);
}

const asks = (line: string): boolean => /[?？]["')]*$/u.test(line);
