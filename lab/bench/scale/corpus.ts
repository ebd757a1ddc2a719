/**
 * Invented memories by the hundred thousand, the same ones on every run: sentences whose words fall off as words of a
 * language do, over the vocabulary of the embedded model, so that some terms are in every tenth memory and most in few.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stopWords } from "../../../src/language/query-words.ts";

export interface Corpus {
  /** The memory of this number, always the same. */
  readonly memory: (n: number) => InventedMemory;
  /** A prompt as somebody might have typed it in that project. */
  readonly prompt: (n: number) => string;
  /** A question with eight content words: five of one memory (`about`, its number), three of anything. */
  readonly question: (
    n: number,
    memories: number,
  ) => { readonly text: string; readonly about: number };
}

export interface InventedMemory {
  readonly l0: string;
  readonly category: "entities" | "events" | "patterns" | "cases" | "preferences";
  readonly project: string | null;
  readonly importance: number;
}

const modelFile = join(import.meta.dir, "../../../models/cst-256-v4.bin");
const headerBytes = 16;
/** Words in use; rarer ones of the model are odd spellings. */
const vocabularyMax = 40_000;
/** Zipf–Mandelbrot: the most frequent content word is then in about one memory of ten. */
const rankShift = 10;
const contentWords = 9;
const projects = 20;
const glue = "the of in for with is and on to a by after before when from so because".split(" ");
const categories = ["entities", "events", "patterns", "cases", "preferences"] as const;

export function createCorpus(): Corpus {
  const words = readVocabulary();
  const draw = createDraw(words);
  const content = (seed: number): readonly string[] => {
    const next = randomOf(seed);
    return Array.from({ length: contentWords }, () => draw(next()));
  };
  return {
    memory: (n) => {
      const next = randomOf(n * 2 + 1_000_003);
      const own = content(n * 2 + 1);
      return {
        l0: sentence(own, n, next),
        category: categories[Math.floor(next() * categories.length)] ?? "cases",
        project: next() < 0.1 ? null : projectOf(Math.floor(projects * next() ** 2)),
        importance: 1 + Math.floor(next() * 5),
      };
    },
    prompt: (n) => sentence(content(n * 2 + 500_000_000), n, randomOf(n)),
    question: (n, memories) => {
      const next = randomOf(n + 900_000_000);
      const about = Math.floor(next() * memories);
      const known = content(about * 2 + 1).slice(0, 5);
      const others = Array.from({ length: 3 }, () => draw(next()));
      return { text: `how does the ${[...known, ...others].join(" ")} be done?`, about };
    },
  };
}

export const projectOf = (n: number): string => `github.com/acme/service-${n}`;

/** Content words between small ones; every third carries a name that somebody made up. */
function sentence(content: readonly string[], n: number, next: () => number): string {
  const spoken = content.flatMap((word) =>
    next() < 0.6 ? [word, glue[Math.floor(next() * glue.length)] ?? "the"] : [word],
  );
  const name = n % 3 === 0 ? ` ${content[0] ?? "it"}_${content[1] ?? "it"}_${n}` : "";
  return `${spoken.join(" ")}${name}`;
}

function readVocabulary(): readonly string[] {
  const file = readFileSync(modelFile);
  const bytes = file.readUInt32LE(12);
  return file
    .subarray(headerBytes, headerBytes + bytes)
    .toString("utf8")
    .split("\n")
    .filter((word) => /^[a-z]{3,}$/.test(word) && !stopWords.has(word))
    .slice(0, vocabularyMax);
}

/** Turns an even number into a word, frequent ones more often. */
function createDraw(words: readonly string[]): (chance: number) => string {
  const upTo = new Float64Array(words.length);
  let sum = 0;
  words.forEach((_, rank) => {
    sum += 1 / (rank + 1 + rankShift);
    upTo[rank] = sum;
  });
  return (chance) => {
    const wanted = chance * sum;
    let low = 0;
    let high = words.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? "word";
  };
}

/** Mulberry32: small, fast, and the same everywhere. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
