/**
 * Messages that were typed during a pause and wait in the client's queue. Hooks tell of one when it is delivered, or
 * not at all when it is taken into the running turn; the transcript says when it was typed and what became of it.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { HomePaths, HookEnvelope } from "#domain";
import { msPerDay, parseNow, type Json, parseJson, recordOf, textField } from "#kit";
import { isPaused, readPauses } from "./pause.ts";
import { markPausedTurn } from "./private-turn.ts";

/** Bytes at the end of a transcript in which the client tells of its queue. */
const tailBytes = 1_048_576;

/**
 * True for an event that a pause leaves out: it came while capture was paused, or it brings or follows words that were
 * typed then. Marks the turn of such words.
 */
export function isOfPause(paths: HomePaths, envelope: HookEnvelope, nowMs: number): boolean {
  const isNow = isPaused(paths, nowMs);
  const brings = bringsPausedWords(paths, envelope, nowMs);
  const isPrompt = envelope.hook === "submit" && textField(envelope.payload, "agent_id") === null;
  if (brings || (isNow && isPrompt)) markPausedTurn(paths, envelope);
  return isNow || brings;
}

/**
 * True for a prompt that holds a message typed during a pause, and for what the agent does and says in a turn from such
 * a message on.
 */
function bringsPausedWords(paths: HomePaths, envelope: HookEnvelope, nowMs: number): boolean {
  const { hook, payload } = envelope;
  const transcript = textField(payload, "transcript_path");
  if (hook === "start" || hook === "end" || transcript === null) return false;
  const wasPaused = readPauses(paths);
  if (!wasPaused(nowMs - msPerDay, nowMs)) return false;
  const isTypedThen = (record: Json): boolean => {
    const atMs = parseNow(textField(record, "timestamp") ?? "");
    return wasPaused(atMs, atMs);
  };
  const records = recordsOf(transcript);
  const messages = records.flatMap((record) =>
    isTypedThen(record) ? (messageOf(record) ?? []) : [],
  );
  if (messages.length === 0) return false;
  if (hook !== "submit") return wasDelivered(records, textField(payload, "prompt_id"), isTypedThen);
  const prompt = textField(payload, "prompt") ?? "";
  return messages.some((message) => holds(prompt, message));
}

/** Lines of a transcript's end that tell of the queue or of what was typed. */
const recordsOf = (transcript: string): readonly Json[] =>
  endOf(transcript)
    .split("\n")
    .filter((line) => /"queue-operation"|"queued_command"|"user"/.test(line))
    .map((line) => recordOf(parseJson(line)));

function endOf(path: string): string {
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const from = Math.max(0, fstatSync(file).size - tailBytes);
    const buffer = Buffer.alloc(tailBytes);
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, tailBytes, from));
  } catch {
    return ""; // No transcript: nothing waited that could be known.
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The message that a line puts into the queue. */
function messageOf(record: Json): string | null {
  const text = textField(record, "content")?.trim() ?? "";
  return record["operation"] === "enqueue" && text !== "" ? text : null;
}

/** Several messages are delivered as one prompt, each on lines of its own. */
const holds = (prompt: string, message: string): boolean =>
  `\n${prompt.trim()}\n`.includes(`\n${message}\n`);

interface Waiting {
  readonly message: string;
  /** Typed during a pause. */
  readonly isTypedThen: boolean;
}

/** True when a message typed during a pause was taken into the turn that runs. */
function wasDelivered(
  records: readonly Json[],
  promptId: string | null,
  isTypedThen: (record: Json) => boolean,
): boolean {
  const opening = records.findIndex(({ promptId: id }) => promptId !== null && id === promptId);
  const from = opening === -1 ? records.findLastIndex(opensTurn) : opening;
  const waiting: Waiting[] = [];
  return records.some((record, at) => {
    const message = messageOf(record);
    if (message !== null) waiting.push({ message, isTypedThen: isTypedThen(record) });
    const taken = takeOut(waiting, record);
    return at > from && taken.some((one) => one.isTypedThen);
  });
}

/** True for a line that holds what was typed, and no answer of a tool. */
function opensTurn({ type, isMeta, message }: Json): boolean {
  const { content } = recordOf(message);
  const isTyped = Array.isArray(content)
    ? !content.some((block) => recordOf(block)["type"] === "tool_result")
    : typeof content === "string";
  return type === "user" && isMeta !== true && isTyped;
}

/** Removes from the queue what left it by this line. Returns what was taken into the running turn. */
function takeOut(waiting: Waiting[], { operation, attachment }: Json): readonly Waiting[] {
  if (operation === "remove") return waiting.splice(0, 1);
  if (operation === "dequeue") waiting.splice(0, 1);
  if (operation === "popAll") waiting.splice(0);
  const prompt = textField(recordOf(attachment), "prompt") ?? "";
  const taken = waiting.filter(({ message }) => holds(prompt, message));
  waiting.splice(0, waiting.length, ...waiting.filter((one) => !taken.includes(one)));
  return taken;
}
