/**
 * Decides whether an agent's line says what its user typed and nothing else, so that it may be shown as the user's
 * word: the words of whole clauses, in their order. A line that swaps, adds or cuts out words is not; then the quote is
 * shown. Pure.
 */
import {
  canonicalWord,
  denies,
  foldText,
  isCommand,
  isDroppable,
  isIntroduction,
  isLight,
  isLimit,
} from "#language";
import { keepsSense } from "./faithful.ts";

interface Typed {
  /** The user's own words of the quote. */
  readonly own: string;
  /** Lines of the user that the new one replaces, and names: each may lend its words, in its order. */
  readonly known: readonly string[];
  /** What the user typed before in this session: it may be named at the head of the line. */
  readonly earlier: readonly string[];
}

export function saysAsTyped(line: string, typed: Typed): boolean {
  const body = withoutHeading(line, [typed.own, ...typed.known, ...typed.earlier]);
  return repeats(line, typed) || (body !== line && repeats(body, typed));
}

function repeats(line: string, { own, known }: Typed): boolean {
  const clauses = clausesIn(own);
  const typed = clauses.flatMap(({ words }, clause) => words.map((word) => ({ word, clause })));
  const wanted = wordsOf(line).filter((word) => !isLight(word));
  if (wanted.length > wordsMax) return false;
  const at = alignment(
    wanted,
    typed.map(({ word }) => word),
  );
  const lent = wanted.filter((_, n) => at[n] === null);
  if (lent.length > 0 && !isLent(line, lent, known)) return false;
  const kept = new Set(at);
  const held = typed.map(({ word, clause }, n) => ({ word, clause, isKept: kept.has(n) }));
  return areWhole(clauses, held);
}

/** Words of a line that are compared; a longer one is no line. */
const wordsMax = 400;

interface Clause {
  readonly text: string;
  readonly words: readonly string[];
  /** Position of its sentence. */
  readonly sentence: number;
}

interface Held {
  readonly word: string;
  readonly clause: number;
  readonly isKept: boolean;
}

/** Of each clause all is kept or nothing, and nothing that a kept one stands under is dropped. */
function areWhole(clauses: readonly Clause[], held: readonly Held[]): boolean {
  const isKept = clauses.map((_, n) =>
    held.some((one) => one.clause === n && one.isKept && !isLight(one.word)),
  );
  return clauses.every((clause, n) => {
    const words = held.filter((one) => one.clause === n);
    if (isKept[n] === true) return isWhole(words);
    const goesOn = isKept.some(
      (one, m) => one && clauses[m]?.sentence === clause.sentence && m > n,
    );
    const wentOn = isKept.some(
      (one, m) => one && clauses[m]?.sentence === clause.sentence && m < n,
    );
    if (goesOn) return isEmpty(clause);
    return !wentOn || !isLimit(clause.text);
  });
}

/** Only what leads to a sentence may be left out at its beginning, and what says nothing anywhere. */
function isWhole(words: readonly Held[]): boolean {
  const first = words.findIndex(({ word, isKept }) => isKept && !isLight(word));
  const lead = words.slice(0, first).map(({ word }) => word);
  const rest = words.slice(first).filter(({ word, isKept }) => !isKept && !isDroppable(word));
  return rest.length === 0 && (lead.every(isDroppable) || isIntroduction(lead.join(" ")));
}

const isEmpty = ({ text, words }: Clause): boolean =>
  words.every(isDroppable) || isIntroduction(text);

/** Words of a line that is replaced, in its order, without a denial of it lost and without an order made of them. */
const isLent = (line: string, words: readonly string[], known: readonly string[]): boolean =>
  !isCommand(line) &&
  known.some((one) => {
    const at = alignment(words, wordsOf(one));
    return at.every((place) => place !== null) && keepsSense(line, one);
  });

/** "staging: its port is 7432": the head of a line is left out where it is made of the user's words. */
function withoutHeading(line: string, sources: readonly string[]): string {
  const [, head = "", rest = ""] = /^([^:：]{1,60})\s*[:：]\s+(.+)$/su.exec(line) ?? [];
  const words = wordsOf(head).filter((word) => !isLight(word));
  const said = new Set(sources.flatMap((source) => wordsOf(source)));
  const isName = words.length <= headingWordsMax && words.every((word) => said.has(word));
  return head !== "" && isName && !denies(head) && !isCommand(head) ? rest : line;
}
const headingWordsMax = 4;

/** For each word its place in the other list, in order, as many as can be; null = it has none. */
function alignment(words: readonly string[], other: readonly string[]): readonly (number | null)[] {
  const shared = sharedFrom(words, other);
  let m = 0;
  return words.map((word, n) => {
    const row = shared[n] ?? [];
    while (m < other.length && word !== other[m] && row[m + 1] === row[m]) m += 1;
    if (word !== other[m]) return null;
    m += 1;
    return m - 1;
  });
}

/** How many words two lists share in order, from each place of the one and of the other. */
function sharedFrom(words: readonly string[], other: readonly string[]): readonly number[][] {
  const rows: number[][] = [Array<number>(other.length + 1).fill(0)];
  for (const word of words.toReversed()) {
    const [below = []] = rows;
    const row = Array<number>(other.length + 1).fill(0);
    for (let m = other.length - 1; m >= 0; m -= 1) {
      const [skipped = 0, next = 0, both = 0] = [below[m], row[m + 1], below[m + 1]];
      row[m] = word === other[m] ? both + 1 : Math.max(skipped, next);
    }
    rows.unshift(row);
  }
  return rows;
}

const clauseEnds = /[,;:](?=\s|$)|[、，；：—–()（）]|\s-+\s|\s(?:and|und|et|y|e|и|а)(?=\s)/giu;
const sentences = /[^\n。！？]+?(?:[.!?…]+["'”’)\]]*(?=\s|$)|[。！？\n]|$)/gu;

/** What is asked is not said. */
const clausesIn = (text: string): readonly Clause[] =>
  (text.match(sentences) ?? []).flatMap((whole, sentence) =>
    isQuestion(whole)
      ? []
      : whole
          .split(clauseEnds)
          .map((part) => ({ text: part.trim(), words: wordsOf(part), sentence }))
          .filter(({ words }) => words.length > 0),
  );

const isQuestion = (sentence: string): boolean => /[?？]["'”’)\]」]*\s*$/u.test(sentence);

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

/** Words in order, as they are compared; of scripts without blanks, letters. */
const wordsOf = (text: string): readonly string[] =>
  (
    foldText(text).match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])[\p{L}\p{M}\p{N}])+/gu,
    ) ?? []
  ).map((word) => (eastAsian.test(word) ? word : canonicalWord(word)));
