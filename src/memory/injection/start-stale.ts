/**
 * Whether a sentence of an old session tells a value that was replaced since: "the database is on port 6432", when it
 * is on 7777 by now. Looks for what the replaced memory says and its successor does not. Pure.
 */
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
  /** Numbers, names and identifiers that only the old statement has: one of them tells it. */
  readonly hard: readonly string[];
  /** Where it has none: the plain words that were exchanged, all of which tell it together. */
  readonly soft: readonly string[];
  /** What both statements are about. */
  readonly subject: readonly string[];
  /** What only the new one has: a sentence with both tells of the change itself. */
  readonly now: readonly string[];
}

/** More exchanged words than this are another wording, not another value. */
const softMax = 3;

function marksOf({ old, now }: Replaced): Marks {
  const before = termsOf(old);
  const after = termsOf(now);
  const gone = [...before].filter((term) => !after.has(term));
  const names = namesIn(old);
  const hard = gone.filter((term) => /\p{N}/u.test(term) || names.has(term));
  return {
    hard,
    soft: hard.length === 0 && gone.length <= softMax ? gone : [],
    subject: [...before].filter((term) => after.has(term)),
    now: [...after].filter((term) => !before.has(term)),
  };
}

function isTold({ hard, soft, subject }: Marks, words: ReadonlySet<string>): boolean {
  if (soft.length > 0) return soft.every((term) => words.has(term));
  return hard.some(
    (term) =>
      words.has(term) &&
      // A small number means nothing away from what it counts.
      (!/^\d{1,2}$/u.test(term) || subject.some((other) => words.has(other))),
  );
}

/** Content words, and every number as it stands. */
const termsOf = (text: string): ReadonlySet<string> =>
  new Set([...readWords(text).content, ...(text.match(/\d+(?:[.:]\d+)*/gu) ?? [])]);

/** Identifiers, and words with a capital inside a sentence; in lower case. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set([
    ...readWords(text).identifiers,
    ...[...text.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}[\p{L}\p{N}]+/gu)].map(([name]) =>
      name.toLowerCase(),
    ),
  ]);
