/**
 * A transcript as it is archived: the lines that say something, and of them what is known. Everything else of the
 * client's format may hold copies of files or of what was private, so it is left out.
 */
import { type Json, recordOf } from "#kit";
import { asList, asRecord, asText, parseRecord } from "./answers.ts";
import type { CommandEntry, PromptEntry, TranscriptEntry } from "./entry.ts";
import { parseTranscriptLine, timeOf } from "./parse.ts";
import { filesOf, resultTextOf } from "./tool.ts";

/** The gate through which the archive sends every text; it never sees one that was not cleaned first. */
export interface KeepGate {
  /** The user's words; null = they and their turn are private, and nothing of it is kept. */
  readonly prompt: (text: string, promptId: string | null) => string | null;
  /** The agent's words; null = they are not kept. */
  readonly said: (text: string) => string | null;
  /** Input and output of a tool, trimmed. */
  readonly tool: (text: string) => string;
  /** Tools whose output is not kept. */
  readonly isMute: (tool: string, files: readonly string[], command: string) => boolean;
}

/** Fields by which lines hang together and are dated. */
const lineFields = (
  "uuid sessionId session_id timestamp promptId cwd gitBranch version userType entrypoint isSidechain agentId " +
  "isCompactSummary origin turnOrigin promptSource requestSessionId forkedFrom"
).split(" ");

/** Inputs of tools that name what they were pointed at. */
const inputFields = /path$|^(?:command|pattern|query|url|description|skill|subject)$/;

/** Extent to which a turn may be kept. */
export type TurnStanding = "open" | "private" | "off the record";

/**
 * Standing of each turn of a transcript, in order. A prompt sent while a turn runs counts for that turn, and so does a
 * message in the client's queue, whatever becomes of it there. A turn of which a line was written while capture was
 * paused leaves no record, nor does one whose prompt had waited in the queue since then, or that its agent took off the
 * record: the mark of that is of the session in which it happened, and a fork copies the turn.
 */
export async function turnStandings(
  lines: AsyncIterable<string>,
  judge: (prompt: string, promptId: string | null) => TurnStanding,
  wasPaused: (fromMs: number | null, toMs: number | null) => boolean = () => false,
): Promise<readonly TurnStanding[]> {
  const standings: TurnStanding[] = [];
  const isLate = watchQueue();
  const takesBack = watchTakingBack();
  for await (const line of lines) {
    const entries = entriesOf(line);
    if (entries.length === 0) continue;
    const said = saidIn(entries);
    if (said !== null && (!isQueued(said) || standings.length === 0)) standings.push("open");
    const at = standings.length - 1;
    const before = standings[at];
    if (before === undefined) continue;
    const atMs = timeOf(parseRecord(line) ?? {});
    const isPaused = wasPaused(atMs, atMs);
    const isOff = [isPaused, isLate(entries, isPaused), takesBack(entries)].includes(true);
    const standing = said === null ? before : judge(said.text, said.promptId);
    standings[at] = worse(before, isOff ? "off the record" : standing);
  }
  return standings;
}

/** Tells, line by line, when words come that had waited in the queue since a pause. */
function watchQueue(): (entries: readonly TranscriptEntry[], isPaused: boolean) => boolean {
  let waiting: readonly string[] = [];
  return ([entry], isPaused) => {
    if (entry?.type === "enqueued" && isPaused) waiting = [...waiting, entry.prompt.text];
    if (entry?.type !== "prompt") return false;
    const still = waiting.filter((message) => !holdsMessage(entry.text, message));
    const isLate = still.length < waiting.length;
    waiting = still;
    return isLate;
  };
}

/** Tells, line by line, when a call by which the agent takes its turn off the record has gone well. */
function watchTakingBack(): (entries: readonly TranscriptEntry[]) => boolean {
  const calls = new Set<string>();
  return (entries) => {
    for (const entry of entries)
      if (entry.type === "tool-call" && entry.forgetsTurn === true) calls.add(entry.toolUseId);
    return entries.some(
      (entry) =>
        entry.type === "tool-result" &&
        calls.has(entry.toolUseId) &&
        !entry.isError &&
        !entry.isRejected,
    );
  };
}

/** Several messages are delivered as one prompt, each on lines of its own. */
const holdsMessage = (prompt: string, message: string): boolean =>
  `\n${prompt.trim()}\n`.includes(`\n${message.trim()}\n`);

const entriesOf = (line: string): readonly TranscriptEntry[] =>
  parseTranscriptLine(line, 1).filter(({ type }) => type !== "inherited");

/** The user's words in a line, also those that wait in the queue. */
function saidIn(entries: readonly TranscriptEntry[]): PromptEntry | CommandEntry | null {
  for (const entry of entries) {
    if (entry.type === "enqueued") return entry.prompt;
    if (entry.type === "prompt" || entry.type === "command") return entry;
  }
  return null;
}

const isQueued = (said: PromptEntry | CommandEntry): boolean =>
  said.type === "prompt" && said.queued;

const worse = (one: TurnStanding, other: TurnStanding): TurnStanding =>
  ["off the record", "private", "open"].find((each) => each === one || each === other) === one
    ? one
    : other;

interface State {
  readonly gate: KeepGate;
  readonly standings: readonly TurnStanding[];
  /** Index of the turn that is read. */
  at: number;
  /** The turn that is read is private as a whole. */
  isOut: boolean;
  /** Lines that were left out, with the line they hung on. */
  readonly parents: Map<string, string | null>;
  /** Calls whose output is not kept. */
  readonly mute: Set<string>;
}

/** Lines of one transcript in order, each as it is kept; null for those that are not. */
export function createKeeper(
  gate: KeepGate,
  standings: readonly TurnStanding[] = [],
): (line: string) => string | null {
  const state: State = {
    gate,
    standings,
    at: -1,
    isOut: false,
    parents: new Map(),
    mute: new Set(),
  };
  return (line) => {
    const record = parseRecord(line);
    if (record === null) return null;
    const body = bodyOf(state, line, record);
    const parent = parentOf(state, record);
    const uuid = asText(record["uuid"]);
    if (body === null) {
      if (uuid !== null) state.parents.set(uuid, parent);
      return null;
    }
    const fields: Record<string, unknown> = { type: record["type"], parentUuid: parent };
    for (const field of lineFields) if (record[field] !== undefined) fields[field] = record[field];
    return JSON.stringify({ ...fields, ...body });
  };
}

/** The nearest line above that is kept, so that the client finds its way up. */
function parentOf({ parents }: State, record: Json): string | null {
  let parent = asText(record["parentUuid"]);
  while (parent !== null && parents.has(parent)) parent = parents.get(parent) ?? null;
  return parent;
}

function bodyOf(state: State, line: string, record: Json): Json | null {
  switch (record["type"]) {
    case "user":
      return userBody(state, line, record);
    case "assistant":
      return isOpen(state) ? assistantBody(state, record) : null;
    case "attachment":
      return queuedBody(state, line, record);
    case "queue-operation":
      return queueBody(state, line);
    case "system":
      return boundaryBody(record);
    default:
      return null;
  }
}

function openTurn(
  state: State,
  entry: { readonly text: string; readonly promptId: string | null },
): Json | null {
  state.at += 1;
  const isOff = state.standings[state.at] === "off the record";
  const text = isOff ? null : state.gate.prompt(entry.text, entry.promptId);
  state.isOut = text === null;
  return userMessage(text);
}

function userBody(state: State, line: string, record: Json): Json | null {
  const entries = entriesOf(line);
  const [entry] = entries;
  if (entry?.type === "prompt" || entry?.type === "command") return openTurn(state, entry);
  if (entry?.type === "compact-summary")
    return isWhollyOpen(state) ? userMessage(state.gate.said(entry.text)) : null;
  return isOpen(state) ? followingBody(state, entries, record) : null;
}

/** An interrupt, or what the agent's tools answered and what was typed meanwhile. */
function followingBody(
  state: State,
  entries: readonly TranscriptEntry[],
  record: Json,
): Json | null {
  const { content } = asRecord(record["message"]) ?? {};
  if (entries[0]?.type === "interrupt") return userMessage(content);
  if (entries[0]?.type !== "tool-result") return null;
  const typed = entries.flatMap((entry) =>
    entry.type === "prompt" ? textBlock(state, entry) : [],
  );
  return userMessage([...resultBlocks(state, content), ...typed]);
}

function textBlock({ gate }: State, { text, promptId }: PromptEntry): readonly Json[] {
  const kept = gate.prompt(text, promptId);
  return kept === null ? [] : [{ type: "text", text: kept }];
}

/** True when what the agent said and did in this turn may be kept. */
const isOpen = ({ isOut, standings, at }: State): boolean =>
  !isOut && (standings[at] ?? "open") === "open";

/** True when nothing before this line was private: a summary tells of all of it. */
const isWhollyOpen = ({ isOut, standings, at }: State): boolean =>
  !isOut && standings.slice(0, at + 1).every((standing) => standing === "open");

const resultBlocks = (state: State, content: unknown): readonly Json[] =>
  asList(content).flatMap((block): readonly Json[] => {
    const kept = resultBlock(state, asRecord(block));
    return kept === null ? [] : [kept];
  });

const userMessage = (content: unknown): Json | null =>
  content === null ? null : { message: { role: "user", content } };

function resultBlock({ gate, mute }: State, block: Json | null): Json | null {
  if (block?.["type"] !== "tool_result") return null;
  const id = asText(block["tool_use_id"]) ?? "";
  const content = mute.has(id) ? "" : gate.tool(resultTextOf(block["content"]));
  const isError = block["is_error"] === true ? { is_error: true } : {};
  return { type: "tool_result", tool_use_id: id, content, ...isError };
}

function assistantBody(state: State, record: Json): Json | null {
  const message = asRecord(record["message"]);
  if (message === null || record["isApiErrorMessage"] === true) return null;
  const content = asList(message["content"]).flatMap(
    (block) => assistantBlock(state, asRecord(block)) ?? [],
  );
  if (content.length === 0) return null;
  const { id, model, stop_reason } = message;
  return { message: { id, type: "message", role: "assistant", model, content, stop_reason } };
}

function assistantBlock(state: State, block: Json | null): Json | null {
  const text = block?.["type"] === "text" ? asText(block["text"]) : null;
  if (text !== null) {
    const said = state.gate.said(text);
    return said === null ? null : { type: "text", text: said };
  }
  return block?.["type"] === "tool_use" ? callBlock(state, block) : null;
}

function callBlock({ gate, mute }: State, block: Json): Json {
  const name = asText(block["name"]) ?? "";
  const id = asText(block["id"]) ?? "";
  const input = recordOf(block["input"]);
  if (gate.isMute(name, filesOf(name, input), asText(input["command"]) ?? "")) mute.add(id);
  const kept = Object.entries(input).flatMap(([field, value]) =>
    typeof value === "string" && inputFields.test(field) ? [[field, gate.tool(value)]] : [],
  );
  return { type: "tool_use", id, name, input: Object.fromEntries(kept) };
}

/** A prompt that was sent while a turn was running belongs to that turn. */
function queuedBody(state: State, line: string, record: Json): Json | null {
  const [entry] = parseTranscriptLine(line, 1);
  const attachment = asRecord(record["attachment"]);
  if (entry?.type !== "prompt" || attachment === null || state.isOut) return null;
  const prompt = state.gate.prompt(entry.text, entry.promptId);
  const { type, commandMode, origin } = attachment;
  return prompt === null ? null : { attachment: { type, commandMode, origin, prompt } };
}

/** A message in the client's queue, and what became of it there. */
function queueBody(state: State, line: string): Json | null {
  const [entry] = parseTranscriptLine(line, 1);
  if (entry?.type === "queue") return { operation: entry.operation };
  const isOff = state.standings[Math.max(0, state.at)] === "off the record";
  if (entry?.type !== "enqueued" || state.isOut || isOff) return null;
  const content = state.gate.prompt(entry.prompt.text, entry.prompt.promptId);
  return content === null ? null : { operation: "enqueue", content };
}

function boundaryBody(record: Json): Json | null {
  if (record["subtype"] !== "compact_boundary") return null;
  const { trigger } = asRecord(record["compactMetadata"]) ?? {};
  return { subtype: "compact_boundary", compactMetadata: { trigger } };
}
