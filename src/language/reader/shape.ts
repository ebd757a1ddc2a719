/**
 * The shape of a line: letters, digits and blanks as classes, punctuation as itself. One pass over its characters.
 * Knows no words of any language.
 */

/** The class of a character in a shape; runs of letters, digits and blanks are one. */
const shapeClass = {
  blank: 32,
  digit: 57,
  upper: 65,
  lower: 97,
  /** Letters of scripts without cases. */
  letter: 108,
  frame: 1,
  bullet: 2,
  picture: 3,
  control: 4,
  tab: 5,
} as const;

/** A longer line is read at its two ends. */
const headChars = 320;
const tailChars = 80;

export interface LineShape {
  /** Classes of the characters, runs collapsed. */
  readonly codes: readonly number[];
  /** Characters that were looked at. */
  readonly read: number;
  readonly letters: number;
  readonly upper: number;
  readonly caseless: number;
  readonly digits: number;
  readonly blanks: number;
  /** Punctuation that prose has: stops, commas, quotation marks, brackets. */
  readonly stops: number;
  /** Everything else. */
  readonly signs: number;
  readonly indent: number;
  readonly longestWord: number;
}

/** The shape of one line. */
export function shapeOf(line: string): LineShape {
  const text =
    line.length <= headChars + tailChars
      ? line
      : line.slice(0, headChars) + line.slice(line.length - tailChars);
  const codes: number[] = [];
  const count = { letters: 0, upper: 0, caseless: 0, digits: 0, blanks: 0, stops: 0, signs: 0 };
  let indent = -1;
  let word = 0;
  let longestWord = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = classOf(text.charCodeAt(at));
    const isBlank = code === shapeClass.blank || code === shapeClass.tab;
    if (!isBlank && indent < 0) indent = at;
    word = isBlank ? 0 : word + 1;
    if (word > longestWord) longestWord = word;
    tally(count, code);
    if (code !== codes.at(-1) || !collapses(code)) codes.push(code);
  }
  return {
    codes,
    read: text.length,
    ...count,
    indent: Math.max(0, indent),
    longestWord,
  };
}

type Count = Record<
  "letters" | "upper" | "caseless" | "digits" | "blanks" | "stops" | "signs",
  number
>;

function tally(count: Count, code: number): void {
  if (code === shapeClass.lower) count.letters += 1;
  else if (code === shapeClass.blank || code === shapeClass.tab) count.blanks += 1;
  else if (code === shapeClass.upper) {
    count.letters += 1;
    count.upper += 1;
  } else if (code === shapeClass.letter) {
    count.letters += 1;
    count.caseless += 1;
  } else if (code === shapeClass.digit) count.digits += 1;
  else if (isStop(code)) count.stops += 1;
  else count.signs += 1;
}

const stopCodes: ReadonlySet<number> = new Set(
  ".,!?;:'\"()-".split("").map((sign) => sign.charCodeAt(0)),
);
const isStop = (code: number): boolean => stopCodes.has(code);

const collapses = (code: number): boolean =>
  code === shapeClass.lower ||
  code === shapeClass.upper ||
  code === shapeClass.digit ||
  code === shapeClass.letter ||
  code === shapeClass.blank ||
  code === shapeClass.frame ||
  code === 45 ||
  code === 61;

/** The class of one UTF-16 unit. */
function classOf(code: number): number {
  if (code < 128) return asciiClasses[code] ?? shapeClass.control;
  if (code < 0xc0) return code === 0xa0 ? shapeClass.blank : (latinSigns.get(code) ?? 42);
  if (code < 0x250) return isUpperLatin(code) ? shapeClass.upper : shapeClass.lower;
  if (code < 0x590) return code < 0x3a0 || isUpperOther(code) ? shapeClass.upper : shapeClass.lower;
  if (code < 0x2000) return shapeClass.letter;
  return wideClassOf(code);
}

const isUpperLatin = (code: number): boolean =>
  code <= 0xde || (code >= 0x100 && code < 0x180 && code % 2 === 0);
const isUpperOther = (code: number): boolean =>
  (code >= 0x3a0 && code < 0x3ab) || (code >= 0x400 && code < 0x430);

function wideClassOf(code: number): number {
  const sign = wideSigns.get(code);
  if (sign !== undefined) return sign;
  if (code >= 0x2500 && code < 0x25a0) return shapeClass.frame;
  if (code < 0x2070) return shapeClass.blank;
  if (code < 0x2e80) return shapeClass.bullet;
  if (code >= 0xd800 && code < 0xf900) return shapeClass.picture;
  return shapeClass.letter;
}

const asciiClasses: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  if (code === 9) return shapeClass.tab;
  if (code < 32 || code === 127) return shapeClass.control;
  if (code >= 48 && code < 58) return shapeClass.digit;
  if (code >= 65 && code < 91) return shapeClass.upper;
  return code >= 97 && code < 123 ? shapeClass.lower : code;
});

/** Signs of other scripts, and typographic ones, as their plain sisters. */
const plainSigns = (wide: string, plain: string): ReadonlyMap<number, number> =>
  new Map(Array.from(wide, (sign, at) => [sign.charCodeAt(0), plain.charCodeAt(at)]));

const latinSigns = plainSigns("«»¿¡", '""?!');
const wideSigns = plainSigns("“”„‘’–—…。，、！？：；（）「」　", '"""\'\'--..,,!?:;()"" ');
