/**
 * What lies in Claude Code's projects folder: transcripts with when and where they began, and memory folders. Follows
 * no symbolic link below the folder it was given; opens nothing that is not a regular file.
 */
import { closeSync, lstatSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseNow } from "#kit";
import {
  type CommandEntry,
  type PromptEntry,
  readTranscript,
  sessionIdOfPath,
  type TranscriptEntry,
  transcriptFiles,
  transcriptLimits,
  type TranscriptTurn,
} from "#clients";
import { SourceFailure } from "../source.ts";

export interface TranscriptFacts {
  readonly path: string;
  readonly sessionId: string;
  readonly bytes: number;
  /** Time of its first line that has one, else of its last change; epoch ms. */
  readonly startedAt: number;
  /** Working folder, when its beginning names one. */
  readonly cwd: string | null;
}

export interface Found {
  readonly transcripts: readonly TranscriptFacts[];
  readonly memories: readonly MemoryFolder[];
  /** Files that are not read, with the reason; counts stand in the report. */
  readonly left: readonly {
    readonly outcome: "skipped" | "refused";
    readonly reason: string;
    readonly path: string;
  }[];
}

export interface MemoryFolder {
  readonly path: string;
  /** Working folder of the project it belongs to; null when no transcript beside it names one. */
  readonly cwd: string | null;
}

/** Larger transcripts do not exist: a session's context is a few megabytes. */
const transcriptBytesMax = 4 * 1_024 * 1_024 * 1_024;
/** How far into a transcript its first time and folder are looked for. */
const headBytes = 64 * 1_024;

/** Everything below a projects folder, a project's own folder, or one transcript. Throws `SourceFailure`. */
export function findTranscripts(given: string): Found {
  const root = realPathOf(given);
  const facts = lstatSync(root);
  if (facts.isFile()) return oneTranscript(given, root);
  if (!facts.isDirectory()) throw new SourceFailure(`${given} is no regular file and no folder`);
  const found = collect(root);
  const { transcripts, memories, left } = found;
  if (transcripts.length + memories.length + left.length === 0)
    throw new SourceFailure(
      `${given} holds no transcripts of Claude Code`,
      "name its projects folder, a project's folder in it, or one transcript",
    );
  return { ...found, transcripts: transcripts.toSorted(byStart) };
}

function realPathOf(given: string): string {
  try {
    return realpathSync(given);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new SourceFailure(isMissing ? `there is no ${given}` : `${given} cannot be read`);
  }
}

function oneTranscript(given: string, path: string): Found {
  if (lstatSync(given).isSymbolicLink())
    throw new SourceFailure(`${given} is a symbolic link; name the file that it leads to`);
  const sessionId = sessionIdOfPath(path);
  if (sessionId === null)
    throw new SourceFailure(
      `${given} is not named like a transcript (<session id>.jsonl)`,
      "name Claude Code's projects folder, or one transcript in it",
    );
  const head = headOf(path);
  if (head === null) throw new SourceFailure(`${given} cannot be read`);
  if (head === "") throw new SourceFailure(`${given} is empty`);
  if (!looksLikeTranscript(head))
    throw new SourceFailure(
      `${given} is no transcript of Claude Code: its first line is not its JSON`,
    );
  return { transcripts: [factsOf(path, sessionId)], memories: [], left: [] };
}

const looksLikeTranscript = (head: string): boolean =>
  /^\s*\{[^\n]{0,4000}"[a-zA-Z]+"\s*:/.test(head);

interface Collected {
  readonly transcripts: TranscriptFacts[];
  readonly memories: MemoryFolder[];
  readonly left: Found["left"][number][];
}

function collect(root: string): Collected {
  const all: Collected = { transcripts: [], memories: [], left: [] };
  collectProject(root, all);
  for (const entry of entriesOf(root)) {
    const path = join(root, entry.name);
    if (entry.isDirectory()) collectProject(path, all);
    else if (entry.isSymbolicLink())
      all.left.push({ outcome: "refused", reason: "a symbolic link", path });
  }
  return all;
}

const entriesOf = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // No permission, or it went away.
  }
};

function collectProject(folder: string, all: Collected): void {
  const own: TranscriptFacts[] = [];
  for (const entry of entriesOf(folder)) {
    if (!entry.name.endsWith(".jsonl")) continue;
    const path = join(folder, entry.name);
    const facts = transcriptAt(path);
    if ("reason" in facts) all.left.push({ ...facts, path });
    else own.push(facts);
  }
  all.transcripts.push(...own);
  const memory = join(folder, "memory");
  if (isFolder(memory))
    all.memories.push({ path: memory, cwd: own.find(({ cwd }) => cwd !== null)?.cwd ?? null });
}

type Left = { readonly outcome: "skipped" | "refused"; readonly reason: string };

function transcriptAt(path: string): TranscriptFacts | Left {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return { outcome: "skipped", reason: "went away" };
  if (facts.isSymbolicLink()) return { outcome: "refused", reason: "a symbolic link" };
  if (!facts.isFile()) return { outcome: "refused", reason: "no regular file" };
  const sessionId = sessionIdOfPath(path);
  if (sessionId === null) return { outcome: "skipped", reason: "not a session's transcript" };
  if (facts.size === 0) return { outcome: "skipped", reason: "an empty file" };
  if (facts.size > transcriptBytesMax) return { outcome: "refused", reason: "larger than 4 GB" };
  return factsOf(path, sessionId);
}

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function factsOf(path: string, sessionId: string): TranscriptFacts {
  const { size, mtimeMs } = lstatSync(path);
  const head = headOf(path) ?? "";
  const time = /"timestamp"\s*:\s*"([^"]{10,40})"/.exec(head)?.[1];
  return {
    path,
    sessionId: sessionId.toLowerCase(),
    bytes: size,
    startedAt: parseNow(time) ?? Math.max(0, Math.round(mtimeMs)),
    cwd: textIn(head, "cwd"),
  };
}

/** A field's text without parsing the line, which may be longer than the head. */
function textIn(head: string, field: string): string | null {
  const quoted = new RegExp(`"${field}"\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.){1,4000}")`).exec(head)?.[1];
  if (quoted === undefined) return null;
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" ? value : null;
  } catch {
    return null; // An escape that is none.
  }
}

function headOf(path: string): string | null {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(headBytes);
      return head.toString("utf8", 0, readSync(file, head, 0, headBytes, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return null; // No permission.
  }
}

/** True when a line ended behind `from`: what was read up to there is not all any more. */
export function hasGrown({ path, bytes }: TranscriptFacts, from: number): boolean {
  if (bytes <= from) return false;
  try {
    const file = openSync(path, "r");
    try {
      const rest = Buffer.alloc(headBytes);
      for (let at = from; at < bytes; at += headBytes) {
        const length = readSync(file, rest, 0, headBytes, at);
        if (length === 0) return false;
        if (rest.subarray(0, length).includes(10)) return true;
      }
      return false;
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // It cannot be read now, so nothing more can be taken from it.
  }
}

/** Oldest first; the session's id where two began together, so that every run has the same order. */
const byStart = (a: TranscriptFacts, b: TranscriptFacts): number =>
  a.startedAt - b.startedAt || (a.sessionId < b.sessionId ? -1 : 1);

/** Name of the folder that a transcript lies in: the client's own name of the project. */
export const folderName = ({ path }: TranscriptFacts): string => basename(dirname(path));

// Prompts and commands that stand twice. Clients copy a session when it is forked, and old ones do not say so: same
// words, same uuid, another file, which may lie in another folder (a worktree's) or begin with lines of its own. Each
// belongs to one session, the same in every run: to one that was taken before, else to the oldest.

/** What opens a turn in the user's name. */
export type Opening = PromptEntry | CommandEntry;

export const isOpening = (entry: TranscriptEntry): entry is Opening =>
  entry.type === "prompt" || entry.type === "command";

/** What is known of copies while one transcript is read. */
export interface Copies {
  /** Prompts and commands of the transcript, each before it is asked about. */
  readonly claim: (openings: readonly Opening[]) => void;
  /** Says of the turns of the transcript, in order, which are copies. */
  readonly isCopy: (turn: TranscriptTurn) => boolean;
}

/** Keys that are kept, more than any history has. What is beyond is taken as it comes. */
const keysMax = 2_000_000;

/**
 * Whose each prompt is. Asked in the order of `all`, once for each transcript that is imported: what is imported claims
 * its prompts as it is read, and only of the others before it are the prompts looked up.
 */
export function createOwners(
  all: readonly TranscriptFacts[],
  isKnown: (facts: TranscriptFacts) => boolean,
): (facts: TranscriptFacts) => Promise<Copies> {
  const owners = new Map<number | bigint, string>();
  const claim = (facts: TranscriptFacts, openings: readonly Opening[]): void => {
    for (const opening of openings)
      for (const key of keysOf(opening, facts))
        if (owners.size < keysMax && !owners.has(key)) owners.set(key, facts.sessionId);
  };
  const known = all.filter(isKnown);
  const fresh = all.filter((facts) => !isKnown(facts));
  let next = 0;
  const catchUp = async (facts: TranscriptFacts): Promise<void> => {
    for (const before of known.splice(0))
      for await (const opening of openingsOf(before.path)) claim(before, [opening]);
    const until = fresh.indexOf(facts, next);
    if (until < 0) return;
    for (const before of fresh.slice(next, until))
      for await (const opening of openingsOf(before.path)) claim(before, [opening]);
    next = until + 1;
  };
  return async (facts) => {
    // No original.
    if (all.length >= 2) await catchUp(facts);
    const seen = new Set<number | bigint>();
    return {
      claim: (openings) => {
        if (all.length >= 2) claim(facts, openings);
      },
      isCopy: ({ command, prompts: [prompt] }) => {
        const opening = command ?? prompt;
        if (opening === undefined) return false;
        const keys = keysOf(opening, facts);
        const isCopy = keys.some(
          (key) => seen.has(key) || (owners.get(key) ?? facts.sessionId) !== facts.sessionId,
        );
        for (const key of keys) seen.add(key);
        return isCopy;
      },
    };
  };
}

async function* openingsOf(path: string): AsyncIterable<Opening> {
  let offset = { bytes: 0, lines: 0 };
  for (let more = true; more;) {
    const read = await readTranscript(transcriptFiles, path, offset, transcriptLimits);
    if (!read.ok || read.value.restarted) return;
    for (const entry of read.value.entries) if (isOpening(entry)) yield entry;
    more = read.value.more && read.value.offset.bytes > offset.bytes;
    ({ offset } = read.value);
  }
}

/** Its uuid, and within a folder its words and instant: the same words are not sent twice in one millisecond. */
const keysOf = (
  { uuid, atMs, text }: Opening,
  { path }: TranscriptFacts,
): readonly (number | bigint)[] => [
  ...(uuid === null ? [] : [Bun.hash(uuid)]),
  ...(atMs === null ? [] : [Bun.hash(`${dirname(path)} ${atMs} ${text}`)]),
];
