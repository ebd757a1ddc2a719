/**
 * May two texts that look alike say the same? Numbers, negations, names, opposites and word order decide; a single
 * doubt means no. "Tabs over spaces" and "spaces over tabs" have the same words. Pure.
 */
import {
  canonicalWord,
  contentWords,
  identifiersOf,
  isStopWord,
  toolFamily,
  valuesOf,
  wordsOf,
} from "../language/index.ts";
import { areOpposite, oppositeIn } from "./opposites.ts";
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
  text.replace(/(?:,| and| but)?\s+(?:never|not|no)\s+(?=[\p{L}\p{N}@.-]+(?:\s*$|[.,;)]))/giu, " ");

/** Names, identifiers and tools of one must be in the other. */
function differentNames(a: string, b: string): string | null {
  const inA = allWords(a);
  const inB = allWords(b);
  const stranger =
    properTokens(a).find((token) => !inB.has(token)) ??
    properTokens(b).find((token) => !inA.has(token));
  return stranger === undefined ? null : `only one of them names ${stranger}`;
}

const allWords = (text: string): ReadonlySet<string> =>
  new Set([
    ...wordsOf(text).flatMap((word) => [word, canonicalWord(word)]),
    ...identifiersOf(text),
  ]);

/** Identifiers, known tools and words capitalised in mid-sentence. */
function properTokens(text: string): readonly string[] {
  const names = [...text.matchAll(/(?<=[\p{L}\p{N},;)"'] )(\p{Lu}[\p{L}\p{N}]+)/gu)].map((match) =>
    canonicalWord((match[1] ?? "").toLowerCase()),
  );
  const opening =
    /^\p{Lu}[\p{L}\p{N}]+(?= (?:is|owns|leads|wants|needs|signs|works|has|took|reviews)\b)/u
      .exec(text)?.[0]
      .toLowerCase();
  const tools = wordsOf(text).filter((word) => toolFamily(word) !== null);
  return [
    ...identifiersOf(text),
    ...names,
    ...tools.map((tool) => canonicalWord(tool)),
    ...(opening === undefined || isStopWord(opening) ? [] : [canonicalWord(opening)]),
  ];
}

function opposite(a: string, b: string): string | null {
  const found = oppositeIn(contentWords(a), contentWords(b)) ?? oppositeIn(wordsOf(a), wordsOf(b));
  return found === null ? null : `${found[0]} against ${found[1]}`;
}

/** How much of the shorter text must be the same frame for a swapped word to count. */
const frameShareMin = 0.5;

/**
 * The same sentence with another word in one place: "run pnpm test before every commit", "run pnpm lint before …".
 * Words that stand alone on one side only (an added "now") do not count.
 */
function otherFiller(a: string, b: string): string | null {
  const left = words(a);
  const right = words(b);
  const common = longestCommon(left, right);
  const shorter = Math.min(left.length, right.length);
  if (shorter === 0 || common.length / shorter < frameShareMin) return null;
  for (const [gapA, gapB] of gaps(left, right, common)) {
    const ownA = gapA.filter((word) => !gapB.includes(word));
    const ownB = gapB.filter((word) => !gapA.includes(word));
    if (ownA.length === 0 || ownB.length === 0) continue;
    if (!ownA.some((word) => ownB.some((other) => areSynonyms(word, other))))
      return `${ownA.join(" ")} in place of ${ownB.join(" ")}`;
  }
  return null;
}

const words = (text: string): readonly string[] =>
  wordsOf(text)
    .filter((word) => !isStopWord(word))
    .map((word) => canonicalWord(word));

const areSynonyms = (a: string, b: string): boolean =>
  !areOpposite(a, b) && synonymSets.some((set) => set.has(a) && set.has(b));

/** Verbs and nouns that swap freely without changing what is claimed; canonical forms. */
const synonymSets: readonly ReadonlySet<string>[] = [
  "use run prefer take choose employ adopt pick",
  "keep store hold retain save keep kept",
  "live sit stand reside located hosted",
  "want like prefer ask need require expect request",
  "short brief concise terse",
  "log record report collect send",
  "fix repair resolve solve",
  "run execute start fire launch call",
  "chose choose select selected pick picked chosen",
  "expire valid last live",
  "delete remove drop",
  "write save store",
  "listen run use connect",
  "check verify validate test",
].map((line) => new Set(line.split(" ").map((word) => canonicalWord(word))));

/** Longest common subsequence as index pairs. Texts here are one line, so the table stays small. */
function longestCommon(
  a: readonly string[],
  b: readonly string[],
): readonly (readonly [number, number])[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      if (row !== undefined)
        row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** What stands between the common words on either side. */
function gaps(
  a: readonly string[],
  b: readonly string[],
  common: readonly (readonly [number, number])[],
): readonly (readonly [readonly string[], readonly string[]])[] {
  const marks = [[-1, -1] as const, ...common, [a.length, b.length] as const];
  return marks.slice(1).map(([i, j], n) => {
    const [fromI, fromJ] = marks[n] ?? [-1, -1];
    return [a.slice(fromI + 1, i), b.slice(fromJ + 1, j)] as const;
  });
}
