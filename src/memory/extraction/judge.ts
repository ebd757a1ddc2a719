/**
 * What one clause of a prompt is: a rule, a decision, a changed value, a fact, … or nothing to remember.
 * Judged from its form alone (verbs, modals, values), never from particular names. Order matters: vetoes first,
 * then the most telling cue. Pure.
 */
import { contentWords, valuesOf, wordsOf } from "../language/index.ts";
import { concreteTokens, namesIn } from "./clause.ts";
import type { Clause } from "./clause.ts";
import * as cues from "./cues.ts";

export type Kind =
  | "remember" // the user asked for it
  | "self" // who the user is
  | "preference" // how the user likes things
  | "rule" // what must always or never be done
  | "decision" // what was chosen
  | "change" // a value that the agent is told to set
  | "naming" // what something is to be called
  | "cause" // why something went wrong
  | "pattern" // a technique worth reusing
  | "person" // who someone is or wants
  | "fact"; // how something is

export interface Judgement {
  readonly kind: Kind;
  /** One of the phrases that ask for memory at once (20-memory, "Signals"). */
  readonly isSignal: boolean;
  /** A plain statement without a value, a name or a rule: worth little where a problem is being described. */
  readonly isWeak?: boolean;
}

/** Judges a clause; null = nothing to remember. */
export function judge(clause: Clause): Judgement | null {
  const text = clause.masked;
  if (wordsOf(text).length < 2 && clause.label === "") return null;
  if (cues.smallTalk.test(text)) return null;
  const asked = rememberCue(clause);
  if (asked !== null) return asked;
  if (isQuestion(clause)) return requestedChange(clause);
  return ruleLike(clause) ?? decisionLike(clause) ?? factLike(clause);
}

const found = (kind: Kind, isSignal = false): Judgement => ({ kind, isSignal });

/** True for a question, with or without its mark. */
export const isQuestion = (clause: Clause): boolean =>
  clause.sentence.isQuestion || cues.question.test(clause.masked);

/** True for an order to do something once: its words are a task, not a memory. */
export const isTask = (text: string): boolean =>
  cues.task.test(withoutRequest(text)) && !cues.nounFirst.test(text);

/** "can you please bump …" → "bump …". */
const withoutRequest = (text: string): string => text.replace(cues.request, "");

function rememberCue(clause: Clause): Judgement | null {
  if (cues.rememberLabel.test(clause.rawLabel)) return found("remember", true);
  const text = clause.masked;
  if (!cues.remember.test(text) || cues.notRemember.test(text)) return null;
  return clause.sentence.isQuestion && !/^(?:please |pls )?(?:remember|keep in mind)/i.test(text)
    ? null
    : found("remember", true);
}

/** "can you move the backup to 02:00?" is a change, though it ends in a question mark. */
function requestedChange(clause: Clause): Judgement | null {
  return cues.request.test(clause.masked) && isValueChange(withoutRequest(clause.masked))
    ? found("change")
    : null;
}

function ruleLike(clause: Clause): Judgement | null {
  const text = clause.masked;
  if (cues.idle.test(text)) return null;
  if (isSelf(text)) return found("self");
  if (cues.fromNowOn.test(text)) return found("preference", true);
  if (cues.prefer.test(text)) return found("preference", true);
  if (isAlwaysOrNever(text)) return found("rule", true);
  if (cues.style.test(text) && !isOnceOnly(text)) return found("preference");
  if (cues.like.test(text) && !cues.notLike.test(text)) return found("preference");
  if (isProhibition(text) || isStandingRule(text)) return found("rule");
  return null;
}

const isSelf = (text: string): boolean =>
  [text, ...partsOf(text)].some(
    (part) => (cues.self.test(part) || cues.selfName.test(part)) && !cues.notSelf.test(part),
  );

/** "always use X", "never do Y", "dates always ISO": an order, not a complaint or a habit. */
const isAlwaysOrNever = (text: string): boolean =>
  cues.alwaysOrNever.test(text) && !cues.notAlways.test(text) && !isReported(text);

const isOnceOnly = (text: string): boolean => cues.onceOnly.test(text);

/** "the readme says …": somebody else's words. */
const isReported = (text: string): boolean => cues.reported.test(text);

const isProhibition = (text: string): boolean =>
  [text, ...partsOf(text)].some(
    (part) => cues.prohibition.test(part) && !cues.notProhibition.test(part),
  ) &&
  !isOnceOnly(text) &&
  !isReported(text);

const isStandingRule = (text: string): boolean =>
  cues.standingRule.test(text) &&
  !isOnceOnly(text) &&
  !isReported(text) &&
  !cues.trouble.test(text) &&
  !isTask(text);

function decisionLike(clause: Clause): Judgement | null {
  const text = clause.masked;
  if (cues.maybe.test(text) || isReported(text)) return null;
  if (/\b(?:decisions?|(?:i|we) decide)\b/.test(clause.rawLabel)) return found("decision", true);
  if (cues.decided.test(text)) return cues.leisure.test(text) ? null : found("decision", true);
  if (cues.technique.test(text)) return found("pattern", true);
  if (cues.cause.test(text)) return found("cause", true);
  if (partsOf(text).some((part) => isDeadEnd(part))) return found("decision");
  if (cues.becauseOf.test(text) && !isTask(text)) return found("cause");
  if (cues.naming.test(text)) return found("naming");
  if (isValueChange(withoutRequest(text))) return found("change");
  if (isChoice(text)) return found("decision");
  return null;
}

const isDeadEnd = (part: string): boolean =>
  cues.deadEnd.test(part) && !isTask(part) && !isStatusReport(part);

/** "put it at 15", "move the job to 03:15", "settlement to 04:30": a value somebody is told to set. */
function isValueChange(text: string): boolean {
  if (cues.notAValue.test(text) || cues.comparison.test(text)) return false;
  if (partsOf(text).some((part) => cues.changeVerb.test(part) && hasSettableValue(part)))
    return true;
  const verbless = cues.verblessChange.exec(text);
  return verbless !== null && !isTask(text) && concreteTokens(verbless[0]).length > 0;
}

const hasSettableValue = (text: string): boolean =>
  valuesOf(text).length > 0 || cues.settable.test(text);

/** "we use …", "keep the redis lock", "drop X and go with Y", "jest is gone", "use the big runner for this". */
function isChoice(text: string): boolean {
  if (isOnceOnly(text) || cues.notAValue.test(text) || isWorkOrder(text)) return false;
  if ([text, ...partsOf(text)].some((part) => isChosen(part))) return true;
  if (cues.movedState.test(text) && !isTask(text)) return concreteTokens(text).length > 0;
  if (cues.weUse.test(text)) return concreteTokens(text).length > 0 && !isStatusReport(text);
  if (cues.wePresent.test(text) && !cues.laterOn.test(text) && !cues.leisure.test(text))
    return !isStatusReport(text) && !cues.trouble.test(text);
  return cues.useFor.test(text) && (concreteTokens(text).length > 0 || cues.useForAll.test(text));
}

const isChosen = (part: string): boolean =>
  (cues.choice.test(part) || cues.goneState.test(part)) && !isStatusReport(part);

/** "refactor the inventory so items are components instead of subclasses": work to do, told in one go. */
const isWorkOrder = (text: string): boolean =>
  isTask(text) &&
  !/^(?:keep|leave|drop|switch|replace|swap|move|migrate|stop|change)\b/i.test(
    withoutRequest(text),
  );

function factLike(clause: Clause): Judgement | null {
  if (cues.maybe.test(clause.masked) || isReported(clause.masked)) return null;
  if (clause.isCorrection && isCorrectedFact(clause.masked)) return found("fact");
  if (isTask(clause.masked)) return factAfterTask(clause);
  return factIn(clause);
}

function factIn(clause: Clause): Judgement | null {
  const text = clause.masked;
  if (cues.person.test(text) && !cues.trouble.test(text)) return found("person");
  const isLabelled = clause.label !== "" && concreteTokens(text).length > 0 && !isTask(text);
  if (
    isLabelled &&
    !isStatusReport(text) &&
    !cues.trouble.test(text) &&
    !notATopic.test(clause.label)
  )
    return found("fact");
  if (factPart(text) !== null) return found("fact");
  return isPlainStatement(text) ? { kind: "fact", isSignal: false, isWeak: true } : null;
}

/** "error messages are for humans": how things are, though nothing in it is countable. */
const isPlainStatement = (text: string): boolean =>
  wordsOf(text).length >= 4 &&
  !isOnceOnly(text) &&
  (!cues.laterOn.test(text) || cues.calendar.test(text)) &&
  partsOf(text).some((part) => isPlainPart(part));

const isPlainPart = (part: string): boolean =>
  (cues.habitual.test(part) || cues.calendar.test(part)) &&
  new Set(contentWords(part)).size >= 2 &&
  !isTask(part) &&
  !isStatusReport(part) &&
  !cues.question.test(part) &&
  !cues.emptySubject.test(part) &&
  !cues.firstPerson.test(part) &&
  !cues.impression.test(part) &&
  !cues.trouble.test(part);

const notATopic =
  /^(?:error|errors|warning|todo|fixme|bug|log|logs|stack|trace|output|result|example|step|steps|question|help|task|first|second|third|url|link|file|line)\b/i;

/** "no, it's eu-central-1", "that's wrong, prices are net, not gross". */
const isCorrectedFact = (text: string): boolean =>
  partsOf(text).some(
    (part) =>
      cues.correctedValue.test(part) &&
      !isStatusReport(part) &&
      (concreteTokens(part).length > 0 || cues.contrast.test(part)),
  );

/** "fix the login, Priya owns that file": the part after the comma is a fact. */
function factAfterTask(clause: Clause): Judgement | null {
  const later = partsOf(clause.masked).slice(1).join(", ");
  if (later === "") return null;
  if (cues.person.test(later) && !cues.trouble.test(later)) return found("person");
  return factPart(later) === null ? null : found("fact");
}

/** Parts of a sentence that can state something by themselves. */
export const partsOf = (text: string): readonly string[] =>
  text
    .split(/,\s+|\s+(?=(?:because|since|but|so that|so)\s)/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** The first part that says how something is, concretely; null when there is none. */
export function factPart(text: string): string | null {
  return partsOf(text).find((part) => isFactPart(part)) ?? null;
}

function isFactPart(part: string): boolean {
  if (isTask(part) || isStatusReport(part) || cues.trouble.test(part)) return false;
  if (cues.question.test(part)) return false;
  if (/\/tmp\//.test(part)) return false;
  const match = cues.stative.exec(part);
  if (match === null || cues.emptySubject.test(part)) return false;
  const predicate = part.slice(match.index);
  if (cues.routing.test(part)) return true;
  return concreteTokens(predicate).length > 0 || (namesIn(part).length > 0 && cues.role.test(part));
}

/** "tests pass now", "it still fails", "prod is throwing 500s": how things stand for the moment. */
const isStatusReport = (text: string): boolean => cues.statusReport.test(text);
