/**
 * Compares two statements word by word, without knowing what they mean: do they say the same, and could the newer one
 * be another value of what the older one says? Pure.
 */
import { readWords, roughStem } from "#language";
import { hasUnspaced, memoised } from "#kit";
import { numbersIn, stemsOf } from "../exchange/stems.ts";

/**
 * The words of a statement as they are written: names and values differ in a letter, a capital or a mark (`C`, `C++`;
 * `-1`, `1`). Left out are "the" and "always", quotation marks, marks at a word's end, and the capital of the first
 * word.
 */
const contentOf = memoised((text: string): string =>
  text
    .normalize("NFC")
    .split(/\s+/u)
    .map((word) => word.replace(/^["'`“”„«»‘’(「]+|["'`“”„«»‘’)」.,;:!?…。、！？；：]+$/gu, ""))
    .filter((word) => !/^(?:the|always)?$/iu.test(word))
    .join(" ")
    .replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase()),
);

/** True when both have the same words in the same order. Whatever adds a word, says something else. */
export function saySame(a: string, b: string): boolean {
  const content = contentOf(a);
  return content === "" ? a.trim() === b.trim() : content === contentOf(b);
}

/** Words that the older statement may have and the newer one lacks: the old value. */
const missingMax = 1;
/** For scripts without spaces, compared by pairs of letters: share of the older pairs that may be missing. */
const missingPairsShare = 0.35;
/** Words in common that make a subject. */
const sharedMin = 2;

/**
 * True when `newer` may say another value of what `older` says: it has all words of the older one but one, and says
 * another word, or one name or number more. It may also be a second thing of the kind, so that this alone never ends a
 * memory: the two are shown together until somebody who understands them decides.
 */
function mayReplace(newer: string, older: string): boolean {
  const [mine, theirs] = [tellingWords(newer), tellingWords(older)];
  const shared = [...theirs].filter((word) => mine.has(word)).length;
  const missing = theirs.size - shared;
  const bound = hasUnspaced(older) ? theirs.size * missingPairsShare : missingMax;
  if (shared < sharedMin || missing > bound || missing >= shared) return false;
  if (missing > 0) return [...mine].some((word) => !theirs.has(word));
  // All of the older one is there: an addition at its end is one, whatever stands in its middle replaces something.
  const isAddition = ` ${contentOf(newer)} `.includes(` ${contentOf(older)} `);
  return !isAddition || namesMore(newer, older);
}

/**
 * True when the two may be two values of one thing: `mayReplace`, or one sentence with another word at one place ("use
 * tabs for indentation", "deploy on Fridays"), or another name for the one thing that both name ("Alice is the owner",
 * "the owner is Bob").
 */
export const mayContradict = (newer: string, older: string): boolean =>
  mayReplace(newer, older) || isSameFrame(newer, older) || namesOneThing(newer, older);

/** Words of a value that another one stands in the place of. */
const valueWordsMax = 3;

const wordsAsWritten = (text: string): readonly string[] =>
  contentOf(text).toLowerCase().split(" ");

/** "use … for indentation", "deploy on …"; what differs at the head is another subject: "staging is …". */
function isSameFrame(newer: string, older: string): boolean {
  const [a, b] = [wordsAsWritten(newer), wordsAsWritten(older)];
  const room = Math.min(a.length, b.length);
  let head = 0;
  while (head < room && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < room - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const [mine, theirs] = [a.length - head - tail, b.length - head - tail];
  if (head === 0 || Math.min(mine, theirs) === 0 || Math.max(mine, theirs) > valueWordsMax)
    return false;
  const content = readWords(older).content;
  const isContent = (word: string): boolean => content.includes(word);
  // "we use pnpm" and "we use Docker" are two things; a preposition before the value names what it is the value of.
  const isOfOneThing = tail > 0 ? b.slice(-tail).some(isContent) : !isContent(b[head - 1] ?? "");
  return (
    isOfOneThing &&
    b
      .slice(0, head)
      .concat(b.slice(b.length - tail))
      .some(isContent)
  );
}

/** A thing of which there is one, and the verb that says what it is. */
const oneThing =
  /(?<![\p{L}])(?:the|our|my|der|die|das|unsere?|le|la|notre|el|nuestr[oa]|o|a|noss[oa]) (\p{L}{3,})/giu;
const copula =
  /(?<![\p{L}])(?:is|are|ist|sind|heißt|est|sont|es|son|é|são)(?![\p{L}])|[=:]|\s[—–-]\s/iu;

/** Two sentences that say what one thing is, in any order, each with one other word. */
function namesOneThing(newer: string, older: string): boolean {
  if (!copula.test(newer) || !copula.test(older)) return false;
  const [mine, theirs] = [tellingWords(newer), tellingWords(older)];
  const things = new Set(
    [...older.matchAll(oneThing)].map(([, thing = ""]) => roughStem(thing.toLowerCase())),
  );
  const shared = [...theirs].filter((word) => mine.has(word));
  return (
    shared.some((word) => things.has(word)) &&
    theirs.size - shared.length === 1 &&
    mine.size - shared.length === 1
  );
}

/** Stems, numbers and names: single letters name things too ("printer B"). */
const tellingWords = (text: string): ReadonlySet<string> =>
  new Set([...stemsOf(text), ...numbersIn(text), ...properNames(text).map(roughStem)]);

const namesMore = (newer: string, older: string): boolean => {
  const before = older.toLowerCase();
  const names = [...numbersIn(newer), ...readWords(newer).identifiers, ...properNames(newer)];
  return names.some((name) => !before.includes(name));
};

/** Words with a capital letter where no sentence begins, in lower case. */
const properNames = (text: string): readonly string[] =>
  [...text.matchAll(/(?<=[^.!?:;\s]["'(]?\s+["'(]?)(\p{Lu}[\p{L}\p{N}]*)/gu)].map(([word]) =>
    word.toLowerCase(),
  );
