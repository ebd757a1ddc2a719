/**
 * What a prompt says besides its plain statements: clauses that no rule recognised, but that state something specific,
 * and values that the answer confirms as set. Worth little each, and more than nothing: a memory that is missing cannot
 * be found. Pure.
 */
import {
  contentWords,
  identifierShape,
  identifiersOf,
  valuesOf,
  wordsOf,
} from "../language/index.ts";
import { confirmationAmong, isStateSentence, rhythmsIn } from "./answer.ts";
import { concreteTokens } from "./clause.ts";
import type { Clause } from "./clause.ts";
import * as cues from "./cues.ts";
import {
  isOnceOnly,
  isQuestion,
  isReported,
  isStatusReport,
  isTask,
  partsOf,
  withoutIf,
} from "./forms.ts";
import { notATopic } from "./facts.ts";
import { isPointer } from "./joins.ts";
import type { Thought } from "./thoughts.ts";

interface Around {
  /** The prompt describes a problem: plain statements are part of the description. */
  readonly isReport: boolean;
  /** What the assistant's answer states, sentence by sentence. */
  readonly answered: readonly string[];
  readonly topic: string;
}

/** The clause as a thought of its own; null when it says nothing that lasts. */
export function noteOf(clause: Clause, around: Around): Thought | null {
  if (
    isQuestion(clause) ||
    chatter.test(clause.sentence.text) ||
    isPointer(clause) ||
    cues.smallTalk.test(clause.masked)
  )
    return null;
  const thought = { isSignal: false, clauses: [clause], core: [clause], topic: around.topic };
  if (isConfirmedValue(clause, around.answered)) return { ...thought, kind: "change" };
  const isKept = !around.isReport && (isNote(clause) || isLastingTask(clause));
  return isKept ? { ...thought, kind: "note" } : null;
}

/** "4 threads isn't enough, 12" — "The worker pool has 12 threads now.": said in passing, and done. */
function isConfirmedValue(clause: Clause, answered: readonly string[]): boolean {
  const text = clause.masked;
  if (cues.notAValue.test(text) || isStatusReport(text)) return false;
  if (isNewChoice(text, answered)) return true;
  if (valuesOf(text).length + slotsOf(text).length + rhythmsIn(text).length === 0) return false;
  const confirmation = confirmationAmong(answered, clause.body);
  return confirmation !== null && isStateSentence(confirmation);
}

/** "change the compression to zstd" — "Files use zstd now." */
function isNewChoice(text: string, answered: readonly string[]): boolean {
  const [, target = ""] = /\s(?:to|with|by) ([\p{L}\p{N}_.@/-]{2,40})[.!]*$/u.exec(text) ?? [];
  if (target === "" || !/^(?:change|switch|set|swap|replace|move)\b/i.test(text)) return false;
  return answered.some(
    (sentence) => isStateSentence(sentence) && wordsOf(sentence).includes(target.toLowerCase()),
  );
}

/** Fewer words than this state nothing by themselves. */
const noteWordsMin = 4;

/** A declarative clause about the work with something specific in it. */
const isNote = (clause: Clause): boolean =>
  !isChatter(clause.masked) &&
  (!clause.needsSubject || isTask(clause.masked)) &&
  (statementsIn(clause.masked).some(isSpecific) || isTold(clause));

/** Content words that make a list under a topic worth keeping. */
const toldWordsMin = 4;

/** "merchant dashboard: numbers right aligned, negative in parentheses": a topic and how it is to be. */
const isTold = ({ label, masked }: Clause): boolean =>
  label !== "" &&
  !notATopic.test(label) &&
  new Set(contentWords(masked)).size >= toldWordsMin &&
  !cues.trouble.test(withoutIf(masked)) &&
  !cues.impression.test(masked);

/** "we got more money: 900 euros a month": either side of a colon may be the statement. */
const statementsIn = (text: string): readonly string[] =>
  // Of an order only what names something counts: "do that, column name balance_cents".
  isTask(text)
    ? partsOf(text)
        .slice(1)
        .filter((part) => identifiersOf(part).length > 0)
    : text.split(/:\s+/).flatMap((side) => partsOf(side));

/** Moods and manners of speaking. */
const passing = [cues.impression, cues.firstPerson, cues.notProhibition, cues.notAlways];

const isSpecific = (part: string): boolean =>
  new Set(contentWords(part)).size >= 2 &&
  !isTask(part) &&
  (!isStatusReport(part) || rhythmsIn(part).length > 0) &&
  !cues.trouble.test(withoutIf(part)) &&
  !passing.some((cue) => cue.test(part)) &&
  (isBrief(part) || (wordsOf(part).length >= noteWordsMin && isConcrete(part)));

const isConcrete = (part: string): boolean =>
  concreteTokens(part).length > 0 || practice.test(part) || cues.movedState.test(part);

/** "skeletons not spinners", "column name balance_cents": three words can say it all. */
const isBrief = (part: string): boolean =>
  wordsOf(part).length === noteWordsMin - 1 &&
  (identifiersOf(part).length > 0 ||
    /^\p{L}{3,} are (?!\p{L}*(?:ing|ed|ful|ous|ly|able|ish|ive|y)[.!]*$)\p{L}{4,}[.!]*$/iu.test(
      part,
    ) ||
    /^\p{L}{3,} not (?!sure|yet|bad|now|really|that|so|again|what|urgent|needed|found)\p{L}{3,}[.!]*$/iu.test(
      part,
    ));

/** "it is …", "there are …": says nothing without what stands before. */
const pronounFirst =
  /^(?:(?:now|then|still|and|but) )?(?:it|its|it's|that|that's|thats|this|there|there's|here|here's|what|which|who|you|you're|my|your)\b/i;

/** What is or is not done, how often, and which of several things counts. */
const practice =
  /^\S+ \p{Ll}{3,}s .{3,40} now$|\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays|weekends|every)\b|\b(?:no|not|never|don'?t|doesn'?t|only|nobody|nothing|without|stays?|instead|until|till|handles?|owns?|belongs?|approves?)\b/iu;

/** Talk, guesses, other people's words, and what is true for the moment only. */
const isChatter = (text: string): boolean =>
  isOnceOnly(text) ||
  isReported(text) ||
  partsOf(text).some((part) => cues.question.test(part)) ||
  cues.idle.test(text) ||
  cues.maybe.test(text) ||
  cues.leisure.test(text) ||
  pronounFirst.test(text) ||
  cues.firstPerson.test(text) ||
  chatter.test(text);

const chatter =
  /^\p{L}+ing (?:this|it|that|up|back|off|in|out|on|through|for|at)\b|^(?:typos?|you(?:'re|'ve|r)?|u|lets|let'?s|looking|looks|sounds|feels|seems|thought|wish|hope|hoping|guess|glad|love|like|wonder|wondering|curious|interesting|funny|imagine|see|saw|got|gotta|gonna|good|great|nice|cool|damn|wow|man|dude|omg|meh|hm+|ha(?:ha)*|same|much|more|less|enough|only \d+|no (?:idea|clue|problem|worries|rush|hurry|way|need|luck|chance|wonder|surprise|pressure|joke|offen[cs]e)|not (?:sure|bad|now|yet|really|that|so|again|what|the|a|my|your|urgent|important))\b|\b(?:haha|lol|lmao|btw sorry|kidding|joking|weather|weekend plans|birthday|mood|brain|asleep|sleepy|tired|hungry|kids?|dog|cat|wife|husband|train|bus|traffic)\b/iu;

/** "send it to #fin-recon every morning": an order with a place or a rhythm that outlives it. */
const isLastingTask = (clause: Clause): boolean =>
  isTask(clause.masked) &&
  !isOnceOnly(clause.masked) &&
  !clause.needsSubject &&
  lastingVerb.test(clause.masked) &&
  slotsOf(clause.masked).length > 0;

const lastingVerb =
  /^(?:put|send|post|upload|publish|store|export|write|save|mirror|ship|point|route|forward|expose|serve|log|mount|sync|dump|report|archive|deploy|push|notify|alert|back up|backup)\b/i;

const slotsOf = (text: string): readonly string[] =>
  identifiersOf(text).filter((token) => {
    const shape = identifierShape(token);
    const isIssue = /^#\d+$/.test(token);
    return !isIssue && (/^(?:region|channel|host)$/.test(shape) || shape.startsWith("url:"));
  });
