/** Words and vectors of a text in the form in which two texts are compared. Pure. */
import { hasUnspaced, letterPairs, memoised } from "#kit";
import { readWords, roughStem } from "#language";

/** Stems of the content words; scripts without spaces count by pairs of letters. */
export const stemsOf: (text: string) => ReadonlySet<string> = memoised((text) => {
  const { content } = readWords(text);
  return new Set(
    content.flatMap((word) => (hasUnspaced(word) ? letterPairs(word) : [roughStem(word)])),
  );
});

/** Numbers of a text; times and versions count as one number. */
export const numbersIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/\p{N}+(?:[.:]\p{N}+)*/gu) ?? []);

/** Cosine of two unit vectors; 0 when either is missing. */
export function cosine(a: Float32Array | null, b: Float32Array | null): number {
  if (a === null || b === null) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
