/**
 * Whether a sentence of an old session tells a value that was replaced since: "the database is on port 6432", when it
 * is on 7777 by now. Looks for what the replaced memory says and its successor does not. Pure.
 */
import { letterPairs } from "#kit";
import { readWords } from "#language/light";
import type { Replaced } from "./start-types.ts";

/** True for a text that tells a replaced value as if it held. */
export function staleTest(replaced: readonly Replaced[]): (text: string) => boolean {
  const marks = replaced.map(marksOf).filter(({ hard, soft }) => hard.length + soft.length > 0);
  if (marks.length === 0) return () => false;
  return (text) => {
    const words = termsOf(text);
    return marks.some((one) => isTold(one, words) && !one.now.some((term) => words.has(term)));
  };
}

interface Marks {
  /** Numbers and identifiers that only the old statement has: one of them tells it, beside a word of the subject. */
  readonly hard: readonly string[];
  /** Where it has none: the plain words that were exchanged, which tell it together, beside the subject. */
  readonly soft: readonly string[];
  readonly subject: readonly string[];
  /** What only the new one has: a sentence with both tells of the change itself. */
  readonly now: readonly string[];
}

/** More exchanged words than this are another wording, not another value. */
const softMax = 3;
/** Share of the subject's words that stand beside plain words, from which a sentence is about it. */
const subjectShareMin = 0.5;

function marksOf({ old, now, slot }: Replaced): Marks {
  const before = termsOf(old);
  const after = termsOf(now);
  const gone = [...before].filter((term) => !after.has(term));
  const identifiers = new Set(readWords(old).identifiers);
  const shared = [...before].filter((term) => after.has(term) && !hasNumber(term));
  const subject = new Set([...shared, ...(slot === null ? [] : termsOf(slot))]);
  const news = [...after].filter((term) => !before.has(term) && !subject.has(term));
  const numbers = news.filter(hasNumber);
  const named = gone.filter((term) => hasNumber(term) || identifiers.has(term));
  // "after 10 days, not 14" names the old number beside the new one.
  const isNumber = named.length === 0 && numbers.length > 0;
  const hard = isNumber ? [...before].filter(hasNumber) : named;
  return {
    hard,
    soft: hard.length === 0 && gone.length <= softMax ? gone : [],
    subject: [...subject],
    // Beside a number that is another one now, plain words tell of no change.
    now: hard.some(hasNumber) && numbers.length > 0 ? numbers : news,
  };
}

const hasNumber = (term: string): boolean => /\p{N}/u.test(term);

function isTold({ hard, soft, subject }: Marks, words: ReadonlySet<string>): boolean {
  const named = subject.filter((term) => words.has(term)).length;
  if (hard.some((term) => words.has(term))) return named > 0;
  return (
    soft.length > 0 &&
    soft.every((term) => words.has(term)) &&
    named >= subjectShareMin * subject.length
  );
}

/** Content words, every number as it stands, and pairs of letters where no spaces stand. */
const termsOf = (text: string): ReadonlySet<string> =>
  new Set([
    ...readWords(text).content,
    ...(text.match(/\d+(?:[.:]\d+)*/gu) ?? []),
    ...(text.match(/[\u3040-\u30ff\u3400-\u9fff]+/gu) ?? []).flatMap(letterPairs),
  ]);
