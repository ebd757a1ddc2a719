/** Forms of a clause that everything else asks about: order, question, report, part. Pure. */
import * as cues from "./cues.ts";
import type { Clause } from "./clause.ts";

/** True for a question, with or without its mark. */
export const isQuestion = (clause: Clause): boolean =>
  clause.sentence.isQuestion || cues.question.test(clause.masked);

/** True for an order to do something once: its words are a task, not a memory. */
export const isTask = (text: string): boolean =>
  cues.task.test(withoutRequest(text)) && !cues.nounFirst.test(text);

/** "can you please bump …" → "bump …". */
export const withoutRequest = (text: string): string => text.replace(cues.request, "");

/** "refactor the inventory so items are components instead of subclasses": work to do, told in one go. */
export const isWorkOrder = (text: string): boolean =>
  isTask(text) && !ordersChoice.test(withoutRequest(text));

const ordersChoice = /^(?:keep|leave|drop|switch|replace|swap|move|migrate|stop|change)\b/i;

export const isOnceOnly = (text: string): boolean => cues.onceOnly.test(text);

/** "the readme says …": somebody else's words. */
export const isReported = (text: string): boolean => cues.reported.test(text);

/** "tests pass now", "it still fails", "prod is throwing 500s": how things stand for the moment. */
export const isStatusReport = (text: string): boolean => cues.statusReport.test(text);

/** Parts of a sentence that can state something by themselves. */
export const partsOf = (text: string): readonly string[] =>
  text
    .split(/,\s+|\s+(?=(?:because|since|but|so that|so)\s)/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** The whole and each of its parts. */
export const wholeAndParts = (text: string): readonly string[] => [text, ...partsOf(text)];

/** "if it fails, nothing is sent": no trouble yet. */
export const withoutIf = (text: string): string =>
  text.replace(
    /\b(?:if|when|whenever|once|unless) (?:\S+ ){1,3}(?:fails?|breaks?|crashes|hangs|dies|times out|is (?:down|broken|missing|wrong))\b/gi,
    " ",
  );
