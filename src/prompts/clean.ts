/**
 * Text without what people do not see: escape sequences, control and invisible characters. Applied to what goes into a
 * prompt and to what comes back, so that a quote is compared with what the model was shown. Pure.
 */
import { cutAtWord, oneLine, stripInvisible } from "#kit";

/** Readable text with its line breaks. Idempotent. */
export const cleanText = (text: string): string =>
  stripInvisible(text.replace(/\r\n?|[\u2028\u2029\u0085]/gu, "\n"));

/** One line of at most `charsMax` characters. Reads no more of an over-long text than it may keep. */
export const cleanLine = (text: string, charsMax: number): string =>
  cutAtWord(oneLine(cleanText(text.slice(0, charsMax * 4))), charsMax);
