/**
 * Turns to windows of text for a reader with a budget (docs/design/extraction.md, "Condense").
 *
 * All that the user said stays whole. Of the model, the first and the last text of a turn; of tools, one line a call.
 * Nothing else is there to begin with. Pure; privacy is the caller's (clean before a window goes anywhere).
 */
import { assert, cutToTokens, tokensOf } from "#kit";
import type { TranscriptToolCall, TranscriptTurn } from "./turns.ts";

export interface CondensedWindow {
  readonly text: string;
  /** As `tokensOf` counts; at most `tokensMax`. */
  readonly tokens: number;
  /** Lines of the transcript that the window covers. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly turns: number;
}

/** One assistant text takes at most this part of a window: it is context for the user's words, not the matter. */
const assistantShare = 0.2;
/** All tool lines of a turn together take at most this part. */
const toolShare = 0.25;
/** Below this a window could not hold its own labels. */
const windowTokensMin = 100;

/**
 * Packs turns into windows of at most `tokensMax` tokens, in order.
 * A turn is split over windows only when it exceeds one alone; then its prompt goes on in the next, uncut.
 */
export function condense(
  turns: readonly TranscriptTurn[],
  budget: { readonly tokensMax: number },
): readonly CondensedWindow[] {
  assert(budget.tokensMax >= windowTokensMin, "a window holds at least its labels");
  const windows: CondensedWindow[] = [];
  for (const turn of turns) {
    for (const text of partsOf(renderTurn(turn, budget.tokensMax), budget.tokensMax)) {
      const last = windows.at(-1);
      const merged = last === undefined ? null : joinWindow(last, turn, text);
      if (merged !== null && merged.tokens <= budget.tokensMax)
        windows[windows.length - 1] = merged;
      else windows.push(windowOf(turn, text));
    }
  }
  return windows;
}

const windowOf = (turn: TranscriptTurn, text: string): CondensedWindow => ({
  text,
  tokens: tokensOf(text),
  firstLine: turn.firstLine,
  lastLine: turn.lastLine,
  turns: 1,
});

function joinWindow(window: CondensedWindow, turn: TranscriptTurn, part: string): CondensedWindow {
  const text = `${window.text}\n\n${part}`;
  const isSameTurn = window.lastLine === turn.lastLine;
  return {
    text,
    tokens: tokensOf(text),
    firstLine: window.firstLine,
    lastLine: turn.lastLine,
    turns: window.turns + (isSameTurn ? 0 : 1),
  };
}

/** One turn as text, its labels included. */
function renderTurn(turn: TranscriptTurn, tokensMax: number): string {
  const assistantMax = Math.floor(tokensMax * assistantShare);
  const blocks = [
    ...(turn.command === null ? [] : [`User ran ${turn.command.text} (line ${turn.firstLine})`]),
    ...turn.prompts.map(({ text, line, queued }) =>
      queued ? `User, meanwhile (line ${line}): ${text}` : `User (line ${line}): ${text}`,
    ),
    ...turn.choices.map(({ question, answer }) => `User, asked "${question}": ${answer}`),
    ...turn.refusals.map((said) => `User, declining a call: ${said}`),
    ...(turn.firstText === null
      ? []
      : [`Assistant: ${cutToTokens(turn.firstText.text, assistantMax)}`]),
    ...toolBlock(turn.toolCalls, Math.floor(tokensMax * toolShare)),
    ...(turn.lastText === null
      ? []
      : [`Assistant, last: ${cutToTokens(turn.lastText.text, assistantMax)}`]),
    ...(turn.interrupted ? ["(interrupted by the user)"] : []),
  ];
  return blocks.join("\n");
}

function toolBlock(calls: readonly TranscriptToolCall[], tokensMax: number): readonly string[] {
  if (calls.length === 0) return [];
  const lines = collapse(calls.map(toolLine));
  const text = lines.join("\n");
  return [tokensOf(text) <= tokensMax ? text : headAndTail(lines, tokensMax).join("\n")];
}

/** `- Bash: pnpm test → error: exit 1: 2 failed` */
export function toolLine(call: TranscriptToolCall): string {
  const name = call.target === null ? call.tool : `${call.tool}: ${call.target}`;
  const outcome = call.errorLine === null ? call.outcome : `${call.outcome}: ${call.errorLine}`;
  return `- ${name} → ${outcome}`;
}

/** The same line several times in a row is one line with a count. */
function collapse(lines: readonly string[]): readonly string[] {
  const runs: { readonly line: string; count: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.line === line) last.count += 1;
    else runs.push({ line, count: 1 });
  }
  return runs.map(({ line, count }) => (count === 1 ? line : `${line} (×${count})`));
}

/** As many lines from both ends as fit, and how many are left out between them. */
function headAndTail(lines: readonly string[], tokensMax: number): readonly string[] {
  const head: string[] = [];
  const tail: string[] = [];
  let tokensLeft = tokensMax - tokensOf("- (… 9999 more calls)");
  for (let taken = 0; taken < lines.length; taken += 1) {
    const isHead = taken % 2 === 0;
    const line = (isHead ? lines[head.length] : lines[lines.length - 1 - tail.length]) ?? "";
    tokensLeft -= tokensOf(`${line}\n`);
    if (tokensLeft < 0) break;
    if (isHead) head.push(line);
    else tail.unshift(line);
  }
  const left = lines.length - head.length - tail.length;
  return left === 0 ? lines : [...head, `- (… ${left} more calls)`, ...tail];
}

/** Cuts a text into pieces of at most `tokensMax`, at white space where there is some; nothing is lost but that. */
function partsOf(text: string, tokensMax: number): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (tokensOf(rest) > tokensMax) {
    const cut = cutPoint(rest, tokensMax);
    parts.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return rest === "" ? parts : [...parts, rest];
}

/** The largest index at which the head costs at most `tokensMax`, moved back to white space if that is near. */
function cutPoint(text: string, tokensMax: number): number {
  let chars = Math.min(text.length, tokensMax * 4);
  while (tokensOf(text.slice(0, chars)) > tokensMax) chars = Math.floor(chars * 0.9);
  const space = Math.max(text.lastIndexOf("\n", chars), text.lastIndexOf(" ", chars));
  if (space > chars / 2) return space;
  const isSplitPair = /[\ud800-\udbff]/.test(text.charAt(chars - 1));
  return Math.max(1, isSplitPair ? chars - 1 : chars);
}
