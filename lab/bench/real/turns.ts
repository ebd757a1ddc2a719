/**
 * Reads what somebody typed in a real session, and what the agent did and answered: read from the
 * client's transcript.
 */
import { readFileSync } from "node:fs";
import { parseTranscriptLine, type TranscriptEntry } from "#clients";
import { clientStarts, clientTags } from "#domain";

export interface RealTool {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly response: unknown;
  readonly failed: boolean;
}

export interface RealTurn {
  readonly atMs: number;
  readonly prompt: string;
  /** The last text before the next prompt. */
  readonly answer: string;
  readonly uuid: string | null;
  /** As the client's hooks name it; null in an old transcript. */
  readonly promptId: string | null;
  /** The branch that was checked out when it ended. */
  readonly branch: string | null;
  readonly tools: readonly RealTool[];
  /** Lines of the transcript, from 1: of the prompt, and the last that belongs to it. */
  readonly line: number;
  readonly end: number;
}

export interface RealSession {
  readonly path: string;
  readonly turns: readonly RealTurn[];
  /** Working folders, in the order in which they were entered: the first is where it was started. */
  readonly folders: readonly string[];
}

/** Calls of one prompt that hooks tell of; what the agent said before any other is not kept. */
const toolsPerTurnMax = 400;
const textCharsMax = 4_000;

interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
}

interface Row {
  readonly type?: string;
  readonly uuid?: string;
  readonly promptId?: string;
  readonly timestamp?: string;
  readonly cwd?: string;
  readonly gitBranch?: string;
  readonly isSidechain?: boolean;
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  readonly toolUseResult?: unknown;
  readonly message?: { readonly content?: string | readonly Block[] };
}

type Open<T> = { -readonly [K in keyof T]: T[K] };
type OpenTurn = Open<Omit<RealTurn, "tools">> & { tools: RealTool[] };

export function readRealSession(path: string): RealSession {
  const turns: OpenTurn[] = [];
  const calls = new Map<string, Block>();
  const folders = new Set<string>();
  const reading: Reading = { turns, calls, command: null };
  for (const [at, line] of readFileSync(path, "utf8").split("\n").entries()) {
    const row = rowOf(line);
    if (row?.cwd !== undefined) folders.add(row.cwd);
    if (row === null || !isSpoken(row)) continue;
    take(reading, row, { at: at + 1, entries: parseTranscriptLine(line, at + 1) });
  }
  addUntold(reading);
  return { path, turns, folders: [...folders] };
}

function rowOf(line: string): Row | null {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === "object" && row !== null ? row : null;
  } catch {
    return null; // Cut, or no line of the client.
  }
}

const isSpoken = (row: Row): boolean =>
  row.timestamp !== undefined &&
  row.isSidechain !== true &&
  row.isMeta !== true &&
  row.isCompactSummary !== true;

interface Reading {
  readonly turns: OpenTurn[];
  /** Tool calls without their result, by id. */
  readonly calls: Map<string, Block>;
  /** A slash command that the model has not answered yet: `/exit` is never. */
  command: OpenTurn | null;
}

interface LineRead {
  readonly at: number;
  /** As the program reads it. */
  readonly entries: readonly TranscriptEntry[];
}

function take(reading: Reading, row: Row, { at, entries }: LineRead): void {
  const { turns, calls } = reading;
  const content = row.message?.content ?? "";
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const text = textOf(blocks);
  if (row.type === "user") {
    const last = turns.at(-1);
    const results = blocks.filter(({ type }) => type === "tool_result");
    const command = entries.find(({ type }) => type === "command");
    if (results.length > 0) {
      // The client's hooks tell nothing of a call that its user refused: only the transcript does.
      for (const entry of entries)
        if (entry.type === "tool-result" && entry.isRejected) calls.delete(entry.toolUseId);
      if (last !== undefined) last.end = at;
      for (const result of results) if (last !== undefined) end(last, calls, { result, row });
    } else if (command?.type === "command") reading.command = openedBy(row, command.text, at);
    else if (row.toolUseResult === undefined && isTyped(text)) {
      addUntold(reading);
      turns.push(openedBy(row, text, at));
      reading.command = null;
    }
  } else if (row.type === "assistant") {
    if (reading.command !== null) turns.push(reading.command);
    reading.command = null;
    const last = turns.at(-1);
    if (last === undefined) return;
    last.end = at;
    last.branch = row.gitBranch ?? last.branch;
    for (const block of blocks)
      if (block.type === "tool_use" && block.id !== undefined) calls.set(block.id, block);
    if (text !== "") last.answer = text;
  }
}

/** Published transcripts lack some results: a call that another one followed came to its end, and hooks told of it. */
function addUntold({ turns, calls }: Reading): void {
  const last = turns.at(-1);
  const ended = [...calls.values()].slice(0, -1);
  for (const { id = "" } of ended) calls.delete(id);
  for (const { id = "", name = "", input = {} } of last === undefined ? [] : ended)
    if (last !== undefined && last.tools.length < toolsPerTurnMax)
      last.tools.push({ id, name, input, response: {}, failed: false });
}

const openedBy = (row: Row, prompt: string, at: number): OpenTurn => ({
  atMs: Date.parse(row.timestamp ?? ""),
  prompt,
  answer: "",
  uuid: row.uuid ?? null,
  promptId: row.promptId ?? null,
  branch: row.gitBranch ?? null,
  tools: [],
  line: at,
  end: at,
});

function end(
  turn: OpenTurn,
  calls: Map<string, Block>,
  { result, row }: { readonly result: Block; readonly row: Row },
): void {
  const id = result.tool_use_id ?? "";
  const call = calls.get(id);
  if (call === undefined) return;
  calls.delete(id);
  if (turn.tools.length >= toolsPerTurnMax) return;
  const { toolUseResult: response } = row;
  turn.tools.push({
    id,
    name: call.name ?? "",
    input: call.input ?? {},
    response:
      typeof response === "object" && response !== null
        ? response
        : { text: wordsOf(response).slice(0, textCharsMax) },
    failed: result.is_error === true,
  });
}

const wordsOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? "");

const textOf = (blocks: readonly Block[]): string =>
  blocks
    .flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []))
    .join("\n")
    .trim();

/** True for what a hook tells of as a prompt: typed, or an accepted plan; not what the client put in between. */
function isTyped(text: string): boolean {
  if (text === "" || clientStarts.some((start) => start.test(text))) return false;
  const tag = /^<([\w-]{1,60})[\s>]/u.exec(text)?.[1]?.toLowerCase();
  return tag === undefined || !clientTags.has(tag);
}
