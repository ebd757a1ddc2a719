/**
 * Turns whose prompt had a private part, remembered across processes without remembering the part.
 *
 * The process that hides text of a prompt knows it only while it runs; a later process of the same turn cannot find
 * runs of it in the answer. So a mark says "this turn had something private", and without the text at hand the
 * answer and the tool texts of such a turn are left out as a whole.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { msPerDay, sha256, tellingMarksOf, tellingMarksOfTask, textField, readText } from "#kit";
import type { HomePaths, HookEnvelope } from "#domain";
import { addHashes, compactHashes, hashesIn, inheritHashes } from "./dated-hashes.ts";

export const privateFolder = (paths: HomePaths): string => `${paths.spool}/private`;

const markOf = (paths: HomePaths, session: string): string =>
  `${privateFolder(paths)}/${sha256(session)}`;

/** Before the id of a prompt whose turn leaves no record. */
const offMark = "!";
/** Before the id of a prompt in whose turn words typed during a pause were delivered; typed words of it stay. */
const pausedMark = "~";
/** Stands for turns of a client without ids that are over: a compaction still tells of them. */
const overMark = ".";

/** Prompts of one session that are remembered as partly private. */
const marksMax = 200;

/** Stands for a prompt of a client that sends no ids. */
const noId = "-";

const promptId = (envelope: HookEnvelope): string =>
  textField(envelope.payload, "prompt_id") ?? noId;

/** Every mark that a turn may have. */
const marksOf = (id: string): readonly string[] => [id, `${offMark}${id}`, `${pausedMark}${id}`];

const marksIn = (file: string): readonly string[] | null =>
  readText(file)
    ?.split("\n")
    .filter((line) => line !== "") ?? null;

const sessionOf = (envelope: HookEnvelope): string =>
  textField(envelope.payload, "session_id") ?? "";

/** Over-approximates the gate's notion of a private block: a needless mark costs one answer, a missing one a leak. */
export const mayBePrivate = (envelope: HookEnvelope): boolean =>
  envelope.hook === "submit" &&
  /<[\s\\/]*private/i.test(textField(envelope.payload, "prompt") ?? "");

/** Marks the turn of a prompt with a private block. Throws when the folder cannot be written. */
export function markPrivateTurn(paths: HomePaths, prompt: HookEnvelope): void {
  addMark(paths, prompt, promptId(prompt));
}

/** Marks the turn of a prompt that leaves no record, and its words. Throws when the folder cannot be written. */
export function markOffTheRecord(paths: HomePaths, prompt: HookEnvelope, nowMs: number): void {
  addMark(paths, prompt, `${offMark}${promptId(prompt)}`);
  const at = { session: sessionOf(prompt), nowMs };
  addOffRecordWords(paths, at, [textField(prompt.payload, "prompt") ?? ""]);
}

/** Marks the turn of an event that came in a pause or with words typed then: what the agent does from here on goes. */
export const markPausedTurn = (paths: HomePaths, envelope: HookEnvelope): void =>
  addMark(paths, envelope, `${pausedMark}${promptId(envelope)}`);

function addMark(paths: HomePaths, prompt: HookEnvelope, mark: string): void {
  const session = sessionOf(prompt);
  writeMarks(paths, session, [...(marksIn(markOf(paths, session)) ?? []), mark]);
}

function writeMarks(paths: HomePaths, session: string, marks: readonly string[]): void {
  mkdirSync(privateFolder(paths), { recursive: true, mode: 0o700 });
  const text = `${[...new Set(marks)].slice(-marksMax).join("\n")}\n`;
  writeFileSync(markOf(paths, session), text, { mode: 0o600 });
}

/** A prompt with nothing to hide. Where the client sends no ids, it is what ends the marked turn. */
export function clearPrivateTurn(paths: HomePaths, prompt: HookEnvelope): void {
  if (promptId(prompt) !== noId || !existsSync(privateFolder(paths))) return;
  const session = sessionOf(prompt);
  const marks = marksIn(markOf(paths, session));
  const isOver = (mark: string): boolean => marksOf(noId).includes(mark);
  if (marks?.some(isOver) === true)
    writeMarks(paths, session, [...marks.filter((mark) => !isOver(mark)), overMark]);
}

/** The prompt without its words, for the worker to drop what an earlier prompt of its turn left. */
export function withoutPrompt(envelope: HookEnvelope): HookEnvelope {
  const { prompt: _prompt, ...payload } = envelope.payload;
  return {
    ...envelope,
    contentHash: "off the record",
    payload: { ...payload, off_the_record: true },
  };
}

/** Extent to which an event may be kept: all of it, that something happened, or nothing. */
export function turnStanding(
  paths: HomePaths,
  envelope: HookEnvelope,
): "open" | "private" | "paused" | "off the record" {
  const { hook, payload } = envelope;
  if (hook === "start" || hook === "end") return "open";
  const marks = marksIn(markOf(paths, sessionOf(envelope)));
  if (marks === null) return "open";
  const summarises =
    hook === "compact" || (hook === "subagent" && textField(payload, "agent_type") === null);
  if (summarises) return "private";
  const id = promptId(envelope);
  if (marks.includes(`${offMark}${id}`)) return "off the record";
  if (marks.includes(`${pausedMark}${id}`)) return "paused";
  const isUnknown = id === noId && marks.some((mark) => mark !== overMark);
  return marks.includes(id) || isUnknown ? "private" : "open";
}

export const isOffTheRecord = (paths: HomePaths, session: string, turn: string | null): boolean =>
  turn !== null && marksIn(markOf(paths, session))?.includes(`${offMark}${turn}`) === true;

/** True when this turn of a session is marked in any way; a turn without an id may be any of the session's. */
export function isMarkedPrivate(paths: HomePaths, session: string, turn: string | null): boolean {
  const marks = marksIn(markOf(paths, session));
  return (
    marks !== null &&
    (turn === null || [turn, noId].flatMap(marksOf).some((mark) => marks.includes(mark)))
  );
}

/** A session may be resumed, and compacted with what it said, until its client deletes it; 30 days by default. */
const markMsMax = 365 * msPerDay;

/** Removes marks that are no longer needed, and hashes that have lapsed. */
export function sweepPrivateMarks(paths: HomePaths, nowMs: number): void {
  if (!existsSync(privateFolder(paths))) return;
  for (const name of readdirSync(privateFolder(paths))) {
    if (name === saltName) continue;
    const file = `${privateFolder(paths)}/${name}`;
    const hashesMax = hashesMaxOf(name);
    if (hashesMax !== null) {
      try {
        compactHashes(file, { max: hashesMax, nowMs });
      } catch {
        // Another user's file, or a full disk: the next start tries again.
      }
      continue;
    }
    const writtenMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    if (nowMs - writtenMs > markMsMax) rmSync(file, { force: true });
  }
}

/** Most hashes of a file; null for one that has none. */
const hashesMaxOf = (name: string): number | null =>
  name.endsWith(wordsSuffix) ? wordsMax : name.endsWith(secretsSuffix) ? secretsMax : null;

/** The event without the words of the answer and of tools: that something happened stays. */
export function withoutWords(envelope: HookEnvelope): HookEnvelope {
  const {
    last_assistant_message: _answer,
    tool_response: _response,
    tool_input: _input,
    error: _error,
    compact_summary: _summary,
    ...payload
  } = envelope.payload;
  return { ...envelope, payload };
}

// Words of what was said in private, kept by session as salted hashes, so that a later turn that retells it can be
// told after a restart as well. Never the words; a hash does not hide a word from somebody who guesses it and reads
// this home, which is why the files lie beside the spool, for the user alone, and go with the marks of private turns.

const wordsSuffix = ".words";
/** … and of the values of secrets (known-secrets.ts). */
export const secretsSuffix = ".secrets";
/** Values of one session: the latest. */
export const secretsMax = 500;
const saltName = "salt";
const fileOf = (paths: HomePaths, session: string): string =>
  `${privateFolder(paths)}/${sha256(session)}${wordsSuffix}`;

const saltChars = 32;
const hashChars = 12;
const hashOf = (salt: string, mark: string): string => sha256(`${salt}:${mark}`, hashChars);
/** Hashes of one session: the latest. */
const wordsMax = 6_000;

/** Session in which something is private, and when it was said there. */
export interface InSession {
  readonly session: string;
  readonly nowMs: number;
}

/** The home's salt; made when it is first needed. */
export function saltOf(paths: HomePaths): string {
  const file = `${privateFolder(paths)}/${saltName}`;
  const known = readText(file);
  if (known !== null && known.length === saltChars) return known;
  mkdirSync(privateFolder(paths), { recursive: true, mode: 0o700 });
  const salt = sha256(`${crypto.randomUUID()}${crypto.randomUUID()}`, saltChars);
  try {
    writeFileSync(file, salt, { mode: 0o600, flag: "wx" });
    return salt;
  } catch {
    // Another process was first.
    return readText(file) ?? salt;
  }
}

/** Adds the words of private blocks to those of a session. Throws when the folder cannot be written. */
export const addPrivateWords = (paths: HomePaths, at: InSession, texts: readonly string[]): void =>
  addWordMarks(paths, at, texts.flatMap(tellingMarksOf));

/** Adds the words of prompts that leave no record, tasks among them. Throws when the folder cannot be written. */
export const addOffRecordWords = (
  paths: HomePaths,
  at: InSession,
  prompts: readonly string[],
): void => addWordMarks(paths, at, prompts.flatMap(tellingMarksOfTask));

function addWordMarks(
  paths: HomePaths,
  { session, nowMs }: InSession,
  marks: readonly string[],
): void {
  if (marks.length === 0) return;
  const salt = saltOf(paths);
  const hashes = marks.map((mark) => hashOf(salt, mark));
  addHashes(fileOf(paths, session), hashes, nowMs);
}

/** Gives a session that goes on from another, nobody says which, the words of all that were private lately. */
export const inheritPrivateWords = (paths: HomePaths, { session, nowMs }: InSession): void =>
  inheritHashes(fileOf(paths, session), { suffix: wordsSuffix, max: wordsMax, nowMs });

/** Says of a word, or a run of words, whether it was said in private in a session; null = nothing was. */
export function privateWordsOf(
  paths: HomePaths,
  session: string,
): ((mark: string) => boolean) | null {
  const file = fileOf(paths, session);
  const hashes = hashesIn(file);
  if (hashes.size === 0) return null;
  const salt = saltOf(paths);
  return (mark) => hashes.has(hashOf(salt, mark));
}
