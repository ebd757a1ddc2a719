/**
 * Exactness before nearness: of two candidates of which one has a name that the question has, and the other has not,
 * that one stands first, whatever words and vectors say. Nearness orders only what exactness leaves equal. Pure.
 */
import { letterPairs } from "#kit";
import { readWords, roughStem } from "#language";
import { occurs } from "./limits.ts";
import { formsIn, type IsWord, type Name, namesIn } from "./names.ts";

/** A question as exactness sees it. */
export interface Exactness {
  readonly names: readonly Finder[];
  /** Stems of its other words, at most as many as fit a mask. */
  readonly rest: readonly string[];
  readonly isWord: IsWord;
  readonly keys: ReadonlySet<string>;
}

/** Share of a question that a text has. */
export interface Held {
  /** Exactness for each name, 0 to 1. */
  readonly levels: readonly number[];
  /** Their sum; names that may meet by accident count half. */
  readonly weight: number;
  /** Other words that it meets, as bits. */
  readonly rest: number;
  /** Forms of the names in it that the question does not have. */
  readonly others: () => ReadonlySet<string>;
}

interface Finder {
  readonly name: Name;
  /** 0 to 1: how exactly a text has it. */
  readonly levelIn: (text: Read) => number;
}

/** A text in the spellings in which names are looked for, each made when it is asked for. */
interface Read {
  /** Composed, in lower case. */
  readonly lower: string;
  /** Without accents. */
  readonly folded: () => string;
  /** Without what joins the parts of names. */
  readonly glued: () => string;
}

const restMax = 30;
/** Characters of a candidate that are looked through. */
const textCharsMax = 4_000;
/** A strong name that so few candidates have decides alone. */
const bearersMax = 3;
/** A name that may meet by accident decides only where few texts have it: so many, or this share of all. */
const rareBearers = { count: 8, share: 0.15 } as const;
/** Below this a text has the name in another spelling or inside of another one. */
export const exactFrom = 0.8;

/** Reads a question; null when it names nothing. */
export function exactnessOf(
  text: string,
  isWord: IsWord,
  isTelling: (name: Name) => boolean = () => true,
): Exactness | null {
  const named = namesIn(text, isWord);
  const names = named.filter(isTelling);
  if (names.length === 0) return null;
  const parts = new Set(named.flatMap(({ key }) => [key, ...readWords(key).plain]));
  const rest = new Set(
    readWords(text)
      .content.filter((word) => !parts.has(word))
      .map(roughStem),
  );
  return {
    names: names.map((name) => ({ name, levelIn: levelsOf(name) })),
    rest: [...rest].slice(0, restMax),
    isWord,
    keys: new Set(named.map(({ key }) => key)),
  };
}

export function heldIn({ names, rest, isWord, keys }: Exactness, text: string): Held {
  const bounded = text.slice(0, textCharsMax);
  const read = readText(bounded);
  const levels = names.map(({ levelIn }) => levelIn(read));
  return {
    levels,
    weight: levels.reduce(
      (sum, level, at) => sum + level * (names[at]?.name.isStrong === true ? 1 : 0.5),
      0,
    ),
    rest: rest.reduce((mask, stem, at) => (occurs(read.lower, stem) ? mask | (1 << at) : mask), 0),
    others: once(() => formsIn(bounded, isWord, keys)),
  };
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};

function readText(text: string): Read {
  const lower = (isAscii(text) ? text : text.normalize("NFC")).toLowerCase();
  return {
    lower,
    folded: once(() => foldMarks(lower)),
    glued: once(() => lower.replace(/[-_. ]+/gu, "")),
  };
}

const isAscii = (text: string): boolean => !/[^\x00-\x7f]/u.test(text);

const foldMarks = (text: string): string =>
  isAscii(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "");

interface Scored {
  readonly held: Held;
  readonly score: number;
}

/**
 * Scores under which exactness is kept: each candidate stands above those that it outranks. Nobody sinks; the order
 * among those that are equal stays.
 */
export function exactScores(exact: Exactness, entries: readonly Scored[]): readonly number[] {
  const scores = entries.map(({ score }) => score);
  const isSame = entries.every(({ held }) => held.weight === entries[0]?.held.weight);
  if (isSame) return scores;
  const outranks = outranking(
    exact,
    entries.map(({ held }) => held),
  );
  const order = entries.map((_, at) => at).filter((at) => (entries[at]?.held.weight ?? 0) > 0);
  order.sort((a, b) => (entries[a]?.held.weight ?? 0) - (entries[b]?.held.weight ?? 0));
  for (const at of order) {
    const own = scores[at] ?? 0;
    let below = 0;
    for (const other of entries.keys())
      if ((scores[other] ?? 0) > below && (scores[other] ?? 0) >= own && outranks(at, other))
        below = scores[other] ?? 0;
    // The better of two that are lifted above the same one stays the better.
    if (below > 0) scores[at] = below * (1.001 + Math.min(own, below) * 0.001);
  }
  return scores;
}

/**
 * Strong names of a question in whose place a text has another one (POL-359 for POL-358), by their places. `isCode`: by
 * its letters a name and no value.
 */
export const mistakenNames = (
  { names }: Exactness,
  held: Held,
): readonly { readonly at: number; readonly isCode: boolean }[] =>
  names.flatMap(({ name: { form, isStrong, key } }, at) =>
    isStrong && held.levels[at] === 0 && held.others().has(form)
      ? [{ at, isCode: form === "picture" || /\p{L}|^#/u.test(key) }]
      : [],
  );

/** Mask of all words of a question but its names. */
const everythingIn = ({ rest }: Exactness): number =>
  rest.length === 0 ? 0 : 2 ** rest.length - 1;

const isWhole = (exact: Exactness, { levels, rest }: Held): boolean =>
  rest === everythingIn(exact) && levels.every((level) => level >= exactFrom);

/**
 * Places of the few texts that have all words of a question. A plain word that people write as a name (React) tells
 * nothing alone: it takes a code, a path, a name that is no word, or another word beside it.
 */
export function wholeIn(exact: Exactness, all: readonly Held[]): readonly number[] {
  const isTelling =
    exact.rest.length > 0 ||
    exact.names.some(({ name: { isStrong, key } }) => isStrong || exact.isWord?.(key) === false);
  const whole = [...all.keys()].filter((at) => {
    const held = all[at];
    return isTelling && held !== undefined && isWhole(exact, held);
  });
  return whole.length <= bearersMax ? whole : [];
}

/** By the places of two candidates: whether the first outranks the second. */
function outranking(
  exact: Exactness,
  all: readonly Held[],
): (first: number, second: number) => boolean {
  const { names } = exact;
  const isFull = all.map((held) => isWhole(exact, held));
  const bearersOf = (at: number, level: number): number =>
    all.filter(({ levels }) => (levels[at] ?? 0) >= level).length;
  const rareMax = Math.max(rareBearers.count, rareBearers.share * all.length);
  return (first, second) => {
    const [mine, theirs] = [all[first], all[second]];
    if (mine === undefined || theirs === undefined || mine.weight <= theirs.weight) return false;
    const meetsAll = (theirs.rest & ~mine.rest) === 0;
    const meetsSame = mine.rest === theirs.rest && mine.rest > 0;
    return names.some(({ name: { form, isStrong } }, at) => {
      const [level, own] = [theirs.levels[at] ?? 0, mine.levels[at] ?? 0];
      if (own <= level) return false;
      const isOther = (): boolean => level > 0 || theirs.others().has(form);
      if (isStrong) return meetsAll || bearersOf(at, own) <= bearersMax || isOther();
      if (!meetsAll || bearersOf(at, own) > rareMax) return false;
      return meetsSame || isFull[first] === true || isOther();
    });
  };
}

/**
 * Rates how exactly a text has a name: as it is; without its sign; with other joints; inside of another name; with an
 * ending, or other accents.
 */
function levelsOf({ key, pairs, form }: Name): (text: Read) => number {
  if (form === "unspaced") return ({ lower }) => sharedPairs(lower, key, pairs);
  const bare = key.replace(/^(?:[-#@~/$€£¥]+|v(?=\p{N}))/u, "") || key;
  const folded = foldMarks(key);
  const glued = key.replace(/[-_. ]+/gu, "");
  const loose = looseForm(glued);
  const stem = RegExp.escape(folded);
  const inflected = new RegExp(`(?<!${letter})${stem}\\p{Ll}{0,2}(?!${letter})`, "u");
  return (text) => {
    const level = Math.max(
      placeOf(text.lower, key),
      bare === key ? 0 : placeOf(text.lower, bare) * 0.9,
    );
    if (level > 0.6) return level;
    if (loose !== null && text.glued().includes(glued) && loose.test(text.lower)) return exactFrom;
    if (form !== "word" || !text.folded().includes(folded)) return level;
    return inflected.test(text.folded()) ? Math.max(level, 0.5) : level;
  };
}

const letter = "[\\p{L}\\p{N}]";

/** Letters with or without joints between them: `web-chat`, `webchat`, `web chat`. Null for what has digits. */
function looseForm(glued: string): RegExp | null {
  const letters = Array.from(glued);
  if (letters.length < 6 || letters.some((one) => !/\p{L}/u.test(one))) return null;
  return new RegExp(`(?<!${letter})${letters.join("[-_. ]?")}(?!${letter})`, "u");
}

/** 1 where it stands alone, 0.9 behind a sign, 0.6 as a part of a longer name, 0 where it is nowhere or goes on. */
function placeOf(text: string, key: string): number {
  let best = 0;
  for (let at = text.indexOf(key); at >= 0 && best < 1; at = text.indexOf(key, at + 1)) {
    const before =
      /[^\s"“”„«»`([{<,;'’]{0,3}$/u.exec(text.slice(Math.max(0, at - 3), at))?.[0] ?? "";
    const after = text.slice(at + key.length, at + key.length + 2);
    best = Math.max(best, Math.min(levelBefore(before, key), levelAfter(after, key)));
  }
  return best;
}

const isWordLike = (text: string): boolean => /^[\p{L}\p{N}\p{M}_]/u.test(text);

function levelBefore(before: string, key: string): number {
  if (before === "" || !isWordLike(key)) return 1;
  if (/^[-#@~$€£¥.:*'‘]+$|^v$/u.test(before)) return 0.9;
  const last = before.at(-1) ?? "";
  return isWordLike(last) ? 0 : 0.6;
}

function levelAfter(after: string, key: string): number {
  if (/^[\p{L}\p{N}\p{M}_]/u.test(after) && /[\p{L}\p{N}\p{M}_]$/u.test(key)) return 0;
  // A mark inside of a longer name; at the end of a sentence it is none of it.
  return /^[-_./:@#=+][\p{L}\p{N}]/u.test(after) ? 0.6 : 1;
}

/** Share of the pairs of a run that stand in a text; 1 where the whole run does. */
function sharedPairs(text: string, key: string, pairs: readonly string[]): number {
  if (text.includes(key)) return 1;
  const own = pairs.length > 0 ? pairs : letterPairs(key);
  return (own.filter((pair) => text.includes(pair)).length / own.length) * 0.9;
}
