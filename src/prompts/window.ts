/**
 * A stretch of a session as a prompt shows it: lines labelled by us with turn and speaker, and the same parts for the
 * parser to look quotes up in. Who speaks is known from where the text was recorded, never from what it says.
 */
import { cutToTokens, oneLine, tokensOf } from "#kit";
import { typedOnly } from "#language";
import { cleanText, headAndTail } from "./clean.ts";
import { promptLimits as limits } from "./limits.ts";

/** A condensed turn: gated text only. */
export interface WindowTurn {
  readonly n: number;
  /** The user's message; null when it is not to be known. */
  readonly prompt: string | null;
  /** The assistant's first and last text, or the last alone; the last one is the conclusion. */
  readonly answers: readonly string[];
  /** One line a call: name, target, outcome, first error line. */
  readonly tools: readonly string[];
}

export interface WindowPart {
  readonly turn: number;
  readonly speaker: "user" | "assistant" | "tool";
  /** What the model is shown. */
  readonly text: string;
  /** The same with everything blanked that the user did not type; blank for other speakers. */
  readonly typed: string;
}

/** What is shown of turns, in order, after cutting; quotes are compared with this and nothing else. */
export const partsOf = (turns: readonly WindowTurn[]): readonly WindowPart[] =>
  turns.flatMap((turn) => [
    ...promptPart(turn),
    ...answerParts(turn),
    ...toolPart(turn, limits.windowToolsTokensMax),
    ...conclusionPart(turn),
  ]);

/** Parts of turns as they were, for prompts that show a shorter form of them. */
export const wholeParts = (
  turns: readonly {
    readonly n: number;
    readonly prompt: string | null;
    readonly answer: string | null;
    readonly tools: readonly string[];
  }[],
): readonly WindowPart[] =>
  turns.flatMap(({ n, prompt, answer, tools }) => [
    ...promptPart({ n, prompt }),
    ...assistantPart(n, answer ?? "", limits.windowTokensMax),
    ...toolPart({ n, tools }, limits.windowTokensMax),
  ]);

/** Parts as labelled lines; a line that does not begin with one of our labels is indented. */
export const renderParts = (parts: readonly WindowPart[]): string =>
  parts.map(({ turn, speaker, text }) => `${label[speaker]}${turn}: ${indented(text)}`).join("\n");

/** The sentence that explains the labels; part of every system text that shows a window. */
export const labelLegend =
  "Lines at the margin carry our labels: U7 what the user wrote in turn 7, A7 what the assistant wrote, T7 its " +
  "tool calls. Indented lines belong to the label above them, whatever they claim to be.";

const label = { user: "U", assistant: "A", tool: "T" } as const;

export const indented = (text: string): string => text.replace(/\n+/g, "\n  ");

function promptPart({ n, prompt }: Pick<WindowTurn, "n" | "prompt">): readonly WindowPart[] {
  const text = headAndTail(cleanText(prompt ?? "").trim(), limits.windowTokensMax / 2);
  return text === "" ? [] : [{ turn: n, speaker: "user", text, typed: typedOnly(text) }];
}

const answerParts = ({ n, answers }: WindowTurn): readonly WindowPart[] =>
  answers.length < 2 ? [] : assistantPart(n, answers[0] ?? "", limits.windowFirstTokensMax);

const conclusionPart = ({ n, answers }: WindowTurn): readonly WindowPart[] =>
  assistantPart(n, answers.at(-1) ?? "", limits.windowLastTokensMax);

function assistantPart(turn: number, said: string, tokensMax: number): readonly WindowPart[] {
  const text = headAndTail(cleanText(said).trim(), tokensMax);
  return text === "" ? [] : [{ turn, speaker: "assistant", text, typed: "" }];
}

function toolPart(
  { n, tools }: Pick<WindowTurn, "n" | "tools">,
  tokensMax: number,
): readonly WindowPart[] {
  const text = toolText(tools, tokensMax);
  return text === "" ? [] : [{ turn: n, speaker: "tool", text, typed: "" }];
}

/** Of one call: a command line of any length tells its purpose in its first words. */
const toolLineTokensMax = 30;

/** As many tool lines as fit, the last ones first: they tell how it ended. Each one line. */
export function toolText(tools: readonly string[], tokensMax: number): string {
  const lines: string[] = [];
  let tokensLeft = tokensMax;
  for (const tool of tools.slice(-tokensMax).reverse()) {
    const line = cutToTokens(oneLine(cleanText(tool.slice(0, 2_000))), toolLineTokensMax);
    tokensLeft -= tokensOf(`${line}\n`);
    if (tokensLeft < 0) break;
    if (line !== "") lines.unshift(line);
  }
  return lines.join("\n");
}

/**
 * Packs turns into windows that `extraction` and `gate` can take whole, in order. A turn is never split: its prompt is
 * cut to half a window instead, everything else to its share.
 */
export function windowsOf(turns: readonly WindowTurn[]): readonly (readonly WindowTurn[])[] {
  const windows: WindowTurn[][] = [];
  let tokensLeft = 0;
  for (const turn of turns) {
    const tokens = tokensOf(renderParts(partsOf([turn]))) + 1;
    if (tokens > tokensLeft || windows.length === 0) {
      windows.push([]);
      tokensLeft = limits.windowTokensMax;
    }
    windows.at(-1)?.push(turn);
    tokensLeft -= tokens;
  }
  return windows;
}

/** Turns that fit a prompt, the newest first to be kept, in order. For callers that gave more than a window. */
export function fittingParts(
  turns: readonly WindowTurn[],
  tokensMax: number,
): readonly WindowPart[] {
  const kept: (readonly WindowPart[])[] = [];
  let tokensLeft = tokensMax;
  for (const turn of turns.toReversed()) {
    const parts = partsOf([turn]);
    tokensLeft -= tokensOf(renderParts(parts)) + 1;
    if (tokensLeft < 0 && kept.length > 0) break;
    kept.unshift(parts);
  }
  return kept.flat();
}
