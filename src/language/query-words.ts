/**
 * A text as search reads it: content words, and identifiers whole and split (`payoutLockMs` is itself and payout,
 * lock, ms). Unicode safe and bounded: any string gives words, and never more than a query can bear.
 * Must not know about indexes or ranking. (The embedder has its own normalisation, which belongs to its model.)
 */
import { memoised } from "#kit";
import { allListsOf, listsOf, phrasesOf } from "./lists.ts";
import inflectionList from "./lists/inflections.txt" with { type: "text" };
import projectNamesText from "./lists/project-names.txt" with { type: "text" };
import stopWordsText from "./lists/stop-words.txt" with { type: "text" };
import text from "./lists/slug-words.txt" with { type: "text" };
import synonymList from "./lists/synonyms.txt" with { type: "text" };
import toolList from "./lists/tools.txt" with { type: "text" };

/** English words that say nothing about a subject. Left out of lexical queries. */
export const stopWords: ReadonlySet<string> = new Set(phrasesOf(stopWordsText));

export interface Words {
  /** Content words in order of first appearance, lower case, stop words out, identifiers whole and split. */
  readonly content: readonly string[];
  /** Those among them that look like code or a made-up name: `--flag`, `a_b`, `aB`, `PAY-12`, `x.ts`. */
  readonly identifiers: readonly string[];
  /** Every plain word in order, stop words included, identifiers split. */
  readonly plain: readonly string[];
}

/** Prompts can be whole logs. Their question stands at one of the ends. */
const textCharsMax = 4_000;
const wordsMax = 256;
/** Longer runs are keys, hashes or base64: they are not searched by heart. */
const wordCharsMax = 64;
/** About one kilobyte each. */
const wordsKept = 1_500;

/**
 * Reads at most 4,000 characters (both ends of a longer text) and at most 256 distinct words. Remembered: a prompt is
 * read by the gate, by the search and by all that compare it, and the same memories are compared with the next one.
 */
export const readWords: (text: string) => Words = memoised(read, wordsKept);

function read(text: string): Words {
  const content = new Set<string>();
  const identifiers = new Set<string>();
  const plain: string[] = [];
  for (const chunk of chunksOf(bothEnds(text))) {
    if (content.size >= wordsMax || plain.length >= wordsMax * 4) break;
    const parts = partsOf(chunk);
    const whole = foldWord(chunk);
    if (isIdentifier(chunk, parts)) identifiers.add(whole);
    if (parts.length > 1 && whole.length <= wordCharsMax) content.add(whole);
    for (const part of parts) {
      plain.push(part);
      if (isContent(part)) content.add(part);
    }
  }
  return { content: [...content], identifiers: [...identifiers], plain };
}

/** Lower case and composed the same way on every keyboard. */
const foldWord = (word: string): string => word.normalize("NFKC").toLowerCase();

/**
 * The rough stem of an English word, for comparing words of two texts without an index: plural and tense endings off.
 * `deploys, deployed, deploying` → `deploy`.
 */
export function roughStem(word: string): string {
  if (word.length < 4) return word;
  // Most words have no such ending, and the thesaurus is read word by word.
  if (!/[sdg]$/u.test(word)) return word.endsWith("e") ? word.slice(0, -1) : word;
  const stem = word
    .replace(/(?:ies|ied)$/u, "y")
    .replace(/(?<=[^aeious]|[aeiou][^aeious])(?:ing|ed|es|s)$/u, "");
  return stem.length >= 3 ? stem.replace(/e$/u, "") : word;
}

function bothEnds(text: string): string {
  if (text.length <= textCharsMax) return text;
  const half = textCharsMax / 2;
  return `${text.slice(0, half)} ${text.slice(-half)}`;
}

/** Stands for what was hidden, and says nothing about a subject. */
const marker = /\[redacted:[\w-]{1,60}\]/gu;

/** Runs of letters, digits and the marks that hold an identifier together; marks at the ends fall off. */
const chunksOf = (text: string): readonly string[] =>
  (
    text
      .replaceAll(marker, " ")
      .match(/[-#@]{0,2}[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}_\-.:/@#$'’]*/gu) ?? []
  ).map((chunk) => chunk.replace(/[-.:/@#$'’]+$/u, "").replace(/^-(?!-)/u, ""));

/** `parseHTTPHeader2` → parse, http, header, 2; contractions stay one word. */
function partsOf(chunk: string): readonly string[] {
  const spaced = chunk
    .replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1 ")
    .replace(/’/gu, "'");
  const words = spaced.split(/[^\p{L}\p{N}\p{M}']+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words
    .map((word) => foldWord(word).replace(/^'+|'+$|'s$/gu, ""))
    .filter((word) => word !== "" && word.length <= wordCharsMax);
}

/** Single letters and digits carry nothing, but a single character of another script is a word. */
const isContent = (word: string): boolean =>
  (word.length > 1 || /[^\x00-\x7f]/u.test(word)) && !stopWords.has(word);

/** Made by a person for one thing, so that meeting it twice is no accident. */
function isIdentifier(chunk: string, parts: readonly string[]): boolean {
  if (chunk.length < 3 || chunk.length > wordCharsMax || /['’]/u.test(chunk)) return false;
  if (!/\p{L}/u.test(chunk)) return false;
  return (
    /^--\p{L}/u.test(chunk) || // a flag
    /^[#@]\p{L}/u.test(chunk) || // a channel, a scope
    /\p{L}_\p{L}|\p{L}_\p{N}/u.test(chunk) || // snake case
    /\p{Ll}\p{Lu}/u.test(chunk) || // camel case
    /^\p{Lu}{2,}-\p{N}+$/u.test(chunk) || // a ticket
    /^\p{Lu}+\p{N}{2,}$/u.test(chunk) || // an error code
    /[\p{L}\p{N}_-]{2,}\.\p{Ll}{1,4}$/u.test(chunk) || // a file or a host
    isPath(chunk, parts)
  );
}

/** `src/a/b`, `api/v2/users`, but not "and/or". */
const isPath = (chunk: string, parts: readonly string[]): boolean =>
  chunk.includes("/") && parts.length > 2;

// Words that name nothing in the address of a memory. Addresses are kept for good: this list is none of the others.

const words = new Set(phrasesOf(text));

export const isNothingInSlug = (word: string): boolean => words.has(word);

// How the parts of a digest by rules begin that tell no more than the log of the repository does. Pure data.

export const digestWords = {
  committed: "Committed",
  edited: "Edited",
  /** An order whose end was not recorded. */
  unfinished: "Not finished",
} as const;

// A small thesaurus of developer English, for queries whose words differ from the memory's. General vocabulary only:
// nothing here comes from a project. Expansions count for little beside the words that were typed. Pure: a list and
// one lookup.

/** Read with the first question: a process that asks none need not wait for it. */
let expansions: ReadonlyMap<string, readonly string[]> | null = null;

function readGroups(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const line of phrasesOf(synonymList)) {
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

// Names of tools and what they are for, so that two of a kind are known as rivals. Pure: lists and lookups.

const lists = new Map(allListsOf(toolList));

/** Words that are tools only beside other evidence: they are common English too. */
const ambiguous = new Set(lists.get("common English"));
lists.delete("common English");

/** Every family (what its tools are for) with its tools. */
export const toolFamilies: ReadonlyMap<string, readonly string[]> = lists;

const tools = new Set([...toolFamilies.values()].flat());

/** A tool beyond doubt: in a family and not a common English word. */
export const isTool = (word: string): boolean => tools.has(word) && !ambiguous.has(word);

// English words whose forms no stemmer brings together: `bought` is `buy`, `children` are a `child`. General
// vocabulary; words whose forms are all too common to search for (be, have, go …) are left out.

const formsByWord: ReadonlyMap<string, readonly string[]> = readForms();

function readForms(): ReadonlyMap<string, readonly string[]> {
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

// Words in the names of projects that tell nothing about which project is meant.

const nameParts = listsOf(projectNamesText, "generic", "languages");
const genericParts = new Set(nameParts.generic);
/** Languages and formats are written with a capital where no project is meant. */
const languages = new Set(nameParts.languages);

/** Said of many projects, or of none: `api-server`, `Python`. */
export const isOrdinaryName = (name: string): boolean =>
  languages.has(name) ||
  name.split(/[-_.@]+/u).every((part) => part.length < 3 || genericParts.has(part));
