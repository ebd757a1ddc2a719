/**
 * Slugs: the short, readable name of a leaf.
 *
 * Pure. Must not know categories or projects.
 */
import { sha256, stripInvisible } from "#kit";
import { isNothingInSlug } from "#language";
import { limits } from "../limits.ts";
import { segmentOf } from "./fold.ts";

/**
 * A slug of three to six content words where the text has them, at most `slugCharsMax` characters, never empty.
 * Dates are left out: a dated leaf carries its own, and a slug must not go stale.
 */
export function slugOf(text: string): string {
  const words = wordsOf(
    stripInvisible(text).replace(/\b\d{4}-\d{2}-\d{2}(?:t[\d:.]+z?)?\b/gi, " "),
  );
  const content = words.filter(({ plain }) => !isNothingInSlug(plain));
  const chosen = (content.length > 0 ? content : words).slice(0, limits.slugWordsMax);
  const slug = fitted(chosen.flatMap(({ plain }) => segmentOf(plain) ?? []));
  return slug === "" ? `u-${sha256(text.trim().toLowerCase(), 8)}` : slug;
}

/** Words of prose and identifiers; possessives off, sentence punctuation off. */
function wordsOf(text: string): readonly { readonly plain: string }[] {
  const found = text.toLowerCase().match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._'’+#-]*/gu) ?? [];
  return found
    .map((word) => word.replace(/['’]s$/u, "").replace(/[._'’-]+$/u, ""))
    .filter((word) => word !== "")
    .map((plain) => ({ plain }));
}

/** As many whole words as fit; a single word that is too long is cut. */
function fitted(words: readonly string[]): string {
  let slug = "";
  for (const word of words) {
    const next = slug === "" ? word : `${slug}-${word}`;
    if (next.length > limits.slugCharsMax) break;
    slug = next;
  }
  return slug === "" ? trimmedCut(words[0] ?? "", limits.slugCharsMax) : slug;
}

/** Cut to length without a dangling separator. */
export const trimmedCut = (text: string, charsMax: number): string =>
  text.slice(0, charsMax).replace(/[-.]+$/, "");
