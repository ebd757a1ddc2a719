/**
 * What one clause of a prompt is: a rule, a decision, a changed value, a fact, … or nothing to remember.
 * Judged from its form alone (verbs, modals, values), never from particular names. Order matters: vetoes first,
 * then the most telling cue. Pure.
 */
import { wordsOf } from "../language/index.ts";
import { isChoice, isDeadEnd, isValueChange } from "./choices.ts";
import type { Clause } from "./clause.ts";
import * as cues from "./cues.ts";
import { factPart, isCorrectedFact, isLabelledFact, isPerson, isPlainStatement } from "./facts.ts";
import { isQuestion, isReported, isTask, partsOf } from "./forms.ts";
import {
  isAlwaysOrNever,
  isLiking,
  isProhibition,
  isSelf,
  isStandingRule,
  isStyle,
} from "./rules.ts";

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
  | "fact" // how something is
  | "note"; // something specific that no rule recognised

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
  if (isAskedFor(clause)) return found("remember", true);
  // "can you move the backup to 02:00?" is a change, though it ends in a question mark.
  if (isQuestion(clause))
    return cues.request.test(text) && isValueChange(text) ? found("change") : null;
  return isQuoted(clause) ? null : stated(clause);
}

/** "we decided to … only …" tells a decision, though its words would make a rule as well. */
function stated(clause: Clause): Judgement | null {
  const decided = cues.decided.test(clause.masked) ? decisionLike(clause) : null;
  return decided ?? ruleLike(clause.masked) ?? decisionLike(clause) ?? toldFact(clause);
}

/** "the docs say: never …" tells what others say. */
const isQuoted = ({ rawLabel }: Clause): boolean =>
  /\b(?:docs?|documentation|manual|readme|article|blog|post|guide|linter|error|message|comment|book|he|she|they|it|who|rfc)\b.{0,20}\b(?:says?|said|reads?|states?|claims?|warns?)$/i.test(
    rawLabel,
  );

const found = (kind: Kind, isSignal = false): Judgement => ({ kind, isSignal });

/** "remember that …", "don't forget …", "keep in mind: …". */
function isAskedFor(clause: Clause): boolean {
  if (cues.rememberLabel.test(clause.rawLabel)) return true;
  const text = clause.masked;
  if (!cues.remember.test(text) || cues.notRemember.test(text)) return false;
  return !clause.sentence.isQuestion || /^(?:please |pls )?(?:remember|keep in mind)/i.test(text);
}

type Row = readonly [kind: Kind, isSignal: boolean, holds: (text: string) => boolean];

const firstOf = (rows: readonly Row[], text: string): Judgement | null => {
  const row = rows.find(([, , holds]) => holds(text));
  return row === undefined ? null : found(row[0], row[1]);
};

const ruleRows: readonly Row[] = [
  ["self", false, (text) => isSelf(text) && !isStyle(text)],
  ["preference", true, (text) => cues.fromNowOn.test(text) || cues.prefer.test(text)],
  ["rule", true, isAlwaysOrNever],
  ["rule", false, (text) => cues.unwanted.test(text)],
  ["preference", false, isStyle],
  ["preference", false, isLiking],
  ["rule", false, (text) => isProhibition(text) || isStandingRule(text)],
];

const ruleLike = (text: string): Judgement | null =>
  cues.idle.test(text) ? null : firstOf(ruleRows, text);

const decisionRows: readonly Row[] = [
  ["decision", true, (text) => cues.decided.test(text)],
  ["pattern", true, (text) => cues.technique.test(text)],
  ["cause", true, (text) => cues.cause.test(text)],
  ["decision", false, isDeadEnd],
  ["cause", false, (text) => cues.becauseOf.test(text) && !isTask(text)],
  ["naming", false, (text) => cues.naming.test(text)],
  ["change", false, isValueChange],
  ["decision", false, isChoice],
];

function decisionLike(clause: Clause): Judgement | null {
  const text = clause.masked;
  if (cues.maybe.test(text) || isReported(text)) return null;
  if (/\bdecisions?\b/.test(clause.rawLabel)) return found("decision", true);
  if (/\b(?:root cause|cause|reason|the bug|the culprit)$/.test(clause.rawLabel))
    return found("cause", true);
  if (/^(?:this pattern|the pattern|the trick|rule of thumb)\b/.test(clause.rawLabel))
    return found("pattern", true);
  if (aboutSelf.test(text)) return null;
  if (cues.decided.test(text) && cues.leisure.test(text)) return null;
  return firstOf(decisionRows, text);
}

/** "turns out I'm hungry": how the writer feels explains nothing. */
const aboutSelf = /\bturns? out (?:that )?(?:i'?m|i am|i was)\b/i;

/** What is told for a laugh is no fact to keep; rules and decisions are meant all the same. */
const toldFact = (clause: Clause): Judgement | null =>
  laughing.test(clause.sentence.text) ? null : factLike(clause);

const laughing = /^(?:lol|lmao|rofl|ha(?:ha)+)\b/i;

function factLike(clause: Clause): Judgement | null {
  const text = clause.masked;
  if (cues.maybe.test(text) || isReported(text)) return null;
  if (clause.isCorrection && isCorrectedFact(text)) return found("fact");
  // "fix the login, Priya owns that file": the part after the comma is a fact.
  const stated = isTask(text) ? partsOf(text).slice(1).join(", ") : text;
  if (stated === "") return null;
  if (isPerson(stated)) return found("person");
  if (isLabelledFact(clause) || factPart(stated) !== null) return found("fact");
  return stated === text && isPlainStatement(text) ? { ...found("fact"), isWeak: true } : null;
}
