/**
 * One line of Claude Code's JSONL to what it says.
 *
 * The only file that knows the client's field names. The format is undocumented and grows: what is not known is
 * nothing (`[]`), and nothing throws. What the client, a hook or another agent wrote into the conversation is never
 * taken for the user's words.
 */
import { forgetsTurn, isHeadlessEntry, printedFailureOf } from "#domain";
import { type Json, parseNow, recordOf } from "#kit";
import { isClientText } from "#language";
import {
  asList,
  asRecord,
  asText,
  choicesIn,
  clarifiedIn,
  parseRecord,
  refusalIn,
} from "./answers.ts";
import type { PromptEntry, TranscriptEntry } from "./entry.ts";
import {
  commandOf,
  filesOf,
  firstErrorLineOf,
  isInterrupt,
  isRejection,
  planOf,
  resultTextOf,
  speechOf,
  targetOf,
} from "./tool.ts";

/**
 * Reads one line (without its line end). `lineNumber` counts from 1 and is carried into the entries.
 * Unknown types, broken JSON and everything that is the client's own bookkeeping give no entries.
 */
export function parseTranscriptLine(line: string, lineNumber: number): readonly TranscriptEntry[] {
  if (!mayMatter(line)) return [];
  const record = parseRecord(line);
  if (record === null) return [];
  const at: LineAt = { line: lineNumber, atMs: timeOf(record) };
  switch (record["type"]) {
    case "user":
      return [...inheritedOf(record, at), ...userEntries(record, at)];
    case "assistant":
      return [...inheritedOf(record, at), ...assistantEntries(record, at)];
    case "attachment":
      return queuedPrompt(record, at);
    case "queue-operation":
      return queueEntries(record, at);
    default:
      return [];
  }
}

interface LineAt {
  readonly line: number;
  readonly atMs: number | null;
}

/** Half of a transcript's bytes are bookkeeping; looking for these words is ten times as fast as parsing. */
const mayMatter = (line: string): boolean =>
  line.includes('"assistant"') ||
  line.includes('"user"') ||
  line.includes("queued_command") ||
  line.includes("queue-operation");

export const timeOf = (record: Json): number | null =>
  parseNow(asText(record["timestamp"]) ?? undefined);

function userEntries(record: Json, at: LineAt): readonly TranscriptEntry[] {
  const content = asRecord(record["message"])?.["content"];
  if (record["isSidechain"] === true) return [];
  if (record["isCompactSummary"] === true) return compactSummary(content, at);
  if (isTheClients(record)) return [];
  const results = toolResults(record, content, at);
  const promptId = asText(record["promptId"]);
  if (isInterrupt(content)) return [{ type: "interrupt", ...at, promptId }];
  if (results.length > 0) return [...results, ...typedBeside(record, content, at)];
  const command = commandOf(content);
  if (command !== null) {
    const uuid = asText(record["uuid"]);
    const cwd = asText(record["cwd"]);
    return [{ type: "command", ...at, uuid, promptId, text: command, cwd, ...senderOf(record) }];
  }
  const text = speechOf(content);
  if (text === null || !isFromTheUser(record["origin"], record["turnOrigin"])) return [];
  if (isClientText(text)) return [];
  return [prompt(record, at, text, false)];
}

/** Lines of type `user` that were not typed: reminders, expansions of commands, copies for the screen. */
const isTheClients = (record: Json): boolean =>
  record["isMeta"] === true ||
  record["isVisibleInTranscriptOnly"] === true ||
  record["isVirtual"] === true ||
  record["textNotTyped"] === true ||
  record["turnCompanion"] === true;

const userOrigins: ReadonlySet<string> = new Set(["human", "sdk", "unknown"]);

/** Peers, schedules, task notifications and plugins speak in user messages too, and say so; old clients say nothing. */
function isFromTheUser(origin: unknown, turnOrigin: unknown): boolean {
  const kind = asText(asRecord(origin)?.["kind"]);
  const turn = asText(turnOrigin);
  return (kind === null || kind === "human") && (turn === null || userOrigins.has(turn));
}

function prompt(record: Json, at: LineAt, text: string, queued: boolean): PromptEntry {
  return {
    type: "prompt",
    ...at,
    uuid: asText(record["uuid"]),
    promptId: asText(record["promptId"]),
    text,
    queued,
    sessionId: asText(record["sessionId"]),
    cwd: asText(record["cwd"]),
    branch: asText(record["gitBranch"]),
    ...senderOf(record),
  };
}

/** A terminal that was opened in a headless run's shell has that one's entrypoint. */
const senderOf = (record: Json) =>
  record["promptSource"] !== "typed" && isHeadlessEntry(asText(record["entrypoint"]))
    ? { isHeadless: true }
    : {};

/** Reads text typed while a tool ran: some clients wrote it beside the tool's result, where hooks write too. */
function typedBeside(record: Json, content: unknown, at: LineAt): readonly PromptEntry[] {
  const text = speechOf(asList(content).filter((block) => !isClientText(speechOf([block]) ?? "")));
  if (text === null || !isFromTheUser(record["origin"], record["turnOrigin"])) return [];
  return [prompt(record, at, text, true)];
}

/** A prompt sent while a turn was running is stored as an attachment and nowhere else, or beside a tool's result. */
function queuedPrompt(record: Json, at: LineAt): readonly TranscriptEntry[] {
  const attachment = asRecord(record["attachment"]);
  if (attachment?.["type"] !== "queued_command" || record["isSidechain"] === true) return [];
  if (attachment["commandMode"] !== "prompt" || isTheClients(attachment)) return [];
  const text = speechOf(attachment["prompt"]);
  if (text === null || !isFromTheUser(attachment["origin"], null) || isClientText(text)) return [];
  return [prompt(record, at, text, true)];
}

/**
 * A message typed while a turn was running, as the client's queue holds it. Most stand in another line as well, once
 * they were delivered; what stands here alone was typed all the same (see queue.ts).
 */
function queueEntries(record: Json, at: LineAt): readonly TranscriptEntry[] {
  const operation = asText(record["operation"]);
  if (operation === "dequeue" || operation === "remove" || operation === "popAll")
    return [{ type: "queue", line: at.line, operation }];
  if (operation !== "enqueue") return [];
  const text = speechOf(record["content"]);
  if (text === null) return [];
  // Messages of peers and of the client wait in the same queue, and slash commands do.
  const isTyped = !isClientText(text) && !text.startsWith("/");
  return [{ type: "enqueued", prompt: prompt(record, at, text, true), line: at.line, isTyped }];
}

function toolResults(record: Json, content: unknown, at: LineAt): readonly TranscriptEntry[] {
  return asList(content).flatMap((item): readonly TranscriptEntry[] => {
    const block = asRecord(item);
    const toolUseId = asText(block?.["tool_use_id"]);
    if (block === null || toolUseId === null || block["type"] !== "tool_result") return [];
    const isError = block["is_error"] === true;
    const output = resultTextOf(block["content"]);
    const isRejected = isError && isRejection(record, output);
    const told = isError ? firstErrorLineOf(output) : printedFailureOf(output);
    const firstErrorLine = isRejected ? null : told;
    return [
      {
        type: "tool-result",
        line: at.line,
        promptId: asText(record["promptId"]),
        toolUseId,
        isError,
        isRejected,
        firstErrorLine,
        choices: isError ? clarifiedIn(output) : choicesIn(record, output),
        refusal: isRejected ? refusalIn(output) : null,
      },
    ];
  });
}

function assistantEntries(record: Json, at: LineAt): readonly TranscriptEntry[] {
  const message = asRecord(record["message"]);
  // The client speaks as the model when the API fails ("API Error: 529 …", "Please run /login").
  if (message === null) return [];
  if (record["isApiErrorMessage"] === true)
    return record["isSidechain"] === true ? [] : [{ type: "api-error", ...at }];
  if (message["model"] === "<synthetic>") return [];
  // Nothing of a subagent is kept.
  if (record["isSidechain"] === true) return [];
  const blocks = asList(message["content"]).map(asRecord);
  const messageId = asText(message["id"]);
  return blocks.flatMap((block): readonly TranscriptEntry[] => {
    const text = block?.["type"] === "text" ? asText(block["text"])?.trim() : undefined;
    if (text) return [{ type: "assistant-text", ...at, messageId, text }];
    return block === null ? [] : toolCall(block, at);
  });
}

function toolCall(block: Json, at: LineAt): readonly TranscriptEntry[] {
  const toolUseId = asText(block["id"]);
  const tool = asText(block["name"]);
  if (asText(block["type"])?.endsWith("tool_use") !== true) return [];
  if (toolUseId === null || tool === null) return [];
  const input = recordOf(block["input"]);
  const files = filesOf(tool, input);
  const plan = planOf(tool, input);
  const target = targetOf(tool, input);
  const marks = forgetsTurn(tool, input) ? ({ forgetsTurn: true } as const) : {};
  return [{ type: "tool-call", ...at, toolUseId, tool, target, plan, files, ...marks }];
}

/** The summary without the sentences that the client puts around it for the model. */
function compactSummary(content: unknown, at: LineAt): readonly TranscriptEntry[] {
  const whole = speechOf(content) ?? "";
  const start = /^Summary:\s*/m.exec(whole);
  const body = start === null ? whole : whole.slice(start.index + start[0].length);
  const end = body.indexOf("\nIf you need specific details from before compaction");
  const text = (end === -1 ? body : body.slice(0, end)).trim();
  return text === "" ? [] : [{ type: "compact-summary", ...at, text }];
}

/**
 * `/branch` marks every copied line with where it came from. `--fork-session` rewrites the session id of the copies
 * and leaves the old one only in `requestSessionId` of assistant lines.
 */
function inheritedOf(record: Json, at: LineAt): readonly TranscriptEntry[] {
  const branched = asText(asRecord(record["forkedFrom"])?.["sessionId"]);
  const origin = branched ?? asText(record["requestSessionId"]);
  if (origin === null || origin === record["sessionId"]) return [];
  return [{ type: "inherited", line: at.line, sessionId: origin }];
}
