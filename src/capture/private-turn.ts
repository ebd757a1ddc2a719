/**
 * Turns whose prompt had a private part, remembered across processes without remembering the part.
 *
 * The process that hides text of a prompt knows it only while it runs; a later process of the same turn cannot find
 * runs of it in the answer. So a mark says "this turn had something private", and without the text at hand the
 * answer and the tool texts of such a turn are left out as a whole.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { msPerDay, sha256 } from "#kit";
import type { HomePaths, HookEnvelope } from "#domain";
import { textField } from "./json.ts";
import { readText } from "./small-file.ts";

const folder = (paths: HomePaths): string => `${paths.spool}/private`;

const markOf = (paths: HomePaths, session: string): string => `${folder(paths)}/${sha256(session)}`;

/** Prompts of one session that are remembered as partly private. */
const marksMax = 50;

/** Stands for a prompt of a client that sends no ids. */
const noId = "-";

const promptId = (envelope: HookEnvelope): string =>
  textField(envelope.payload, "prompt_id") ?? noId;

const marksIn = (file: string): readonly string[] | null =>
  readText(file)
    ?.split("\n")
    .filter((line) => line !== "") ?? null;

const sessionOf = (envelope: HookEnvelope): string =>
  textField(envelope.payload, "session_id") ?? "";

/** Over-approximates the gate's notion of a private block: a needless mark costs one answer, a missing one a leak. */
export const mayBePrivate = (envelope: HookEnvelope): boolean =>
  envelope.hook === "submit" &&
  /<\s*\/?\s*private/i.test(textField(envelope.payload, "prompt") ?? "");

/** Marks the turn that this prompt opens; `first` = of its session. Throws when the folder cannot be written. */
export function markPrivateTurn(paths: HomePaths, prompt: HookEnvelope): "first" | "another" {
  mkdirSync(folder(paths), { recursive: true, mode: 0o700 });
  const file = markOf(paths, sessionOf(prompt));
  const before = marksIn(file);
  const ids = [...(before ?? []), promptId(prompt)];
  writeFileSync(file, `${[...new Set(ids)].slice(-marksMax).join("\n")}\n`, { mode: 0o600 });
  return before === null ? "first" : "another";
}

/** A prompt with nothing to hide. Where the client sends no ids, it is what ends the marked turn. */
export function clearPrivateTurn(paths: HomePaths, prompt: HookEnvelope): void {
  if (promptId(prompt) === noId && existsSync(folder(paths)))
    rmSync(markOf(paths, sessionOf(prompt)), { force: true });
}

/**
 * True when the event belongs to a marked turn: same prompt id, or the same session where ids are missing. A
 * compaction tells of every turn before it.
 */
export function isInPrivateTurn(paths: HomePaths, envelope: HookEnvelope): boolean {
  const { hook, payload } = envelope;
  if (hook === "start" || hook === "submit" || hook === "end") return false;
  const summarises = hook === "subagent" && textField(payload, "agent_type") === null;
  const turn = hook === "compact" || summarises ? null : textField(payload, "prompt_id");
  return isMarkedPrivate(paths, sessionOf(envelope), turn);
}

/** True when this turn of a session is marked; a turn without an id may be any of the session's. */
export function isMarkedPrivate(paths: HomePaths, session: string, turn: string | null): boolean {
  const marks = marksIn(markOf(paths, session));
  return marks !== null && (turn === null || marks.includes(turn) || marks.includes(noId));
}

/** Marks of sessions that have been silent for this long are of no use: a turn does not last a week. */
const markMsMax = 7 * msPerDay;

/** Removes marks that are no longer needed. */
export function sweepPrivateMarks(paths: HomePaths, nowMs: number): void {
  if (!existsSync(folder(paths))) return;
  for (const name of readdirSync(folder(paths))) {
    const file = `${folder(paths)}/${name}`;
    const writtenMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    if (nowMs - writtenMs > markMsMax) rmSync(file, { force: true });
  }
}

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
