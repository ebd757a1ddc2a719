/**
 * Words for one purpose: telling whether a line says what a text says. Folds case, look-alike letters and endings;
 * knows which words carry nothing and which carry a rule. Pure.
 */
import { aloneOr, either, letters, listsIn, phrasesOf } from "./lists.ts";
import glueWords from "./lists/glue-words.txt" with { type: "text" };
import text from "./lists/force.txt" with { type: "text" };

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
const foldLookAlikes = (text: string): string =>
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

// The force of a sentence: does it lay down a rule, does it give an order, does it deny? A memory may not be firmer
// than what was said, nor say the opposite of it; and what was not said in the conversation may not be a rule at all.
// Word lists in several languages, since text that gives orders chooses its language. Pure.

const { any, list, places } = listsIn(text);
/** Phrases of a list between word boundaries of ASCII, or of its list for any place. For lower-case text. */
const bounded = (name: string): RegExp =>
  new RegExp(either([String.raw`\b(?:${any(name)})\b`, ...places(name)]), "u");

/** A standing rule. */
const standing = bounded("standing");

/** An order that is to hold, where its occasion does not tell. */
const holding = bounded("holds");

/** A duty: a rule in a memory, ordinary talk in a summary. */
const duty = bounded("duty");

/** "it never worked", "the cache always misses": tells what happens. */
const descriptive = new RegExp(
  String.raw`\b(?:always|never) (?:(?!${any("tells a wish")})\w{3,}(?<!s)s|` +
    String.raw`\w{2,}ed|${any("tells the past")})\b`,
  "gu",
);

/** An order at the start of a sentence or after "please", "must", "to": to the reader, or to their memory. */
const imperative = new RegExp(
  String.raw`(?:^|[.!?:;,>"'([-]\s*|\b(?:please|must|always|and|to|should|pls|now)\s+)` +
    String.raw`(?:${any("to memory")})\b(?=:|\s+(?:${any("to memory, object")}))`,
  "u",
);

const people =
  String.raw`\b(?:${any("people")})s? ` +
  "(?:always |never |explicitly |also |already |has |have |had )*";

/** A leave or a liking that its user is said to have. */
const claim = new RegExp(String.raw`${people}(?:${any("leave")})\w*`, "u");
/** A sentence that reports its user's wish: in a memory a wish that lasts, in a summary what a turn was about. */
const demand = new RegExp(String.raw`${people}(?:${any("asked")})\w*`, "u");

/**
 * Verbs of work at the start of a sentence: nothing else tells an order from a heading. Those of the harm that an agent
 * can do, and of what developers ask for.
 */
const opening = new RegExp(
  String.raw`(?:^|[.;:!?]\s+|,\s*(?:and|then)\s+)(?:(?:${any("before an order")})\s+)*` +
    String.raw`(?:${any("work")})\b`,
  "u",
);

/** Speaks to the reader, or of what a model may do. */
const address = bounded("address");

/** Commands that do harm wherever they are obeyed. */
const harmful = either([
  String.raw`\b(?:curl|wget|iwr)\b.{0,200}\|\s*(?:sudo )?(?:ba|z|da)?sh\b`,
  String.raw`\brm -rf (?:/|~|\$home|\*|\.)(?:$|[\s;&|])`,
  "--dangerously",
  String.raw`\bchmod 777\b`,
  String.raw`\bbase64 (?:-d|--decode)\b`,
]);
const harm = new RegExp(harmful, "u");

/** The same, and those that do harm in the wrong place. */
const dangerous = new RegExp(
  either([
    harmful,
    String.raw`\brm -rf\b`,
    String.raw`--no-verify\b`,
    String.raw`\bcurl (?:-\w+ )*https?:`,
  ]),
  "u",
);

/** Words of denial. "no, it's 5433" corrects and denies nothing; `doesnt` denies as `doesn't` does. */
const denial = new RegExp(
  aloneOr(letters, list("denial"), [
    String.raw`(?<!\p{L})no(?!\p{L})(?!\s*[,.:;—-]|$)`,
    ...places("denial"),
  ]),
  "u",
);

/** Words that keep a denial in another wording. */
const denialKept = bounded("denial kept");

/** A wish or a plan: with one of these, what was said may be told as a rule. */
const wish = bounded("wish");

const folded = (text: string): string => foldLookAlikes(foldText(text)).replace(/\s+/gu, " ");

const isAddress = (plain: string): boolean =>
  imperative.test(plain) || address.test(plain) || dangerous.test(plain);

/** Gives an order, or makes a rule that is to last. For running text, where a "must" is only a plan. */
export const isOrder = (text: string): boolean => {
  const plain = folded(text);
  return standing.test(plain.replace(descriptive, " ")) || isAddress(plain) || claim.test(plain);
};

/** Holds a command that does harm wherever it is obeyed. */
export const isHarmful = (text: string): boolean => harm.test(folded(text));

/** Says that the user has allowed or wished something. */
export const claimsLeave = (text: string): boolean => {
  const plain = folded(text);
  return claim.test(plain) || demand.test(plain);
};

/** Says that its order is to hold: "never", "from now", "no exception", wherever they stand in it. */
export const saysItHolds = (text: string): boolean => {
  const plain = folded(text);
  return standing.test(plain.replace(descriptive, " ")) || holding.test(plain);
};

/** A rule, a duty, a wish or an order. For memories, which outlive their occasion. */
export const isRule = (text: string): boolean => {
  const plain = folded(text);
  return isOrder(text) || duty.test(plain) || demand.test(plain);
};

/** A rule or an order, also one that only begins with its verb. For what was said elsewhere and is told here. */
export const isCommand = (text: string): boolean => isRule(text) || opening.test(folded(text));

/** True when a line lays down no more than its message does: no rule, order or dangerous command of its own. */
export const isNoFirmerThan = (line: string, message: string): boolean =>
  isNoFirmer(folded(line), folded(message));

/** Says that something is not, or is not to be. */
export const denies = (text: string): boolean => denial.test(folded(text));

/** True when what was said denies something and the line does not. */
export const losesDenial = (line: string, clause: string): boolean =>
  denial.test(folded(clause)) && !denial.test(folded(line)) && !denialKept.test(folded(line));

function isNoFirmer(plain: string, message: string): boolean {
  if (dangerous.test(plain) && !dangerous.test(message)) return false;
  const isFirm = (text: string): boolean =>
    standing.test(text) || duty.test(text) || isAddress(text);
  return !isFirm(plain) || wish.test(message) || denial.test(message) || isFirm(message);
}
