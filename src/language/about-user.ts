/**
 * Tells from its grammar alone that a sentence says who its user is: "I am" with an adjective or an indefinite noun
 * behind it, and nothing else. A place, a role in something, a name of code or what somebody is doing belongs to the
 * work at hand. Pure.
 */
import { foldedWordsOf, isHard } from "./hard-words.ts";
import { stopWords } from "./query-words.ts";

/** Words of an English predicate; function words tell a phrase from it. */
const englishWordsMax = 4;
const english = /^i(?:'m| am)(?: not)? (?:an? )?(.+)$/iu;
/** Finds "I am testing" and "I am blocked"; "left-handed" is no verb. */
const isVerbForm = (word: string): boolean => /^\p{L}+(?:ing|ed)$/iu.test(word);

/** Predicate of the other languages: one word, which no phrase of a place or a time is. */
const oneWord = String.raw`(\p{L}[\p{L}\p{M}-]+)`;
const copulas: readonly RegExp[] = [
  String.raw`ich bin (?:nicht |kein[e]? |eine? )?${oneWord}`,
  String.raw`ich (?:nicht |kein[e]? |eine? )?${oneWord} bin`,
  String.raw`je (?:suis|ne suis pas) (?:une? )?${oneWord}`,
  String.raw`(?:yo )?(?:no )?soy (?:una? )?${oneWord}`,
  String.raw`(?:eu )?(?:não )?sou (?:uma? )?${oneWord}`,
  // Nouns and adjectives: verbs of the first person and of the past have other endings.
  String.raw`я (?:не |— )?(?!\p{L}*(?:[ую]|л[аи]?|с[ья])$)${oneWord}`,
  // Without particles: no attribute, no place.
  String.raw`我(?:不)?是((?:(?![的在这那])\p{Script=Han}){2,8})`,
  String.raw`(?:私|僕|俺)は([\p{Script=Han}\p{Script=Katakana}ー]{2,12})(?:です|だ|である)?`,
].map((pattern) => new RegExp(`^${pattern}$`, "iu"));

/** True for "I am red-green blind"; false for "I am on the staging branch" and "I am the maintainer of the maps". */
export function describesUser(sentence: string): boolean {
  const said = sentence
    .replaceAll("’", "'")
    .replace(/\s*[.!。！]+$/u, "")
    .trim();
  if (foldedWordsOf(said).some(isHard)) return false;
  const predicate = english.exec(said)?.[1];
  return predicate === undefined
    ? copulas.some((copula) => copula.test(said))
    : isPredicate(predicate.split(/\s+/u));
}

const isPredicate = (words: readonly string[]): boolean =>
  words.length <= englishWordsMax &&
  words.every((word) => /^[\p{L}'-]+$/u.test(word) && !stopWords.has(word.toLowerCase())) &&
  !isVerbForm(words[0] ?? "");
