/**
 * Decides whether an agent's line says what its quote says although the quote denies something and the line does not:
 * "No, we use pnpm, not npm" says that pnpm is used. In doubt it does not, and the quote is shown. Pure.
 */
import { denies, hardSplit, isCommand, isTool } from "#language";
import { hardWords, hasWord, wordsIn } from "./words.ts";

/** Shorter clauses are items of a list: "moment, lodash, jquery". */
const clauseWordsMin = 3;

export function keepsSense(line: string, quote: string): boolean {
  if (denies(line) || !denies(quote)) return true;
  if (isCommand(line)) return false;
  const affirmed: string[] = [];
  for (const sentence of quote.split("\n").flatMap((text) => hardSplit(text))) {
    const said = affirmedIn(sentence, line);
    if (said === null) return false;
    affirmed.push(...said);
  }
  const held = new Set(affirmed.flatMap((clause) => wordsIn(clause)));
  const inQuote = new Set(wordsIn(quote));
  const shared = wordsIn(line).filter((word) => inQuote.has(word));
  return shared.length > 0 && shared.every((word) => held.has(word));
}

/**
 * Clauses of a sentence that are said to hold. A denial may reach over all that follows it, and over what stands before
 * it ("push to main, never again") unless it names what is there in place of: null.
 */
function affirmedIn(sentence: string, line: string): readonly string[] | null {
  const affirmed: string[] = [];
  let isReached = false;
  for (const [at, clause] of clausesOf(sentence).entries()) {
    if (at === 0 && isAnswer(clause)) continue;
    if (!denies(clause)) {
      if (!isReached && isWhole(clause)) affirmed.push(clause);
      continue;
    }
    const other = deniedIn(clause);
    if (other === null || hasWord(line, other)) return null;
    if (goesOn.test(clause)) continue;
    isReached = true;
    if (isJapanese.test(clause)) affirmed.length = 0;
  }
  return affirmed;
}

/** Marks within numbers, times and names divide nothing. */
const clausesOf = (sentence: string): readonly string[] =>
  sentence
    .split(/[,;:](?=\s|$)|[、，；：—–]|\s-+\s/u)
    .map((clause) => clause.replace(/[.!?…。！？]+["'”’)\]]*$/u, "").trim())
    .filter((clause) => clause !== "");

const isAnswer = (clause: string): boolean =>
  /^(?:no|nope|nah|nein|nee|non|não|нет|不|不是|不对|不對|いいえ|いや|違います)$/iu.test(clause);

const isWhole = (clause: string): boolean =>
  (clause.match(/\S+/gu) ?? []).length >= clauseWordsMin ||
  wordsIn(clause).length >= clauseWordsMin;

/** Japanese goes on after these, "npmではなく、pnpmを使います"; any other denial there is of all that came before. */
const goesOn = /(?:なくて?|ず)$/u;
const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

const name = String.raw`(?<name>[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}._/@-]*)`;
const denials = [
  String.raw`^(?:(?:and|und|et|y|e|и|а)\s+)?(?<no>\S+)\s+${name}(?:\s+\S+)?$`,
  String.raw`^而?(?<no>[不没沒别別勿])\p{Script=Han}{0,2}\s*${name}\p{Script=Han}{0,2}$`,
  String.raw`^${name}\s*(?:では|じゃ)(?:なくて?|ない(?:です)?|ありません)$`,
  String.raw`^${name}\s*は使(?:わない|いません|わず)$`,
].map((pattern) => new RegExp(pattern, "iu"));

/** The name or number that a clause denies and nothing else: "not npm", "nicht 5432"; null for any other clause. */
function deniedIn(clause: string): string | null {
  const found = denials
    .map((denial) => denial.exec(clause)?.groups)
    .find((one) => one !== undefined);
  const { name: other = "", no } = found ?? {};
  const isDenied = no === undefined || denies(`${no} x`);
  const isNamed = /[^\x00-\x7f]/u.test(clause.replaceAll(/[\p{Script=Latin}]/gu, ""))
    ? other !== ""
    : isTool(other.toLowerCase()) || hardWords(`not ${other}`).length > 0;
  return isDenied && isNamed && !/^ok$/iu.test(other) ? other : null;
}
