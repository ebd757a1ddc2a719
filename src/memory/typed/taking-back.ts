/**
 * Decides whether an agent may take the running turn off the record because its user said so, in whatever words and
 * language. The words must be typed in this turn; and since a text that the agent reads may tell it to hide a turn,
 * they must not plainly say something else. Pure.
 */
import { asksForWork, isCommand, isQuestion, readPrompt, signsOfOffRecord } from "#language";
import { withoutQuoted } from "./words.ts";
import { typedFault } from "./sentences.ts";

interface TakingBack {
  /** Words that the agent takes for the order. */
  readonly quote: string;
  /** Prompt of the turn, and each message that was typed later, gated. */
  readonly typed: readonly string[];
  readonly answerBefore: string | null;
  /** The agent has read texts of others in this turn: one of them may have told it to ask for this. */
  readonly hasReadOthers: boolean;
}

/** Returns why the turn stays on the record; null = the agent may take it off. */
export function takingBackFault(asked: TakingBack): string | null {
  const { quote, typed, answerBefore } = asked;
  const faults = typed.map((prompt) =>
    typedFault(quote, { prompt, answerBefore, isCautious: true }),
  );
  if (!faults.includes(null)) return faults[0] ?? null;
  const own = withoutQuoted(asked.quote);
  const signs = signsOfOffRecord(own);
  const hasReadOthers = asked.hasReadOthers || typed.some(bringsOthers);
  if (hasReadOthers && signs !== "order") return readBefore;
  const isErrand = asksForWork(own) || isQuestion(own) || isCommand(own);
  return signs === "none" && isErrand ? "the quote asks for something else" : null;
}

/** True for a prompt with a paste, or with `@path`, in whose place the client gives the agent a file. */
const bringsOthers = (prompt: string): boolean =>
  readPrompt(prompt, null).pastedChars > 0 || /(?:^|\s)@["\w./~-]/u.test(prompt);

const readBefore =
  "it was asked for after other texts were read in this turn, and the quote does not name keeping, noting or " +
  "remembering";
