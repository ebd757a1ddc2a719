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
  const add = (name: string, value = 1): void => {
    const index = hash(name);
    found.set(index, Math.min(valueMax, (found.get(index) ?? 0) + value));
  };
  addWords(text, place.by, add);
  addForm(text, place, add);
  // Of one length, so that a long sentence is not worth more than a short one by having more words.
  const length = Math.hypot(...found.values()) / lengthOf;
  return { on: [...found.keys()], values: Array.from(found.values(), (value) => value / length) };
}

type Add = (name: string, value?: number) => void;

function addWords(text: string, by: Speaker, add: Add): void {
  const lower = text.toLowerCase();
  const words = (lower.match(/[\p{L}\p{M}']+|\p{N}+/gu) ?? []).map(plain);
  for (const [i, word] of words.entries()) {
    add(`w:${word}`);
    add(`${by}:${word}`);
    add(`b:${word} ${words[i + 1] ?? "$"}`);
    if (i < 2) add(`${i}:${word}`);
  }
  for (const part of lower.replace(/\p{N}+/gu, "#").split(/\s+/u)) {
    const whole = `^${part}$`;
    for (let i = 0; i + pieceChars <= whole.length && i < pieceWordCharsMax; i += 1)
      add(`c:${whole.slice(i, i + pieceChars)}`, pieceWeight);
    if (hasUnspaced(part))
      for (let i = 0; i + 2 <= part.length; i += 1) add(`z:${part.slice(i, i + 2)}`);
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

/** FNV-1a over UTF-16 units, cut to the number of weights. */
function hash(text: string): number {
  let value = 2_166_136_261;
  for (let i = 0; i < text.length; i += 1)
    value = Math.imul(value ^ text.charCodeAt(i), 16_777_619);
  return (value ^ (value >>> 15)) & (traitCount - 1);
}
