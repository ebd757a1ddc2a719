/** Decides whether the user's quoted words end a memory of theirs: by what they name, or by taking it back. Pure. */
import {
  deniedValuesIn,
  denies,
  hardSplit,
  isOutright,
  isPointing,
  leavesOpen,
  tellsChange,
} from "#language";
import { clausesOf, hardWords, hasWord, shareIn, withoutQuoted, wordsIn } from "./words.ts";

/** A memory that a quote would end. */
export interface Ending {
  readonly line: string;
  readonly slot: string | null;
  readonly isRule: boolean;
  /** It was made in the session of the quote. */
  readonly isHere: boolean;
  /** The exchange directly before the quote: its prompt and the agent's answer. */
  readonly before?: string;
  /** True for a word that hardly any other memory of the project holds. */
  readonly isRare?: (word: string) => boolean;
  /** The line in its place; null = it ends for nothing. */
  readonly by: Successor | null;
}

interface Successor {
  readonly line: string;
  /** It is of the same subject and attribute. */
  readonly isSameSlot: boolean;
  readonly isRule: boolean;
}

export function endsMemory(quote: string, ending: Ending): boolean {
  const said = withoutQuoted(quote);
  const own = statedIn(said);
  const { by, isRule } = ending;
  if (by !== null && hardWords(by.line).some((word) => hasWord(said, word) && !hasWord(own, word)))
    return false;
  if (isTakenBack(own, ending)) return true;
  if (by === null) return isContrary(own, ending) && isNamed(own, ending) && isOfIt(own, ending);
  return isRule
    ? changesRule(own, ending, by)
    : isCorrected(own, ending, by) || changesFact(own, ending, by);
}

/** The sentences that state something: what may be, "could be 60, not sure", ends nothing. */
const statedIn = (said: string): string =>
  hardSplit(said)
    .filter((sentence) => !leavesOpen(sentence))
    .join("\n");

/** Orders to forget, in eight languages: what a user may say of a memory without naming it. */
const takeBack =
  /(?<!\p{L})(?:forget|scratch|drop|delete|remove|erase|never ?mind|take (?:it|that) back|vergiss|vergesst|streich\p{L}*|lösch\p{L}*|oublie[sz]?|supprime[sz]?|efface[sz]?|olvid[ae]\p{L}*|borr[ae]\p{L}*|elimin[ae]\p{L}*|esque[cç][ae]\p{L}*|apag(?:a|ue)|забудь\p{L}*|удали\p{L}*|сотри\p{L}*)(?!\p{L})|忘[记掉れ]|删[除掉]|取り消|消して/iu;

/** "Forget that", and neither "never forget that" nor "vergiss das nicht". */
function takesBack(clause: string): boolean {
  const match = takeBack.exec(clause);
  if (match === null) return false;
  const behind = clause
    .slice(match.index + match[0].length)
    .trim()
    .split(/\s+/u, 2);
  return !denies(`${clause.slice(0, match.index)} x`) && !denies(behind.join(" "));
}

/** Words of a clause that neither the memory has, nor the order to forget it, nor any denial. */
function wordsBeside(clause: string, { line, slot }: Ending): readonly string[] {
  const known = new Set(wordsIn(`${line} ${slot ?? ""}`));
  return wordsIn(clause.replace(takeBack, " ")).filter((word) => !known.has(word) && !denies(word));
}

/** Words of a line that a text has. */
function heldOf(line: string, text: string): readonly string[] {
  const said = new Set(wordsIn(text));
  return wordsIn(line).filter((word) => said.has(word));
}

/** "Forget that", directly after the memory was told, or "not heron": of this session, and about nothing else. */
const isTakenBack = (own: string, ending: Ending): boolean =>
  ending.isHere &&
  clausesOf(own).some((clause) => {
    const isOrder = takeBack.test(clause);
    const rest = clause.replace(takeBack, " ");
    if (isOrder ? !takesBack(clause) : !denies(clause)) return false;
    if (wordsBeside(rest, ending).length > 0 && !(isOrder && isPointing(rest))) return false;
    return isToldBefore(ending) || heldOf(`${ending.line} ${ending.slot ?? ""}`, rest).length > 0;
  });

/** Has the exchange directly before the quote told the memory? */
const isToldBefore = ({ line, before = "" }: Ending): boolean =>
  isHalf(line, before) ||
  (valuesIn(line).some((value) => hasWord(before, value)) && heldOf(line, before).length > 1);

/** "No, it's falcon", "take 9210", directly after the memory was told: a value, or a name of what takes its place. */
const isCorrected = (own: string, ending: Ending, by: Successor): boolean =>
  (ending.isHere || by.isSameSlot) &&
  isToldBefore(ending) &&
  clausesOf(own).some((clause) => {
    const beside = wordsBeside(clause, ending);
    if (valuesIn(ending.line).length > 0)
      return (
        bringsValue(clause, ending.line) &&
        beside.filter((word) => !/\p{N}/u.test(word)).length <= besideMax.statement
      );
    const [name = "", ...more] = beside;
    return ending.isHere && more.length === 0 && wordsIn(by.line).includes(name);
  });

/** Numbers, paths and the like: a memory that holds one is changed by one. */
const valuesIn = (text: string): readonly string[] =>
  hardWords(text).filter((word) => !/^\p{L}+$/u.test(word));

const bringsValue = (own: string, line: string): boolean =>
  valuesIn(own).some((value) => !hasWord(line, value));

/** Tells the quote of a change, or brings a name or number that the line lacks? */
const isChange = (own: string, line: string): boolean =>
  tellsChange(own) || hardWords(own).some((word) => !hasWord(line, word));

function isHalf(line: string, own: string): boolean {
  const held = heldOf(line, own).length;
  return held > 1 && held * 2 >= wordsIn(line).length;
}

/** Tells of a fact otherwise: has its value; or names it, and where it has a value also a change. */
function changesFact(own: string, ending: Ending, by: Successor): boolean {
  const { line, isRare = () => true } = ending;
  const isValued = valuesIn(line).length > 0;
  if (namesValue(own, line)) return true;
  if (isNamed(own, ending)) return !isValued || isChange(own, line);
  const held = heldOf(line, own);
  if (!held.some(isRare)) return false;
  return isValued
    ? bringsValue(own, line)
    : by.isSameSlot || held.length * 2 >= wordsIn(line).length;
}

/** Names a text the memory: by its subject, a name or number, or some of its words; a rule by half of it? */
function isNamed(own: string, { line, slot, isRule, by }: Ending): boolean {
  if (isRule) return isHalf(line, own);
  const subject = slot?.split(" · ")[0] ?? "";
  if ((subject !== "" && shareIn(subject, own) === 1) || holdsHard(own, line)) return true;
  const held = heldOf(line, own).length;
  return held > 1 && (by !== null || held * 3 >= wordsIn(line).length);
}

/** Have both a name or number, in capitals in one of them at least? */
const holdsHard = (own: string, line: string): boolean =>
  [...hardWords(line), ...hardWords(own)].some((word) => hasWord(own, word) && hasWord(line, word));

/** Names a value of the line, or denies what it ends with: "no longer bulma". */
function namesValue(own: string, line: string): boolean {
  const last = wordsIn(line).at(-1) ?? "";
  return (
    valuesIn(line).some((value) => hasWord(own, value)) ||
    (tellsChange(own) && deniedValuesIn(own).some((denied) => wordsIn(denied).includes(last)))
  );
}

const isDenied = (own: string): boolean => denies(own) || clausesOf(own).some(takesBack);

/**
 * A rule ends by what its user says of it, half of it or its name, and not by an errand that shares words with it. Two
 * signs are needed: more than one of its words, its slot, a change or a denial.
 */
function changesRule(own: string, ending: Ending, { isRule, isSameSlot }: Successor): boolean {
  const { line } = ending;
  const held = heldOf(line, own).length;
  const isOther = tellsChange(own);
  const isOfIts = (isRule && (isSameSlot || isOther)) || isOfRule(own, ending);
  const signs = [held > 1, isSameSlot, isChange(own, line) || isDenied(own)];
  return held > 0 && isOfIts && signs.filter(Boolean).length > 1;
}

/** Restates half of a rule, or a name of it; or denies more than half of it, and little else. */
function isOfRule(own: string, ending: Ending): boolean {
  const { line } = ending;
  if (!isDenied(own)) return isHalf(line, own) || holdsHard(own, line);
  const isMost = heldOf(line, own).length * 2 > wordsIn(line).length;
  return (isMost || holdsHard(own, line)) && isOfIt(own, ending);
}

/** Words that a clause may hold beside those of the memory that it ends. */
const besideMax = { order: 2, statement: 1 } as const;

/** Is a clause of the quote about the memory and about little else? */
const isOfIt = (own: string, ending: Ending): boolean =>
  clausesOf(own).some((clause) => {
    const max = takesBack(clause) ? besideMax.order : besideMax.statement;
    const isHeld = heldOf(`${ending.line} ${ending.slot ?? ""}`, clause).length > 0;
    return isHeld && wordsBeside(clause, ending).length <= max;
  });

/** Orders to forget it, or denies what it says; of a fact also, neither says it again nor orders to remember it. */
function isContrary(own: string, { line, isRule }: Ending): boolean {
  if (clausesOf(own).some(takesBack)) return true;
  if (denies(own) !== denies(line)) return isRule || !hardSplit(own).some(isOutright);
  return !isRule && heldOf(line, own).length * 5 < wordsIn(line).length * 4;
}
