/**
 * What tells two things of one kind apart: the word in front. "the gateway timeout" and "the worker timeout" are two
 * timeouts, however alike the words around them. Pure.
 */
import { contentWords, isStopWord, valuesOf, wordsOf } from "../language/index.ts";
import { isColourless } from "./slots.ts";

/** True when both clauses name the same kind of thing with different words in front of it. */
export function areSiblings(a: string, b: string): boolean {
  const inA = modified(a);
  const inB = modified(b);
  const wordsA = new Set(contentWords(a));
  const wordsB = new Set(contentWords(b));
  return [...inA].some(([head, before]) => {
    const others = inB.get(head);
    return (
      others !== undefined &&
      ![...before].some((word) => wordsB.has(word)) &&
      ![...others].some((word) => wordsA.has(word))
    );
  });
}

/** Each content word with the content words that stand right before it. */
function modified(clause: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const words = wordsOf(clause);
  words.forEach((word, n) => {
    const before = words[n - 1] ?? "";
    if (!canModify(before)) return;
    for (const head of contentWords(word))
      for (const own of contentWords(before))
        found.set(head, (found.get(head) ?? new Set()).add(own));
  });
  return found;
}

const canModify = (word: string): boolean =>
  word !== "" &&
  !isStopWord(word) &&
  valuesOf(word).length === 0 &&
  !/\d/.test(word) &&
  contentWords(word).every((own) => !isColourless(own) && !changing.has(own));

/** Verbs in front of their object modify nothing. */
const changing = new Set(
  "support publish rotate cancel export render want block replace limit cap bring back approve review"
    .split(" ")
    .flatMap((word) => contentWords(word)),
);
