/** Does a clause say how something is? Pure. */
import { contentWords, wordsOf } from "../language/index.ts";
import { concreteTokens, namesIn } from "./clause.ts";
import type { Clause } from "./clause.ts";
import * as cues from "./cues.ts";
import { isOnceOnly, isStatusReport, isTask, partsOf } from "./forms.ts";

/** Somebody's name, role, wish or duty. */
export const isPerson = (text: string): boolean =>
  (cues.person.test(text) || cues.doneBy.test(text)) &&
  (!cues.trouble.test(text) || introduced.test(text));

/** "Ruben (our dba) …": whatever is said of him, it says who he is. */
const introduced = /\p{L} \((?:he|she|they|our|the|my)\b/u;

/** "webhooks: 8 attempts": a topic and something concrete about it. */
export const isLabelledFact = (clause: Clause): boolean =>
  clause.label !== "" &&
  !notATopic.test(clause.label) &&
  concreteTokens(clause.masked).length > 0 &&
  !isTask(clause.masked) &&
  !isStatusReport(clause.masked) &&
  !cues.trouble.test(clause.masked);

export const notATopic =
  /^(?:error|errors|warning|todo|fixme|bug|log|logs|stack|trace|output|result|example|step|steps|question|help|task|first|second|third|next|(?:new |this )?(?:ticket|issue|story)|url|link|file|line)\b/i;

/** "no, it's eu-central-1", "that's wrong, prices are net, not gross". */
export const isCorrectedFact = (text: string): boolean =>
  partsOf(text).some(
    (part) =>
      cues.correctedValue.test(part) &&
      !isStatusReport(part) &&
      (concreteTokens(part).length > 0 || cues.contrast.test(part)),
  );

/** The first part that says how something is, concretely; null when there is none. */
export const factPart = (text: string): string | null =>
  partsOf(text).find((part) => isFactPart(part)) ?? null;

function isFactPart(part: string): boolean {
  const verb = cues.stative.exec(part);
  if (verb === null || cues.emptySubject.test(part) || !canState(part)) return false;
  if (cues.routing.test(part)) return true;
  const predicate = part.slice(verb.index);
  return concreteTokens(predicate).length > 0 || (namesIn(part).length > 0 && cues.role.test(part));
}

/** Neither work, nor a question, nor trouble, nor something that is gone tomorrow. */
const canState = (part: string): boolean =>
  !isTask(part) &&
  !isStatusReport(part) &&
  !cues.trouble.test(part) &&
  !cues.question.test(part) &&
  !part.includes("/tmp/");

/** "error messages are for humans": how things are, though nothing in it is countable. */
export const isPlainStatement = (text: string): boolean =>
  wordsOf(text).length >= 4 &&
  !isOnceOnly(text) &&
  (!cues.laterOn.test(text) || cues.calendar.test(text)) &&
  partsOf(text).some((part) => isPlainPart(part));

const isPlainPart = (part: string): boolean =>
  (cues.habitual.test(part) || cues.calendar.test(part)) &&
  new Set(contentWords(part)).size >= 2 &&
  canState(part) &&
  !cues.emptySubject.test(part) &&
  !cues.notAlways.test(part) &&
  !cues.firstPerson.test(part) &&
  !cues.impression.test(part);
