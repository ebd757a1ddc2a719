/**
 * Rates how a prompt sounds: like one that earlier sessions could answer, or like an order and a question about the world.
 * Learnt from prompts that were labelled by their wording (lab/train/wording.ts; models/learnt/wording.json). Pure.
 */
import { unspacedLetters } from "#kit";
import { isQuestion, namesMemory, readWords, withoutMemory } from "#language";
import file from "../../../models/learnt/wording.json" with { type: "json" };
import { classifierOf, traitsOf } from "../exchange/traits.ts";

const classifier = classifierOf(file);
const charsMax = 400;
const most = 3;

/** The logarithm of its odds, at most 3 either way; a prompt that names the memory leaves no doubt. */
export function wordingOf(text: string): number {
  if (namesMemory(text)) return most;
  const place = { by: "user", index: 0, count: 1, answersQuestion: false } as const;
  const likelihood = classifier(traitsOf(text.slice(0, charsMax), place));
  return Math.max(-most, Math.min(most, Math.log(likelihood / (1 - likelihood))));
}

/** Letters of a script without spaces in which a verb and its object fit: "テストを実行して". */
const terseLettersMax = 8;

/** One word, or none that says anything: "yes", "commit it", "👍", "what do you remember about me?". */
export function isTerse(typed: string): boolean {
  const { content, plain } = readWords(typed);
  const isShort = plain.length <= 2 && unspacedLetters(typed) <= terseLettersMax;
  const isOne = content.length === 1 && isShort && !isQuestion(typed);
  return isOne || readWords(withoutMemory(typed)).content.length === 0;
}
