/** Finds a polite request behind a statement: "we renamed the repo, can you fix the names?". Pure. */
import { isQuestion } from "./speech-acts.ts";

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
