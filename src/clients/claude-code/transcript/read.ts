/**
 * Reads a transcript from where it was left, in bounded memory.
 *
 * Knows bytes and lines, not what they say (parse.ts does). Offsets only ever point behind a line end, so a line that
 * the client is still writing waits for the next read.
 */
import { type FileHandle, open, stat } from "node:fs/promises";
import { type TranscriptEntry, transcriptLimits } from "./entry.ts";
import { parseTranscriptLine } from "./parse.ts";

/** The place up to which a transcript has been read: always at a line start. */
export interface TranscriptOffset {
  readonly bytes: number;
  readonly lines: number;
}

export interface TranscriptLimits {
  readonly lineBytesMax: number;
  readonly readBytesMax: number;
  readonly chunkBytes: number;
}

export interface TranscriptRead {
  readonly entries: readonly TranscriptEntry[];
  /** The place at which the next read starts. */
  readonly offset: TranscriptOffset;
  /** True when the file was shorter than the offset, or another one: this read started over. */
  readonly restarted: boolean;
  /** True when the read stopped at its size limit; call again with `offset`. */
  readonly more: boolean;
}

/**
 * Reads the complete lines behind `offset`. Null for a file that is missing (the client deletes transcripts after some
 * weeks), cannot be read, or is no regular file: opening a pipe would wait for a writer for ever.
 */
export async function readTranscript(
  path: string,
  offset: TranscriptOffset,
  limits: TranscriptLimits = transcriptLimits,
): Promise<TranscriptRead | null> {
  try {
    const { size } = await regularFile(path);
    await using file = await open(path, "r");
    const isContinuation = await startsAtLine(file, size, offset.bytes);
    const from = isContinuation ? offset : { bytes: 0, lines: 0 };
    const read = await readLines(file, size, { from, limits });
    return { ...read, restarted: !isContinuation };
  } catch {
    return null;
  }
}

/** Bytes at the time of opening; the client may be appending. */
async function regularFile(path: string): Promise<{ readonly size: number }> {
  const facts = await stat(path);
  if (!facts.isFile()) throw new Error("not a regular file");
  return facts;
}

const newline = 10;

/** A transcript only grows. Shorter than the offset, or no line end before it: it is not the file we knew. */
async function startsAtLine(file: FileHandle, size: number, bytes: number): Promise<boolean> {
  if (bytes === 0) return true;
  if (size < bytes) return false;
  const before = new Uint8Array(1);
  return (await file.read(before, 0, 1, bytes - 1)).bytesRead === 1 && before[0] === newline;
}

async function readLines(
  file: FileHandle,
  size: number,
  { from, limits }: { readonly from: TranscriptOffset; readonly limits: TranscriptLimits },
): Promise<Omit<TranscriptRead, "restarted">> {
  const lines = createLineSplitter(from.lines, limits.lineBytesMax);
  const chunk = Buffer.alloc(limits.chunkBytes);
  let position = from.bytes;
  for (let isFull = false; !isFull;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    lines.push(chunk.subarray(0, bytesRead));
    isFull = position - from.bytes >= limits.readBytesMax && lines.consumed() > 0;
  }
  return {
    entries: lines.entries,
    offset: { bytes: from.bytes + lines.consumed(), lines: lines.count() },
    more: position < size,
  };
}

/** Cuts a stream of chunks at line ends; holds at most one line, and of one that is too long nothing. */
function createLineSplitter(linesBefore: number, lineBytesMax: number) {
  const entries: TranscriptEntry[] = [];
  let held: Buffer[] = [];
  let heldBytes = 0;
  let count = linesBefore;
  let consumed = 0;
  const hold = (part: Buffer): void => {
    heldBytes += part.length;
    // Copied: the chunk it lies in is overwritten by the next read.
    if (heldBytes <= lineBytesMax) held.push(Buffer.from(part));
    else held = [];
  };
  const endLine = (tail: Buffer): void => {
    const length = heldBytes + tail.length;
    count += 1;
    consumed += length + 1;
    // A line that is too long is counted, but not read.
    if (length <= lineBytesMax) {
      const line = held.length === 0 ? tail : Buffer.concat([...held, tail]);
      if (maySpeak(line)) entries.push(...parseTranscriptLine(line.toString("utf8"), count));
    }
    held = [];
    heldBytes = 0;
  };
  const push = (chunk: Buffer): void => {
    let start = 0;
    let end = chunk.indexOf(newline);
    while (end !== -1) {
      endLine(chunk.subarray(start, end));
      start = end + 1;
      end = chunk.indexOf(newline, start);
    }
    if (start < chunk.length) hold(chunk.subarray(start));
  };
  return { entries, push, count: () => count, consumed: () => consumed };
}

/** Shorter lines cost less to parse than to look at. */
const lookBytes = 256;
const typeKey = Buffer.from('"type":"');
const quote = 34;
/** Opens a value inside the line's own object. */
const openings = [123, 91] as const;

/** Lines of these types are read, see parse.ts. */
const readTypes: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "attachment",
  "queue-operation",
]);

/**
 * False when the line's type is none that is read. The client writes the type before everything that nests; where
 * anything else comes first, the line may say something.
 */
export function maySpeak(line: Buffer): boolean {
  if (line.length < lookBytes) return true;
  const at = line.indexOf(typeKey);
  if (at < 0) return true;
  const head = line.subarray(1, at);
  if (openings.some((opening) => head.includes(opening))) return true;
  const from = at + typeKey.length;
  return readTypes.has(line.toString("latin1", from, line.indexOf(quote, from)));
}
