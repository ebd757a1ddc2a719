/**
 * What a statement says once wording is taken off: content words with equal verbs folded into one, values in comparable
 * form, verbs that carry nothing left out. Two equal gists are candidates for one memory. Pure.
 */
import { memoised } from "#kit";
import { canonicalWord, isStopWord, valuesOf, wordsOf } from "#language";

/** Verbs that only connect: "uses", "is set to". */
const lightVerbs = new Set(
  "use set go do make get take have work employ".split(" ").map((word) => canonicalWord(word)),
);

/** Words that swap freely without changing what is claimed; the first stands for all. */
const foldedWords = new Map(
  [
    "keep store hold retain save retention live sit stand reside locate host lie",
    "call name title",
    "graph chart diagram",
    "answer reply respond response",
    "folder directory",
    "repository repo",
    "image picture photo",
    "email mail",
    "want like prefer ask need require expect request",
    "short brief concise terse",
    "log record report collect send",
    "fix repair resolve solve",
    "choose select pick opt",
    "delete remove",
    "attempt retry try",
    "listen connect",
    "check verify validate",
    "run start launch fire execute",
    "size maximum limit",
    "often usually",
    "own owner ownership",
    "person people somebody",
    "whole entire complete",
    "forbid prohibit ban disallow",
    "developer user",
  ].flatMap((line) => {
    const words = line.split(" ").map((word) => canonicalWord(word));
    return words.map((word) => [word, words[0] ?? word] as const);
  }),
);

/** Words of the gist in order. */
export const gistWords = memoised((text: string): readonly string[] => {
  const values = valuesOf(text);
  const rest = values.reduce((left, { text: value }) => left.replace(value, " "), text);
  const words = wordsOf(rest)
    .filter((word) => !isStopWord(word))
    .map((word) => canonicalWord(word))
    .filter((word) => !lightVerbs.has(word))
    .map((word) => foldedWords.get(word) ?? word);
  return words;
});

/** The gist as a set, values included. */
export const gistOf = (text: string): ReadonlySet<string> =>
  new Set([...gistWords(text), ...valuesOf(text).map(({ canonical }) => canonical)]);
