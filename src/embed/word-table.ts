/**
 * The words of a model, looked up in the bytes they came in. A Map of as many strings costs five megabytes of a process
 * that should be small, and more time to fill; this one costs eight bytes a word. Pure.
 */

export interface WordTable {
  readonly count: number;
  /** Length of the longest word in bytes of UTF-8, which is never less than in letters. */
  readonly bytesMax: number;
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
    bytesMax,
    rowOf: (word) => {
      if (word.length > bytesMax) return empty;
      const { read, written } = encoder.encodeInto(word, scratch);
      return read < word.length ? empty : (slots[slotOf(scratch.subarray(0, written))] ?? empty);
    },
  };
}

/** Where each line begins, and one past the line feed that would end the last. */
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
