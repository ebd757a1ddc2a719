/**
 * A sentence as the learnt classifiers see it: words, pairs of words, pieces of words and form, hashed. Knows no
 * language: what a word weighs was learnt from labelled sentences (train/worth.ts). Pure; linear in the text.
 */
import { hasUnspaced } from "#kit";
import { readWords } from "#language";

/** Who said it. */
export type Speaker = "user" | "agent";

/** Where a sentence stands in its message. */
export interface Place {
  readonly by: Speaker;
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** True when the message before it (of the other speaker) ends with a question. */
  readonly answersQuestion: boolean;
}

/** Indices of the traits that a sentence has, with how strongly. */
export interface Traits {
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
  const found = new Map<number, number>();
  const put = (index: number, value: number): void =>
    void found.set(index, Math.min(valueMax, (found.get(index) ?? 0) + value));
  addWords(text, place.by, put);
  addForm(text, place, (name) => put(cut(hash(start, name)), 1));
  // Of one length, so that a long sentence is not worth more than a short one by having more words.
  const length = Math.hypot(...found.values()) / lengthOf;
  return { on: [...found.keys()], values: Array.from(found.values(), (value) => value / length) };
}

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
  for (const [i, word] of words.entries()) {
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

/** Cut to the number of weights. */
const cut = (value: number): number => (value ^ (value >>> 15)) & (traitCount - 1);
