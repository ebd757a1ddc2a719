/**
 * A turn as the scorer reads it: sentences of both sides, the work done, and what came before.
 *
 * Pure. Says what a sentence is about and what kind of turn this is; what that is worth is in scorer-claims.ts.
 */
import { sentencesOf } from "./scorer-text.ts";
import type { Sentence } from "./scorer-text.ts";
import { workOf } from "./scorer-tools.ts";
import type { Work } from "./scorer-tools.ts";
import { negation, says, trade } from "./scorer-words.ts";
import type { WordClass } from "./scorer-words.ts";
import type { TurnContext } from "./turn-context.ts";

export interface Reading {
  readonly prompt: readonly Sentence[];
  readonly answer: readonly Sentence[];
  readonly work: Work;
  /** The assistant had said something before, so that there is something to object to. */
  readonly hasPrevious: boolean;
  /** The turns before this one struggled with something. */
  readonly afterStruggle: boolean;
}

/** What is looked at of a turn before this one. */
export interface EarlierTurn {
  readonly prompt: string | null;
  readonly answer: string | null;
}

const earlierTurnsMax = 3;

/** Reads a turn; `before` are the turns ahead of it, of which three are looked at. */
export function readingOf(turn: TurnContext, before: readonly EarlierTurn[]): Reading {
  const earlier = before.slice(0, earlierTurnsMax);
  return {
    prompt: sentencesOf(turn.prompt),
    answer: sentencesOf(turn.answer),
    work: workOf(turn.tools),
    hasPrevious: turn.previousAnswer !== null || earlier.some(({ answer }) => answer !== null),
    afterStruggle: earlier.some(({ prompt, answer }) =>
      [...sentencesOf(prompt), ...sentencesOf(answer)].some((sentence) =>
        has(sentence, "unresolved"),
      ),
    ),
  };
}

export const isAboutLife = ({ plain }: Sentence): boolean => says.life.test(plain);

/** A word of the trade, or the shape of an identifier, path, version or code span. */
export const isAboutWork = ({ text, plain }: Sentence): boolean =>
  trade.test(plain) ||
  /`|\w_\w|\w\/\w|\b\w+\.[a-z]{1,5}\b|[a-z][A-Z]|\b[A-Z]{2,}\b|-\w+-|\d{3,}|\d\.\d|\bv\d/.test(
    text,
  );

/** About this project rather than the world: something was done, or the question points here. */
export const isSpecific = ({ prompt, work }: Reading): boolean =>
  work.looks + work.filesEdited.length + work.commands > 0 ||
  (prompt.some((sentence) => has(sentence, "deixis")) &&
    !prompt.some((sentence) => /\bin general\b/.test(sentence.plain)));

/** Whether a sentence says something of this class, not in the negative. */
export function has(sentence: Sentence, wordClass: WordClass): boolean {
  const found = says[wordClass].exec(sentence.plain);
  return found !== null && !negation.test(sentence.plain.slice(0, found.index));
}

/** Ceilings: small talk, lessons and errands stay below what is stored, whatever words occur in them. */
const ceilings = { talk: 0.2, lesson: 0.25, errand: 0.28 } as const;

/** The most a turn of this kind can weigh, 1 when nothing holds it down. */
export function ceilingOf(reading: Reading): number {
  const { prompt, work } = reading;
  const changed = work.filesEdited.length + work.changingCommands + work.failures > 0;
  if (changed) return 1;
  const isTalk =
    prompt.some(isAboutLife) && prompt.every((said) => isAboutLife(said) || !isAboutWork(said));
  if (isTalk) return ceilings.talk;
  const isErrand = prompt.some((sentence) => opensWithErrand(sentence.plain));
  if (isErrand && prompt.length <= 2) return ceilings.errand;
  const isLesson = prompt.some((sentence) => has(sentence, "lesson")) && !isSpecific(reading);
  return isLesson ? ceilings.lesson : 1;
}

/** An errand is an order: its verb comes first, after courtesies. "We run Postgres 15" orders nothing. */
const opensWithErrand = (plain: string): boolean =>
  says.errand.exec(plain.replace(courtesy, ""))?.index === 0;

const courtesy =
  /^(?:(?:ok|okay|and|now|then|please|pls|just|great|good|perfect|thanks|also|can|could|would|will|you|kannst|bitte|puedes|por favor)[,.!]?\s+)+/u;
