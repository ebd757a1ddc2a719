/**
 * Takes typed words as their user's although the agent's line adds names to them: what is kept is the quote alone, with
 * its subject as a label. Pure.
 */
import { allAddedBy, hardWords, hasWord } from "./assent.ts";
import { type Claim, type Judged, userWordOf } from "./user-word.ts";

/** The claim of an agent, and its extent. */
interface Widened extends Claim {
  /** It is to hold everywhere. */
  readonly isWide: boolean;
}

/** The quote as the user's word where the line lacks proof for its additions alone; else null. */
export const quoteAlone = (claim: Widened): Judged | null =>
  changedValue(claim) ?? labelled(claim) ?? withoutBrackets(claim);

/**
 * The quote as the user's word for the claim's value; null where its value has no name or number that the quote brings,
 * or one that neither the quote nor the memories that it replaces have.
 */
function changedValue(claim: Claim): Judged | null {
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

/** "The LOD step skips Nanite" of "skip what is Nanite": the only names that the line adds stand in its label. */
function labelled(claim: Claim): Judged | null {
  const { quote, known, line, value } = claim;
  if (quote === null) return null;
  const word = userWordOf({ ...claim, line: quote, value: null });
  if (word.by === "agent" || word.label === null) return null;
  const said = [quote, ...known].join("\n");
  if (allAddedBy(`${line}\n${value ?? ""}`, said).length === 0) return null;
  const judged = userWordOf({ ...claim, known: [...known, word.label] });
  return judged.by === "user" ? { ...word, shown: "quote" } : null;
}

/**
 * The quote where the line adds nothing but what stands in its brackets, and would be worth less with it: a rule, what
 * holds everywhere, what takes the place of the user's words.
 */
function withoutBrackets(claim: Widened): Judged | null {
  const { isWide, kind, known, line } = claim;
  const bare = line.replaceAll(/\s*\([^()]*\)/gu, "");
  if (bare === line || (!isWide && kind !== "rule" && known.length === 0)) return null;
  const word = userWordOf({ ...claim, line: bare });
  return word.by === "user" ? { ...word, shown: "quote" } : null;
}

/** An answer that stands alone says nothing without what was asked: the question is its label. */
export function withQuestion(word: Judged, { asked = [] }: Pick<Claim, "asked">): Judged {
  if (word.by === "agent" || word.shown !== "quote" || word.label !== null) return word;
  const question = asked.find(({ answer }) => answer.trim() === word.said.trim())?.question;
  return { ...word, label: question?.replaceAll(/[()]/gu, "") ?? null };
}
