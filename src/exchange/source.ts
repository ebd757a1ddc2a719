/**
 * Declares the reader of a source and its context. A reader is a stream: it holds no more than one
 * record and small maps of ids, and it knows neither the daemon nor the terminal.
 */
import { lstatSync } from "node:fs";
import type { ProjectIdentity, Settings, PrivacyGate } from "#domain";
import { isTime, parseNow, errorMessage } from "#kit";
import type { ImportItem } from "./items.ts";

/** Records that were read and are not handed over. */
export interface LeftStep {
  readonly type: "left";
  readonly outcome: "skipped" | "refused";
  readonly reason: string;
  readonly count: number;
}

export type ReadStep =
  | { readonly type: "item"; readonly item: ImportItem }
  | LeftStep
  /** So many bytes (or rows) of `total` are behind us. */
  | { readonly type: "progress"; readonly done: number };

export interface ReadPlan {
  /** Bytes or rows; null when it is not known beforehand. */
  readonly total: number | null;
  readonly unit: "bytes" | "records";
  readonly steps: AsyncIterable<ReadStep> | Iterable<ReadStep>;
  readonly close: () => void;
}

/** Nothing was read and nothing will be: one sentence, and what to do. */
export class SourceFailure extends Error {
  readonly next: string | null;

  constructor(message: string, next: string | null = null) {
    super(message);
    this.next = next;
  }
}

export interface ReadContext {
  readonly gate: PrivacyGate;
  readonly settings: Settings;
  /** The command's own now: what has expired by then is not brought back. */
  readonly nowMs: number;
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
  readonly isExcluded: (cwd: string) => boolean;
  /** True when capture was paused for a part of a time, epoch ms. */
  readonly wasPaused: (fromMs: number | null, toMs: number | null) => boolean;
  /** True for a turn of a session that was taken off the record, by the id of its prompt. */
  readonly isOffTheRecord: (sessionId: string, promptId: string | null) => boolean;
  /** The text without sentences that retell what was private; `isKnown`: said in the open. */
  readonly withoutRetold: (
    text: string,
    of: {
      readonly has: (mark: string) => boolean;
      readonly isKnown: (word: string) => boolean;
    },
  ) => string;
  /** True for a value that is an ordinary word, and hidden nowhere but where it is called a secret. */
  readonly isOpenValue: (value: string) => boolean;
  /** Key of the one project that is known by this name; null when there is none, or more than one. */
  readonly projectNamed: (name: string) => string | null;
}

export const itemStep = (item: ImportItem): ReadStep => ({ type: "item", item });

export const left = (outcome: LeftStep["outcome"], reason: string, count = 1): LeftStep => ({
  type: "left",
  outcome,
  reason,
  count,
});

// Lines of a file or of standard input, in bounded memory. A line that is too long ends the reading: no file that an
// import takes has one.

export interface Line {
  readonly text: string;
  /** False for bytes that are not UTF-8; `text` is then empty. */
  readonly isText: boolean;
  /** Bytes of the input up to the end of this line. */
  readonly bytesDone: number;
  /** The input ended without a line end behind it. */
  readonly isCut: boolean;
}

/** 64 MB: ten times the longest record of an export. */
const lineBytesMax = 64 * 1_024 * 1_024;
const newline = 10;

/** Refuses everything but a regular file that holds something: a pipe waits for ever, a link leads anywhere. */
export function checkFile(path: string): { readonly bytes: number; readonly changedMs: number } {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw new SourceFailure(`there is no ${path}`);
  if (facts.isSymbolicLink())
    throw new SourceFailure(`${path} is a symbolic link; name the file that it leads to`);
  if (facts.isDirectory()) throw new SourceFailure(`${path} is a folder, not a file`);
  if (!facts.isFile()) throw new SourceFailure(`${path} is no regular file`);
  if (facts.size === 0) throw new SourceFailure(`${path} is empty`);
  return { bytes: facts.size, changedMs: Math.max(0, Math.round(facts.mtimeMs)) };
}

/** Reads lines; `name` is for the error. */
export async function* linesOf(
  input: ReadableStream<Uint8Array>,
  name: string,
): AsyncIterable<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let held: Buffer[] = [];
  let heldBytes = 0;
  let bytesDone = 0;
  const lineOf = (tail: Buffer, isCut: boolean): Line => {
    const bytes = held.length === 0 ? tail : Buffer.concat([...held, tail]);
    held = [];
    heldBytes = 0;
    bytesDone += bytes.length + (isCut ? 0 : 1);
    const text = decoded(decoder, bytes);
    return { text: text ?? "", isText: text !== null, bytesDone, isCut };
  };
  for await (const chunk of reading(input, name)) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield lineOf(chunk.subarray(start, end), false);
      start = end + 1;
    }
    heldBytes += chunk.length - start;
    if (heldBytes > lineBytesMax)
      throw new SourceFailure(
        `${name} has a line of more than 64 MB: no memories are written like that`,
      );
    if (start < chunk.length) held.push(Buffer.from(chunk.subarray(start)));
  }
  if (heldBytes > 0) yield lineOf(Buffer.alloc(0), true);
}

async function* reading(input: ReadableStream<Uint8Array>, name: string): AsyncIterable<Buffer> {
  try {
    for await (const chunk of input)
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  } catch (error) {
    throw new SourceFailure(`${name} cannot be read: ${errorMessage(error)}`);
  }
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes).replace(/\r$/, "");
  } catch {
    return null; // A fatal decoder throws a TypeError.
  }
}

// Times as other programs store them. Pure.

/** Smaller numbers are seconds. */
const secondsMax = 100_000_000_000;

/** Epoch milliseconds of a number (milliseconds or seconds) or of ISO text; null when it is no time. */
export function storedTime(value: unknown): number | null {
  const ms =
    typeof value === "number"
      ? Math.round(value < secondsMax ? value * 1_000 : value)
      : typeof value === "string"
        ? parseNow(value)
        : null;
  return ms !== null && ms > 0 && isTime(ms) ? ms : null;
}
