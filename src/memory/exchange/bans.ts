/**
 * Reads what a prompt forbids the agent for good, as forms that a hook can check: of the user's
 * typed sentences. Pure.
 */
import type { GuardForm } from "#domain";
import { cutAtWord, oneLine } from "#kit";
import {
  banIn,
  isCorrection,
  isEverywhere,
  isLastingBan,
  isPlainBan,
  orderIn,
  sentencesOf,
  withoutCitations,
} from "#language";
import type { TurnContext } from "../extraction/significance.ts";
import { surelyTypedIn, unitsOf } from "../orders/units.ts";
import { isAllOwn } from "../orders/wide.ts";

export interface Ban {
  readonly words: string;
  readonly form: GuardForm;
  /** Null = everywhere. */
  readonly project: string | null;
  /** Said as a rule, as a correction or as a plain prohibition; false = said in passing. */
  readonly isMeant: boolean;
}

const bansMax = 5;
const wordsCharsMax = 200;

/** Bans of a prompt, in the order they were said; none of a prompt that a program sent. */
export function bansOf(turn: TurnContext): readonly Ban[] {
  if (turn.isHeadless === true) return [];
  const { units } = unitsOf(turn.prompt, turn.previousAnswer);
  const typed = withoutCitations(surelyTypedIn(units));
  if (typed === "") return [];
  const sentences = sentencesOf(typed).map(({ text, isQuestion }) => ({
    text: oneLine(text),
    isQuestion,
  }));
  return sentences
    .flatMap(({ text, isQuestion }, at): readonly Ban[] => {
      if (isQuestion || /\[redacted:/u.test(text)) return [];
      const said = text.replace(quotation, " ");
      const form = banIn(said);
      if (form === null) return [];
      // "I told you. Never push."
      const isCorrected = [said, sentences[at - 1]?.text ?? ""].some(isCorrection);
      const isMeant =
        isCorrected || orderIn(said) !== null || isLastingBan(said) || isPlainBan(said);
      const project = isEverywhere(said) && isAllOwn(turn, text) ? null : turn.project;
      const words = cutAtWord(text, wordsCharsMax);
      return [{ words, form, project, isMeant }];
    })
    .slice(0, bansMax);
}

/** Words in quotation marks are another's; a code span is what is talked about. */
const quotation = /"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」/gu;
