/**
 * A small thesaurus of developer English, for queries whose words differ from the memory's. General vocabulary only:
 * nothing here comes from a project. Expansions count for little beside the words that were typed.
 *
 * Pure: a list and one lookup.
 */
import { isTool, toolFamilies } from "./tools.ts";
import { phrasesOf } from "./lists.ts";
import text from "./lists/synonyms.txt" with { type: "text" };
import { roughStem } from "./query-words.ts";

/** Read with the first question: a process that asks none need not wait for it. */
let expansions: ReadonlyMap<string, readonly string[]> | null = null;

function readGroups(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const line of phrasesOf(text)) {
    const words = line.split(" ").map((word) => ({ word, stem: roughStem(word) }));
    for (const { stem } of words) {
      const others = found.get(stem) ?? new Set<string>();
      for (const other of words) if (other.stem !== stem) others.add(other.word);
      found.set(stem, others);
    }
  }
  return new Map([...found].map(([stem, others]) => [stem, [...others]]));
}

/** Each looked up in the index: what no memory mentions costs a lookup and adds nothing. */
const expansionsMax = 32;

/**
 * Words that could stand for the given ones and are not among them, nearest to the front of the query first. A kind of
 * tool stands for its tools ("which test runner?" → jest, vitest, pytest …), and a tool for its rivals, since what one
 * asks about may have been replaced.
 */
export function synonymsOf(words: readonly string[]): readonly string[] {
  const typed = new Set(words.map(roughStem));
  const found = new Set<string>();
  const add = (other: string): void => {
    if (!typed.has(roughStem(other))) found.add(other);
  };
  expansions ??= readGroups();
  for (const word of words) (expansions.get(roughStem(word)) ?? []).forEach(add);
  for (const [family, tools] of toolFamilies)
    if (isNamed(family, typed) || tools.some((tool) => typed.has(tool) && isTool(tool)))
      tools.forEach(add);
  return [...found].slice(0, expansionsMax);
}

/** All words of the family's name are there, in any order: "the runner for our tests". */
const isNamed = (family: string, typed: ReadonlySet<string>): boolean =>
  family.split(" ").every((word) => typed.has(roughStem(word)));
