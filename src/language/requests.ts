/**
 * Tells what a typed text does: asks, corrects, tells of a change, or requests behind a statement ("we renamed the
 * repo, can you fix the names?"). Pure.
 */
import { foldText } from "./hard-words.ts";
import { aloneOr, cue, either, letters, listsOf } from "./lists.ts";
import { sentencesOf } from "./sentences.ts";
import changeText from "./lists/changes.txt" with { type: "text" };
import correctionText from "./lists/corrections.txt" with { type: "text" };
import questionText from "./lists/questions.txt" with { type: "text" };

/** Heads of polite requests, as the grammar of orders knows them before an order to remember. */
const heads = [
  "(?:can|could|would|will) you",
  "(?:kannst|könntest|würdest) du",
  "(?:peux|pourrais)-tu",
  "(?:pouvez|pourriez)-vous",
  "(?:puedes|podrías)",
  String.raw`(?:você |voce )?(?:pode|poderia|consegue)(?= \p{L}+r(?!\p{L}))`,
  "(?:можешь|можете|мог бы|могли бы)",
];
const request = new RegExp(
  String.raw`(?<=[\p{L}\p{N})\]"'${"`"}”’][,;:]? +)(?:${heads.join("|")})(?= )|` +
    "(?<=[，,])你?(?:能不能|可不可以|能|可以)",
  "giu",
);

/** Words of a statement that stands alone. */
const wordsMin = 3;

/** The statement before the request and the request; null where the sentence is nothing but a question. */
export function requestIn(
  sentence: string,
): { readonly statement: string; readonly request: string } | null {
  for (const { index } of sentence.matchAll(request)) {
    const statement = sentence.slice(0, index).trim();
    const isLong = /\p{Script=Han}/u.test(statement)
      ? statement.length >= wordsMin * 2
      : statement.split(/\s+/u).length >= wordsMin;
    if (isLong && !isQuestion(statement))
      return { statement, request: sentence.slice(index).trim() };
  }
  return null;
}

// Tells by mark and grammar what a typed text does: asks, names the memory, corrects, or tells of a change. Pure.

const asked = listsOf(questionText, "head", "head, any place", "memory", "memory, any place");

/** At the beginning of a sentence, behind a word or two of address ("and", "ok so"). */
const head = new RegExp(
  String.raw`^(?:\p{L}+[,:]? ){0,2}(?:${either(asked.head)})(?![\p{L}\p{N}])|${either(asked["head, any place"])}`,
  "iu",
);

/** True where a sentence ends with a question mark, or begins as a question does. */
export const isQuestion = (typed: string): boolean =>
  sentencesOf(typed).some((one) => one.isQuestion || head.test(one.text));

const memory = new RegExp(aloneOr(letters, asked.memory, asked["memory, any place"]), "iu");

/** True where the memory is named: "use project memory", "do you remember". */
export const namesMemory = (typed: string): boolean => memory.test(typed);

/** What a text that names the memory is about: its other words. */
export const withoutMemory = (typed: string): string => typed.replace(everyMemory, " ");
const everyMemory = new RegExp(memory.source, "giu");

const corrections = listsOf(correctionText, "no", "correcting", "correcting, any place");

/** The beginning of a sentence, or a reproach. */
const correcting = new RegExp(
  either([
    String.raw`(?:^|[.!?\n]\s*)(?:${either(corrections.no)})(?=[\s,.!:;—-]|$)`,
    aloneOr(letters, corrections.correcting, corrections["correcting, any place"]),
  ]),
  "iu",
);

/** True for words that take the agent back; those of a rule are none. */
export const isCorrection = (typed: string): boolean => correcting.test(foldText(typed));

const changes = listsOf(changeText, "change", "change, any place");
const changed = cue(changes.change, changes["change, any place"]);

/** True for words such as "is now", "moved to", "statt", "不再": the subject is looked up, so they decide nothing. */
export const tellsChange = (text: string): boolean => changed.test(text.normalize("NFKC"));

/** Points at something said elsewhere, so that it cannot stand alone. */
export const startsWithPronoun = (text: string): boolean =>
  /^(?:it|its|this|that|they|these|those|there|he|she|both|the (?:same|former|latter))\b/i.test(
    text,
  );
