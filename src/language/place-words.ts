/** Words of closed classes by which a prompt shows what belongs to what, as lists/places.txt has them. Pure. */
import { unspacedLetters } from "#kit";
import { listsIn } from "./lists.ts";
import text from "./lists/places.txt" with { type: "text" };
import { isNextTask } from "./next-task.ts";
import { tellsItself } from "./orders-clause.ts";
import { isLead } from "./orders-patterns.ts";
import { orderIn } from "./orders.ts";
import { asksForWork, isQuestion } from "./requests.ts";
import { isAboutText } from "./text-requests.ts";

const { alone } = listsIn(text);
/** Matches what points at a text above or below: "this", "these", "below". */
export const points = new RegExp(alone("points"), "iu");
const own = new RegExp(alone("own"), "iu");
/** Matches a beginning that goes on with what the same person said, behind a sound at most: "also …", "oh and …". */
export const joins = new RegExp(`^(?:\\p{L}{2,3},? )?(?:${alone("joins")})`, "iu");

export const isRequest = (said: string): boolean =>
  isQuestion(said) || asksForWork(said) || isNextTask(said);

/** Ends by itself and requests nothing. */
export const isStatement = (said: string): boolean =>
  /[.!。！…]["'”’»」)]*$/u.test(said) && !isRequest(said);

/** Longer sentences are no mere request. */
export const requestCharsMax = 200;

/** May a text that the sentences ask about stand below? The last one that is no order points, or is about a text. */
export function asksForText(sentences: readonly string[]): boolean {
  const asking = sentences.findLast((one) => orderIn(one) === null);
  if (asking === undefined) return sentences.some((one) => points.test(one));
  if (asking.length > requestCharsMax || holdsText.test(asking) || isLead(asking)) return false;
  return points.test(asking) || /[:：]$/u.test(asking) || isAboutText(asking);
}

/** Quotation marks around a text that a sentence asks about. */
const holdsText = /["“„«「][^"”“»」]{20,}["”“»」]/u;

/** Length of words of the user's own before an order: "for us: note that …", "anyway: …", "also …"; 0 for none. */
export function ownLead(said: string): number {
  const joined = joins.exec(said)?.[0].length ?? 0;
  const match = /^[^.!?:：,，]{1,40}[:：]\s*/u.exec(said)?.[0] ?? "";
  return match !== "" && (joined > 0 || own.test(match)) ? match.length : joined;
}

/**
 * "他说：…", "写信给丽娜：…": words behind somebody's name, in scripts without spaces. Elsewhere the grammar takes no
 * order behind other words and a colon.
 */
export function isBehindName(said: string): boolean {
  const name = /^\s*[^:：\n]{2,40}[:：]/u.exec(said)?.[0] ?? "";
  if (unspacedLetters(name) === 0 || ownLead(said) > 0 || tellsItself(name.slice(0, -1)))
    return false;
  return orderIn(name) === null && orderIn(said.slice(name.length)) !== null;
}
