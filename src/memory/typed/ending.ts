/**
 * Decides whether the user's quoted words end a memory of theirs: by what they name, or by taking it back; and reads
 * until when and where a line holds. Pure.
 */
import {
  besideEverywhere,
  deniedValuesIn,
  denies,
  type Forgetting,
  hardSplit,
  isCommand,
  isMomentary,
  isOutright,
  isPointing,
  isQuestion,
  leavesOpen,
  orderIn,
  saidEndOf,
  saysItHolds,
  tellsChange,
  timeWindowOf,
} from "#language";
import { fromClock, msPerDay, parseNow } from "#kit";
import {
  addedBy,
  clausesOf,
  hardWords,
  hasWord,
  shareIn,
  withoutCitations,
  wordsIn,
} from "./assent.ts";
import { isUser } from "./shown.ts";

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
  const said = withoutCitations(quote);
  const own = statedIn(said);
  const { by, isHere } = ending;
  if (by !== null && isLeftOpen(said, own, by.line)) return false;
  if (by === null && restates(own, ending)) return false;
  if (isHere && (isTakenBack(own, ending) || (by !== null && corrects(own, ending, by))))
    return true;
  return by === null ? endsForNothing(own, ending) : givesWay(own, ending, by);
}

const endsForNothing = (own: string, ending: Ending): boolean =>
  ending.isRule ? endsRule(own, ending) : endsFact(own, ending);

function givesWay(own: string, ending: Ending, by: Successor): boolean {
  if (ending.isRule) return changesRule(own, ending, by);
  return (by.isSameSlot && bringsAnother(own, ending)) || changesFact(own, ending, by);
}

/** The sentences that state something: what may be, "could be 60, not sure", ends nothing. */
const statedIn = (said: string): string =>
  hardSplit(said)
    .filter((sentence) => !leavesOpen(sentence))
    .join("\n");

/** True where the quote has a name or value of the line only in a sentence that leaves it open. */
const isLeftOpen = (said: string, stated: string, line: string): boolean =>
  stated.trim() === "" ||
  hardWords(line).some((word) => hasWord(said, word) && !hasWord(stated, word));

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

/** "Forget that" of what was told directly before, or "not heron": it names the memory, or nothing. */
const isTakenBack = (own: string, ending: Ending): boolean =>
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

/** "No, it's falcon", "sorry, 9010": another value of the same kind, directly after the memory was told. */
const corrects = (own: string, ending: Ending, by: Successor): boolean =>
  !ending.isRule && (bringsAnother(own, ending) || bringsName(own, ending, by));

/** Tells a name that its successor has, in a clause that names nothing else. */
const bringsName = (own: string, ending: Ending, by: Successor): boolean =>
  valuesIn(ending.line).length === 0 &&
  isToldBefore(ending) &&
  clausesOf(own).some((clause) => {
    const [name, ...more] = wordsBeside(clause, ending);
    return name !== undefined && more.length === 0 && wordsIn(by.line).includes(name);
  });

/** Words of a line that a text has. */
function heldOf(line: string, text: string): readonly string[] {
  const said = new Set(wordsIn(text));
  return wordsIn(line).filter((word) => said.has(word));
}

/** Does a text hold every word of a slot's subject? */
function holdsName(text: string, slot: string | null): boolean {
  const subject = slot?.split(" · ")[0] ?? "";
  return subject !== "" && shareIn(subject, text) === 1;
}

/** Numbers, paths and the like: a memory that holds one is changed by one. */
const valuesIn = (text: string): readonly string[] =>
  hardWords(text).filter((word) => !/^\p{L}+$/u.test(word));

const bringsValue = (own: string, line: string): boolean =>
  valuesIn(line).length > 0 && valuesIn(own).some((value) => !hasWord(line, value));

/** "Take 9210", directly after the memory's value was told, in a clause that names nothing else. */
const bringsAnother = (own: string, ending: Ending): boolean =>
  valuesIn(ending.line).length > 0 &&
  isToldBefore(ending) &&
  clausesOf(own).some(
    (clause) =>
      bringsValue(clause, ending.line) &&
      wordsBeside(clause, ending).filter((word) => !hasValue(word)).length <= besideMax.statement,
  );

const hasValue = (word: string): boolean => valuesIn(word).length > 0;

/**
 * Tells another name, or a change, of the memory's subject or of half of one of its clauses; what stands beside may be
 * an errand: "attachments go into Postgres after all".
 */
function changesName(own: string, { line, slot }: Ending): boolean {
  return (
    isChange(own, line) &&
    (holdsName(own, slot) || clausesOf(line).some((part) => isHalf(part, own)))
  );
}

/** Tells the quote of a change, or brings a name or number that the line lacks? */
const isChange = (own: string, line: string): boolean =>
  tellsChange(own) || hardWords(own).some((word) => !hasWord(line, word));

function isHalf(line: string, own: string): boolean {
  const held = heldOf(line, own).length;
  return held > 1 && held * 2 >= wordsIn(line).length;
}

function changesFact(own: string, ending: Ending, by: Successor): boolean {
  const { line } = ending;
  if (namesValue(own, line)) return true;
  if (valuesIn(line).length > 0) return changesValued(own, ending, by);
  const held = heldOf(line, own).length;
  const isShared = held > 0 && held * 2 >= wordsIn(line).length;
  return isNamed(own, ending) || isShared || (by.isSameSlot && holdsRare(own, ending));
}

/** Compares values: the line holds a number or a path. */
function changesValued(own: string, ending: Ending, { isSameSlot }: Successor): boolean {
  const { line } = ending;
  if (!isNamed(own, ending)) return bringsValue(own, line) && holdsRare(own, ending);
  const isOther =
    bringsValue(own, line) ||
    (isDenied(own) && isOfIt(own, ending)) ||
    (isSameSlot && heldOf(line, own).length > 1 && isChange(own, line));
  return isOther || isHalf(line, own) || changesName(own, ending);
}

/** Names a text the memory: by its subject, a name or number, or more than one word of it? */
const isNamed = (own: string, { line, slot }: Ending): boolean =>
  heldOf(line, own).length > 1 || holdsName(own, slot) || holdsHard(own, line);

/** Holds a text a word of the line that hardly any other memory has? */
const holdsRare = (own: string, { line, isRare = () => true }: Ending): boolean =>
  heldOf(line, own).some(isRare);

/** Have both a name or number, in capitals in one of them at least? */
const holdsHard = (own: string, line: string): boolean =>
  [...hardWords(line), ...hardWords(own)].some((word) => hasWord(own, word) && hasWord(line, word));

const namesValue = (own: string, line: string): boolean =>
  valuesIn(line).some((value) => hasWord(own, value)) || deniesValue(own, line);

/** "No longer bulma": denies what the line ends with, its value. */
function deniesValue(own: string, line: string): boolean {
  const value = wordsIn(line).at(-1) ?? "";
  return tellsChange(own) && deniedValuesIn(own).some((denied) => wordsIn(denied).includes(value));
}

const isDenied = (own: string): boolean => denies(own) || clausesOf(own).some(takesBack);

/**
 * A rule is not ended by its subject alone, nor by an errand that shares words with it; by another thing than a rule of
 * its slot, or one that tells of a change, only where the quote restates it, or denies it and little else.
 */
function changesRule(own: string, ending: Ending, { isRule, isSameSlot }: Successor): boolean {
  const { line } = ending;
  const held = heldOf(line, own).length;
  const isOther = tellsChange(own);
  const isOfIts = (isRule && (isSameSlot || isOther)) || isOfRule(own, ending);
  if (held === 0 || !isOfIts) return false;
  if (!isOther && !isDenied(own) && !bringsMore(own, line)) return isSameSlot && held > 1;
  return isSameSlot || held > 1 || isAll(line, held);
}

/** Brings a text a name or number that the line lacks, or an order? */
const bringsMore = (own: string, line: string): boolean =>
  hardWords(own).some((word) => !hasWord(line, word)) ||
  hardSplit(own).some((sentence) => orderIn(sentence) !== null);

/** Restates half of a rule, or a name of it; or denies more than half of it, and little else. */
function isOfRule(own: string, ending: Ending): boolean {
  const { line } = ending;
  if (!isDenied(own)) return isHalf(line, own) || holdsHard(own, line);
  const isMost = heldOf(line, own).length * 2 > wordsIn(line).length;
  return (isMost || holdsHard(own, line)) && isOfIt(own, ending);
}

const isAll = (line: string, held: number): boolean => held === wordsIn(line).length;

function endsRule(own: string, ending: Ending): boolean {
  const { line } = ending;
  const held = heldOf(line, own).length;
  const isContrary = clausesOf(own).some(takesBack) || denies(own) !== denies(line);
  return isContrary && held > 1 && held * 2 >= wordsIn(line).length && isOfIt(own, ending);
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

function endsFact(own: string, ending: Ending): boolean {
  const { line, slot } = ending;
  const held = heldOf(line, own).length;
  const parts = clausesOf(own).some(takesBack) ? 3 : 2;
  const isOfFact =
    holdsName(own, slot) ||
    holdsHard(own, line) ||
    (held > 1 && held * parts >= wordsIn(line).length);
  return isOfFact && isOfIt(own, ending);
}

/** Says it again, or orders to remember it. */
function restates(own: string, { line }: Ending): boolean {
  if (clausesOf(own).some(takesBack)) return false;
  const isSaid = heldOf(line, own).length * 5 >= wordsIn(line).length * 4;
  return isSaid && (denies(own) === denies(line) || hardSplit(own).some(isOutright));
}

// The end that an agent names for a memory: a date, or words as people say them. Pure but for the zone.

/** Words around a date so that it names an end: the agent gives it bare, in any language. */
const phrases: readonly ((words: string) => string)[] = [
  (words) => words,
  (words) => `until ${words}`,
  (words) => `only ${words}`,
  (words) => `for the next ${words}`,
  (words) => `到${words}`,
  (words) => `${words}まで`,
];

/** A date holds through its end, as the user counts days; null for words that name no day. */
export function untilOf(said: string, nowMs: number, zone: string): number | null {
  const words = said.trim().replace(/[.。]$/u, "");
  const date = /^(\d{4})-(\d{1,2})-(\d{1,2})$/u.exec(words);
  if (date !== null) {
    const [, year = "", ...rest] = date;
    const ms = parseNow([year, ...rest.map((part) => part.padStart(2, "0"))].join("-"));
    return ms === null ? null : fromClock(ms + msPerDay, zone);
  }
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/u.test(words)) return parseNow(words);
  const ends = phrases.map((phrase) => saidEndOf(phrase(words), nowMs, zone));
  return ends.find((end) => end !== null) ?? null;
}

// Reads from a quote where and until when its line holds. Pure.

/** True if the quote says so of the line: "there are TODOs everywhere, use tabs" does not say it of the tabs. */
export function saysEverywhere(quote: string, line: string): boolean {
  const said = new Set(wordsIn(line));
  return clausesOf(withoutCitations(quote)).some((clause) => {
    const beside = besideEverywhere(clause);
    if (beside === null) return false;
    const words = wordsIn(beside);
    return words.length === 0 || words.some((word) => said.has(word));
  });
}

/** Pronouns and verbs of the first person alone, in eight languages. */
const ofMyself =
  /(?<!\p{L})(?:i|i'?m|my|me|ich|mir|mich|meine?[mnrs]?|je|j'|mon|ma|mes|moi|yo|soy|mi|mis|eu|sou|meus?|minhas?|я|мне|меня|мой|моя|мои)(?!\p{L})|我(?!们)|私(?!たち)|僕|俺/iu;
const theUser =
  /^(?:the user|(?:der|die) nutzer(?:in)?|l'utilisat(?:eur|rice)|(?:el|la) usuari[oa]|[oa] usuári[oa]|пользователь)(?!\p{L})|^(?:用户|ユーザー)/iu;

/** Do line, or its subject, and quote tell who the user is, and order nothing? That holds wherever they work. */
export function tellsOfUser(quote: string, line: string, subject = ""): boolean {
  const [said, told] = [withoutCitations(quote), line.trim()].map((text) =>
    text.replaceAll("’", "'"),
  );
  if (said === undefined || told === undefined || !ofMyself.test(said)) return false;
  return theUser.test(told) || (isUser(subject) && (!isCommand(line) || tellsOfMyself(told)));
}

/** "Fridays I never work": speaks of its user, and none of its clauses is an order that holds. */
const tellsOfMyself = (line: string): boolean =>
  ofMyself.test(line.split(/\s+/u, myselfWordsMax).join(" ")) &&
  clausesOf(line).every((clause) => orderIn(clause) === null);

/** Words of a line at its head, of which one is "I" or "my". */
const myselfWordsMax = 3;

/** Names the quote a time, from which an agent may have reckoned the end? */
export const saysTime = (quote: string, nowMs: number): boolean =>
  /\p{N}/u.test(quote) || saidEndOf(quote, nowMs) !== null || timeWindowOf(quote, nowMs) !== null;

/** Says the quote that its order is to last: a rule, or an order to remember? Other orders may be of the moment. */
export const ordersForGood = (quote: string): boolean =>
  hardSplit(quote).some((sentence) => {
    const order = orderIn(sentence);
    return order !== null && (order.kind === "rule" || order.isOutright);
  });

/** Says a quote that an agent takes for a rule that it is one: its words name no occasion, and an extent or a duty. */
export const holdsAsRule = (quote: string): boolean =>
  ordersForGood(quote) ||
  hardSplit(withoutCitations(quote)).some(
    (sentence) => saysItHolds(sentence) && !isMomentary(sentence) && !isQuestion(sentence),
  );

// Finds the memory that an order to forget means. Pure.

/** Share of a line's words that name it. */
const heldShareMin = 0.6;

/** Does the order name this line: by most of its words, or as a rule by some of them, with no other name or value? */
export function isMeant({ words, isOfWords }: Forgetting, line: string): boolean {
  const said = wordsIn(words);
  const own = new Set(wordsIn(line));
  const held = said.filter((word) => own.has(word)).length;
  if (held === 0 || addedBy(words, line) !== null) return false;
  const isNamed = held > 1 && held >= own.size * heldShareMin;
  return isNamed || (isOfWords && held === said.length);
}
