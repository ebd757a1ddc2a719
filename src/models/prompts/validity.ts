/**
 * Reads how long a memory of a reply holds, and checks what a rule rests on: its user always wants it, or said it
 * before. "Before" is another session, or another day of this one, which the reply names by its number:
 * the same order twice in one afternoon is still an order for one task. Pure.
 */
import { oneLine, parseNow } from "#kit";
import type { KnownSlot, SessionInput } from "./session-input.ts";
import type { SaidTurn } from "./condense.ts";

export type Validity =
  /** `before`: only for a rule that rests on what its user said before. */
  | { readonly type: "durable"; readonly before?: readonly Place[] }
  /** Ends with the task, in the model's own judgement. */
  | { readonly type: "task" }
  | { readonly type: "until"; readonly date: string }
  | { readonly type: "merged"; readonly branch: string };

/** Number of a known memory (`K4`), of words of an earlier session (`E1`), or of a turn (`T3`). */
interface Place {
  readonly of: "E" | "K" | "T";
  readonly number: number;
}

export function validityOf(text: string): Validity {
  if (/^task\b/i.test(text)) return { type: "task" };
  if (/^(?:again|habit|once)\b/i.test(text)) return { type: "durable", before: placesIn(text) };
  const date = /(\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
  if (date !== undefined && parseNow(date) !== null) return { type: "until", date };
  const branch = /merged?\s*:?\s*(\S.*)?$/i.exec(text);
  return branch === null
    ? { type: "durable" }
    : { type: "merged", branch: oneLine(branch[1] ?? "") };
}

/** True for what its user is held to have said in several places. */
export const namesPlaces = (valid: Validity): boolean =>
  valid.type === "durable" && valid.before !== undefined && valid.before.length > 0;

const placesIn = (text: string): readonly Place[] =>
  [...text.matchAll(/(?<![\p{L}\p{N}])([EKT])(\d{1,4})(?!\d)/gu)].map(([, of, number]) => ({
    of: of === "E" || of === "K" ? of : "T",
    number: Number(number),
  }));

interface Session extends Pick<SessionInput, "known" | "typedBefore"> {
  readonly turns: readonly SaidTurn[];
  /** All that the user typed. */
  readonly own: string;
}

interface Rule {
  readonly said: SaidTurn;
  readonly replaces: readonly KnownSlot[];
}

interface Grounds {
  /** False for a rule that rests on words from before which stand nowhere. */
  readonly lasts: boolean;
  /** Words beside those of the quoted turn that may carry it. */
  readonly words: readonly string[];
}

export function groundsOf(valid: Validity, rule: Rule, session: Session): Grounds {
  const replaced = rule.replaces.filter(({ isRule }) => isRule === true).map(textOf);
  const before = saidBefore(valid, rule, session);
  if (before === null) return { lasts: true, words: replaced };
  // Said several times: its words need not all stand in the turn that is quoted.
  const several = before.length === 0 ? [] : [session.own, ...before];
  return { lasts: before.length + replaced.length > 0, words: [...replaced, ...several] };
}

/**
 * Words of the user from other sessions or days that a rule rests on; null for one that needs none. Of a rule that
 * names no place: what stands beside its turn, and what it replaces.
 */
function saidBefore(
  valid: Validity,
  { said, replaces }: Rule,
  { known, turns, typedBefore }: Session,
): readonly string[] | null {
  if (valid.type !== "durable" || valid.before === undefined) return null;
  const earlier = known.filter(({ isSaidBefore }) => isSaidBefore === true);
  const { before: places } = valid;
  if (places.length === 0)
    return [
      ...typedBefore.filter(({ turn }) => turn === said.n),
      ...earlier.filter((one) => replaces.includes(one)),
    ].map(textOf);
  return places.flatMap(({ of, number }) => {
    if (of === "K") return earlier.filter((one) => one.number === number).map(textOf);
    if (of === "E") return typedBefore.slice(number - 1, number).map(textOf);
    return turns
      .filter(({ n, own }) => n === number && own.trim() !== "")
      .filter(({ date }) => date !== null && said.date !== null && date !== said.date)
      .map(({ own }) => own);
  });
}

const textOf = (one: { readonly text: string } | { readonly l0: string }): string =>
  "text" in one ? one.text : one.l0;
