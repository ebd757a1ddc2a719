/**
 * Does a line of the instruction files say what a memory says, or the contrary? Strict: a doubt means neither, since a
 * repeated line costs little and a lost one is lost. Pure.
 */
import type { NoteFinding, NoteLine } from "#domain";
import { hasUnspaced } from "#kit";
import {
  canonicalWord,
  denies,
  isTool,
  jaccard,
  oppositeIn,
  toolFamily,
  valuesOf,
  wordsOf,
} from "#language";
import { choicesIn } from "../merge/choices.ts";
import { gistOf } from "../merge/gist.ts";
import { duplicateGuards } from "../merge/guards.ts";
import { stemsOf } from "../exchange/succession.ts";

/** Share of all words from which two statements are one, when the line has each word of the memory. */
const sameShareMin = 0.8;
/** The same for scripts without spaces, compared by pairs of letters. */
const pairsShareMin = 0.9;
/** What two contrary statements are about must be nearly the same. */
const subjectShareMin = 0.6;
/** Without a tool that names its kind, so many words say what a value belongs to. */
const subjectWordsMin = 2;

/** "Use pnpm, not npm" has two. */
const bareWordsMax = 2;

/** Of the shorter statement: fewer make no subject. */
const nearShareMin = 0.3;

/** Words that say nothing in a rule that is given to an agent. */
const weak = new Set(
  (
    "user always please ensure sure remember project repo repository codebase developer rule should must prefer want " +
    "like default"
  )
    .split(" ")
    .map(canonicalWord),
);

/** Where one of two statements holds only at times, they are not one statement. */
const restriction = new RegExp(
  String.raw`(?<!\p{L})(?:only|unless|except|if|when|until|nur|außer|wenn|falls|bis|sauf|seulement|si|quand|jusqu|` +
    String.raw`solo|sólo|salvo|cuando|hasta|só|somente|exceto|quando|até|только|если|кроме|когда|пока)(?!\p{L})|` +
    "除非|如果|只|仅|だけ|場合|のみ|限り",
  "iu",
);

interface Statement {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** Names of tools among them, with their kind. */
  readonly tools: ReadonlyMap<string, string>;
  readonly isRestricted: boolean;
  readonly isDenial: boolean;
}

interface Unit extends Statement {
  readonly line: NoteLine;
}

/** Lines as they are compared; `name`: of the project, which is no part of what is said. */
export interface Notes {
  readonly byWord: ReadonlyMap<string, readonly Unit[]>;
  /** Statements of few words. */
  readonly bare: readonly Unit[];
  readonly name: string | null;
}

export function notesOf(lines: readonly NoteLine[], name: string | null): Notes {
  const units = lines.flatMap((line) =>
    statementsIn(line.text, name).map((one): Unit => Object.assign(one, { line })),
  );
  const byWord = new Map<string, Unit[]>();
  for (const unit of units)
    for (const word of unit.words) {
      const known = byWord.get(word);
      if (known === undefined) byWord.set(word, [unit]);
      else known.push(unit);
    }
  return { byWord, bare: units.filter(({ words }) => words.size <= bareWordsMax), name };
}

/** What the lines say of a memory's line; null when they say nothing of it. What is said anywhere is not contrary. */
export function saidIn(l0: string, notes: Notes): NoteFinding | null {
  const [whole, ...parts] = statementsIn(l0, notes.name);
  if (whole === undefined) return null;
  const found = saidBy(whole, notes);
  if (found !== null) return { ...found, kind: "said" };
  const each = parts.map((part) => saidBy(part, notes));
  const [first] = each;
  if (first !== undefined && first !== null && each.every((one) => one !== null))
    return { ...first, kind: "said" };
  for (const part of parts.length === 0 ? [whole] : parts) {
    const contrary = near(part, notes).find((unit) => isContrary(part, unit));
    if (contrary !== undefined) return { ...contrary.line, kind: "contrary" };
  }
  return null;
}

const saidBy = (one: Statement, notes: Notes): NoteLine | null =>
  near(one, notes).find((unit) => isSame(one, unit))?.line ?? null;

/** Those that share some words; where a statement is little more than its value, all others that are. */
function near({ words }: Statement, { byWord, bare }: Notes): readonly Unit[] {
  const shared = new Map<Unit, number>();
  for (const word of words)
    for (const unit of byWord.get(word) ?? []) shared.set(unit, (shared.get(unit) ?? 0) + 1);
  const found = [...shared].flatMap(([unit, count]) =>
    count >= nearShareMin * Math.min(words.size, unit.words.size) ? [unit] : [],
  );
  return [...new Set(words.size <= bareWordsMax ? found.concat(bare) : found)];
}

/** The whole text, then its sentences where it has several. */
function statementsIn(text: string, name: string | null): readonly Statement[] {
  const head = name === null ? "" : `${name}: `;
  const own = head !== "" && text.toLowerCase().startsWith(head.toLowerCase());
  const said = (own ? text.slice(head.length) : text).replace(/[`*]/gu, "").trim();
  const parts = said
    .split(/(?<=[.!?])\s+|;\s+|(?<=[。！？；])/u)
    .filter((part) => /\p{L}/u.test(part));
  return (parts.length > 1 ? [said, ...parts] : [said])
    .map((part) => statementOf(part, name))
    .filter(({ words }) => words.size > 0);
}

function statementOf(text: string, name: string | null): Statement {
  const names = new Set(name === null ? [] : wordsOf(name).map(canonicalWord));
  const words = hasUnspaced(text) ? stemsOf(text) : gistOf(text);
  return {
    text,
    words: new Set([...words].filter((word) => !weak.has(word) && !names.has(word))),
    tools: new Map(
      wordsOf(text).flatMap((word) =>
        isTool(word) ? [[canonicalWord(word), toolFamily(word) ?? word] as const] : [],
      ),
    ),
    isRestricted: restriction.test(text),
    isDenial: denies(text),
  };
}

const plain = (text: string): string => text.toLowerCase().replace(/[\s.!。]+$/u, "");

function isSame(one: Statement, unit: Unit): boolean {
  if (plain(one.text) === plain(unit.text)) return true;
  if (one.isRestricted !== unit.isRestricted || one.isDenial !== unit.isDenial) return false;
  const shareMin = hasUnspaced(one.text) ? pairsShareMin : sameShareMin;
  const saysMore = [...one.words].some((word) => !unit.words.has(word));
  return (
    !saysMore &&
    jaccard(one.words, unit.words) >= shareMin &&
    duplicateGuards(one.text, unit.text).compatible
  );
}

/** The same subject with another value: the contrary order, a rival tool, an opposite, another figure. */
function isContrary(one: Statement, unit: Unit): boolean {
  if (one.isRestricted || unit.isRestricted) return false;
  if (one.tools.size > 0 || unit.tools.size > 0)
    return isOfOne(restOf(one), restOf(unit), 0) && areRivals(stanceOf(one), stanceOf(unit));
  if (isOfOne(one.words, unit.words, 1) && one.isDenial !== unit.isDenial)
    return jaccard(one.words, unit.words) >= sameShareMin;
  return hasOtherValue(one, unit) || hasOpposite(one, unit) || isTurned(one.text, unit.text);
}

const restOf = ({ words, tools }: Statement): ReadonlySet<string> =>
  new Set([...words].filter((word) => !tools.has(word)));

/** Tools that a statement is for and against, with their kinds. */
interface Stance {
  readonly wanted: ReadonlyMap<string, string>;
  readonly refused: ReadonlyMap<string, string>;
}

function stanceOf({ text, tools }: Statement): Stance {
  const rejected = new Set(choicesIn(text).flatMap((choice) => choice.rejected));
  const stance = { wanted: new Map<string, string>(), refused: new Map<string, string>() };
  for (const clause of text.split(/[,:—–]\s*/u))
    for (const word of wordsOf(clause).map(canonicalWord)) {
      const kind = tools.get(word);
      if (kind === undefined) continue;
      const isRefused = rejected.has(word) || (denies(clause) && choicesIn(clause).length === 0);
      stance[isRefused ? "refused" : "wanted"].set(word, kind);
    }
  return stance;
}

function areRivals(one: Stance, other: Stance): boolean {
  const meet = (a: Stance["wanted"], b: Stance["wanted"]): boolean =>
    [...a.keys()].some((word) => b.has(word));
  if (meet(one.wanted, other.refused) || meet(one.refused, other.wanted)) return true;
  if (meet(one.wanted, other.wanted)) return false;
  const kinds = new Set(other.wanted.values());
  return [...one.wanted.values()].some((kind) => kinds.has(kind));
}

function hasOtherValue(one: Statement, unit: Statement): boolean {
  const [mine, theirs] = [valuesOf(one.text), valuesOf(unit.text)];
  const [value, other] = [mine[0], theirs[0]];
  if (mine.length !== 1 || theirs.length !== 1 || value === undefined || other === undefined)
    return false;
  if (value.kind !== other.kind || value.canonical === other.canonical) return false;
  const without = (words: ReadonlySet<string>, out: string): ReadonlySet<string> =>
    new Set([...words].filter((word) => word !== out));
  const subject = without(one.words, value.canonical);
  const second = without(unit.words, other.canonical);
  // "the id of the game" and "the id of the demo" are two things.
  const isTwo =
    [...subject].some((word) => !second.has(word)) && second.difference(subject).size > 0;
  return !isTwo && isOfOne(subject, second, subjectWordsMin);
}

function hasOpposite(one: Statement, unit: Statement): boolean {
  if (one.isDenial !== unit.isDenial) return false;
  const found = oppositeIn([...one.words], [...unit.words]);
  if (found === null) return false;
  const rest = ({ words }: Statement): ReadonlySet<string> =>
    new Set([...words].filter((word) => !found.includes(word)));
  return isOfOne(rest(one), rest(unit), 0);
}

/** "tabs over spaces" beside "spaces over tabs". */
const isTurned = (one: string, other: string): boolean =>
  choicesIn(one).some((mine) =>
    choicesIn(other).some(
      (theirs) =>
        mine.chosen.some((word) => theirs.rejected.includes(word)) &&
        mine.rejected.some((word) => theirs.chosen.includes(word)),
    ),
  );

const isOfOne = (a: ReadonlySet<string>, b: ReadonlySet<string>, sharedMin: number): boolean => {
  if (a.size === 0 && b.size === 0) return sharedMin === 0;
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared >= Math.max(1, sharedMin) && jaccard(a, b) >= subjectShareMin;
};
