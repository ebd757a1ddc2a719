/**
 * A text as search reads it: content words, and identifiers whole and split (`payoutLockMs` is itself and payout,
 * lock, ms). Unicode safe and bounded: any string gives words, and never more than a query can bear.
 * Must not know about indexes or ranking. (The embedder has its own normalisation, which belongs to its model.)
 */
import { hasUnspaced, letterPairs, memoised } from "#kit";
import { allListsOf, listsIn, phrasesOf } from "./lists.ts";
import commonWordsText from "./lists/common-words.txt" with { type: "text" };
import inflectionList from "./lists/inflections.txt" with { type: "text" };
import projectNamesText from "./lists/project-names.txt" with { type: "text" };
import stopWordsText from "./lists/stop-words.txt" with { type: "text" };
import text from "./lists/slug-words.txt" with { type: "text" };
import synonymList from "./lists/synonyms.txt" with { type: "text" };
import toolList from "./lists/tools.txt" with { type: "text" };

/** English words that say nothing about a subject. Left out of lexical queries. */
export const stopWords: ReadonlySet<string> = new Set(phrasesOf(stopWordsText));

const commonWords = new Set(phrasesOf(commonWordsText));

/** Says nothing when what was typed is compared with what is saved. */
export const isCommon = (word: string): boolean => commonWords.has(word);

export interface Words {
  /** Content words in order of first appearance, lower case, stop words out, identifiers whole and split. */
  readonly content: readonly string[];
  /** The words among them that look like code or a made-up name: `--flag`, `a_b`, `aB`, `PAY-12`, `x.ts`. */
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
  const bounded = bothEnds(text);
  const patterns = patternsFor(bounded);
  for (const chunk of chunksOf(bounded, patterns)) {
    if (content.size >= wordsMax || plain.length >= wordsMax * 4) break;
    if (isPlainWord(chunk)) {
      const word = chunk.toLowerCase();
      plain.push(word);
      if (isContent(word)) content.add(word);
      continue;
    }
    const parts = partsOf(chunk, patterns);
    const whole = foldWord(chunk);
    if (isIdentifier(chunk, parts, patterns)) identifiers.add(whole);
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
    .replace(/(?<=ss)(?:ing|ed|es)$/u, "")
    .replace(/(?<=[^s]s)(?:ing|ed|es)$/u, "e")
    .replace(/(?<=[^aeious]|[aeiou][^aeious])(?:ing|ed|es|s)$/u, "");
  if (stem.length < 3) return word;
  return stem.length > 3 ? stem.replace(/e$/u, "") : stem;
}

/** Stems of the content words; scripts without spaces count by pairs of letters. */
export const stemsOf: (text: string) => ReadonlySet<string> = memoised((text) => {
  const { content } = readWords(text);
  return new Set(
    content.flatMap((word) => (hasUnspaced(word) ? letterPairs(word) : [roughStem(word)])),
  );
});

function bothEnds(text: string): string {
  if (text.length <= textCharsMax) return text;
  const half = textCharsMax / 2;
  return `${text.slice(0, half)} ${text.slice(-half)}`;
}

/** Stands for what was hidden, and says nothing about a subject. */
const marker = /\[redacted:[\w-]{1,60}\]/g;

/** Insides of classes of characters. */
interface Letters {
  readonly letter: string;
  readonly upper: string;
  readonly lower: string;
  readonly digit: string;
  readonly mark: string;
}

type Patterns = ReturnType<typeof patternsOver>;

/** Patterns that tell the words of a text apart. */
function patternsOver({ letter, upper, lower, digit, mark }: Letters, unicode: "" | "u") {
  const word = `${letter}${digit}${mark}`;
  const pattern = (source: string): RegExp => new RegExp(source, unicode);
  const every = (source: string): RegExp => new RegExp(source, `g${unicode}`);
  return {
    /** Runs of letters, digits and the marks that hold an identifier together. */
    chunk: every(String.raw`[\-#@]{0,2}[${word}][${word}_\-.:/@#$'’]*`),
    beforeUpper: every(`([${lower}]|[${digit}])(?=[${upper}])`),
    beforeCapitalised: every(`([${upper}])(?=[${upper}][${lower}])`),
    between: pattern(`[^${word}']+`),
    letterOrDigit: pattern(`[${letter}${digit}]`),
    letter: pattern(`[${letter}]`),
    /** A flag; a channel or a scope; snake case; camel case; a ticket; an error code; a file or a host. */
    names: [
      pattern(`^--[${letter}]`),
      pattern(`^[#@][${letter}]`),
      pattern(`[${letter}]_[${letter}${digit}]`),
      pattern(`[${lower}][${upper}]`),
      pattern(`^[${upper}]{2,}-[${digit}]+$`),
      pattern(`^[${upper}]+[${digit}]{2,}$`),
      pattern(String.raw`[${letter}${digit}_\-]{2,}\.[${lower}]{1,4}$`),
    ],
  };
}

/**
 * For texts in ASCII, which most are: patterns over all letters find the same there in twice the time, and to compile
 * them takes as long as an empty program runs (measured).
 */
const asciiPatterns = patternsOver(
  { letter: "A-Za-z", upper: "A-Z", lower: "a-z", digit: "0-9", mark: "" },
  "",
);
let unicodePatterns: Patterns | null = null;

function patternsFor(text: string): Patterns {
  if (!/[^\x00-\x7f]/.test(text)) return asciiPatterns;
  return (unicodePatterns ??= patternsOver(
    {
      letter: String.raw`\p{L}`,
      upper: String.raw`\p{Lu}`,
      lower: String.raw`\p{Ll}`,
      digit: String.raw`\p{N}`,
      mark: String.raw`\p{M}`,
    },
    "u",
  ));
}

/** Marks at the ends of a chunk fall off. */
const chunksOf = (text: string, { chunk: run }: Patterns): readonly string[] =>
  (text.replaceAll(marker, " ").match(run) ?? []).map((chunk) =>
    chunk.replace(/[-.:/@#$'’]+$/, "").replace(/^-(?!-)/, ""),
  );

/** Most chunks have nothing to split, and are no names. */
const isPlainWord = (chunk: string): boolean =>
  chunk.length <= wordCharsMax && /^[A-Za-z][a-z]*$/.test(chunk);

/** `parseHTTPHeader2` → parse, http, header, 2; contractions stay one word. */
function partsOf(chunk: string, patterns: Patterns): readonly string[] {
  const spaced = chunk
    .replace(patterns.beforeUpper, "$1 ")
    .replace(patterns.beforeCapitalised, "$1 ")
    .replaceAll("’", "'");
  const words = spaced.split(patterns.between).filter((word) => patterns.letterOrDigit.test(word));
  return words
    .map((word) => foldWord(word).replace(/^'+|'+$|'s$/g, ""))
    .filter((word) => word !== "" && word.length <= wordCharsMax);
}

/** Single letters and digits carry nothing, but a single character of another script is a word. */
const isContent = (word: string): boolean =>
  (word.length > 1 || /[^\x00-\x7f]/.test(word)) && !stopWords.has(word);

/** Made by a person for one thing, so that meeting it twice is no accident. */
function isIdentifier(chunk: string, parts: readonly string[], patterns: Patterns): boolean {
  if (chunk.length < 3 || chunk.length > wordCharsMax || /['’]/.test(chunk)) return false;
  if (!patterns.letter.test(chunk)) return false;
  return patterns.names.some((name) => name.test(chunk)) || isPath(chunk, parts);
}

/** `src/a/b`, `api/v2/users`, but not "and/or". */
const isPath = (chunk: string, parts: readonly string[]): boolean =>
  chunk.includes("/") && parts.length > 2;

// Words that name nothing in the address of a memory. Addresses are kept for good: this list is none of the others.

const words = new Set(phrasesOf(text));

export const isNothingInSlug = (word: string): boolean => words.has(word);

// The beginnings of parts that tell no more than the log of the repository does, in a digest by rules. Pure data.

export const digestWords = {
  committed: "Committed",
  edited: "Edited",
  /** An order whose end was not recorded. */
  unfinished: "Not finished",
} as const;

/** Tells no more than the log of the repository, or the title before it. */
export const isOfTheLog = (sentence: string): boolean =>
  Object.values(digestWords).some((word) => sentence.startsWith(word));

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
  /** The stems of its name, which may stand in any order: "the runner for our tests". */
  readonly stems: readonly string[];
  readonly tools: readonly string[];
  /** The names that hold nothing else. */
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

const nameParts = listsIn(projectNamesText);
const genericParts = new Set(nameParts.list("generic"));
/** Languages and formats are written with a capital where no project is meant. */
const languages = new Set(nameParts.list("languages"));

/** Said of many projects, or of none: `api-server`, `Python`. */
export const isOrdinaryName = (name: string): boolean =>
  languages.has(name) ||
  name.split(/[-_.@]+/u).every((part) => part.length < 3 || genericParts.has(part));
