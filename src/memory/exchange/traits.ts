/**
 * A sentence as the learnt classifiers see it: words, pairs of words, pieces of words and form, hashed. Knows no
 * language: what a word weighs was learnt from labelled sentences (lab/train/worth.ts). Pure; linear in the text.
 */
import { hasUnspaced } from "#kit";
import { readWords } from "#language";
import type { LexicalIndex } from "#domain";
import worthFile from "../../../models/learnt/worth.json" with { type: "json" };

/** The writer of a sentence. */
export type Speaker = "user" | "agent";

/** The place of a sentence in its message. */
interface Place {
  readonly by: Speaker;
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** True when the message before it (of the other speaker) ends with a question. */
  readonly answersQuestion: boolean;
}

/** Indices of the traits that a sentence has, with how strongly. */
interface Traits {
  readonly on: readonly number[];
  readonly values: readonly number[];
}

/** Weights of a classifier: a power of two, so that a hash is cut with a mask. */
export const traitCount = 1 << 14;

const charsMax = 600;
const valueMax = 2;
const lengthOf = 4;
const pieceChars = 4;
const pieceWeight = 0.3;
const pieceWordCharsMax = 20;

export function traitsOf(sentence: string, place: Place): Traits {
  const text = sentence.slice(0, charsMax);
  const on: number[] = [];
  const put = (index: number, value: number): void => {
    const before = strengths[index] ?? 0;
    if (before === 0) on.push(index);
    strengths[index] = Math.min(valueMax, before + value);
  };
  addWords(text, place.by, put);
  addForm(text, place, (name) => put(cut(hash(start, name)), 1));
  const values = on.map((index) => strengths[index] ?? 0);
  for (const index of on) strengths[index] = 0;
  // Scales to one length, so that a long sentence is not worth more than a short one by having more words.
  const length = Math.hypot(...values) / lengthOf;
  return { on, values: values.map((value) => value / length) };
}

/** Strengths of the traits of the sentence that is being read, by index; zero between two of them. */
const strengths = new Float64Array(traitCount);

type Put = (index: number, value: number) => void;
type Add = (name: string) => void;

/** Traits are hashed from their beginning, so that what all words share is hashed once and no name is put together. */
const start = 2_166_136_261;
const [word1, word2, piece, pair] = [
  hash(start, "w:"),
  hash(start, "b:"),
  hash(start, "c:"),
  hash(start, "z:"),
];
const speakers = { user: hash(start, "user:"), agent: hash(start, "agent:") } as const;
const firsts = [hash(start, "0:"), hash(start, "1:")] as const;

function addWords(text: string, by: Speaker, put: Put): void {
  const lower = text.toLowerCase();
  const words = (lower.match(/[\p{L}\p{M}']+|\p{N}+/gu) ?? []).map(plain);
  const said = speakers[by];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    put(cut(hash(word1, word)), 1);
    put(cut(hash(said, word)), 1);
    put(cut(hash(hash(hash(word2, word), " "), words[i + 1] ?? "$")), 1);
    const first = firsts[i];
    if (first !== undefined) put(cut(hash(first, word)), 1);
  }
  for (const part of lower.replace(/\p{N}+/gu, "#").split(/\s+/u)) {
    const whole = `^${part}$`;
    for (let i = 0; i + pieceChars <= whole.length && i < pieceWordCharsMax; i += 1)
      put(cut(hash(piece, whole, i, i + pieceChars)), pieceWeight);
    if (hasUnspaced(part))
      for (let i = 0; i + 2 <= part.length; i += 1) put(cut(hash(pair, part, i, i + 2)), 1);
  }
}

const plain = (word: string): string => (/^\p{N}+$/u.test(word) ? "#" : word);

function addForm(text: string, { by, index, count, answersQuestion }: Place, add: Add): void {
  const words = text.split(/\s+/u).length + (hasUnspaced(text) ? text.length / 4 : 0);
  add(`numbers:${Math.min(3, text.match(/\p{N}+/gu)?.length ?? 0)}`);
  add(`identifiers:${Math.min(3, readWords(text).identifiers.length)}`);
  add(`names:${Math.min(3, text.match(/(?<=[\p{L},] )\p{Lu}\p{L}+/gu)?.length ?? 0)}`);
  add(`length:${Math.min(6, Math.floor(Math.log2(words + 1)))}`);
  add(`end:${text.slice(-1).replace(/[\p{L}\p{N}]/u, "x")}`);
  add(`by:${by}`);
  add(`${by} at:${Math.min(3, index)}`);
  add(`${by} of:${Math.min(4, count)}`);
  add(`last:${index === count - 1}`);
  add(`${by} asks:${/[?？]/u.test(text)}`);
  add(`${by} replies:${answersQuestion}${Math.min(1, index)}`);
}

/** FNV-1a over UTF-16 units, going on from `value`. */
function hash(value: number, text: string, from = 0, to = text.length): number {
  let hashed = value;
  for (let i = from; i < to; i += 1) hashed = Math.imul(hashed ^ text.charCodeAt(i), 16_777_619);
  return hashed;
}

const cut = (value: number): number => (value ^ (value >>> 15)) & (traitCount - 1);

// Learnt linear classifiers over hashed traits, as `lab/train/` writes them: int8 weights with one scale. Pure.

/** A file of `models/learnt/`. */
interface LearntFile {
  readonly provenance: string;
  readonly bias: number;
  readonly scale: number;
  /** int8, base64. */
  readonly weights: string;
}

/** Gives the likelihood that a sentence with these traits is one of the kind that was learnt: 0 to 1. */
type Classifier = (traits: Traits) => number;

/** Decodes the weights once, when they are first asked for. */
export function classifierOf(file: LearntFile): Classifier {
  let weights: Int8Array | null = null;
  return ({ on, values }) => {
    weights ??= decode(file.weights);
    let sum = 0;
    for (let k = 0; k < on.length; k += 1) sum += (weights[on[k] ?? 0] ?? 0) * (values[k] ?? 0);
    return 1 / (1 + Math.exp(-(file.bias + sum * file.scale)));
  };
}

function decode(base64: string): Int8Array {
  const bytes = atob(base64);
  return Int8Array.from({ length: bytes.length }, (_, i) => bytes.charCodeAt(i));
}

// Measures how rare words are in a store: over its exchanges and memories together. Pure but for the index it asks.

/** The natural logarithm of one document in so many, by stem, for the given stems. */
export function rarityIn(lexical: LexicalIndex, stems: Iterable<string>): (stem: string) => number {
  const terms = [...stems];
  const counts = (["exchange", "memory"] as const).map((kind) =>
    lexical.frequencies(kind, terms, null),
  );
  const documents = counts.reduce((sum, count) => sum + count.documents, 0);
  return (stem) => {
    const count = counts.reduce((sum, { byTerm }) => sum + (byTerm.get(stem) ?? 0), 0);
    return Math.max(0, Math.log((documents + 1) / (count + 0.5)));
  };
}

// Vectors of texts, compared. Pure.

/** Cosine of two unit vectors; 0 when either is missing. */
export function cosine(a: Float32Array | null, b: Float32Array | null): number {
  if (a === null || b === null) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

// Estimates the likelihood that a sentence says something that matters later: 0 to 1, learnt (lab/train/worth.ts).
// Pure.

const classify = classifierOf(worthFile);

export const worthOf = (sentence: string, place: Place): number =>
  classify(traitsOf(sentence, place));
