/**
 * Reads a clause as a row of signs, one for what each word does in "do not remember this". The words are in
 * lists/off-record.txt; misspelt verbs and verbs with a pronoun attached are read as what they stand for. Pure.
 */
import { assert, stripInvisible } from "#kit";
import text from "./lists/off-record.txt" with { type: "text" };
import { allListsOf } from "./lists.ts";

/** The signs of the words of each list; any other word is an `x`. */
const signsOfLists: Readonly<Record<string, string>> = {
  filler: "",
  "of others": "x",
  // Denials.
  not: "n",
  late: "l",
  wish: "w",
  "may not": "N",
  none: "o",
  "late and nowhere": "lW",
  "none and nowhere": "oW",
  "no memory": "oM",
  "none of this": "oP",
  "not this": "Z",
  // Verbs and nouns of keeping.
  remember: "A",
  "remember this": "AP",
  note: "E",
  store: "B",
  put: "C",
  down: "r",
  memory: "M",
  // Objects of keeping.
  this: "P",
  "article or this": "L",
  words: "S",
  thing: "T",
  that: "h",
  what: "Q",
  said: "e",
  told: "p",
  // Persons, times and places.
  i: "s",
  you: "u",
  they: "t",
  nowhere: "W",
  later: "y",
  afterwards: "a",
  in: "i",
  "out of": "v",
  // Other orders.
  forget: "F",
  erase: "R",
  pretend: "D",
  stay: "j",
  "between us": "U",
  "off the record": "O",
  // Words between.
  ask: "q",
  if: "c",
  "if not": "cn",
  is: "z",
  and: "k",
  the: "d",
  "about me": "H",
  my: "m",
  glue: "g",
};

/** Lower case without accents. */
const folded = (said: string): string =>
  said
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F]/gu, "")
    .normalize("NFC");

function readLexicon(): ReadonlyMap<string, string> {
  const signs = new Map<string, string>();
  for (const [name, lines] of allListsOf(folded(text).replaceAll("'", ""))) {
    const sign = signsOfLists[name];
    assert(sign !== undefined, `the list "${name}" has a sign`);
    for (const word of lines.flatMap((line) => line.split(" ")))
      if (!signs.has(word)) signs.set(word, sign);
  }
  return signs;
}
/** Read for the first prompt: a hook of another kind has none. */
let lexicon: ReadonlyMap<string, string> | null = null;

/** Signs by word; `_` joins the words of a phrase. */
const signsByWord = (): ReadonlyMap<string, string> => (lexicon ??= readLexicon());

// Misspelt verbs: found by what is left of two words without a letter.

const isOfKeeping = /[AEBM]/;
const isSpaced = /^[\p{sc=Latin}\p{sc=Cyrillic}]{5,}$/u;
/** Letters of a word that may hold two slips. */
const longWordMin = 9;

const withoutLetter = (word: string): readonly string[] => [
  word,
  ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)),
];

function indexVerbs(): ReadonlyMap<string, string> {
  const verbs = new Map<string, string>();
  for (const [word, sign] of signsByWord()) {
    if (!isOfKeeping.test(sign) || !isSpaced.test(word)) continue;
    const rests = withoutLetter(word);
    for (const rest of word.length < longWordMin ? rests : rests.flatMap(withoutLetter))
      if (!verbs.has(rest)) verbs.set(rest, word);
  }
  return verbs;
}
/** Built for the first unknown word. */
let verbsByRest: ReadonlyMap<string, string> | null = null;

/** True for words that begin alike and differ by one letter, by two that are swapped, or, if they are long, by two. */
function isSlip(typed: string, word: string): boolean {
  if (typed[0] !== word[0] || word.length >= longWordMin) return typed[0] === word[0];
  let head = 0;
  while (head < word.length && typed[head] === word[head]) head += 1;
  let tail = 0;
  const tailMax = Math.min(word.length, typed.length) - head;
  while (tail < tailMax && typed.at(-1 - tail) === word.at(-1 - tail)) tail += 1;
  const one = typed.slice(head, typed.length - tail);
  const other = word.slice(head, word.length - tail);
  return one.length + other.length <= 2 || (one.length === 2 && one === `${other[1]}${other[0]}`);
}

/** The sign of the verb that a misspelt word means. */
function meantBy(word: string): string | undefined {
  if (!isSpaced.test(word)) return undefined;
  const index = (verbsByRest ??= indexVerbs());
  const verbs = withoutLetter(word).map((rest) => index.get(rest) ?? "");
  return signsByWord().get(verbs.find((verb) => isSlip(word, verb)) ?? "");
}

/** Pronouns at the end of a Romance verb: "guardarlo", "ricordartelo", "acordarte". */
const attached = /^(?<verb>\p{L}{3,}?)(?:(?:[mtscv][ei])?(?<object>l[oaie]s?|ne)|[mtscv][ei])$/u;
const takesPronoun = /^[AEBCF]$/;

const signsOfWord = (word: string): string => signsAsSpelt(word) ?? meantBy(word) ?? "x";

const signsAsSpelt = (word: string): string | undefined =>
  signsByWord().get(word) ?? withPronoun(word) ?? (isAdverb.test(word) ? "g" : undefined);
const isAdverb = /(?:ly|mente|ement)$/u;

function withPronoun(word: string): string | undefined {
  const { verb = "", object } = attached.exec(word)?.groups ?? {};
  const sign = ["", "e", "r"]
    .map((ending) => signsByWord().get(verb + ending) ?? "")
    .find((one) => takesPronoun.test(one));
  return sign === undefined || object === undefined ? sign : `${sign}P`;
}

const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]`;
const isUnspaced = new RegExp(unspaced, "u");
/** An elided word, a run of a script without blanks, or a word. */
const wordPattern = new RegExp(
  String.raw`(?:qu|jusqu|lorsqu|[nldtmsjc])'(?=\p{L})|${unspaced}+|(?:(?!${unspaced})[\p{L}\p{M}\p{N}])+` +
    String.raw`(?:'(?!(?:d|ll|ve|m|re)(?!\p{L}))\p{L}+)?`,
  "gu",
);

const phraseWordsMax = 6;
const unspacedCharsMax = 14;

const wordsIn = (said: string): readonly string[] =>
  Array.from(folded(said).matchAll(wordPattern), ([word]) =>
    word === "n'" ? "ne" : word.replaceAll("'", ""),
  );

/** Returns the signs of a clause's words in their order, without fillers and doubled words. */
export function signsOf(clause: string, read = signsOfWord): string {
  const words = wordsIn(clause);
  let row = "";
  let last = "";
  for (let at = 0; at < words.length;) {
    const count = longestAt(words, at, phraseWordsMax, "_");
    const said = words.slice(at, at + count).join("_");
    at += count;
    if (said === last) continue;
    const signs = isUnspaced.test(said) ? signsOfRun(said) : read(said);
    if (signs !== "") last = said;
    row += signs;
  }
  return row;
}

function signsOfRun(run: string): string {
  const chars = Array.from(run);
  let row = "";
  for (let at = 0; at < chars.length;) {
    const count = longestAt(chars, at, unspacedCharsMax, "");
    const sign = signsByWord().get(chars.slice(at, at + count).join("")) ?? "x";
    if (sign !== "x" || !row.endsWith("x")) row += sign;
    at += count;
  }
  return row;
}

/** Counts the words or characters of the longest entry of the lists that begins at one; 1 where there is none. */
function longestAt(parts: readonly string[], at: number, max: number, mark: string): number {
  let count = Math.min(max, parts.length - at);
  while (count > 1 && !signsByWord().has(parts.slice(at, at + count).join(mark))) count -= 1;
  return count;
}

// A quick look: most prompts hold no denial beside a word of memory, and need no reader of orders.

/** Characters of a longer line are looked at in two parts, whose edges cut words. */
export const lineCharsMax = 2_000;

/** False only for a prompt in whose lines `forbidsMemory` finds nothing, whichever of them its user typed. */
export function mayForbidMemory(prompt: string): boolean {
  if (prompt.length > lineCharsMax || isUnspaced.test(prompt)) return true;
  const said = stripInvisible(prompt).replaceAll("’", "'");
  const parts = [said, ...said.split(/[^\p{L}\p{M}\p{N}' ]+/u)];
  const row = parts.map((part) => signsOf(part, (word) => signsAsSpelt(word) ?? "x")).join(" ");
  if (/[DFORUZ]|v.*M|M.*v/.test(row)) return true;
  if (!/[nlwoN]/.test(row)) return false;
  return (
    /[ABEM]|C.*[Wr]|[Wr].*C/.test(row) || wordsIn(said).some((word) => meantBy(word) !== undefined)
  );
}

// A longer look: what an agent takes for such an order, in words that the grammar does not know.

/** Forgetting, secrecy and denied keeping. "Don't forget the tests" is none of them. */
const ofOrder = new RegExp(
  [
    /[DOUZ]|(?<![nlwoN][gu]*)F|R.*[MQPe]|[MQPe].*R|v.*M|M.*v/,
    /[nlwoN].*(?:[AEM]|C.*[Wr])|[AEM].*[nlwoN]/,
    // A verb of files needs what points at the talk: "don't store passwords in the repo" is of the work.
    /[nlwoN].*B(?:.*[PQSWe]|$)|[PQSW].*(?:[nlwoN].*B|B.*[nlwoN])/,
    /B(?:.*[PQSW].*[nlwoN]|[gu]*L[gu]*[nlo]|[nlwoN].*[PQSWe])/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** Any denial, and any word of keeping or forgetting. */
const ofSome = /[ABDEFMNORUWlnow]/;

/** Signs in a row are looked at three at a time: beginning and end of a long sentence. */
const endsOf = (sentence: string): readonly string[] =>
  sentence.length <= lineCharsMax / 2
    ? [sentence]
    : [sentence.slice(0, lineCharsMax / 2), sentence.slice(-lineCharsMax / 2)];

/**
 * Tells how near a typed text comes to an order not to keep something: it has the words of one, some of them, or none.
 * None says little of a language that the lists do not know.
 */
export function signsOfOffRecord(typed: string): "order" | "some" | "none" {
  const rows = typed
    .replaceAll("’", "'")
    .split(/[.!?。！？\n]/u)
    .flatMap((sentence) => endsOf(sentence).map((part) => signsOf(part)));
  if (rows.some((row) => ofOrder.test(row))) return "order";
  return rows.some((row) => ofSome.test(row)) ? "some" : "none";
}
