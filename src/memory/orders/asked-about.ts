/** Tells items of a list that a question of the prompt speaks of: they order nothing. Pure. */
import type { Unit } from "./units.ts";

/** An item of a list that a question below speaks of: "which of these does the linter enforce?" */
export function isAskedAbout(units: readonly Unit[], n: number): boolean {
  if (isBelowQuestion(units, n)) return true;
  if (units[n]?.isItem !== true) return false;
  const next = units.slice(n + 1).find(({ isItem }) => !isItem);
  return next?.kind === "sentence" && /[?？]\s*$/u.test(next.text) && speaksOf.test(next.text);
}

/** "Does our setup do this?" above a heading, or above a list unless the question asks for work. */
function isBelowQuestion(units: readonly Unit[], n: number): boolean {
  const heading = units.slice(0, n).findLastIndex(({ text }) => isHeading(text));
  if (heading >= 0) return isAsked(units[heading - 1]);
  const first = units.slice(0, n).findLastIndex(({ isItem }) => !isItem);
  const above = units[first];
  return units[n]?.isItem === true && isAsked(above) && !asksForDeed.test(above?.text ?? "");
}
const isHeading = (text: string): boolean => /^#{1,6}\s/u.test(text);
const isAsked = (unit: Unit | undefined): boolean =>
  unit?.kind === "sentence" && /[?？]["')]*\s*$/u.test(unit.text);
/** "Can you fix the login?" */
const asksForDeed = new RegExp(
  String.raw`(?<!\p{L})(?:(?:can|could|would|will) (?:you|we|u)|(?:kannst|könntest|würdest) du|(?:peux|pourrais)[- ]tu` +
    String.raw`|(?:pouvez|pourriez)[- ]vous|puedes|podrías|pode|poderia|можешь|можете)(?!\p{L})|能不能|可以|もらえ|くれ`,
  "iu",
);

const speaksOf = new RegExp(
  String.raw`(?<!\p{L})(?:which|these|those|them|they|any of|all of|welche\p{L}*|davon|diese|sie|lesquelles?|lesquels?|` +
    String.raw`ceux|celles|elles|cuáles|estas|estos|quais|destas|estes|какие|эти|них)(?!\p{L})|哪|这些|どれ|これら`,
  "iu",
);
