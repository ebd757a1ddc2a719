/**
 * Words of what was said in private, kept by session as salted hashes, so that a later turn that retells it can be told
 * after a restart as well. Never the words; a hash does not hide a word from somebody who guesses it and reads this
 * home, which is why the files lie beside the spool, for the user alone, and go with the marks of private turns.
 */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { msPerDay, sha256, tellingMarksOf, tellingMarksOfTask } from "#kit";
import type { HomePaths } from "#domain";
import { readText } from "./small-file.ts";

const folder = (paths: HomePaths): string => `${paths.spool}/private`;
export const wordsSuffix = ".words";
export const saltName = "salt";
const fileOf = (paths: HomePaths, session: string): string =>
  `${folder(paths)}/${sha256(session)}${wordsSuffix}`;

const saltChars = 32;
const hashChars = 12;
/** Hashes of one session: the latest. */
const hashesMax = 6_000;
/** What was private so long before a copy of a session began is no longer looked for in it. */
const inheritedMsMax = 30 * msPerDay;

/** The home's salt; made when it is first needed. */
function saltOf(paths: HomePaths): string {
  const file = `${folder(paths)}/${saltName}`;
  const known = readText(file);
  if (known !== null && known.length === saltChars) return known;
  mkdirSync(folder(paths), { recursive: true, mode: 0o700 });
  const salt = sha256(`${crypto.randomUUID()}${crypto.randomUUID()}`, saltChars);
  try {
    writeFileSync(file, salt, { mode: 0o600, flag: "wx" });
    return salt;
  } catch {
    // Another process was first.
    return readText(file) ?? salt;
  }
}

const hashesIn = (file: string): readonly string[] =>
  readText(file)
    ?.split("\n")
    .filter((line) => line !== "") ?? [];

/** Adds the words of private blocks to those of a session. Throws when the folder cannot be written. */
export const addPrivateWords = (
  paths: HomePaths,
  session: string,
  texts: readonly string[],
): void => addMarks(paths, session, texts.flatMap(tellingMarksOf));

/** Adds the words of prompts that leave no record, tasks among them. Throws when the folder cannot be written. */
export const addOffRecordWords = (
  paths: HomePaths,
  session: string,
  prompts: readonly string[],
): void => addMarks(paths, session, prompts.flatMap(tellingMarksOfTask));

function addMarks(paths: HomePaths, session: string, marks: readonly string[]): void {
  if (marks.length === 0) return;
  const salt = saltOf(paths);
  addHashes(
    paths,
    session,
    marks.map((mark) => sha256(`${salt}:${mark}`, hashChars)),
  );
}

function addHashes(paths: HomePaths, session: string, hashes: readonly string[]): void {
  const file = fileOf(paths, session);
  const known = hashesIn(file);
  const all = new Set([...known, ...hashes]);
  if (all.size === known.length) return;
  writeFileSync(file, `${[...all].slice(-hashesMax).join("\n")}\n`, { mode: 0o600 });
}

/** Gives a session that goes on from another, nobody says which, the words of all that were private lately. */
export function inheritPrivateWords(paths: HomePaths, session: string, nowMs: number): void {
  if (!existsSync(folder(paths))) return;
  const recent = readdirSync(folder(paths))
    .filter((name) => name.endsWith(wordsSuffix))
    .map((name) => `${folder(paths)}/${name}`)
    .filter(
      (file) => nowMs - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < inheritedMsMax,
    );
  const hashes = recent.flatMap(hashesIn);
  if (hashes.length > 0) addHashes(paths, session, hashes);
}

/** Says of a word, or a run of words, whether it was said in private in a session; null = nothing was. */
export function privateWordsOf(
  paths: HomePaths,
  session: string,
): ((mark: string) => boolean) | null {
  const file = fileOf(paths, session);
  const hashes = new Set(hashesIn(file));
  if (hashes.size === 0) return null;
  const salt = saltOf(paths);
  return (mark) => hashes.has(sha256(`${salt}:${mark}`, hashChars));
}
