/** Tells what of an order stands whole before a private block at its end. Pure. */

/**
 * A text without the private block at its end, where the words before it are whole: a value stands behind a preposition
 * or a copula ("runs at eleven", "is Valkey"). "The key is", "we pay" wait for what was private.
 */
export const withoutLostEnd = (text: string): string =>
  wholeBefore.test(text) ? text.replace(/[\s,;(–—-]*\[redacted:private\][\s.!)]*$/u, "") : text;
const leading =
  "is|are|was|uses|at|on|in|by|with|from|ist|sind|nutzt|um|auf|bei|mit|am|im|est|sont|à|sur|dans|par|avec|" +
  "es|son|en|con|é|são|em|no|na|com|это|в|на|с";
const waiting =
  "to|the|a|an|of|for|and|called|named|genannt|der|die|das|dem|den|von|für|und|appelée?|le|la|les|de|du|des|" +
  "pour|et|el|los|del|para|y|llamad[oa]|o|os|as|do|da|e|chamad[oa]|к|для|и|у|от";
const wholeBefore = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${leading})\s+|\S\s+(?=\S*\p{N}|\p{Lu}))(?!(?:${leading}|${waiting})\s)` +
    String.raw`[\p{L}\p{N}][^\s,;:=]*[\s,;(–—-]+\[redacted:private\][\s.!)]*$`,
  "u",
);
