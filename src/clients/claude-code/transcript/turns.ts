/**
 * Entries to turns: one user prompt and everything up to the next.
 *
 * Pure, and knows nothing of the client's format. A batch of entries may begin in the middle of a turn (reading goes
 * on from an offset); such a turn has no prompt.
 */
import type { Choice } from "./answers.ts";
import {
  type ApiErrorEntry,
  type AssistantTextEntry,
  type CommandEntry,
  type EnqueuedEntry,
  type InterruptEntry,
  parentSessionOf,
  type PromptEntry,
  type ToolCallEntry,
  type ToolResultEntry,
  type TranscriptEntry,
} from "./entry.ts";

type ToolOutcome = "ok" | "error" | "rejected" | "unknown";

/** A tool call with what came of it; `unknown` when its result is not in the transcript (interrupted, or not yet). */
export interface TranscriptToolCall extends Omit<ToolCallEntry, "type" | "line" | "atMs"> {
  readonly outcome: ToolOutcome;
  readonly errorLine: string | null;
  /** Questions that the user answered in the call, or a comment on a plan. */
  readonly choices: readonly Choice[];
  /** The user's words when declining it. */
  readonly refusal: string | null;
}

export interface TranscriptTurn {
  /** The user's messages, in order: the prompt, then what was sent while the turn ran. Empty for a command's turn. */
  readonly prompts: readonly PromptEntry[];
  /** The client's id of the prompt or command that opened the turn; a turn read from its middle has that of its end. */
  readonly promptId: string | null;
  /** The slash command that opened the turn; null for a prompt. */
  readonly command: CommandEntry | null;
  /** The agent's last text. */
  readonly answer: AssistantTextEntry | null;
  /** Its texts before its last tool call. */
  readonly remarks: readonly (AssistantTextEntry & {
    /** Id of the tool call that followed. */
    readonly beforeCall: string;
  })[];
  readonly toolCalls: readonly TranscriptToolCall[];
  readonly interrupted: boolean;
  /** The API failed, and nothing came of the turn after that. */
  readonly failed: boolean;
  readonly firstLine: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** True when the turn was copied from the parent of a fork, where it belongs. */
  readonly inherited: boolean;
}

/**
 * Groups entries into turns, in order. A slash command opens a turn only if the model answered it. `ownSessionId`
 * serves to tell what a fork inherited (see parentSessionOf); null when it is not known. `isOver`: see withQueued.
 */
export function turnsOf(
  read: readonly TranscriptEntry[],
  ownSessionId: string | null = null,
  { isOver }: { readonly isOver: boolean } = { isOver: true },
): readonly TranscriptTurn[] {
  const entries = withQueued(read, isOver);
  const results = resultsById(entries);
  const forkLine = parentSessionOf(entries, ownSessionId)?.throughLine ?? 0;
  const drafts: Draft[] = [];
  let command: CommandEntry | null = null;
  for (const entry of entries) {
    if (entry.type === "command") command = entry;
    const openedBy: Opener | null = openerOf(entry, command, drafts.length > 0);
    if (openedBy !== null) drafts.push(emptyDraft(openedBy));
    if (openedBy !== null || entry.type === "prompt") command = null;
    const current = drafts.at(-1);
    if (current !== undefined && isOfATurn(entry)) add(current, entry);
  }
  return drafts.map((draft) => finish(draft, results, forkLine));
}

interface Draft {
  promptId: string | null;
  readonly command: CommandEntry | null;
  readonly firstLine: number;
  readonly prompts: PromptEntry[];
  readonly texts: AssistantTextEntry[];
  readonly calls: ToolCallEntry[];
  interrupted: boolean;
  failed: boolean;
  startedAtMs: number | null;
  endedAtMs: number | null;
}

interface Opener {
  readonly promptId: string | null;
  readonly command: CommandEntry | null;
  readonly line: number;
}

/**
 * `openerOf` gives the reason why `entry` starts a turn; null when it goes on with the one before,
 * or belongs to none.
 */
function openerOf(
  entry: TranscriptEntry,
  command: CommandEntry | null,
  hasTurn: boolean,
): Opener | null {
  if (!isOfATurn(entry)) return null;
  const own = { command: null, line: entry.line, promptId: null };
  if (entry.type === "prompt") return entry.queued && hasTurn ? null : own;
  const isAnswer = entry.type === "assistant-text" || entry.type === "tool-call";
  if (command !== null)
    return isAnswer ? { command, line: command.line, promptId: command.promptId } : null;
  return hasTurn ? null : own;
}

type TurnEntry =
  | ApiErrorEntry
  | PromptEntry
  | AssistantTextEntry
  | ToolCallEntry
  | ToolResultEntry
  | InterruptEntry;

const isOfATurn = (entry: TranscriptEntry): entry is TurnEntry =>
  entry.type === "prompt" ||
  entry.type === "assistant-text" ||
  entry.type === "tool-call" ||
  entry.type === "tool-result" ||
  entry.type === "interrupt" ||
  entry.type === "api-error";

const emptyDraft = (opener: Opener): Draft => ({
  promptId: opener.promptId,
  command: opener.command,
  firstLine: opener.line,
  prompts: [],
  texts: [],
  calls: [],
  interrupted: false,
  failed: false,
  startedAtMs: null,
  endedAtMs: null,
});

function add(draft: Draft, entry: TurnEntry): void {
  if (entry.type === "prompt") draft.prompts.push(entry);
  else if (entry.type === "assistant-text") draft.texts.push(entry);
  else if (entry.type === "tool-call") draft.calls.push(entry);
  else if (entry.type === "interrupt") draft.interrupted = true;
  if (entry.type === "prompt" || entry.type === "interrupt" || entry.type === "tool-result")
    draft.promptId ??= entry.promptId;
  draft.failed = entry.type === "api-error";
  const atMs = entry.type === "tool-result" ? null : entry.atMs;
  draft.startedAtMs ??= atMs;
  draft.endedAtMs = atMs ?? draft.endedAtMs;
}

/** Tools that carry the user's answer in their result. */
const askingTools: ReadonlySet<string> = new Set(["AskUserQuestion", "ExitPlanMode"]);

function finish(
  draft: Draft,
  results: ReadonlyMap<string, ToolResultEntry>,
  forkLine: number,
): TranscriptTurn {
  const { texts: blocks, calls, ...turn } = draft;
  const texts = joined(blocks);
  return {
    ...turn,
    answer: texts.at(-1) ?? null,
    remarks: texts.flatMap((entry) => {
      const next = calls.find(({ line }) => line > entry.line);
      return next === undefined ? [] : [{ ...entry, beforeCall: next.toolUseId }];
    }),
    toolCalls: calls.map((call) => withOutcome(call, results.get(call.toolUseId))),
    inherited: draft.firstLine <= forkLine,
  };
}

/** Text blocks of one message as one text. */
function joined(texts: readonly AssistantTextEntry[]): readonly AssistantTextEntry[] {
  const out: AssistantTextEntry[] = [];
  for (const entry of texts) {
    const before = out.at(-1);
    if (before !== undefined && before.messageId !== null && before.messageId === entry.messageId) {
      out[out.length - 1] = { ...before, text: `${before.text}\n\n${entry.text}` };
    } else out.push(entry);
  }
  return out;
}

const resultsById = (entries: readonly TranscriptEntry[]): ReadonlyMap<string, ToolResultEntry> =>
  new Map(
    entries.flatMap((entry) =>
      entry.type === "tool-result" ? [[entry.toolUseId, entry] as const] : [],
    ),
  );

/** Whatever a tool prints in the client's manner is no answer: only tools that ask count, and the client's refusals. */
function withOutcome(call: ToolCallEntry, result: ToolResultEntry | undefined): TranscriptToolCall {
  const { toolUseId, tool, target, plan, files } = call;
  return {
    toolUseId,
    tool,
    target,
    plan,
    files,
    outcome: outcomeOf(result),
    errorLine: result?.firstErrorLine ?? null,
    choices: askingTools.has(tool) ? (result?.choices ?? []) : [],
    // A server may fail in any words it likes.
    refusal: tool.startsWith("mcp__") ? null : (result?.refusal ?? null),
    ...(call.forgetsTurn === true && outcomeOf(result) === "ok" ? { forgetsTurn: true } : {}),
  };
}

function outcomeOf(result: ToolResultEntry | undefined): ToolOutcome {
  if (result === undefined) return "unknown";
  if (result.isRejected) return "rejected";
  return result.isError ? "error" : "ok";
}

/**
 * The entries with each queued message that no other line holds as a prompt in its place. `isOver` false: messages that
 * still wait at the end may be delivered later, and are left out.
 */
function withQueued(
  entries: readonly TranscriptEntry[],
  isOver: boolean,
): readonly TranscriptEntry[] {
  if (!entries.some(({ type }) => type === "enqueued")) return entries;
  const waiting: EnqueuedEntry[] = [];
  const undelivered = new Set<EnqueuedEntry>();
  const delivered = new Map<TranscriptEntry, readonly EnqueuedEntry[]>();
  for (const entry of entries) {
    if (entry.type === "enqueued") waiting.push(entry);
    else if (entry.type === "prompt") delivered.set(entry, deliver(entry, waiting, undelivered));
    else if (entry.type === "queue") {
      const left = entry.operation === "popAll" ? waiting.splice(0) : waiting.splice(0, 1);
      if (entry.operation !== "popAll") for (const one of left) undelivered.add(one);
    }
  }
  if (isOver) for (const one of waiting) undelivered.add(one);
  return entries.flatMap((entry): readonly TranscriptEntry[] => {
    if (entry.type === "prompt") return [withTimes(entry, delivered.get(entry) ?? [])];
    if (entry.type !== "enqueued") return entry.type === "queue" ? [] : [entry];
    return entry.isTyped && undelivered.has(entry) ? [entry.prompt] : [];
  });
}

/** A prompt delivers the messages that it holds: each line of a joined prompt may be one of them. Returns them. */
function deliver(
  prompt: PromptEntry,
  waiting: EnqueuedEntry[],
  left: Set<EnqueuedEntry>,
): readonly EnqueuedEntry[] {
  const said = plain(prompt.text);
  const held = [...left, ...waiting].filter(({ prompt: { text } }) => holds(said, plain(text)));
  for (const one of held) left.delete(one);
  const still = waiting.filter((one) => !held.includes(one));
  waiting.splice(0, waiting.length, ...still);
  return held;
}

const withTimes = (prompt: PromptEntry, held: readonly EnqueuedEntry[]): PromptEntry =>
  held.length === 0 ? prompt : { ...prompt, typedAtMs: held.map((one) => one.prompt.atMs) };

const plain = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** Whole, or as one of several messages that were joined. */
const holds = (whole: string, part: string): boolean =>
  whole === part || ` ${whole} `.includes(` ${part} `);
