/** Words that exclude each other: two statements that differ in one of these pairs say different things. Pure. */
import { phrasesOf } from "./lists.ts";
import text from "./lists/opposites.txt" with { type: "text" };
import { canonicalWord } from "./words.ts";

const pairs = phrasesOf(text).map((pair) => {
  const [one = "", other = ""] = pair.split(" ");
  return [canonicalWord(one), canonicalWord(other)] as const;
});

const oppositesByWord = new Map<string, Set<string>>();
for (const [one, other] of pairs) {
  oppositesByWord.set(one, (oppositesByWord.get(one) ?? new Set()).add(other));
  oppositesByWord.set(other, (oppositesByWord.get(other) ?? new Set()).add(one));
}

/** A word of `a` whose opposite stands in `b`, when neither text has both. */
export function oppositeIn(
  a: readonly string[],
  b: readonly string[],
): readonly [string, string] | null {
  const inA = new Set(a);
  const inB = new Set(b);
  for (const word of inA)
    for (const other of oppositesByWord.get(word) ?? [])
      if (inB.has(other) && !inA.has(other) && !inB.has(word)) return [word, other];
  return null;
}
