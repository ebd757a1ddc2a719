/** Reads what was surely typed in a turn. Pure. */
import { readPrompt, surelyTyped } from "#language";

export interface TypedInTurn {
  /** Prompt of the turn, with all that was typed later at its end. */
  readonly prompt: string | null;
  /** Texts typed later: while the agent worked, or to refuse a call. */
  readonly later?: readonly string[];
  readonly answerBefore: string | null;
  /** Lines in doubt count as typed: an order not to remember is not to be lost. */
  readonly isCautious?: boolean;
}

/** `withLater` gives a prompt with what was typed later. */
export const withLater = (prompt: string, later: readonly string[]): string =>
  [prompt, ...later].join(between);
const between = "\n\n";

/** The lines whose place leaves no doubt, each text by itself: what was typed later was not pasted into the prompt. */
export function sureWords({ prompt, later = [], answerBefore, isCautious }: TypedInTurn): string {
  if (prompt === null) return "";
  const first = prompt.slice(0, prompt.length - withLater("", later).length);
  return [first, ...later]
    .map((text) => {
      const read = readPrompt(text, answerBefore);
      return isCautious === true ? read.typed : surelyTyped(text, read);
    })
    .join(between);
}
