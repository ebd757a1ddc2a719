/**
 * Words for one purpose: telling whether a line says what a text says. Folds case, look-alike letters and endings;
 * knows which words carry nothing and which carry a rule. Pure.
 */
import { phrasesOf } from "./lists.ts";
import glueWords from "./lists/glue-words.txt" with { type: "text" };

/** Letters of other scripts that pass for Latin ones, as attackers use them. */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from("аеорсухіјѕԁԛԝһαορνιτκε", (letter, n) => [letter, "aeopcyxijsdqwhaopvitke"[n] ?? ""]),
);

/** Lower case, compatibility forms undone, curly quotes and dashes plain. */
export const foldText = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—]/g, "-");

/** Words that mix scripts are read as Latin; words of another script stay themselves. */
export const foldLookAlikes = (text: string): string =>
  text.replace(/[\p{L}\p{N}'_-]+/gu, (word) =>
    /[a-z]/i.test(word) || !/[^аеорсухіјѕԁԛԝһαορνιτκε\p{P}]/u.test(word)
      ? word.replace(/[^\x00-\x7f]/gu, (letter) => lookAlikes[letter] ?? letter)
      : word,
  );

const wordPattern =
  /(?:--?)?[\p{L}\p{M}\p{N}_~/@#$](?:[\p{L}\p{M}\p{N}_./:@#$%+&=?'~*\\-]*[\p{L}\p{M}\p{N}_/*%])?/gu;
const eastAsian = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/u;

/** Words of a text, folded, in order; identifiers, paths and numbers with units are one word each. */
export const foldedWordsOf = (text: string): readonly string[] =>
  (foldLookAlikes(foldText(text)).match(wordPattern) ?? []).flatMap(partsOfWord);

/** East Asian runs have no spaces: their characters are the words. `either/or` and `kebab-case` prose falls apart. */
const partsOfWord = (word: string): readonly string[] => {
  if (eastAsian.test(word)) return Array.from(word).filter((char) => eastAsian.test(char));
  if (isHard(word)) return [word];
  return word.split(/[-/'&+]/).filter((part) => part !== "");
};

/**
 * A word that is right or wrong to the letter: a number, path, address, identifier, flag, command line. Models that
 * reword a sentence have no reason to reword these.
 */
export const isHard = (word: string): boolean =>
  /\d|[.:@_$#=?\\*~]|^-|^\/|\/.*\//.test(word) && !/^'|'s$/.test(word);

/** Words that a memory adds around what was said without saying anything. */
const glue = new Set(phrasesOf(glueWords));

export const isGlue = (word: string): boolean =>
  glue.has(word) || (word.length < 2 && /[a-z]/.test(word));

/** The word without its English ending: `migrations`, `migrated` and `migrate` are one. */
export const stemOf = (word: string): string => {
  if (word.length < 4 || isHard(word)) return word;
  const bare = word.replace(/(?:ations?|ings?|edly|ed|ies|ly|ers?|es|s)$/, "");
  return (bare.length >= 3 ? bare : word).replace(/(?:e|y|i)$/, "").replace(/(.)\1$/, "$1");
};
