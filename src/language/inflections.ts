/**
 * English words whose forms no stemmer brings together: `bought` is `buy`, `children` are a `child`. General
 * vocabulary; words whose forms are all too common to search for (be, have, go …) are left out. Pure.
 */
import { phrasesOf } from "./lists.ts";
import inflectionList from "./lists/inflections.txt" with { type: "text" };

const formsByWord: ReadonlyMap<string, readonly string[]> = readGroups();

function readGroups(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const group of phrasesOf(inflectionList)) {
    const forms = group.split(" ");
    for (const form of forms)
      found.set(
        form,
        forms.filter((other) => other !== form),
      );
  }
  return found;
}

/** Other forms of the same word that stem differently; none for regular words. `word` is in lower case. */
export const otherForms = (word: string): readonly string[] => formsByWord.get(word) ?? [];
