/**
 * What "it" was: the sentence of the conversation so far that a corrected value belongs to. Pure.
 */
import { contentWords, identifierShape, identifiersOf, valuesOf } from "../language/index.ts";
import { sentencesOf } from "./sentences.ts";

/**
 * The most recent sentence of `earlier` (latest text first) that holds a value of the same kind as `said`: after
 * "bucket is acme-exports in eu-west-1", the words "it's eu-central-1" are about that bucket.
 */
export function earlierSubject(said: string, earlier: readonly (string | null)[]): string | null {
  const wanted = new Set(shapesOf(said));
  for (const text of earlier) {
    if (text === null) continue;
    const sentences = sentencesOf(text).filter((sentence) => !sentence.isQuestion);
    const like = sentences.findLast(({ text: sentence }) =>
      shapesOf(sentence).some((shape) => wanted.has(shape)),
    );
    if (like !== undefined) return like.text;
  }
  return lastStatement(earlier);
}

const lastStatement = (earlier: readonly (string | null)[]): string | null =>
  earlier
    .filter((text) => text !== null)
    .flatMap((text) => sentencesOf(text).filter((s) => contentWords(s.text).length >= 3))
    .at(0)?.text ?? null;

const shapesOf = (text: string): readonly string[] => [
  ...valuesOf(text).map(({ kind }) => kind),
  ...identifiersOf(text)
    .map((token) => identifierShape(token))
    .filter((shape) => shape !== "name" && shape !== "path"),
];
