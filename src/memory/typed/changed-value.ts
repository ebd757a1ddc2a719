/**
 * Takes typed words as a user's changed value although the agent's line adds names to them: what is kept is the quote
 * alone, with its subject as a label. Pure.
 */
import { allAddedBy, hardWords, hasWord } from "./assent.ts";
import { type Claim, type Judged, userWordOf } from "./user-word.ts";

/**
 * The quote as the user's word for the claim's value; null where its value has no name or number that the quote brings,
 * or one that neither the quote nor the memories that it replaces have.
 */
export function changedValue(claim: Claim): Judged | null {
  const { quote, value, known } = claim;
  if (quote === null || value === null || known.length === 0 || claim.kind === "rule") return null;
  const before = known.join("\n");
  const isNew = namesOf(value).some((word) => hasWord(quote, word) && !hasWord(before, word));
  if (!isNew || allAddedBy(value, `${quote}\n${before}`).length > 0) return null;
  const word = userWordOf({ ...claim, line: quote });
  return word.by === "user" ? { ...word, shown: "quote" } : null;
}

/** Names and numbers, also those within `kiln-head:9210`. */
const namesOf = (value: string): readonly string[] =>
  hardWords(`${value} ${value.replaceAll(":", " ")}`);
