/** The words of a sentence that stand before the order in it. Pure. */
import { tellsItself, withoutHesitation, type SentenceOrder } from "#language";
import { withoutTurn } from "./reactions.ts";
import type { Unit } from "./units.ts";

/** `saidBefore` gives the words of its sentence before the order, without "forget that, …". */
export const saidBefore = (unit: Unit, { before }: SentenceOrder): string =>
  withoutTurn(withoutHesitation(unit.text.slice(0, before)))
    .replace(/[\s,;:，、(—–-]+$/u, "")
    .trim();

/** "The limit was raised: keep in mind that it is 250" */
export const isIntroducedBy = (
  said: string,
  { text }: Unit,
  { before, isOutright }: SentenceOrder,
): boolean => isOutright && /^[:：]/u.test(text.slice(before)) && tellsItself(said);
