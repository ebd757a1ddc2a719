/**
 * Finds the tags of a given set of names, or of any name, in a text: any case, spaces and attributes allowed.
 *
 * One pass, linear whatever the input: no regular expression that could backtrack, no tag looked at twice.
 * Must not know what the tags mean.
 */

export interface Tag {
  /** Lower case. */
  readonly name: string;
  readonly kind: "open" | "close" | "empty";
  /** Position of `<`. */
  readonly start: number;
  /** Position after `>`, or where the content begins when the tag itself was never closed. */
  readonly end: number;
}

/** White space, also beyond ASCII, and the invisible characters that look like none. */
const isBlank = (code: number): boolean =>
  code < 128
    ? code === 32 || (code >= 9 && code <= 13)
    : isInvisible(code) || /\s/.test(String.fromCharCode(code));

const slash = 47;
const lessThan = 60;
const moreThan = 62;
const backslash = 92;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

const isNameCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 45 || code === 95;

/** The longest name a caller may ask for; longer words are no tag of ours. */
const nameCharsMax = 40;

/** The name that begins at `from`, without what is invisible in it, and where it ends. */
function readName(text: string, from: number): { readonly name: string; readonly end: number } {
  let name = "";
  let end = from;
  for (let at = from; name.length <= nameCharsMax; at += 1) {
    const code = text.charCodeAt(at);
    if (isNameCode(code)) {
      name += text[at] ?? "";
      end = at + 1;
    } else if (!isInvisible(code)) break;
  }
  return { name: name.toLowerCase(), end };
}

/** A name ends where a tag can go on: blank, `>`, `/`, `<` or the end. `<privateer>` and `<private-key>` are others. */
function endsName(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code === moreThan || code === slash || code === lessThan || isBlank(code);
}

/** A tag up to its name. */
interface Head {
  readonly name: string;
  readonly closing: boolean;
  readonly start: number;
  readonly nameEnd: number;
}

function readHead(text: string, start: number): Head {
  let at = skipBlanks(text, start + 1);
  if (text.charCodeAt(at) === backslash) at += 1; // `<\/private>`, as JSON may escape it.
  const closing = text.charCodeAt(at) === slash;
  if (closing) at = skipBlanks(text, at + 1);
  const { name, end } = readName(text, at);
  return { name, closing, start, nameEnd: end };
}

/**
 * All tags with one of `names` (lower case; letters, hyphens and underscores), in order; null = whatever the name.
 * A tag that meets another `<` or the end before its `>` ends right after its name: what follows is content.
 */
export function tagsIn(text: string, names: ReadonlySet<string> | null): readonly Tag[] {
  const found: Tag[] = [];
  let nextMoreThan = -1;
  for (let start = text.indexOf("<"); start !== -1; start = text.indexOf("<", start + 1)) {
    const head = readHead(text, start);
    if (!(names === null ? head.name !== "" : names.has(head.name))) continue;
    if (!endsName(text, head.nameEnd)) continue;
    if (nextMoreThan < head.nameEnd) nextMoreThan = indexOrEnd(text, ">", head.nameEnd);
    found.push(finish(text, head, nextMoreThan));
  }
  return found;
}

function finish(text: string, head: Head, nextMoreThan: number): Tag {
  const { name, start, nameEnd, closing } = head;
  const whole = nextMoreThan < text.length && nextMoreThan < indexOrEnd(text, "<", nameEnd);
  const empty = whole && !closing && text.charCodeAt(nextMoreThan - 1) === slash;
  const kind = closing ? "close" : empty ? "empty" : "open";
  return { name, kind, start, end: whole ? nextMoreThan + 1 : nameEnd };
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? text.length : at;
}

// Text that people do not see and models do. Pure.

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

/** The characters that turn the direction of the text around them. */
const overrides = /[\u202a-\u202e\u2066-\u2069]/gu;

/** The text without escape sequences, control characters and what overrides its direction. Idempotent. */
export function stripControls(text: string): string {
  if (text.search(controls) === -1 && text.search(overrides) === -1) return text;
  return text.replace(escapes, "").replace(controls, "").replace(overrides, "");
}

/** The text without escape sequences, control and invisible characters; its line breaks and tabs stay. Idempotent. */
export const stripInvisible = (text: string): string =>
  text.replace(escapes, "").replace(controls, "").replace(invisible, "");

/** Beyond the common scripts and marks, none of which is invisible: spares most text the look at properties. */
const maybeInvisible =
  /[^\u0000-\u00ac\u00ae-\u02ff\u0370-\u05ff\u2010-\u2029\u202f-\u205f\u2070-\u3163\u3165-\ud7ff\uff00-\uff9f]/;

/** The UTF-16 unit is one, or half of one beyond the first plane. */
const isInvisible = (unit: number): boolean =>
  unit === tagPlane ||
  (unit >= 0xdc00 && unit <= 0xdfff) ||
  ((unit < 0xd800 || unit > 0xdbff) && isInvisibleChar(String.fromCharCode(unit)));

const isInvisibleChar = (char: string): boolean =>
  maybeInvisible.test(char) && char.search(invisible) === 0;

/** The first half of tag characters; their second halves stand behind it. */
const tagPlane = 0xdb40;

export interface SeenText {
  readonly text: string;
  /** The place of each of its UTF-16 units in the original, and the original's end. */
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
