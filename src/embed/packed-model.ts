/**
 * A model as the build packs it: what every text needs in one frame, the rows of words in frames of their own. The
 * daemon unpacks it whole; whoever has one text to embed and ends then unpacks the few frames that its words lie in.
 */
import { modelRows } from "./model-rows.ts";
import { embedRows, readHead, type Head } from "./static-embedder.ts";

const magic = "CSTZ";
/** Magic, bytes of the packed head, frames, bytes of the whole model: 32 bits each. */
const headerBytes = 16;
const wordBytes = 4;
const rowsPerFrame = 1_024;
/** Rows: level 9 packs them as well as 19 does, in 1 % of the time. */
const rowsLevel = 9;
const headLevel = 19;
/** Bytes of a row's scale. */
const scaleBytes = 4;
/** Words that are looked for one by one; for more, a table of all is made first. */
const scansMax = 12;
const lineFeed = 10;

export const isPacked = (bytes: Uint8Array): boolean =>
  magic === String.fromCharCode(...bytes.subarray(0, magic.length));

/** Packs a model in the CST2 format. Throws when it is none. */
export function packModel(model: Uint8Array): Uint8Array {
  const head = readHead(model);
  if (!head.ok) throw new Error(head.error.detail);
  const { codesAt, count, dimension, vocabulary } = head.value;
  const frames: Uint8Array[] = [];
  for (let row = 0; row < count; row += rowsPerFrame) {
    const end = Math.min(count, row + rowsPerFrame);
    frames.push(
      packed(
        model.subarray(codesAt + (row * dimension) / 2, codesAt + (end * dimension) / 2),
        rowsLevel,
      ),
    );
  }
  const planes = withPlanes(model.subarray(0, codesAt), count);
  const packedHead = packed(joined([words(lineMarks(vocabulary)), planes]), headLevel);
  return joined([
    new TextEncoder().encode(magic),
    words([packedHead.length, frames.length, codesAt + (count * dimension) / 2]),
    words(frames.map(({ length }) => length)),
    packedHead,
    ...frames,
  ]);
}

const packed = (bytes: Uint8Array, level: number): Uint8Array =>
  Bun.zstdCompressSync(bytes, { level });

/**
 * The scales of some rows, from the first bytes of all scales, then all second ones, and so on: so they are packed,
 * because the exponents are nearly the same, which saves 35 KB.
 */
function scalesIn(planes: Uint8Array, count: number, rows: Iterable<number>): Float32Array {
  const scales = new Uint32Array(count);
  for (const row of rows)
    scales[row] =
      (planes[row] ?? 0) |
      ((planes[count + row] ?? 0) << 8) |
      ((planes[2 * count + row] ?? 0) << 16) |
      ((planes[3 * count + row] ?? 0) << 24);
  return new Float32Array(scales.buffer);
}

/** A head with its scales, the last that stands in it, as `scalesIn` reads them. */
function withPlanes(head: Uint8Array, count: number): Uint8Array {
  const at = head.length - count * scaleBytes;
  const planes = head.slice();
  for (let byte = 0; byte < count * scaleBytes; byte += 1)
    planes[at + (byte % scaleBytes) * count + Math.floor(byte / scaleBytes)] = head[at + byte] ?? 0;
  return planes;
}

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const words = (values: readonly number[]): Uint8Array =>
  new Uint8Array(Uint32Array.from(values).buffer);

/** Where every so many lines begin, so that the number of a line is found without counting them all. */
function lineMarks(vocabulary: Uint8Array): readonly number[] {
  const marks = [0];
  let line = 0;
  for (let at = 0; at < vocabulary.length; at += 1) {
    if (vocabulary[at] !== lineFeed) continue;
    line += 1;
    if (line % rowsPerFrame === 0) marks.push(at + 1);
  }
  return marks.slice(0, Math.ceil((line + 1) / rowsPerFrame));
}

interface Table {
  readonly headAt: number;
  readonly headEnd: number;
  readonly modelBytes: number;
  /** Where each frame begins, and where the last one ends. */
  readonly frames: readonly number[];
}

function tableOf(start: Uint8Array): Table {
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const frameCount = view.getUint32(8, true);
  const headAt = headerBytes + frameCount * wordBytes;
  const frames = [headAt + view.getUint32(4, true)];
  for (let frame = 0; frame < frameCount; frame += 1)
    frames.push((frames.at(-1) ?? 0) + view.getUint32(headerBytes + frame * wordBytes, true));
  return { headAt, headEnd: frames[0] ?? 0, modelBytes: view.getUint32(12, true), frames };
}

/** The model that was packed, whole. */
export function unpackModel(bytes: Uint8Array): Uint8Array {
  const { headAt, headEnd, modelBytes, frames } = tableOf(bytes);
  const model = new Uint8Array(modelBytes);
  const marked = unpacked(bytes.subarray(headAt, headEnd));
  const head = marked.subarray((frames.length - 1) * wordBytes);
  const count = new DataView(head.buffer, head.byteOffset).getUint32(4, true);
  const scalesAt = head.length - count * scaleBytes;
  const scales = scalesIn(head.subarray(scalesAt), count, Array(count).keys());
  model.set(head);
  model.set(new Uint8Array(scales.buffer), scalesAt);
  let at = head.length;
  for (let frame = 0; frame + 1 < frames.length; frame += 1) {
    const rows = unpacked(bytes.subarray(frames[frame], frames[frame + 1]));
    model.set(rows, at);
    at += rows.length;
  }
  return model;
}

/** A plain Uint8Array: a Node Buffer's own slice() would share memory where a copy is meant. */
function unpacked(bytes: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = Bun.zstdDecompressSync(bytes);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** What can be read of a file, a part at a time. */
export interface Parts {
  readonly read: (from: number, to: number) => Promise<Uint8Array>;
}

/** The vector of one text from a packed model, as the opened model gives it; null also where it is not packed. */
export async function embedOnce({ read }: Parts, text: string): Promise<Float32Array | null> {
  const first = await read(0, headerBytes);
  if (first.length < headerBytes || !isPacked(first)) return null;
  const frameCount = new DataView(first.buffer, first.byteOffset).getUint32(8, true);
  const { headAt, headEnd, frames } = tableOf(await read(0, headerBytes + frameCount * wordBytes));
  const whole = unpacked(await read(headAt, headEnd));
  const marks = new Uint32Array(whole.slice(0, frameCount * wordBytes).buffer);
  const packedHead = whole.subarray(frameCount * wordBytes);
  const head = readHead(packedHead);
  if (!head.ok) return null;
  const { codesAt, count, vocabulary } = head.value;
  const rows = modelRows(scannedWords(vocabulary, marks), text);
  const held = await rowsIn(read, { rows, frames, head: head.value });
  const planes = packedHead.subarray(codesAt - count * scaleBytes);
  return embedRows(rows, { ...head.value, ...held, scales: scalesIn(planes, count, rows) });
}

interface Wanted {
  readonly rows: readonly number[];
  readonly frames: readonly number[];
  readonly head: Head;
}

/** The frames that these rows lie in, one after the other, and where a row begins in them. */
async function rowsIn(read: Parts["read"], { rows, frames, head: { dimension } }: Wanted) {
  const needed = [...new Set(rows.map((row) => Math.floor(row / rowsPerFrame)))];
  const parts = await Promise.all(
    needed.map(async (frame) => unpacked(await read(frames[frame] ?? 0, frames[frame + 1] ?? 0))),
  );
  const startOfFrame = new Map<number, number>();
  let at = 0;
  for (const [index, frame] of needed.entries()) {
    startOfFrame.set(frame, at);
    at += parts[index]?.length ?? 0;
  }
  const startOf = (row: number): number => {
    const start = startOfFrame.get(Math.floor(row / rowsPerFrame)) ?? 0;
    return start + ((row % rowsPerFrame) * dimension) / 2;
  };
  return { codes: joined(parts), startOf };
}

/**
 * Words looked up by searching the lines: for a few words far quicker than indexing all of them (88,133 in the model
 * that is shipped). A long text gets a table after all.
 */
function scannedWords(vocabulary: Uint8Array, marks: Uint32Array) {
  const lines = Buffer.from(vocabulary.buffer, vocabulary.byteOffset, vocabulary.byteLength);
  const known = new Map<string, number>();
  let all: ReadonlyMap<string, number> | null = null;
  return {
    rowOf: (word: string): number => {
      const before = all?.get(word) ?? known.get(word);
      if (before !== undefined) return before;
      if (all !== null) return -1;
      if (known.size >= scansMax) {
        all = allWords(lines);
        return all.get(word) ?? -1;
      }
      const row = scanned(lines, marks, word);
      known.set(word, row);
      return row;
    },
  };
}

/** The first of equal lines counts, as in the table of the opened model. */
const allWords = (lines: Buffer): ReadonlyMap<string, number> =>
  new Map(
    lines
      .toString("utf8")
      .split("\n")
      .map((word, row) => [word, row] as const)
      .toReversed(),
  );

function scanned(lines: Buffer, marks: Uint32Array, word: string): number {
  const line = Buffer.from(`\n${word}\n`);
  const start = lines.subarray(0, line.length - 1).equals(line.subarray(1)) ? 0 : null;
  const found = start ?? lines.indexOf(line) + 1;
  if (start === null && found === 0)
    return endsWith(lines, line) ? lineAt(lines, marks, lines.length - line.length + 2) : -1;
  return lineAt(lines, marks, found);
}

/** Is it the last line, which no line feed ends? */
const endsWith = (lines: Buffer, line: Buffer): boolean =>
  lines.subarray(lines.length - line.length + 1).equals(line.subarray(0, -1));

/** The number of the line that begins here. */
function lineAt(lines: Buffer, marks: Uint32Array, start: number): number {
  let mark = marks.length - 1;
  while (mark > 0 && (marks[mark] ?? 0) > start) mark -= 1;
  let line = mark * rowsPerFrame;
  for (let at = marks[mark] ?? 0; at < start; at += 1) if (lines[at] === lineFeed) line += 1;
  return line;
}
