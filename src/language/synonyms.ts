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
  families ??= readFamilies();
  for (const { stems, named, tools } of families)
    if (stems.every((stem) => typed.has(stem)) || named.some((tool) => typed.has(tool)))
      tools.forEach(add);
  return [...found].slice(0, expansionsMax);
}

interface Family {
  /** Of all words of its name, which may stand in any order: "the runner for our tests". */
  readonly stems: readonly string[];
  readonly tools: readonly string[];
  /** Those whose name says nothing else. */
  readonly named: readonly string[];
}

let families: readonly Family[] | null = null;

const readFamilies = (): readonly Family[] =>
  [...toolFamilies].map(([family, tools]) => ({
    stems: family.split(" ").map(roughStem),
    tools: [...tools],
    named: [...tools].filter(isTool),
  }));
