/**
 * May two texts that look alike say the same? Numbers, negations, names, opposites and word order decide; a single
 * doubt means no. "Tabs over spaces" and "spaces over tabs" have the same words. Pure.
 */
import {
  canonicalWord,
  contentWords,
  identifiersOf,
  isStopWord,
  isTool,
  oppositeIn,
  valuesOf,
  wordsOf,
} from "#language";
import { gistWords } from "./gist.ts";
import { gaps, longestCommon } from "./align.ts";
import { choicesIn } from "./choices.ts";

export interface Guarded {
  readonly compatible: boolean;
  /** Why not; null when compatible. */
  readonly reason: string | null;
}

/** Checks two texts for anything that makes them different statements. Symmetric. */
export function duplicateGuards(a: string, b: string): Guarded {
  const reason =
    differentValues(a, b) ??
    differentChoice(a, b) ??
    differentPolarity(a, b) ??
    differentNames(a, b) ??
    opposite(a, b) ??
    otherParticle(a, b) ??
    otherFiller(a, b);
  return { compatible: reason === null, reason };
}

const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((word) => b.has(word));

function differentValues(a: string, b: string): string | null {
  const values = (text: string): ReadonlySet<string> =>
    new Set(valuesOf(text).map(({ canonical }) => canonical));
  return sameSet(values(a), values(b)) ? null : "different values";
}

/** "A over B" beside "B over A". */
function differentChoice(a: string, b: string): string | null {
  for (const one of choicesIn(a))
    for (const other of choicesIn(b)) {
      const crossed = overlaps(one.chosen, other.rejected) || overlaps(one.rejected, other.chosen);
      if (crossed) return "the choice is the other way round";
    }
  return null;
}

const overlaps = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((word) => b.includes(word));

const negation =
  /\b(?:not|no|never|none|nothing|nobody|without|cannot|don'?t|dont|doesn'?t|doesnt|didn'?t|isn'?t|isnt|aren'?t|wasn'?t|won'?t|can'?t|cant|mustn'?t|shouldn'?t|avoid|stop|forbid|forbidden|prohibited|banned|disallow(?:ed)?|refuse|nor|neither)\b/i;

/** One denies, the other does not. "X, not Y" and "X instead of Y" are choices, compared above. */
function differentPolarity(a: string, b: string): string | null {
  const denies = (text: string): boolean => negation.test(withoutChoices(text));
  return denies(a) === denies(b) ? null : "one of them is a negation";
}

const withoutChoices = (text: string): string =>
  text
    .replace(/\bno (?:more|later|longer|less|fewer|sooner|earlier) than\b/gi, " ")
    .replace(
      /(?<!\b(?:is|are|was|were|be|been))(?:,| and| but)?\s+(?:(?:do|does) not|don'?t|never|not|no)\s+(?=[\p{L}\p{N}@.-]+(?: (?:it|them|that))?(?:\s*$|[.,;)]))/giu,
      " ",
    );

/** Identifiers and tools of one must be in the other; names may be missing on one side, not differ on both. */
function differentNames(a: string, b: string): string | null {
  const inA = allWords(a);
  const inB = allWords(b);
  const hard =
    hardTokens(a).find((token) => !inB.has(token)) ??
    hardTokens(b).find((token) => !inA.has(token));
  if (hard !== undefined) return `only one of them names ${hard}`;
  const mine = names(a).find((name) => !inB.has(name));
  const theirs = names(b).find((name) => !inA.has(name));
  return mine === undefined || theirs === undefined ? null : `${mine} is not ${theirs}`;
}

const allWords = (text: string): ReadonlySet<string> =>
  new Set([
    ...wordsOf(text).flatMap((word) => [word, canonicalWord(word)]),
    ...identifiersOf(text),
  ]);

const hardTokens = (text: string): readonly string[] => [
  ...identifiersOf(text),
  ...wordsOf(text)
    .filter((word) => isTool(word))
    .map((tool) => canonicalWord(tool)),
  ...properNames(text),
];

/** Capitalised words in mid-sentence that are not acronyms. */
const properNames = (text: string): readonly string[] =>
  [...text.matchAll(/(?<=[\p{L}\p{N},;)"'] )(\p{Lu}\p{Ll}[\p{L}\p{N}]*)/gu)].map((match) =>
    canonicalWord((match[1] ?? "").toLowerCase()),
  );

/** Acronyms, and the capitalised word that opens the text. */
const names = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\p{L}\p{N}])(\p{Lu}{2,}\d*)(?![\p{L}\p{N}])|^(\p{Lu}\p{Ll}+)/gu)]
    .map((match) => (match[1] ?? match[2] ?? "").toLowerCase())
    .filter((word) => !isStopWord(word))
    .map((word) => canonicalWord(word));

function opposite(a: string, b: string): string | null {
  const found = oppositeIn(contentWords(a), contentWords(b)) ?? oppositeIn(wordsOf(a), wordsOf(b));
  return found === null ? null : `${found[0]} against ${found[1]}`;
}

/** Small words that carry the meaning of a phrase: "half up" is not "half even". */
const particles = new Set(
  "up down even odd out over under before after off above below more less most least".split(" "),
);

function otherParticle(a: string, b: string): string | null {
  const inA = wordsOf(a).filter((word) => particles.has(word));
  const inB = wordsOf(b).filter((word) => particles.has(word));
  const onlyA = inA.find((word) => !inB.includes(word));
  const onlyB = inB.find((word) => !inA.includes(word));
  return onlyA === undefined || onlyB === undefined ? null : `${onlyA} in place of ${onlyB}`;
}

/** How much of the shorter text must be the same frame for a swapped word to count. */
const frameShareMin = 0.5;

/**
 * The same sentence with another word in one place: "run pnpm test before every commit", "run pnpm lint before …".
 * Words that stand on one side only (an added "now"), or elsewhere in the other text, do not count.
 */
function otherFiller(a: string, b: string): string | null {
  const left = gistWords(a);
  const right = gistWords(b);
  if (areSame(left, right)) return isTurnedRound(a, b) ? "the roles are swapped" : null;
  const common = longestCommon(left, right);
  const shorter = Math.min(left.length, right.length);
  if (shorter === 0 || common.length / shorter < frameShareMin) return null;
  return swappedIn(
    gaps(left, right, common).map(([gapA, gapB]) => ({
      ownA: gapA.filter((word) => !right.includes(word)),
      ownB: gapB.filter((word) => !left.includes(word)),
    })),
  );
}

interface Place {
  readonly ownA: readonly string[];
  readonly ownB: readonly string[];
}

/** "north willow" beside "willow birch" as well: one word in common between what only one of them says. */
function swappedIn(places: readonly Place[]): string | null {
  for (const [at, { ownA, ownB }] of places.entries()) {
    const next = places[at + 1] ?? { ownA: [], ownB: [] };
    for (const [mine, theirs] of [
      [ownA, ownB],
      [ownA, next.ownB],
      [next.ownA, ownB],
    ] as const)
      if (mine.length > 0 && theirs.length > 0)
        return `${mine.join(" ")} in place of ${theirs.join(" ")}`;
  }
  return null;
}

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  sameSet(new Set(a), new Set(b));

/** Verbs and prepositions that point from one side to the other. */
const directed =
  /\b(?:depends on|calls|imports|uses|runs|owns|reports to|reads|writes|sends|blocks|replaces|before|after|into|over|to|from|through|behind|feeds|triggers|wraps|extends|includes|contains|precedes|follows|proxies)\b/gi;

/** The same words, but crossed around a word that points: "search uses billing" beside "billing uses search". */
function isTurnedRound(a: string, b: string): boolean {
  for (const { 0: word, index } of a.matchAll(directed)) {
    const at = b.toLowerCase().indexOf(` ${word.toLowerCase()} `);
    if (at < 0) continue;
    const before = gistWords(a.slice(0, index));
    const after = gistWords(a.slice(index + word.length));
    const left = gistWords(b.slice(0, at));
    const right = gistWords(b.slice(at + word.length + 1));
    const crossed =
      before.some((one) => right.includes(one)) && after.some((one) => left.includes(one));
    if (crossed) return true;
  }
  return false;
}
