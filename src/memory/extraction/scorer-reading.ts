/**
 * A turn as the scorer reads it: sentences of both sides, the work done, and what came before.
 *
 * Pure. Says what a sentence is about and what kind of turn this is; what that is worth is in scorer-claims.ts.
 */
import {
  type PlainSentence,
  type WordClass,
  isTool,
  negation,
  plainSentencesOf,
  says,
  technicalNouns,
  wordsOf,
} from "#language";
import { workOf } from "./scorer-tools.ts";
import type { Work } from "./scorer-tools.ts";
import { typedEarlier, typedOf, type TurnContext } from "./turn-context.ts";

export interface Reading {
  readonly prompt: readonly PlainSentence[];
  readonly answer: readonly PlainSentence[];
  readonly work: Work;
  /** The assistant had said something before, so that there is something to object to. */
  readonly hasPrevious: boolean;
  /** The turns before this one struggled with something. Few turns are asked for it. */
  readonly afterStruggle: () => boolean;
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
    prompt: plainSentencesOf(typedOf(turn)),
    answer: plainSentencesOf(turn.answer),
    work: workOf(turn.tools),
    hasPrevious: turn.previousAnswer !== null || earlier.some(({ answer }) => answer !== null),
    afterStruggle: () =>
      earlier.some(({ prompt, answer }) =>
        [...plainSentencesOf(typedEarlier(prompt)), ...plainSentencesOf(answer)].some((sentence) =>
          has(sentence, "unresolved"),
        ),
      ),
  };
}

export const isAboutLife = ({ text, plain }: PlainSentence): boolean =>
  says.life.test(plain) && says.life.test(text.replace(properName, "").toLowerCase());

/** Kestrel Coffee is a customer, not a drink. */
const properName = /(?<=[^.!?] )\p{Lu}[\p{L}\p{N}]+/gu;

/** A technical noun, or the shape of an identifier, path, version or code span. */
export const isAboutWork = ({ text, plain }: PlainSentence): boolean =>
  technicalNouns.test(plain) ||
  wordsOf(plain).some(isTool) ||
  /`|\w_\w|\w\/\w|\b\w+\.[a-z]{1,5}\b|[a-z][A-Z]|\b[A-Z]{2,}\b|-\w+-|\d{3,}|\d\.\d|\bv\d/.test(
    text,
  );

/** A statement: a subject with a verb soon after it, and no order in front. */
export const declares = ({ plain, isQuestion }: PlainSentence): boolean =>
  !isQuestion &&
  !order.test(plain) &&
  verbSoon.test(
    plain.replace(/^(?:(?:so|and|but|also|btw|well|ok|good|nice|great|later|right)[,.:]? )+/, ""),
  );

export const isOrder = ({ plain }: PlainSentence): boolean => order.test(plain);

/** What people begin an order with. */
const order =
  /^(?:please |pls |ok,? |now |then |also |and |just |can you |could you )*(?:add|make|use|rename|fix|write|move|change|put|set|check|show|run|list|bump|let'?s|let|do|don't|give|get|take|create|delete|remove|update|upgrade|implement|refactor|extract|split|convert|replace|try|read|look|explain|find|tell|generate|build|deploy|test|open|close|commit|push|merge|revert|undo|stop|start|keep|wire|port|migrate|switch|turn|increase|decrease|drop|go|continue|help|call|apply|handle|support|document|translate|compare|install|configure|enable|disable|clean|sort|speed|optimi[sz]e|debug|investigate)\b/u;

const verbSoon =
  /^(?:\S+ ){1,7}?(?:is|are|was|were|has|have|had|needs?|wants?|gets?|goes|go|lives?|runs?|signs?|dies|moves?|comes?|uses?|owns?|takes?|took|lands?|drops?|stays?|must|should|will|can|cannot|can't|means?|reads?|writes?|sends?|returns?|expects?|waits?|leaks?|leads?|keeps?|left|said|says|shows?|looks?|reports?|appears?|renders?|prints?|feels?|seems?|knows?|belongs?|contains?|holds?|works?|happens?|ist|sind|hat|wird|es|son|tiene)\b/u;

/** About this project rather than the world: something was done, or the question points here. */
export const isSpecific = ({ prompt, work }: Reading): boolean =>
  work.looks + work.filesEdited.length + work.commands > 0 ||
  (prompt.some((sentence) => has(sentence, "deixis") || declares(sentence)) &&
    !prompt.some((sentence) => /\bin general\b/.test(sentence.plain)));

/** What was found of a sentence: several judges ask the same of it. */
const heard = new WeakMap<PlainSentence, Map<WordClass, boolean>>();

/** Whether a sentence says something of this class, not in the negative. */
export function has(sentence: PlainSentence, wordClass: WordClass): boolean {
  let known = heard.get(sentence);
  if (known === undefined) heard.set(sentence, (known = new Map()));
  const before = known.get(wordClass);
  if (before !== undefined) return before;
  const isSaid = hears(sentence, wordClass);
  known.set(wordClass, isSaid);
  return isSaid;
}

function hears(sentence: PlainSentence, wordClass: WordClass): boolean {
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
  const looked = work.looks + work.commands > 0;
  const isTalk =
    prompt.some(isAboutLife) && prompt.every((said) => isAboutLife(said) || !isAboutWork(said));
  if (isTalk && !looked) return ceilings.talk;
  const isErrand =
    prompt.some((said) => opensWithErrand(said.plain)) && prompt.every(isErrandOrNod);
  if (isErrand) return ceilings.errand;
  const isLesson = prompt.some((sentence) => has(sentence, "lesson")) && !isSpecific(reading);
  return isLesson ? ceilings.lesson : 1;
}

/** An errand is an order: its verb comes first, after courtesies. "We run Postgres 15" orders nothing. */
const opensWithErrand = (plain: string): boolean =>
  says.errand.exec(plain.replace(courtesy, ""))?.index === 0;

/** A rule beside an errand is no errand: "commit it, and no emoji ever". */
const isErrandOrNod = (said: PlainSentence): boolean =>
  said.isQuestion ||
  opensWithErrand(said.plain) ||
  said.plain.split(" ").length <= 3 ||
  isAboutLife(said);

const courtesy =
  /^(?:(?:ok|okay|and|now|then|please|pls|just|great|good|perfect|thanks|also|can|could|would|will|you|kannst|bitte|puedes|por favor)[,.!]?\s+)+/u;
