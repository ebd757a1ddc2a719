/**
 * Is the value given to a telling name a secret? Decided by what the name promises, how the two are joined and what
 * the value looks like. Pure.
 */
import type { Trust } from "./names.ts";
import { entropyOf } from "./spans.ts";
import {
  hasLetterAndDigit,
  isDigest,
  isHarmless,
  isJargon,
  isMadeOfWords,
  isPlace,
  isPlainWord,
  isRandom,
  isReference,
  isUuid,
} from "./values.ts";

/**
 * How name and value are joined, which says how much to believe: `A=b`, `a: b`, `--a b`, "the a is b", `("a", "b")` or
 * `a("b")`, `<a>b</a>`.
 */
export type Joint = "env" | "code" | "flag" | "said" | "list" | "element";

export interface Assignment {
  readonly name: string;
  readonly joint: Joint;
  readonly quoted: boolean;
  readonly value: string;
  /** Where the value begins. */
  readonly start: number;
  /** The value is all that its line holds after the name. */
  readonly isWholeLine: () => boolean;
}

type Judge = (found: Assignment) => boolean;

/** Shorter values are words and counters; a password of three characters is none. */
const valueCharsMin = 4;

/** Whether the value must be hidden. */
export function isSecret(found: Assignment, trust: Trust): boolean {
  const { value, quoted, joint } = found;
  if (value.length < valueCharsMin || isHarmless(value) || isPlainWord(value)) return false;
  if (!quoted && (isCode(found) || /^[/~.]/.test(value))) return false;
  if (trust === "password") return (quoted ? isQuotedPassword : passwordJudges[joint])(found);
  if (trust === "key") return isKey(found);
  return isWeakKey(found);
}

/** Unquoted code: a look-up or a call. A lone word may be a YAML value, one with digits may be a password. */
function isCode({ value, joint }: Assignment): boolean {
  if (joint === "env" || joint === "element")
    return /^[\w$.]+\(|^\w+(?:\.[A-Za-z_]\w*)+$/.test(value);
  if (!isReference(value)) return false;
  if (/[.([:>]/.test(value)) return true;
  return joint === "code" && !/\d/.test(value) && !/^[a-z]+$/.test(value);
}

const functionWords =
  /\b(?:must|required|invalid|is|are|at|your|enter|please|the|be|should|a|of|for|not|no|to|and|or)\b/i;

/** A message about a password, unlike a passphrase of several words. */
const isSentence = (value: string): boolean =>
  /\s/.test(value) && (functionWords.test(value) || /[!?.]$/.test(value));

const isEnvName = (name: string): boolean => /^[A-Z0-9_.]+$/.test(name);

/** Holds what a word of code or prose would not. */
const isMarked = (value: string): boolean => /[\d!@#$%^&*+=]/.test(value);

const isQuotedPassword: Judge = ({ value, joint }) =>
  !isSentence(value) && (joint !== "list" || isRandom(value, 6, 2.5));

const isSaidPassword: Judge = ({ value }) =>
  isMarked(value) &&
  value.length > 5 &&
  !isJargon(value) &&
  !/^\d{1,5}$/.test(value) &&
  !/[()]/.test(value);

/** Judges of an unquoted password. */
const passwordJudges: Readonly<Record<Joint, Judge>> = {
  env: ({ name, value }) =>
    !isJargon(value) && (isMarked(value) || isEnvName(name) || !isReference(value)),
  element: ({ value }) => !isSentence(value),
  flag: (found) => !isJargon(found.value) && (isMarked(found.value) || isWordForFlag(found)),
  code: (found) =>
    !isJargon(found.value) &&
    (isMarked(found.value) ? !/^\d{1,3}$/.test(found.value) : isYamlPassword(found)),
  said: isSaidPassword,
  list: isSaidPassword,
};

/** Alone on its line: odd characters, or `password: correcthorse`. Types and states were sorted out before. */
const isYamlPassword: Judge = ({ name, value, isWholeLine }) =>
  isWholeLine() &&
  value.length > 5 &&
  (!isMadeOfWords(value) ||
    (/(?:passw(?:or)?d|pwd|passphrase)$/i.test(name) && /^[a-z]+$/.test(value)));

/**
 * `--password correcthorse` gives a password. Behind a name like `--prod-secret` a bare word is talk unless it ends the
 * command.
 */
const isWordForFlag: Judge = ({ name, value, isWholeLine }) =>
  !flagTalk.has(value.toLowerCase()) &&
  (/(?:passw(?:or)?d|pwd|passphrase|pass)$/i.test(name) || isWholeLine());

/** Words that follow a flag's name when people talk about it. */
const flagTalk: ReadonlySet<string> = new Set(
  (
    "flag flags option options argument arguments parameter parameters switch is are was and or to from for in on " +
    "with without of as " +
    "instead value values file prompt when if then but it that this which can must should will does not via by at " +
    "also only before " +
    "after until unless during while whenever because since once always never again first last here there now " +
    "then too not " +
    "so such like than about into onto through instead until needs does do did has have had means works fails " +
    "failed breaks " +
    "came comes must may might we you i they everywhere anywhere today"
  ).split(" "),
);

const isTightKey: Judge = ({ name, value }) => {
  if (/\s/.test(value)) return false;
  if (hasLetterAndDigit(value) && value.length >= 8) return true;
  const [charsMin, bitsMin] = isEnvName(name) ? [16, 3] : [20, 3.5];
  return (
    value.length >= charsMin &&
    entropyOf(value) >= bitsMin &&
    !isReference(value) &&
    !isMadeOfWords(value)
  );
};

const isSaidKey: Judge = ({ value }) => isRandom(value, 12, 3) && !isMadeOfWords(value);

const keyJudges: Readonly<Record<Joint, Judge>> = {
  env: isTightKey,
  element: isTightKey,
  flag: ({ value }) => hasLetterAndDigit(value) && value.length >= 6,
  code: ({ value }) => isRandom(value, 10, 2.8) && !/[()[\]{}]/.test(value),
  said: isSaidKey,
  list: isSaidKey,
};

function isKey(found: Assignment): boolean {
  const { joint, quoted, value } = found;
  if (isPlace(value) || (!quoted && isJargon(value))) return false;
  return (quoted && joint !== "list" ? isTightKey : keyJudges[joint])(found);
}

function isWeakKey({ joint, value }: Assignment): boolean {
  if (joint === "said" || joint === "flag" || joint === "list") return false;
  if (isUuid(value) || isDigest(value) || isPlace(value) || isMadeOfWords(value)) return false;
  return /^[\w+/=.~-]+$/.test(value) && isRandom(value, 20, 3.6);
}
