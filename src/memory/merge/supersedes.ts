/**
 * Does a newer statement end an older one, when no model says so? Rarely: only another value of the same slot, or words
 * that announce a change and are learnt to be about the same. A wrong yes loses a good memory. Pure.
 */
import type { Candidate, LexicalIndex, MemoryNode } from "#domain";
import { contentWords, identifiersOf, toolFamily, valuesOf, wordsOf } from "#language";
import { rarityIn } from "../exchange/rarity.ts";
import {
  saidBy,
  successionFeatures,
  successionOf,
  toldIn,
  type Told,
} from "../exchange/succession.ts";

/** How two statements are weighed: what they mean, and how rare their words are here. */
export interface Weighing {
  readonly embed: (text: string) => Float32Array | null;
  readonly lexical: Pick<LexicalIndex, "frequencies">;
}

export interface Ended {
  readonly reason: string;
  /** Larger is surer; only compared with others of the same candidate. */
  readonly strength: number;
}

/** From this likelihood on (train/succession.ts, voices left out: 30 % of the changes, 2 % of the others). */
const successionFrom = 0.5;
/**
 * How much the newer words must sound like a change. models/learnt/change.json gives 0.21 at most: above 0.08 are seven
 * of eight sentences that change something and one in six of the others.
 */
const changeFrom = 0.08;

/** Why and how surely `candidate` ends `node`; null when it does not. The caller knows that it may. */
export function ends(candidate: Candidate, node: MemoryNode, weighing: Weighing): Ended | null {
  const slot = candidate.slot ?? null;
  if (slot !== null && slot === node.slot)
    return { reason: "another value of the same slot", strength: 1 };
  // Two things that were named are not one thing, however alike the words.
  if (slot !== null && node.slot !== null) return null;
  const [newer, older] = [candidate.l0, node.l0];
  if (isBeside(newer) || !areOfOneThing(newer, older)) return null;
  const [later] = toldIn([{ by: "user", text: newer }], weighing.embed);
  if (later === undefined || later.change < changeFrom) return null;
  const likelihood = successionIn(later, older, weighing);
  return likelihood >= successionFrom
    ? { reason: "a newer value", strength: likelihood / 2 }
    : null;
}

/**
 * Words of a small store are all rare to it. The pairs that were learnt from come from stores of some hundred
 * exchanges; a store counts as at least so large.
 */
const documentsMin = 200;

function successionIn(later: Told, older: string, { embed, lexical }: Weighing): number {
  const earlier = saidBy("user", older, embed);
  const idf = rarityIn(lexical, earlier.stems, documentsMin);
  return successionOf(successionFeatures(earlier, { all: later, sentences: [later] }, { idf }));
}

/** One more of something: nothing ends by it. */
const beside =
  /(?<!\p{L})(?:also|too|as well|both|another|second|third|additional(?:ly)?|in addition|auch|zusätzlich|zweite[rsn]?|noch ein\p{L}*|aussi|en plus|autre|deuxième|second[eo]?|también|además|otr[oa]|segund[oa]|também|além|outr[oa]|тоже|также|ещ[её]|втор(?:ой|ая|ое))(?!\p{L})|也|还有|另外|另一|第二|もう一つ|もうひとつ|二つ目|追加|別の/iu;

const isBeside = (text: string): boolean => beside.test(text);

/** Each may name one thing that the other does not: the old value and the new one. */
const missingMax = 1;

function areOfOneThing(newer: string, older: string): boolean {
  const [inNewer, inOlder] = [namesIn(newer), namesIn(older)];
  const lacking = (names: ReadonlySet<string>, others: ReadonlySet<string>): number =>
    [...names].filter((name) => !others.has(name)).length;
  return (
    lacking(inOlder, inNewer) <= missingMax &&
    lacking(inNewer, inOlder) <= missingMax &&
    hasSubjectOf(newer, older)
  );
}

/** Identifiers, numbers and proper names of a statement: what tells things of one kind apart. */
function namesIn(text: string): ReadonlySet<string> {
  const identifiers = identifiersOf(text);
  const rest = identifiers.reduce((left, name) => left.replaceAll(name, " "), text.toLowerCase());
  const numbers = rest.match(/\p{N}+(?:[.:,]\p{N}+)*/gu) ?? [];
  return new Set([...identifiers, ...numbers, ...properNames(text)]);
}

/** Words in capitals, and with a capital where no sentence starts: "printer B", "Marta". */
const properNames = (text: string): readonly string[] =>
  [...text.matchAll(/(?<=[^.!?:;\s]["'(]?\s+["'(]?)(\p{Lu}[\p{L}\p{N}]*)/gu)].map(([word]) =>
    word.toLowerCase(),
  );

/**
 * Is the newer statement about all that the older one is about, and nothing beside it? "the timeout of borealis" and
 * "the atlas replica" are other things than "the timeout of atlas" and "atlas", however alike the sentences.
 */
function hasSubjectOf(newer: string, older: string): boolean {
  const subject = subjectOf(headOf(older));
  const words = wordsOf(newer);
  const said = new Set(contentWords(newer));
  if (subject.size === 0 || [...subject].some((word) => !said.has(word))) return false;
  // One word may be any of its kind, unless the old value is named with it.
  if (subject.size === 1 && !namesValueOf(newer, headOf(older))) return false;
  const known = new Set([...valuesIn(newer), ...wordsOf(older)]);
  const isBesideSubject = (at: number): boolean =>
    [words[at - 1], words[at + 1]].some(
      (word) => word !== undefined && contentWords(word).some((one) => subject.has(one)),
    );
  return !words.some((word, at) => {
    const own = contentWords(word);
    const isOther = own.length > 0 && own.every((one) => !subject.has(one) && !isColourless(one));
    return isOther && !known.has(word) && isBesideSubject(at);
  });
}

/** "the database listens on 6432, 5432 is the local one": what it says first, if that holds a value. */
const headOf = (text: string): string => {
  const [head = text] = text.split(/[,;(—、，；]\s*/u);
  return valuesIn(head).length > 0 ? head : text;
};

/** Content words of a statement but its values and words that say nothing of the thing. */
const subjectOf = (text: string): ReadonlySet<string> => {
  const values = new Set(valuesIn(text));
  return new Set(
    wordsOf(text)
      .filter((word) => !values.has(word))
      .flatMap((word) => contentWords(word))
      .filter((word) => !isColourless(word)),
  );
};

/** Words that stand for a value: numbers, identifiers, tools, days and the like. */
const valuesIn = (text: string): readonly string[] => {
  const inValues = valuesOf(text).flatMap((value) => wordsOf(value.text));
  const named = identifiersOf(text).flatMap((name) => [name].concat(wordsOf(name)));
  const tools = wordsOf(text).filter(
    (word) => toolFamily(word) !== null || /^\p{N}/u.test(word) || isCalendarWord(word),
  );
  return [...inValues, ...named, ...tools];
};

function namesValueOf(newer: string, older: string): boolean {
  const inNewer = new Set(wordsOf(newer));
  const values = valuesIn(older);
  return values.length > 0 && values.every((word) => inNewer.has(word));
}

/** Words of change and of state, which say nothing about the thing. */
const colourless = new Set(
  (
    "bump set put raise lower increase decrease reduce move change switch keep leave use run live sit stay say tell " +
    "start store hold take give need want allow last late early new old current value enough right left listen connect " +
    "currently today slip postpone delay schedule scheduled go point call name decide agree pick choose drop is now no longer " +
    "instead work happen land come good fine ok remember keep mind per away over off gone back up down out " +
    "jetzt nun maintenant désormais ahora ya agora já теперь уже 今 现在 nicht mehr plus pas no não не больше"
  )
    .split(" ")
    .flatMap((word) => contentWords(word)),
);

const isColourless = (word: string): boolean => colourless.has(word);

const calendar = new Set(
  "monday tuesday wednesday thursday friday saturday sunday daily weekly monthly hourly"
    .split(" ")
    .flatMap((word) => contentWords(word)),
);

const isCalendarWord = (word: string): boolean =>
  contentWords(word).some((one) => calendar.has(one));
