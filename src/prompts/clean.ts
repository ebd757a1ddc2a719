/**
 * Text without what people do not see: escape sequences, control and invisible characters. Applied to what goes into a
 * prompt and to what comes back, so that a quote is compared with what the model was shown. Pure.
 */
import { cutAtWord, cutToTokens, oneLine, tokensOf, stripInvisible } from "#kit";

/** Readable text with its line breaks. Idempotent. */
export const cleanText = (text: string): string =>
  stripInvisible(text.replace(/\r\n?|[\u2028\u2029\u0085]/gu, "\n"));

/** One line of at most `charsMax` characters. Reads no more of an over-long text than it may keep. */
export const cleanLine = (text: string, charsMax: number): string =>
  cutAtWord(oneLine(cleanText(text.slice(0, charsMax * 4))), charsMax);

/** At most `tokensMax` tokens of both ends: what is wanted stands first, what came of it last. */
export function headAndTail(text: string, tokensMax: number): string {
  if (tokensOf(text) <= tokensMax) return text;
  const head = cutToTokens(text, Math.ceil(tokensMax * 0.6));
  return `${head}${tailOf(text, tokensMax - tokensOf(head))}`;
}

function tailOf(text: string, tokensMax: number): string {
  let chars = Math.max(0, tokensMax) * 4;
  let tail = text.slice(text.length - chars);
  while (tokensOf(tail) > tokensMax && chars > 0) {
    chars = Math.floor(chars * 0.8);
    tail = text.slice(text.length - chars);
  }
  const space = tail.search(/\s/u);
  const whole = space >= 0 && space < tail.length / 2 ? tail.slice(space) : tail;
  return whole.replace(/^[\udc00-\udfff]/u, "");
}
