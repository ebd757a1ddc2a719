/** Clauses of a sentence, and the least that one has to say, for the grammar of orders to remember. Pure. */
import type { SentenceOrder } from "./orders-common.ts";
import { boundary, leads, matterEnd, moment } from "./orders-patterns.ts";

export const isQuestion = (said: string): boolean => /[?？]["')\]”»」]*\s*$/u.test(said);

/** Is its object one of the moment, or one that only points? */
export const isMomentary = (matter: string): boolean => moment.test(matter);

/** Start of the clause whose words before `at` only lead to an order; -1 when they say something else. */
export function clauseBefore(said: string, at: number): number {
  const before = said.slice(0, at);
  if (leads.test(before)) return 0;
  for (const { index, 0: mark } of [...before.matchAll(boundary)].reverse())
    if (leads.test(before.slice(index + mark.length))) return index;
  return -1;
}

/** Two words, or a word and a value: less says nothing. */
export const isMatter = (matter: string): boolean =>
  (matter.match(/[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu)?.length ?? 0) >= 2 || /[=:]\s*\S/u.test(matter);

/** One word that is no courtesy. */
export const isOneWord = (matter: string): boolean =>
  /^[\p{L}\p{N}@][\p{L}\p{N}._/@-]{2,40}[.!]*$/u.test(matter) && !leads.test(matter);

/** The place of what begins at `start`. */
export const whole = (said: string, start: number): SentenceOrder["matter"] => ({
  start,
  end: matterEnd(said, start),
});
