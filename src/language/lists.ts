/**
 * Reads and matches the lists of words in `lists/`. A file has one phrase or pattern on a line; `#`
 * begins a comment and `== name` a list, where a file holds several. Pure.
 */
import { assert } from "#kit";

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

/** Lower case without accents. */
export const folded = (said: string): string =>
  said
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F]/gu, "")
    .normalize("NFC");

/** The lists of a file by their names, as phrases and as parts of patterns. */
interface Lists {
  readonly names: readonly string[];
  /** The phrases of a list, which the file must have. */
  readonly list: (name: string) => readonly string[];
  /** The phrases of the list "name, any place", for scripts without spaces; none where the file has no such list. */
  readonly places: (name: string) => readonly string[];
  /** Any phrase of a list. */
  readonly any: (name: string) => string;
  /** Any phrase of a list with no letter beside it, and of "name, any place" wherever it stands. */
  readonly alone: (name: string) => string;
  /** The same as an expression, with no digit beside it either. */
  readonly cue: (name: string) => RegExp;
}

export function listsIn(text: string): Lists {
  const found = allListsOf(text);
  const list = (name: string): readonly string[] => {
    const phrases = found.get(name);
    assert(phrases !== undefined, `the file has a list "${name}"`);
    return phrases;
  };
  const places = (name: string): readonly string[] => found.get(`${name}, any place`) ?? [];
  return {
    names: [...found.keys()],
    list,
    places,
    any: (name) => either(list(name)),
    alone: (name) => aloneOr(letters, list(name), places(name)),
    cue: (name) => cue(list(name), places(name)),
  };
}

/** Any of these, as part of a pattern. */
export const either = (list: readonly string[]): string => list.join("|");

/** Alternatives of these patterns, each once: one that is double would double the ways to read a row of them. */
export const distinct = (list: readonly string[]): readonly string[] => [
  ...new Set(list.flatMap(alternativesOf)),
];

/** Splits a pattern where it has a bar outside of groups and classes. */
function alternativesOf(pattern: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const [piece] of pattern.matchAll(/\\.|\[[^\]]*\]|./gsu)) {
    if (piece === "(") depth += 1;
    if (piece === ")") depth -= 1;
    if (piece === "|" && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${piece}`);
  }
  return parts;
}

/** A pattern in which each `<name>` that names no group stands for the list of that name. */
export const filled = (pattern: string, lists: ReadonlyMap<string, readonly string[]>): string =>
  pattern.replaceAll(/(?<!\?)<([a-z][a-z ]*)>/gu, (_, name: string) => {
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

/** A cue in the words of several languages: of those that part words by spaces, and of those that do not. */
export const cue = (list: readonly string[], anyPlace: readonly string[]): RegExp =>
  new RegExp(aloneOr(lettersAndDigits, list, anyPlace), "iu");

// Sets of words, compared. Pure.

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
