/** The block that an order introduces: what stands behind it in the same paragraph and goes on telling. Pure. */
import { asksForWork, comesToTask, isNextTask, isQuestion, orderIn } from "#language";
import { unspacedLetters } from "#kit";
import { unitsMax, type Unit } from "./units.ts";

/** Characters of what one order keeps. */
export const blockCharsMax = 4_000;

export interface Block {
  readonly text: string;
  /** Not all of it fits. */
  readonly isCut: boolean;
}

/** The text of an order's own sentence with the sentences and items from `from` on that belong to it, as far as they fit. */
export function blockFrom(units: readonly Unit[], from: number, own: string): Block {
  let text = own;
  let at = from;
  for (; at < units.length; at += 1) {
    const unit = units[at];
    if (unit === undefined || unit.isApart || !goesOn(unit)) break;
    if (introduces(unit, units[at + 1])) break;
    const longer = text + between(text, units[at - 1], unit) + unit.text;
    if (longer.length > blockCharsMax) return { text, isCut: true };
    text = longer;
  }
  return { text, isCut: text.length > blockCharsMax || at >= unitsMax };
}

/** Tells something by itself: another order, a question, thanks and the next task do not. */
const goesOn = ({ kind, text, guarded }: Unit): boolean =>
  kind === "sentence" &&
  ((text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= 2 || unspacedLetters(text) >= 4) &&
  orderIn(guarded) === null &&
  !isQuestion(text) &&
  !asksForWork(text) &&
  !isNextTask(text) &&
  !comesToTask(text);

/** "Say this in English:", above another's text. */
const introduces = ({ text }: Unit, next: Unit | undefined): boolean =>
  /[:：]$/u.test(text) && (next === undefined || next.kind !== "sentence" || next.isApart);

function between(text: string, before: Unit | undefined, { line }: Unit): string {
  if (line !== before?.line) return "\n";
  if (/[。！？]$/u.test(text)) return "";
  // The mark of "can you remember that X?" is none of X, which then ends without one.
  const isEnded = /[.!?…:;]["'”»)\]]*$/u.test(text);
  return isEnded ? " " : unspacedLetters(text) > 0 ? "。" : ". ";
}

/** A list that was taken for pasted, line by line. */
export const isListItem = ({ text }: Unit): boolean => /^[-*•・]\s/u.test(text);

/** The items of such a list up to the one at `last`. */
export function listOfBlocks(units: readonly Unit[], last: number): string {
  const first = units.slice(0, last).findLastIndex((one) => !(one.isItem || isListItem(one))) + 1;
  return units
    .slice(first, last + 1)
    .map(({ text }) => text.replace(/^[-*•・]\s+/u, ""))
    .join("\n");
}
