/** Holds the common parts of the readers of stored sessions: lines of JSON in, entries of a transcript out. */
import { forgetsTurn } from "#domain";
import { isRecord, type Json, oneLine, parseJson, parseNow, recordOf, textField } from "#kit";
import type { TranscriptEntry } from "../../claude-code/transcript/entry.ts";

/** An agent's session without what was said in it. */
export interface SessionHead {
  /** The agent's own id. */
  readonly id: string;
  /** A subagent's session is no session of the user's. */
  readonly isSubagent: boolean;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly startedAtMs: number | null;
}

/** One stored session of an agent. */
export interface AgentSession extends SessionHead {
  readonly entries: readonly TranscriptEntry[];
}

/** The records of a file of lines, each with its number from 1. A line that is no record is passed over. */
export function recordsOf(
  text: string,
): readonly { readonly line: number; readonly record: Json }[] {
  return text.split("\n").flatMap((given, at) => {
    const record = parseJson(given);
    return isRecord(record) ? [{ line: at + 1, record }] : [];
  });
}

/** The field's record, or an empty one. */
export const recordAt = (record: Json, field: string): Json => recordOf(record[field]);

export const listAt = (record: Json, field: string): readonly Json[] => {
  const value = record[field];
  return Array.isArray(value) ? value.filter(isRecord) : [];
};

/** Texts of a list of parts, joined. */
export const textOfParts = (parts: readonly Json[]): string =>
  parts.flatMap((part) => textField(part, "text") ?? []).join("\n\n");

export const timeAt = (record: Json, field: string): number | null => {
  const value = record[field];
  return typeof value === "number" && Number.isFinite(value)
    ? Math.round(value)
    : typeof value === "string"
      ? parseNow(value)
      : null;
};

export interface Place {
  readonly line: number;
  readonly atMs: number | null;
}

export const promptEntry = (
  { line, atMs }: Place,
  words: {
    readonly text: string;
    readonly promptId: string | null;
    readonly isQueued: boolean;
    readonly session: SessionHead;
  },
): TranscriptEntry => ({
  type: "prompt",
  line,
  uuid: null,
  promptId: words.promptId,
  text: words.text,
  atMs,
  queued: words.isQueued,
  sessionId: null,
  cwd: words.session.cwd,
  branch: words.session.branch,
});

export const answerEntry = ({ line, atMs }: Place, text: string): TranscriptEntry => ({
  type: "assistant-text",
  line,
  messageId: null,
  text,
  atMs,
});

export const interruptEntry = (
  { line, atMs }: Place,
  promptId: string | null,
): TranscriptEntry => ({
  type: "interrupt",
  line,
  promptId,
  atMs,
});

const targetCharsMax = 300;
const filesMax = 20;

/** A call with what came of it. */
export const toolEntries = (
  { line, atMs }: Place,
  call: {
    readonly id: string;
    readonly tool: string;
    readonly target: string | null;
    readonly files: readonly string[];
    /** Absent for calls of the client's own tools. */
    readonly input?: Json;
    /** Null = it went well. */
    readonly error: string | null;
  },
): readonly TranscriptEntry[] => [
  {
    type: "tool-call",
    line,
    toolUseId: call.id,
    tool: call.tool,
    target: call.target === null ? null : oneLine(call.target).slice(0, targetCharsMax),
    plan: null,
    files: call.files.slice(0, filesMax),
    ...(forgetsTurn(call.tool, call.input ?? {}) ? { forgetsTurn: true } : {}),
    atMs,
  },
  {
    type: "tool-result",
    line,
    promptId: null,
    toolUseId: call.id,
    isError: call.error !== null,
    isRejected: false,
    firstErrorLine: call.error === null ? null : oneLine(call.error).slice(0, targetCharsMax),
    choices: [],
    refusal: null,
  },
];

/** `targetIn` gives the file or command of a call, as tools name it. */
export const targetIn = (input: Json): string | null =>
  ["command", "file_path", "filePath", "path", "pattern", "url", "query", "prompt"]
    .map((name) => textField(input, name))
    .find((text) => text !== null) ?? null;

export const filesIn = (input: Json): readonly string[] =>
  ["file_path", "filePath", "path"].flatMap((name) => textField(input, name) ?? []);
