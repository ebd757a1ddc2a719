/**
 * Finds the tags of a given set of names in a text: any case, spaces and attributes allowed.
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

/** White space and the invisible characters that look like none. */
const isBlank = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  code === 0xad ||
  code === 0x3000 ||
  code === 0xfeff ||
  (code >= 0x2000 && code <= 0x200f) ||
  (code >= 0x2028 && code <= 0x202f) ||
  (code >= 0x205f && code <= 0x2064);

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
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 45;

/** The longest name a caller may ask for; longer words are no tag of ours. */
const nameCharsMax = 40;

function readName(text: string, from: number): string {
  let at = from;
  const stop = Math.min(text.length, from + nameCharsMax + 1);
  while (at < stop && isNameCode(text.charCodeAt(at))) at += 1;
  return text.slice(from, at).toLowerCase();
}

/** A name ends where a tag can go on: blank, `>`, `/`, `<` or the end. `<privateer>` and `<private-key>` are others. */
function endsName(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code === moreThan || code === slash || code === lessThan || isBlank(code);
}

/**
 * All tags with one of `names` (lower case, letters and hyphens), in order.
 * A tag that meets another `<` or the end before its `>` ends right after its name: nobody hides a secret in attributes.
 */
export function tagsIn(text: string, names: ReadonlySet<string>): readonly Tag[] {
  const found: Tag[] = [];
  let nextMoreThan = -1;
  for (let start = text.indexOf("<"); start !== -1; start = text.indexOf("<", start + 1)) {
    let at = skipBlanks(text, start + 1);
    if (text.charCodeAt(at) === backslash) at += 1; // `<\/private>`, as JSON may escape it.
    const closing = text.charCodeAt(at) === slash;
    if (closing) at = skipBlanks(text, at + 1);
    const name = readName(text, at);
    const nameEnd = at + name.length;
    if (!names.has(name) || !endsName(text, nameEnd)) continue;
    if (nextMoreThan < nameEnd) nextMoreThan = indexOrEnd(text, ">", nameEnd);
    const nextLessThan = text.indexOf("<", nameEnd);
    const whole =
      nextMoreThan < text.length && (nextLessThan === -1 || nextMoreThan < nextLessThan);
    const end = whole ? nextMoreThan + 1 : nameEnd;
    const empty = whole && !closing && text.charCodeAt(nextMoreThan - 1) === slash;
    found.push({ name, kind: closing ? "close" : empty ? "empty" : "open", start, end });
  }
  return found;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? text.length : at;
}
