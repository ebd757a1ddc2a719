/**
 * Who made each line of a prompt. Whole prompts by what they begin with, blocks by their tags, quotations by comparing,
 * the rest by the fitted model.
 */
import { clientStarts, isPlan } from "#domain";
import { isOutright } from "#language";
import { blankedBlocks, isAskedBetween, quoterOf } from "./blocks.ts";
import { linesOf, type Line } from "./features.ts";
import { typedOdds, type ReaderWeights } from "./model.ts";

/**
 * `typed`: a person wrote it; `command`: a slash command; `plan`: a plan of the agent, put in as a prompt;
 * `client`: the client, a hook, an orchestrator, a skill or a plugin wrote it.
 */
export type PromptKind = "typed" | "command" | "plan" | "client";

export type LineKind = "typed" | "pasted" | "quoted" | "client";

/** Who made each line of a prompt; null for blank lines. */
export function lineKindsOf(
  text: string,
  answerBefore: string | null,
  weights: ReaderWeights,
): readonly (LineKind | null)[] {
  const parts = partsOf(text);
  const lines = text.split("\n");
  const all = (kind: LineKind) => lines.map((line) => (line.trim() === "" ? null : kind));
  if (parts.kind === "client" || parts.kind === "plan") return all("client");
  if (parts.kind !== "command") return kindsOf(parts, answerBefore, weights);
  if (parts.client.trim() !== "") return all("typed");
  const isArgument = argumentLines(text);
  return all("client").map((kind, n) => (kind !== null && isArgument.has(n) ? "typed" : kind));
}

export interface Parts {
  readonly kind: PromptKind;
  readonly text: string;
  /** The text with the client's blocks blanked. */
  readonly client: string;
  /** That, with the content of unknown elements blanked too. */
  readonly own: string;
  /** Name and arguments of a command, on one line. */
  readonly command: string;
}

/** What a prompt is made of, before its lines are looked at. */
export function partsOf(text: string): Parts {
  const { client, own } = blankedBlocks(text);
  const command = commandIn(text);
  const said = client.trim();
  const kind = command === "" ? kindOf(text.trim(), said) : "command";
  return { kind, text, client, own, command };
}

function kindOf(text: string, said: string): PromptKind {
  if (isPlan(said)) return "plan";
  if (said === "" && text !== "") return "client";
  return clientStarts.some((start) => start.test(said)) ? "client" : "typed";
}

/** Folders that prompts begin with; a command has no such name. */
const rootFolders = /^\/(?:bin|data|dev|etc|home|lib|mnt|opt|proc|root|run|srv|sys|tmp|usr|var)\b/;

/** The command that a prompt is, in the client's wrapper or as it was typed; empty when it is none. */
function commandIn(text: string): string {
  const start = text.trimStart();
  if (/^\/[a-z][\w-]*(?::[\w-]+)?(?:\s|$)/i.test(start) && !rootFolders.test(start))
    return start.trimEnd();
  if (!/^<command-(?:name|message)>/.test(start)) return "";
  const name = innerOf(start, "command-name") ?? innerOf(start, "command-message") ?? "";
  return `${name} ${innerOf(start, "command-args") ?? ""}`.trim();
}

function innerOf(text: string, tag: string): string | null {
  const start = text.indexOf(`<${tag}>`);
  const end = start === -1 ? -1 : text.indexOf(`</${tag}>`, start);
  return end === -1 ? null : text.slice(start + tag.length + 2, end);
}

/** Indexes of the lines that hold a wrapped command's arguments. */
function argumentLines(text: string): ReadonlySet<number> {
  const from = text.indexOf("<command-args>");
  const inner = from === -1 ? null : innerOf(text, "command-args");
  if (inner === null || inner.trim() === "") return new Set();
  const first = text.slice(0, from).split("\n").length - 1;
  return new Set(inner.split("\n").flatMap((line, n) => (line.trim() === "" ? [] : [first + n])));
}

/** Who made each line of a prompt of kind `typed`. */
export function kindsOf(
  parts: Parts,
  answerBefore: string | null,
  weights: ReaderWeights,
): readonly (LineKind | null)[] {
  const whole = parts.text.split("\n");
  const client = parts.client.split("\n");
  const kinds: (LineKind | null)[] = whole.map((line, n) => {
    if (line.trim() === "") return null;
    if (client[n]?.trim() === "") return "client";
    return "pasted";
  });
  const isQuoted = quoterOf(answerBefore);
  const read = linesOf(parts.own);
  const odds = typedOdds(weights, read);
  // A prompt of one line: nothing but its own look says that it is another's, and somebody sent it.
  const isWhole = read.length === 1 && parts.own === parts.client;
  for (const [n, line] of read.entries()) {
    const isTyped =
      isWhole ||
      (odds[n] ?? 0) > typedOddsMin ||
      isAskedAtAnEnd(read, n) ||
      isAskedBetween(read, n);
    kinds[line.index] = isQuoted(line.text) ? "quoted" : kindOfLine(line, isTyped);
  }
  return kinds;
}

/** "remember: X" has the form of a line of a log; by itself above or below everything else it is an order. */
function isAskedAtAnEnd(lines: readonly Line[], n: number): boolean {
  const { text, blankBefore, paragraph } = lines[n] ?? { text: "", blankBefore: false };
  const isAlone = blankBefore && lines[n + 1]?.paragraph !== paragraph;
  return isAlone && (n === 0 || n === lines.length - 1) && isOutright(text.trim());
}

/** Below even: to lose the user's own words is worse than to keep a pasted line. */
const typedOddsMin = -0.5;

/** Users do not fence their own words. */
const kindOfLine = ({ isFence, inFence }: Line, isTyped: boolean): LineKind =>
  isTyped && !isFence && !inFence ? "typed" : "pasted";
