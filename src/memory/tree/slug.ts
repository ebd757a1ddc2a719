/**
 * Slugs: the short, readable name of a leaf.
 *
 * Pure. Must not know categories or projects.
 */
import { sha256, stripInvisible } from "#kit";
import { limits } from "../limits.ts";
import { segmentOf } from "./fold.ts";

/**
 * Words that name nothing. Negations, comparatives and numbers stay: "use tabs" and "never use tabs" are two places.
 */
const emptyWords = new Set(
  (
    "a an the this that these those it its is are was were be been being am do does did done has have had " +
    "i me my we us our you your he she they them their will would should could can may might must shall " +
    "of to in on at by for from with within into onto as and or but so then than if when while because since " +
    "there here please just also very really now today again always remember note that's it's we're don't " +
    "der die das den dem des ein eine einen und oder ist sind war wir ich du es zu im am mit für von auf bei " +
    "el la los las un una y o es son de del en con por para que lo se " +
    "le les une et est sont du des au aux avec pour dans sur"
  ).split(" "),
);

/**
 * A slug of three to six content words where the text has them, at most `slugCharsMax` characters, never empty.
 * Dates are left out: a dated leaf carries its own, and a slug must not go stale.
 */
export function slugOf(text: string): string {
  const words = wordsOf(
    stripInvisible(text).replace(/\b\d{4}-\d{2}-\d{2}(?:t[\d:.]+z?)?\b/gi, " "),
  );
  const content = words.filter(({ plain }) => !emptyWords.has(plain));
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
