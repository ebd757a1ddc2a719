/**
 * Folding of Unicode text to the ASCII of a URI segment.
 *
 * Pure. Knows letters, not memories.
 */
import { sha256 } from "#kit";

/** Letters that NFKD leaves whole. Lower case only: text is lowered first. */
const transliterations: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ĸ: "k",
  ŋ: "ng",
  ŧ: "t",
  ƒ: "f",
  ə: "e",
  "№": "no",
  "€": "eur",
  "£": "gbp",
};

/** Hex digits of the hash that stands for letters we cannot spell: 32 bits are plenty among siblings. */
const hashChars = 8;

/**
 * Lower case, compatibility-decomposed, accents off, common letters spelled out. What has no ASCII form stays.
 * Path separators and dots may appear here (fullwidth forms decompose to them), so call it before splitting a path.
 */
export function foldLetters(text: string): string {
  const lowered = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  // Lowering may decompose once more (İ), hence the second removal of marks.
  return lowered
    .replace(/\p{M}+/gu, "")
    .replace(/\P{ASCII}/gu, (char) => transliterations[char] ?? char);
}

/**
 * One URI segment `[a-z0-9._-]` from folded text. Runs of anything else become one hyphen. Where most letters have
 * no ASCII form, a short hash of the whole keeps two such names apart; null when there is no letter or digit at all.
 */
export function segmentOf(text: string): string | null {
  const folded = foldLetters(text);
  const lost =
    folded.match(/[^\p{ASCII}]/gu)?.filter((char) => /[\p{L}\p{N}]/u.test(char)).length ?? 0;
  const ascii = tidy(folded.replace(/[^a-z0-9._-]+/g, "-"));
  const kept = ascii.match(/[a-z0-9]/g)?.length ?? 0;
  if (kept === 0 && lost === 0) return null;
  if (kept >= lost) return ascii;
  const hash = sha256(folded, hashChars);
  return kept === 0 ? `u-${hash}` : `${ascii}-${hash}`;
}

/** No doubled or outer hyphens; a leading dot is kept (`.eslintrc` is a name). */
const tidy = (segment: string): string =>
  segment
    .replace(/-{2,}/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[-]+|[-.]+$/g, "");
