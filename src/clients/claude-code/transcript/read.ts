/**
 * Reads a transcript from where it was left, in bounded memory.
 *
 * Knows bytes and lines, not what they say (parse.ts does). Offsets only ever point behind a line end, so a line that
 * the client is still writing waits for the next read.
 */
import { open, stat } from "node:fs/promises";
import { err, ok, type Result } from "#kit";
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
  /** Lines above `lineBytesMax`, counted but not read. */
  readonly skippedLines: number;
}

/**
 * Reads the complete lines behind `offset`. Errors: `transcript.missing` (the client deletes transcripts after some
 * weeks), `transcript.unreadable` (no permission, no regular file, or it vanished while reading).
 */
export async function readTranscript(
  io: TranscriptIo,
  path: string,
  offset: TranscriptOffset,
  limits: TranscriptLimits = transcriptLimits,
): Promise<Result<TranscriptRead, TranscriptError>> {
  const opened = await io.open(path);
  if (!opened.ok) return opened;
  await using file = opened.value;
  try {
    const isContinuation = await startsAtLine(file, offset.bytes);
    const from = isContinuation ? offset : { bytes: 0, lines: 0 };
    return ok({ ...(await readLines(file, from, limits)), restarted: !isContinuation });
  } catch (error) {
    // file.read is the only thing here that throws.
    return err({ type: "transcript.unreadable", path, detail: String(error) });
  }
}

const newline = 10;

/** A transcript only grows. Shorter than the offset, or no line end before it: it is not the file we knew. */
async function startsAtLine(file: TranscriptFile, bytes: number): Promise<boolean> {
  if (bytes === 0) return true;
  if (file.size < bytes) return false;
  const before = new Uint8Array(1);
  return (await file.read(before, bytes - 1)) === 1 && before[0] === newline;
}

async function readLines(
  file: TranscriptFile,
  from: TranscriptOffset,
  limits: TranscriptLimits,
): Promise<Omit<TranscriptRead, "restarted">> {
  const lines = createLineSplitter(from.lines, limits.lineBytesMax);
  const chunk = Buffer.alloc(limits.chunkBytes);
  let position = from.bytes;
  let bytesRead = await file.read(chunk, position);
  while (bytesRead > 0) {
    position += bytesRead;
    lines.push(chunk.subarray(0, bytesRead));
    const isFull = position - from.bytes >= limits.readBytesMax && lines.consumed() > 0;
    bytesRead = isFull ? 0 : await file.read(chunk, position);
  }
  return {
    entries: lines.entries,
    offset: { bytes: from.bytes + lines.consumed(), lines: lines.count() },
    more: position < file.size,
    skippedLines: lines.skipped(),
  };
}

/** Cuts a stream of chunks at line ends; holds at most one line, and of one that is too long nothing. */
function createLineSplitter(linesBefore: number, lineBytesMax: number) {
  const entries: TranscriptEntry[] = [];
  let held: Buffer[] = [];
  let heldBytes = 0;
  let count = linesBefore;
  let consumed = 0;
  let skipped = 0;

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
    if (length > lineBytesMax) skipped += 1;
    else {
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
  return {
    entries,
    push,
    count: () => count,
    consumed: () => consumed,
    skipped: () => skipped,
  };
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
  "system",
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

// The files transcripts are read from, as a port, and the real one.

export type TranscriptError =
  | { readonly type: "transcript.missing"; readonly path: string }
  | { readonly type: "transcript.unreadable"; readonly path: string; readonly detail: string };

interface TranscriptFile extends AsyncDisposable {
  /** Bytes at the time of opening; the client may be appending. */
  readonly size: number;
  /** Fills `into` from `position` on; returns the bytes read, 0 at the end. May throw. */
  readonly read: (into: Uint8Array, position: number) => Promise<number>;
}

export interface TranscriptIo {
  readonly open: (path: string) => Promise<Result<TranscriptFile, TranscriptError>>;
}

/** Transcripts on disk, opened read-only. Only regular files: opening a pipe would wait for a writer for ever. */
export const transcriptFiles: TranscriptIo = {
  open: async (path) => {
    try {
      const facts = await stat(path);
      if (!facts.isFile()) return unreadable(path, "not a regular file");
      const handle = await open(path, "r");
      return ok({
        size: facts.size,
        read: async (into, position) =>
          (await handle.read(into, 0, into.length, position)).bytesRead,
        [Symbol.asyncDispose]: () => handle.close(),
      });
    } catch (error) {
      return isMissing(error)
        ? err({ type: "transcript.missing", path })
        : unreadable(path, String(error)); // stat and open are what throws here.
    }
  },
};

const unreadable = (path: string, detail: string) =>
  err({ type: "transcript.unreadable", path, detail } as const);

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ENOENT" || error.code === "ENOTDIR");
