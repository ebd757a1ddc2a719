/** Text that people do not see and models do. Pure. */

/** Terminal escapes, with their parameters: colours, cursor moves, titles, links. */
const escapes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]/gu;
/** Control characters but line breaks and tabs. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;
/**
 * Zero-width marks, direction overrides, tag characters, fillers and lone surrogates. Joiners go too: a broken emoji is
 * a small price.
 */
const invisible =
  /[\p{Cf}\p{Cs}\p{Variation_Selector}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu;

/** The text without escape sequences, control and invisible characters; its line breaks and tabs stay. Idempotent. */
export const stripInvisible = (text: string): string =>
  text.replace(escapes, "").replace(controls, "").replace(invisible, "");

/** Beyond the common scripts and marks, none of which is invisible: spares most text the look at properties. */
const maybeInvisible =
  /[^\u0000-\u00ac\u00ae-\u02ff\u0370-\u05ff\u2010-\u2029\u202f-\u205f\u2070-\u3163\u3165-\ud7ff\uff00-\uff9f]/;

/** The UTF-16 unit is one, or half of one beyond the first plane. */
export const isInvisible = (unit: number): boolean =>
  unit === tagPlane ||
  (unit >= 0xdc00 && unit <= 0xdfff) ||
  ((unit < 0xd800 || unit > 0xdbff) && isInvisibleChar(String.fromCharCode(unit)));

const isInvisibleChar = (char: string): boolean =>
  maybeInvisible.test(char) && char.search(invisible) === 0;

/** The first half of tag characters; their second halves stand behind it. */
const tagPlane = 0xdb40;

export interface SeenText {
  readonly text: string;
  /** Where each UTF-16 unit of it stands in the original, and where the original ends. */
  readonly positions: readonly number[];
}

/** The text without its invisible characters and where the rest stood; null when it has none. Escapes stay. */
export function seenPartOf(original: string): SeenText | null {
  if (!maybeInvisible.test(original) || original.search(invisible) === -1) return null;
  const kept: string[] = [];
  const positions: number[] = [];
  let from = 0;
  const keep = (to: number): void => {
    kept.push(original.slice(from, to));
    for (let at = from; at < to; at += 1) positions.push(at);
  };
  for (const { index, 0: gone } of original.matchAll(invisible)) {
    keep(index);
    from = index + gone.length;
  }
  keep(original.length);
  return { text: kept.join(""), positions: [...positions, original.length] };
}
