/**
 * Compares two statements word by word, without knowing what they mean: do they say the same, and could the newer one
 * be another value of what the older one says? Pure.
 */
import {
  courtesyHead,
  deniedValuesIn,
  denies,
  numbersIn,
  readWords,
  roughStem,
  stopWords,
  tellsChange,
  toolFamilies,
  stemsOf,
} from "#language";
import { hasUnspaced, memoised } from "#kit";

/**
 * The words of a statement as they are written: names and values differ in a letter, a capital or a mark (`C`, `C++`;
 * `-1`, `1`). Left out are courtesy at the head, "the" and "always", quotation marks, marks at a word's end, and the
 * capital of the first word.
 */
const contentOf = memoised((text: string): string =>
  withSmallFirst(
    text
      .normalize("NFC")
      .replace(courtesyHead, "")
      .split(/\s+/u)
      .map((word) => word.replace(/^["'`“”„«»‘’(「]+|["'`“”„«»‘’)」.,;:!?…。、！？；：]+$/gu, ""))
      .filter((word) => !/^(?:the|always)?$/iu.test(word))
      .join(" "),
  ),
);

/** The capital of a sentence's first word says nothing; that of an abbreviation does. */
const withSmallFirst = (text: string): string =>
  text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());

/** True when both have the same words in the same order. Whatever adds a word, says something else. */
export function saySame(a: string, b: string): boolean {
  const content = contentOf(a);
  return content === "" ? a.trim() === b.trim() : content === contentOf(b);
}

/** True when one statement has the other's words in their order, and denies and changes as little: it adds to it. */
export function holdsAllOf(newer: string, older: string): boolean {
  const isAddition = ` ${contentOf(newer)} `.includes(` ${contentOf(older)} `);
  return isAddition && denies(newer) === denies(older) && !tellsChange(newer);
}

/** The words that two statements which say the same both have. */
export const wordsSaid = (text: string): readonly string[] => contentOf(text).split(" ");

/**
 * Verbs that give a subject its one value, so that another value ends the older one. Behind any other verb ("supports",
 * "listens on") a second value may stand beside the first.
 */
export const copulas = new Set("is are be ist sind est sont es son é são".split(" "));

/** Between a subject and its value, in languages whose stop words are not known: "est de 20 Mo", "liegt bei 60". */
const joints = new Set(
  [...copulas, "de", "du", "da", "do", "bei", "liegt", "beträgt", "составляет"].map(roughStem),
);

/** Words that the older statement may have and the newer one lacks: the old value, and a verb before a change. */
const missingMax = { usual: 1, change: 2 } as const;
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
  const mine = tellingWords(newer);
  // "La limite est de 20 Mo", "la limite passe à 35 Mo": the verb before an amount says nothing.
  const areAmounts = [newer, older].every((text) => /\p{N}/u.test(text));
  const theirs = tellingWords(older).difference(areAmounts ? joints : new Set());
  const shared = [...theirs].filter((word) => mine.has(word)).length;
  const missing = theirs.size - shared;
  const wordsMax = missingMax[tellsChange(newer) ? "change" : "usual"];
  const bound = hasUnspaced(older) ? theirs.size * missingPairsShare : wordsMax;
  if (shared < sharedMin || missing > bound || missing >= shared) return false;
  if (missing > 0) return [...mine].some((word) => !theirs.has(word));
  // All of the older one is there: an addition at its end is one, whatever stands in its middle replaces something.
  const isAddition = ` ${contentOf(newer)} `.includes(` ${contentOf(older)} `);
  return !isAddition || namesMore(newer, older);
}

/**
 * True when the two may be two values of one thing: `mayReplace`; other words at one place ("use tabs for indentation",
 * "Alice is the owner"); two tools for one purpose; a value that the newer one denies; or an order and its opposite.
 */
export const mayContradict = (newer: string, older: string): boolean =>
  !isSecondBan(newer, older) &&
  !namesNeighbour(newer, older) &&
  (mayReplace(newer, older) ||
    hasOtherQuantity(newer, older) ||
    hasOtherValue(newer, older) ||
    namesRival(newer, older) ||
    hasOtherWord(newer, older) ||
    deniesValueOf(newer, older) ||
    isOpposite(newer, older));

/** "feat/login" and "feat/logins", of one stem, are two things. */
function namesNeighbour(newer: string, older: string): boolean {
  const [mine, theirs] = [newer, older].map((text) => text.toLowerCase().match(composed) ?? []);
  return (mine ?? []).some((one) =>
    theirs?.some((other) => one !== other && roughStem(one) === roughStem(other)),
  );
}

/** "Never log tokens", "never log passwords": two prohibitions stand together, unless a number changes. */
function isSecondBan(newer: string, older: string): boolean {
  if (!denies(newer) || !denies(older)) return false;
  const missing = without(tellingWords(older), tellingWords(newer));
  return missing.length > 0 && !missing.some((word) => /\p{N}/u.test(word));
}

/** Words of a statement in small letters; a single capital is a name: "printer A". */
export const wordsAsWritten = (text: string): readonly string[] =>
  contentOf(text)
    .split(" ")
    .map((word) => (/^\p{Lu}$/u.test(word) ? word : word.toLowerCase()));

/** Words that carry something, as they are written. */
const carriersIn = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.filter((word) => !stopWords.has(word)));

const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
  [...some].filter((word) => !others.has(word));

/** Words that the newer statement may have beside the other value. */
const addedMax = 2;

/** Shorter words are articles, pronouns and the like, in languages whose stop words are not known. */
const anchorCharsMin = 4;

/**
 * Another word behind the same one, where both speak of the same: "answer in German", "please answer in English".
 * "We use pnpm" and "we use Docker" share nothing that they would be two values of.
 */
function hasOtherValue(newer: string, older: string): boolean {
  if (hasUnspaced(older)) return hasOtherEnding(newer, older);
  const [mine, theirs] = [wordsAsWritten(newer), wordsAsWritten(older)];
  const [added, missing] = differences(carriersIn(mine), carriersIn(theirs));
  const [old] = missing;
  if (old === undefined || missing.length > 1 || added.length > addedMax) return false;
  const before = theirs[theirs.indexOf(old) - 1];
  if (before === undefined) return false;
  const behind = added.find((word) => mine[mine.indexOf(word) - 1] === before);
  // "Use node 22", "use node 24": a number behind one name needs no other word.
  if (behind !== undefined && isNumber(old) && isNumber(behind) && !stopWords.has(before))
    return true;
  return (
    behind !== undefined &&
    [...carriersIn(theirs)].some(
      (word) => word !== old && word !== before && word.length >= anchorCharsMin,
    )
  );
}

/** "The limit was raised: it is 250 requests" after "the API limit is 100 requests": numbers of one unit. */
function hasOtherQuantity(newer: string, older: string): boolean {
  if (!tellsChange(newer)) return false;
  const [mine, theirs] = [quantitiesIn(newer), quantitiesIn(older)];
  const [ours, others] = [stemsOf(newer), stemsOf(older)];
  return theirs.some(([, old, unit = ""]) => {
    const isOther = mine.some(([, value, one]) => one === unit && value !== old);
    return isOther && [...others].some((stem) => ours.has(stem) && stem !== roughStem(unit));
  });
}
const quantitiesIn = (text: string): readonly RegExpExecArray[] => [
  ...text.toLowerCase().matchAll(/(\p{N}+(?:[.,]\p{N}+)*) (\p{L}{2,})/gu),
];

const isNumber = (word: string): boolean => /^v?\p{N}[\p{N}.:]*$/u.test(word);

/** Counts the words, or letters, that two statements share at their heads, and of the others at their ends. */
export function sharedEnds<Text extends string | readonly string[]>(
  mine: Text,
  theirs: Text,
): readonly [head: number, tail: number] {
  const least = Math.min(mine.length, theirs.length);
  let [head, tail] = [0, 0];
  while (head < least && mine[head] === theirs[head]) head += 1;
  while (head + tail < least && mine.at(-1 - tail) === theirs.at(-1 - tail)) tail += 1;
  return [head, tail];
}

/** Words at the one place where two statements differ, and what the rest has to have: a word that carries something. */
const otherWordsMax = 2;
const carrierCharsMin = 3;

/** "Squash merges only", "rebase merges only"; "our CTO is Alva Lind", "… is Jonas Berg": other words at one place. */
function hasOtherWord(newer: string, older: string): boolean {
  if (hasUnspaced(older)) return false;
  const [mine, theirs] = [wordsAsWritten(newer), wordsAsWritten(older)];
  const [head, tail] = sharedEnds(mine, theirs);
  const same = [...theirs.slice(0, head), ...theirs.slice(theirs.length - tail)];
  return (
    [mine, theirs].every((words) => {
      const others = words.slice(head, words.length - tail);
      // "Node 22", "python 3.12": two things, each with a number of its own.
      const isOne = others.length === 1 || !others.some((word) => /\p{N}/u.test(word));
      return others.length > 0 && others.length <= otherWordsMax && isOne;
    }) &&
    same.length > 1 &&
    same.some((word) => word.length >= carrierCharsMin && !stopWords.has(word))
  );
}

/** "The harbour is Grenaa now, not Skagen": names the older value and denies it, of the same thing. */
function deniesValueOf(newer: string, older: string): boolean {
  const before = carriersIn(wordsAsWritten(older));
  const denied = deniedValuesIn(newer).map((one) => contentOf(one).toLowerCase());
  const said = ` ${contentOf(older).toLowerCase()} `;
  const value = denied.find((one) =>
    one.includes(" ") ? said.includes(` ${one} `) : before.has(one),
  );
  if (value === undefined) return false;
  const [mine, theirs] = [stemsOf(newer), stemsOf(older)];
  return [...theirs].some((stem) => mine.has(stem) && stem !== roughStem(value));
}

const composed = /[\p{L}\p{N}]+(?:[-._/:][\p{L}\p{N}]+)+/gu;

/** Letters at the head that make a subject, in scripts without spaces. */
const headLettersMin = 3;

/** 缩进用制表符, 缩进用空格; 发布由老周负责, 发布以后由小郑负责; "we" names no subject, and "from now on" nothing. */
function hasOtherEnding(newer: string, older: string): boolean {
  const theirs = withoutSubject(older);
  return [newer, ...newer.split(/[，,；;。]/u)].map(withoutSubject).some((mine) => {
    const [head, tail] = sharedEnds(mine, theirs);
    const same = lengthOf(mine.slice(0, head));
    const both = same + (tail > 1 ? tail : 0);
    return same >= headLettersMin && both * 2 >= Math.min(lengthOf(mine), lengthOf(theirs));
  });
}

const withoutSubject = (text: string): string =>
  contentOf(text)
    .replace(/^(?:我们|私たち(?:は|の)?|うち(?:は|の)?)/u, "")
    .replace(/(?:从现在起|以后|今后|现在|今後は?|これからは?)(?=.)/u, "");

/** A name in Latin letters counts as one. */
const lengthOf = (text: string): number => text.replace(/[\w.@/:-]+/gu, "x").length;

const differences = (mine: ReadonlySet<string>, theirs: ReadonlySet<string>) =>
  [without(mine, theirs), without(theirs, mine)] as const;

/** "Use pnpm", "use yarn": two tools for one purpose, and nothing else that the newer one lacks. */
function namesRival(newer: string, older: string): boolean {
  const [added, missing] = differences(
    carriersIn(wordsAsWritten(newer)),
    carriersIn(wordsAsWritten(older)),
  );
  const [old] = missing;
  return (
    old !== undefined &&
    missing.length === 1 &&
    added.some((word) =>
      [...toolFamilies.values()].some((one) => one.includes(old) && one.includes(word)),
    )
  );
}

/** "Always squash commits", "never squash commits". */
function isOpposite(newer: string, older: string): boolean {
  if (denies(newer) === denies(older)) return false;
  const bare = (text: string): ReadonlySet<string> =>
    new Set([...stemsOf(text)].filter((word) => !denies(word) && word !== "alway"));
  const [mine, theirs] = [bare(newer), bare(older)];
  const [added, missing] = differences(mine, theirs);
  return theirs.size - missing.length >= sharedMin && added.length + missing.length <= 1;
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
