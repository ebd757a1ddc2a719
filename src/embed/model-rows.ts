/**
 * A text as rows of a word-vector model: the rows of its words, and of the pieces of those that the model does not
 * know. The same in training (train/embedder) as in the program. Pure.
 */
import { isUnspaced, modelWords } from "./model-words.ts";
import type { WordTable } from "./word-table.ts";

/** Looks words up: the number of a word, or -1. */
type Words = Pick<WordTable, "rowOf">;

/** Ends an entry of the vocabulary that is the beginning of words and not one itself. */
export const stemMark = "~";
/** A piece of a word has at least this many letters; of Chinese and Japanese, one character is one. */
const pieceLettersMin = 3;
const pieceLettersMax = 20;
/**
 * Of a longer word nobody knows more than its beginning; runs of Chinese and Japanese are texts, and cut to their end.
 */
const wordLettersMax = 64;

export function modelRows(table: Words, text: string): readonly number[] {
  const rows: number[] = [];
  for (const word of modelWords(text)) {
    const row = table.rowOf(word);
    if (row < 0) addPieces(table, word, rows);
    else rows.push(row);
  }
  return rows;
}

/** What a known word would be cut into if it were not known; it teaches the pieces what they mean. */
export function piecesOf(table: Words, word: string): readonly number[] {
  const rows: number[] = [];
  addPieces(table, word, rows, word.length - 1);
  return rows;
}

/** Greedily the longest known words and stems; a letter at which none begins is skipped. */
function addPieces(table: Words, word: string, rows: number[], longest = pieceLettersMax): void {
  const unspaced = isUnspaced(word);
  const shortest = unspaced ? 1 : pieceLettersMin;
  const end = unspaced ? word.length : Math.min(word.length, wordLettersMax);
  for (let at = 0; at <= end - shortest;) {
    let step = 1;
    for (
      let length = Math.min(end - at, longest, pieceLettersMax);
      length >= shortest;
      length -= 1
    ) {
      const piece = word.slice(at, at + length);
      const whole = table.rowOf(piece);
      const row = whole < 0 && !unspaced ? table.rowOf(piece + stemMark) : whole;
      if (row < 0) continue;
      rows.push(row);
      step = length;
      break;
    }
    at += step;
  }
}
