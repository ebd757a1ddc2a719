/**
 * A text as rows of a word-vector model: the rows of its words, and of the pieces of those that the model does not
 * know. The same in training (lab/train/embedder) as in the program. Pure.
 */

/** Ends an entry of the vocabulary that is the beginning of words and not one itself. */
export const stemMark = "~";
/** A piece of a word has at least this many letters; of Chinese and Japanese, one character is one. */
const pieceLettersMin = 3;
const pieceLettersMax = 20;
/**
 * A longer word is known by its beginning; runs of Chinese and Japanese are texts, and cut to their
 * end.
 */
const wordLettersMax = 64;

export function modelRows(table: WordTable, text: string): readonly number[] {
  const rows: number[] = [];
  for (const word of modelWords(text)) {
    const row = table.rowOf(word);
    if (row < 0) addPieces(table, word, rows);
    else rows.push(row);
  }
  return rows;
}

/** `piecesOf` cuts a known word as if it were not known; it teaches the pieces what they mean. */
export function piecesOf(table: WordTable, word: string): readonly number[] {
  const rows: number[] = [];
  addPieces(table, word, rows, word.length - 1);
  return rows;
}

/** Greedily the longest known words and stems; a letter at which none begins is skipped. */
function addPieces(
  table: WordTable,
  word: string,
  rows: number[],
  longest = pieceLettersMax,
): void {
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

// Text as the word-vector models read it: the exact normalisation that they were trained with (lab/train/embedder).
// Must not be used for search: lexical retrieval has its own idea of a word.

/** Longest run of digits that is looked up whole. */
const digitsMax = 4;

/**
 * Lower-case runs of letters of one script and of digits, accents folded, camelCase split, long numbers cut to their
 * first four digits. Chinese and Japanese come as runs of characters: the vocabulary cuts them into words.
 */
export function modelWords(text: string): readonly string[] {
  const isPlain = isAscii(text);
  const folded = (isPlain ? text : fold(text)).replace(/([a-z0-9])(?=[A-Z])/g, "$1 ").toLowerCase();
  const words = folded.match(isPlain ? plainWords : allWords);
  return (words ?? []).map((word) => (isNumber(word) ? word.slice(0, digitsMax) : word));
}

/** Without scripts to tell apart, the same is found in half the time. */
const plainWords = /[a-z]+|[0-9]+/g;
const allWords =
  /[a-z]+|[0-9]+|\p{Script=Cyrillic}+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;

/** `isUnspaced` tells whether the word is of a script that puts no spaces between words. */
export const isUnspaced = (word: string): boolean => word.charCodeAt(0) >= 0x3000;

const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text);
/** Accents off letters; what they leave is put together again, since Japanese has marks of its own. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replaceAll("ß", "ss");
const isNumber = (word: string): boolean => word.charCodeAt(0) <= 0x39;

// The words of a model, looked up in the bytes they came in. A Map of as many strings costs five megabytes of a
// process that should be small, and more time to fill; this one costs eight bytes a word. Pure.

export interface WordTable {
  readonly count: number;
  /** The number of the first line that is this word, or -1. */
  readonly rowOf: (word: string) => number;
}

const lineFeed = 10;
const empty = -1;
/** Indexes one word a line. The bytes are kept and must not change afterwards. */
export function createWordTable(bytes: Uint8Array): WordTable {
  const starts = lineStarts(bytes);
  const count = starts.length - 1;
  // At most half full, so that a probe ends soon.
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, count * 2)))).fill(empty);
  const mask = slots.length - 1;
  // Length of the longest word in UTF-8, which is never less than in letters.
  let bytesMax = 0;
  const lengthOf = (row: number): number => (starts[row + 1] ?? 0) - 1 - (starts[row] ?? 0);
  const slotOf = (word: Uint8Array): number => {
    const { length } = word;
    // The runtime's own: a hash written here would run cold over the whole vocabulary, and take three times as long.
    let slot = Bun.hash.cityHash32(word) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const row = slots[slot] ?? empty;
      if (row === empty) return slot;
      if (lengthOf(row) === length && sameBytes(bytes, starts[row] ?? 0, word)) return slot;
    }
  };
  for (let row = 0; row < count; row += 1) {
    const start = starts[row] ?? 0;
    const length = lengthOf(row);
    const slot = slotOf(bytes.subarray(start, start + length));
    if (slots[slot] === empty) slots[slot] = row;
    bytesMax = Math.max(bytesMax, length);
  }
  const encoder = new TextEncoder();
  const scratch = new Uint8Array(bytesMax);
  return {
    count,
    rowOf: (word) => {
      if (word.length > bytesMax) return empty;
      const { read, written } = encoder.encodeInto(word, scratch);
      return read < word.length ? empty : (slots[slotOf(scratch.subarray(0, written))] ?? empty);
    },
  };
}

/** `lineStarts` gives the beginning of each line, and one past the line feed that would end the last. */
function lineStarts(bytes: Uint8Array): Uint32Array {
  let lines = 1;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1;
  const starts = new Uint32Array(lines + 1);
  let line = 1;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    starts[line] = at + 1;
    line += 1;
  }
  starts[line] = bytes.length + 1;
  return starts;
}

function sameBytes(bytes: Uint8Array, from: number, word: Uint8Array): boolean {
  for (let at = 0; at < word.length; at += 1) if (bytes[from + at] !== word[at]) return false;
  return true;
}
