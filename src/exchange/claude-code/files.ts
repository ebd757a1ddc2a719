/**
 * Lists the content of Claude Code's projects folder: transcripts with when and where they began,
 * and memory folders. Follows no symbolic link below the folder it was given; opens nothing that is
 * not a regular file.
 */
import { closeSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, fileNamesIn, parseJson, parseNow } from "#kit";
import {
  type CommandEntry,
  type PromptEntry,
  readTranscript,
  sessionIdOfPath,
  type TranscriptEntry,
  type TranscriptTurn,
} from "#clients";
import { left, type LeftStep, SourceFailure } from "../source.ts";

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
  readonly transcripts: TranscriptFacts[];
  readonly memories: MemoryFolder[];
  readonly left: LeftStep[];
}

export interface MemoryFolder {
  readonly path: string;
  /** Working folder of the project it belongs to; null when no transcript beside it names one. */
  readonly cwd: string | null;
}

/** Larger transcripts do not exist: a session's context is a few megabytes. */
const transcriptBytesMax = 4 * 1_024 * 1_024 * 1_024;
/** The part of a transcript in which its first time and folder are looked for. */
const headBytes = 64 * 1_024;

/** Everything below a projects folder, a project's own folder, or one transcript. Throws `SourceFailure`. */
export function findTranscripts(given: string): Found {
  const root = realPathOf(given);
  const facts = lstatSync(root);
  if (facts.isFile()) return oneTranscript(given, root);
  if (!facts.isDirectory()) throw new SourceFailure(`${given} is no regular file and no folder`);
  const found: Found = { transcripts: [], memories: [], left: [] };
  collectProject(root, found);
  for (const name of fileNamesIn(root)) {
    const entry = lstatSync(join(root, name), { throwIfNoEntry: false });
    if (entry?.isDirectory() === true) collectProject(join(root, name), found);
    else if (entry?.isSymbolicLink() === true) found.left.push(left("refused", "a symbolic link"));
  }
  const { transcripts, memories } = found;
  if (transcripts.length + memories.length + found.left.length === 0)
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
    const isMissing = errorCode(error) === "ENOENT";
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
  const head = bytesAt(path, 0)?.toString();
  if (head === undefined) throw new SourceFailure(`${given} cannot be read`);
  if (head === "") throw new SourceFailure(`${given} is empty`);
  if (!/^\s*\{[^\n]{0,4000}"[a-zA-Z]+"\s*:/.test(head))
    throw new SourceFailure(
      `${given} is no transcript of Claude Code: its first line is not its JSON`,
    );
  return { transcripts: [factsOf(path, sessionId)], memories: [], left: [] };
}

function collectProject(folder: string, found: Found): void {
  const own: TranscriptFacts[] = [];
  for (const name of fileNamesIn(folder)) {
    if (!name.endsWith(".jsonl")) continue;
    const path = join(folder, name);
    const sessionId = sessionIdOfPath(path);
    const why = whyNotRead(path, transcriptBytesMax, "larger than 4 GB");
    if (why !== null) found.left.push(why);
    else if (sessionId === null) found.left.push(left("skipped", "not a session's transcript"));
    else own.push(factsOf(path, sessionId));
  }
  found.transcripts.push(...own);
  const memory = join(folder, "memory");
  if (lstatSync(memory, { throwIfNoEntry: false })?.isDirectory() === true)
    found.memories.push({ path: memory, cwd: own.find(({ cwd }) => cwd !== null)?.cwd ?? null });
}

/** Null for a regular file that holds something and is not too large. */
export function whyNotRead(path: string, bytesMax: number, tooLarge: string): LeftStep | null {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return left("skipped", "went away");
  if (facts.isSymbolicLink()) return left("refused", "a symbolic link");
  if (!facts.isFile()) return left("refused", "no regular file");
  if (facts.size === 0) return left("skipped", "an empty file");
  return facts.size > bytesMax ? left("refused", tooLarge) : null;
}

function factsOf(path: string, sessionId: string): TranscriptFacts {
  const { size, mtimeMs } = lstatSync(path);
  const head = bytesAt(path, 0)?.toString() ?? "";
  const time = /"timestamp"\s*:\s*"([^"]{10,40})"/.exec(head)?.[1];
  // Without parsing the line, which may be longer than the head.
  const cwd = /"cwd"\s*:\s*("(?:[^"\\\n]|\\.){1,4000}")/.exec(head)?.[1];
  const folder = cwd === undefined ? undefined : parseJson(cwd);
  return {
    path,
    sessionId: sessionId.toLowerCase(),
    bytes: size,
    startedAt: parseNow(time) ?? Math.max(0, Math.round(mtimeMs)),
    cwd: typeof folder === "string" ? folder : null,
  };
}

/** Up to `headBytes` of a file from a place on; null when it cannot be read. */
function bytesAt(path: string, place: number): Buffer | null {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(headBytes);
      return bytes.subarray(0, readSync(file, bytes, 0, headBytes, place));
    } finally {
      closeSync(file);
    }
  } catch {
    return null; // No permission.
  }
}

/** True when a line ended behind `from`: what was read up to there is not all any more. */
export function hasGrown({ path, bytes }: TranscriptFacts, from: number): boolean {
  for (let place = from; place < bytes; place += headBytes) {
    const rest = bytesAt(path, place);
    if (rest === null || rest.length === 0) return false;
    if (rest.includes(10)) return true;
  }
  return false;
}

/** Oldest first; the session's id where two began together, so that every run has the same order. */
const byStart = (a: TranscriptFacts, b: TranscriptFacts): number =>
  a.startedAt - b.startedAt || (a.sessionId < b.sessionId ? -1 : 1);

// Prompts and commands that stand twice. Clients copy a session when it is forked, and old ones do not say so: same
// words, same uuid, another file, which may lie in another folder (a worktree's) or begin with lines of its own. Each
// belongs to one session, the same in every run: to one that was taken before, else to the oldest.

/** An entry that opens a turn in the user's name. */
export type Opening = PromptEntry | CommandEntry;

export const isOpening = (entry: TranscriptEntry): entry is Opening =>
  entry.type === "prompt" || entry.type === "command";

/** The copies that are known while one transcript is read. */
export interface Copies {
  /** Prompts and commands of the transcript, each before it is asked about. */
  readonly claim: (openings: readonly Opening[]) => void;
  /** Says of the turns of the transcript, in order, which are copies. */
  readonly isCopy: (turn: TranscriptTurn) => boolean;
}

/** Keys that are kept, more than any history has. What is beyond is taken as it comes. */
const keysMax = 2_000_000;

/**
 * Finds the session that owns each prompt. Asked in the order of `all`, once for each transcript
 * that is imported: what is imported claims its prompts as it is read, and only of the others
 * before it are the prompts looked up.
 */
export function createOwners(
  all: readonly TranscriptFacts[],
  isKnown: (facts: TranscriptFacts) => boolean,
): (facts: TranscriptFacts) => Promise<Copies> {
  // A single transcript has no original elsewhere.
  const isAlone = all.length < 2;
  const owners = new Map<number | bigint, string>();
  const claim = (facts: TranscriptFacts, openings: readonly Opening[]): void => {
    for (const key of isAlone ? [] : openings.flatMap((opening) => keysOf(opening, facts)))
      if (owners.size < keysMax && !owners.has(key)) owners.set(key, facts.sessionId);
  };
  const known = all.filter(isKnown);
  const fresh = all.filter((facts) => !isKnown(facts));
  let next = 0;
  return async (facts) => {
    const end = fresh.indexOf(facts, next);
    const before = isAlone ? [] : [...known.splice(0), ...fresh.slice(next, Math.max(next, end))];
    for (const one of before)
      for await (const opening of openingsOf(one.path)) claim(one, [opening]);
    next = Math.max(next, end + 1);
    const seen = new Set<number | bigint>();
    return {
      claim: (openings) => claim(facts, openings),
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
    const read = await readTranscript(path, offset);
    if (read === null || read.restarted) return;
    for (const entry of read.entries) if (isOpening(entry)) yield entry;
    more = read.more && read.offset.bytes > offset.bytes;
    ({ offset } = read);
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
