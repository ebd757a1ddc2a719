/**
 * Takes typed words as a user's changed value although the agent's line adds names to them: what is kept is the quote
 * alone, with its subject as a label. Pure.
 */
import { tellsChange } from "#language";
import { changesValueOf } from "../merge/value-change.ts";
import { allAddedBy, hardWords, hasWord, wordsIn } from "./assent.ts";
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

/**
 * True when a line that gives a subject a value may take the place of an older line about it: it tells of a change, or
 * both share a word beside the subject and the words with which they begin. "The API uses Go" stands beside "the API
 * uses port 8080".
 */
export function takesPlaceOf(line: string, older: string, subject: string): boolean {
  const named = new Set(wordsIn(subject));
  const isShared = (one: string, other: string): boolean => {
    const said = new Set(wordsIn(one));
    return wordsIn(other).some((word) => said.has(word) && !named.has(word));
  };
  if (!isShared(line, older)) return false;
  return tellsChange(line) || changesValueOf(line, older) || isShared(...beyondHead(line, older));
}

/** Two lines without the words with which both begin. */
function beyondHead(line: string, older: string): readonly [string, string] {
  const [mine = [], theirs = []] = [line, older].map((text) => text.toLowerCase().split(/\s+/u));
  const head = theirs.findIndex((word, at) => word !== mine[at]);
  // The older line stands in the newer one as a whole.
  if (head < 0) return [line, older];
  return [mine.slice(head).join(" "), theirs.slice(head).join(" ")];
}
