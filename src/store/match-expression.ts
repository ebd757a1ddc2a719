/**
 * FTS5 expressions from terms. Whatever a person can type is a safe term: each becomes a quoted string, in which only
 * the quote itself means anything (https://www.sqlite.org/fts5.html#full_text_query_syntax). Pure.
 */
import { pairsOf } from "./identifiers.ts";

/** SQLite refuses expressions deeper than 256; retrieval asks for eight terms. */
const termsMax = 64;
/** A term is a word or a short phrase. */
const termCharsMax = 500;

/** `"term" OR "two words"`; null when there is no term. */
export function matchAny(terms: readonly string[]): string | null {
  const expressions = terms.slice(0, termsMax).map(matchTerm);
  return expressions.length === 0 ? null : expressions.join(" OR ");
}

/** A term of each group: `("a") AND ("b" OR "c")`; null when a group has none. */
export function matchEach(groups: readonly (readonly string[])[]): string | null {
  const expressions = groups.map(matchAny);
  if (expressions.length === 0 || expressions.includes(null)) return null;
  return expressions.map((expression) => `(${expression ?? ""})`).join(" AND ");
}

/** The phrases of `matchAny`, in its order. */
export const phrasesOf = (terms: readonly string[]): readonly string[] =>
  terms.slice(0, termsMax).flatMap((term) => {
    const bounded = term.slice(0, termCharsMax);
    const pairs = pairsOf(bounded);
    return pairs.length === 0 ? [bounded] : [bounded, pairs.join(" ")];
  });

/** One term; text written without spaces also as its pairs, which is how it is indexed. */
export function matchTerm(term: string): string {
  const bounded = term.slice(0, termCharsMax);
  const pairs = pairsOf(bounded);
  return pairs.length === 0
    ? quoted(bounded)
    : `(${quoted(bounded)} OR ${quoted(pairs.join(" "))})`;
}

/** A phrase as it is. NUL would end the expression for SQLite, and half a surrogate pair is no character. */
export const quoted = (text: string): string =>
  `"${text.replaceAll("\0", " ").toWellFormed().replaceAll('"', '""')}"`;
