/**
 * Reads and matches the lists of words in `lists/`. A file has one phrase or pattern on a line; `#`
 * begins a comment and `== name` a list, where a file holds several. Pure.
 */
import { assert, memoised } from "#kit";
import baseFormsText from "./lists/base-forms.txt" with { type: "text" };
import commonWords from "./lists/common-words.txt" with { type: "text" };
import longFormsText from "./lists/long-forms.txt" with { type: "text" };

const heading = "== ";

/** The phrases of a file that is one list. */
export const phrasesOf = (text: string): readonly string[] =>
  text.split("\n").filter((line) => line !== "" && !line.startsWith("# "));

/** The lists of a file, by name, in the order of the file. */
export function allListsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let list: string[] = [];
  for (const line of phrasesOf(text)) {
    if (!line.startsWith(heading)) list.push(line);
    else found.set(line.slice(heading.length), (list = []));
  }
  return found;
}

/** The lists of a file, which are these and no others. */
export function listsOf<Name extends string>(
  text: string,
  ...names: readonly Name[]
): Readonly<Record<Name, readonly string[]>> {
  const found = allListsOf(text);
  assert(
    found.size === names.length && names.every((name) => found.has(name)),
    `the lists of a file are ${[...found.keys()].join(", ")}`,
  );
  return Object.fromEntries(found) as Record<Name, readonly string[]>;
}

/** Any of these, as part of a pattern. */
export const either = (list: readonly string[]): string => list.join("|");

/** A pattern in which each `<name>` stands for the list of that name. */
export const filled = (pattern: string, lists: ReadonlyMap<string, readonly string[]>): string =>
  pattern.replaceAll(/<([a-z][a-z ]*)>/gu, (_, name: string) => {
    const list = lists.get(name);
    assert(list !== undefined, `a pattern names the list "${name}", which is not there`);
    return either(list);
  });

/** The characters that may not stand beside a phrase that stands alone, as a class. */
export const letters = String.raw`\p{L}`;
const lettersAndDigits = String.raw`[\p{L}\p{N}]`;

/** Any of these with none of `beside` around it, or any of `anyPlace` wherever it stands. */
export const aloneOr = (
  beside: string,
  list: readonly string[],
  anyPlace: readonly string[] = [],
): string => either([`(?<!${beside})(?:${either(list)})(?!${beside})`, ...anyPlace]);

/** Any of these between word boundaries, or any of `anyPlace` wherever it stands. For lower-case text. */
export const boundedOr = (list: readonly string[], anyPlace: readonly string[] = []): string =>
  either([String.raw`\b(?:${either(list)})\b`, ...anyPlace]);

/** A cue in the words of several languages: of those that part words by spaces, and of those that do not. */
export const cue = (list: readonly string[], anyPlace: readonly string[] = []): RegExp =>
  new RegExp(aloneOr(lettersAndDigits, list, anyPlace), "iu");

// Words of a text as the memory engine compares them: lower case, without stop words, lightly stemmed. English only
// by nature; other languages fall back to their plain words. Pure; knows nothing of memories.

const stopWords = new Set(phrasesOf(commonWords));

/** Two words on a line: a form, and what it stands for. */
const formsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(phrasesOf(text).map((line) => line.split(" ")));

/** "db" and "database" are one word when texts are compared. */
const longForms = formsOf(longFormsText);

/** Longest word that is stemmed; longer runs are data. */
const stemLengthMax = 24;

/** Past forms that no ending gives away. */
const baseForms = formsOf(baseFormsText);

/** Endings by what to do with them, longest first; `min` is the shortest word that can carry one. */
const endings: readonly {
  readonly pattern: RegExp;
  readonly min: number;
  readonly base: (word: string) => string;
}[] = [
  { pattern: /ie[sd]$/, min: 5, base: (word) => `${word.slice(0, -3)}y` },
  { pattern: /(?:ss|x|zz|ch|sh)es$/, min: 4, base: (word) => word.slice(0, -2) },
  { pattern: /(?<!s|u|i)s$/, min: 4, base: (word) => stem(word.slice(0, -1)) },
  { pattern: /ing$/, min: 6, base: (word) => undouble(word.slice(0, -3)) },
  { pattern: /ed$/, min: 5, base: (word) => undouble(word.slice(0, -2)) },
  { pattern: /e$/, min: 4, base: (word) => word.slice(0, -1) },
];

/** A light stem: plural, -ing and -ed endings. Wrong stems do no harm as long as they are wrong alike. */
export function stem(word: string): string {
  if (word.length > stemLengthMax || /[^a-z]/.test(word)) return word;
  const ending = endings.find(({ pattern, min }) => word.length >= min && pattern.test(word));
  return ending === undefined ? word : ending.base(word);
}

/** "runn" → "run", "controll" → "control", but "call" stays; a final e that -ing swallowed is dropped on both sides. */
const undouble = (base: string): string => {
  const isDoubled = /([bdgkmnprt])\1$/.test(base)
    ? base.length > 3
    : base.endsWith("ll") && base.length > 5;
  if (isDoubled) return base.slice(0, -1);
  return base.endsWith("e") ? base.slice(0, -1) : base;
};

/** Lower-case words of a text in order; identifiers keep their inner punctuation (`acme-api`, `src/lock.ts`). */
export const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}]|[_./@'’-](?=[\p{L}\p{N}]))*/gu) ?? [];

/** Forms that are kept at hand: about the working vocabulary of a project. */
const wordsKept = 5_000;

/** The form under which a word is compared: long form of an abbreviation, then stem. */
export const canonicalWord = memoised((word: string): string => {
  const told = word.replace(/['’]s$/, "");
  const bare = Object.hasOwn(baseForms, told) ? (baseForms[told] ?? told) : told;
  const known = Object.hasOwn(longForms, bare) ? longForms[bare] : undefined;
  if (known !== undefined) return stem(known);
  const base = stem(bare);
  const again = Object.hasOwn(longForms, base) ? longForms[base] : undefined;
  return again === undefined ? base : stem(again);
}, wordsKept);

/** Content words in order, canonical, without stop words. */
export const contentWords = memoised((text: string): readonly string[] =>
  wordsOf(text)
    .filter((word) => !stopWords.has(word))
    .map(canonicalWord),
);

/** Share of the union that two sets have in common; 0 when both are empty. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = sharedCount(a, b);
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}

export const sharedCount = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared;
};
