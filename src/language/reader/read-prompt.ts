/**
 * Reads one prompt: who made it, and which of its lines the user typed for it.
 */
import { clientStarts, isPlan, requestIn } from "#domain";
import { isOutright } from "../orders.ts";
import { hardSplit } from "../sentences.ts";
import { readerWeights, type ReaderWeights, typedOdds } from "./model.ts";
import { blankedBlocks, isAskedBetween, quoterOf } from "./blocks.ts";
import { type Line, linesOf } from "./features.ts";

// Names the writer of each line of a prompt. Whole prompts by what they begin with, blocks by their
// tags, quotations by comparing, the rest by the fitted model.

/**
 * `typed`: a person wrote it; `command`: a slash command; `plan`: a plan of the agent, put in as a prompt;
 * `client`: the client, a hook, an orchestrator, a skill or a plugin wrote it.
 */
type PromptKind = "typed" | "command" | "plan" | "client";

type LineKind = "typed" | "pasted" | "quoted" | "client";

/** `lineKindsOf` gives the writer of each line of a prompt; null for blank lines. */
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

interface Parts {
  readonly kind: PromptKind;
  readonly text: string;
  /** The text with the client's blocks blanked. */
  readonly client: string;
  /** That, with the content of unknown elements blanked too. */
  readonly own: string;
  /** Name and arguments of a command, on one line. */
  readonly command: string;
}

/** `partsOf` divides a prompt before its lines are looked at. */
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

/** `kindsOf` gives the writer of each line of a prompt of kind `typed`. */
function kindsOf(
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
  const asked = askedAtEnds(read);
  for (const [n, line] of read.entries()) {
    const isTyped =
      isWhole ||
      (odds[n] ?? 0) > typedOddsMin ||
      asked.has(line.paragraph) ||
      isAskedBetween(read, n);
    kinds[line.index] = isQuoted(line.text) ? "quoted" : kindOfLine(line, isTyped);
  }
  return kinds;
}

/**
 * The paragraphs of orders alone. "remember: X" has the form of a line of a log; at an end of the prompt, beside its
 * like alone, it is an order.
 */
const askedAtEnds = (lines: readonly Line[]): ReadonlySet<number> =>
  new Set(
    [lines[0], lines.at(-1)].flatMap((end) => {
      const beside = lines.filter(({ paragraph }) => paragraph === end?.paragraph);
      return end !== undefined && areOrders(beside) ? [end.paragraph] : [];
    }),
  );

function areOrders(lines: readonly Line[]): boolean {
  if (lines.length === 1 && hardSplit(lines[0]?.text ?? "").some(isOutright)) return true;
  return lines.length <= ordersMax && lines.every(({ text }) => isOutright(text.trim()));
}
/** Orders in a row; more are a log. */
const ordersMax = 8;

/** Below even: to lose the user's own words is worse than to keep a pasted line. */
const typedOddsMin = -0.5;

/** Users do not fence their own words. */
const kindOfLine = ({ isFence, inFence }: Line, isTyped: boolean): LineKind =>
  isTyped && !isFence && !inFence ? "typed" : "pasted";

export interface ReadPrompt {
  readonly kind: PromptKind;
  /**
   * The typed lines, in order, joined by line breaks; empty when nothing was typed. Of a command its name and
   * arguments.
   */
  readonly typed: string;
  /** Lines that repeat the agent's answer before: the user chose them. */
  readonly quoted: string;
  /** Characters left out because they were pasted. */
  readonly pastedChars: number;
}

/** True for a text that a program wrote as a whole. */
export const isClientText = (text: string): boolean => partsOf(text).kind === "client";

/**
 * A turn's prompt is read for its orders and its exchange, and all prompts of a session
 * several times for its title and its end.
 */
const keptCharsMax = 30_000;
const keptCharsOfAll = 200_000;
/** By prompt, then by the answer before it; the oldest prompt goes first. */
const kept = new Map<string, Map<string | null, ReadPrompt>>();
let keptChars = 0;

/** Reads a gated prompt. `answerBefore`: what the agent said last, null at the start of a session. */
export function readPrompt(text: string, answerBefore: string | null): ReadPrompt {
  const known = kept.get(text)?.get(answerBefore);
  if (known !== undefined) return known;
  const read = readAnew(text, answerBefore);
  const chars = charsOf(text, answerBefore);
  if (chars > keptCharsMax) return read;
  for (const [oldest, reads] of kept) {
    if (keptChars + chars <= keptCharsOfAll) break;
    kept.delete(oldest);
    for (const answer of reads.keys()) keptChars -= charsOf(oldest, answer);
  }
  const reads = kept.get(text) ?? new Map<string | null, ReadPrompt>();
  kept.set(text, reads.set(answerBefore, read));
  keptChars += chars;
  return read;
}

/** As much as a reading holds on to: the prompt, the answer, and the typed words. */
const charsOf = (text: string, answer: string | null): number =>
  2 * text.length + (answer?.length ?? 0);

/** Name and arguments of a prompt that is a command, as `readPrompt` gives them; empty for any other. */
export function askedCommand(text: string): string {
  const request = requestIn(text);
  return request.length < text.length ? askedCommand(request) : commandIn(text);
}

function readAnew(text: string, answerBefore: string | null): ReadPrompt {
  const request = requestIn(text);
  if (request.length < text.length) {
    const read = readAnew(request, answerBefore);
    return { ...read, pastedChars: read.pastedChars + text.length - request.length };
  }
  const parts = partsOf(text);
  if (parts.kind === "command")
    return { kind: "command", typed: parts.command, quoted: "", pastedChars: 0 };
  if (parts.kind !== "typed")
    return { kind: parts.kind, typed: "", quoted: "", pastedChars: text.length };
  const kinds = kindsOf(parts, answerBefore, readerWeights());
  const whole = text.split("\n");
  return {
    kind: "typed",
    typed: joined({ whole, lines: parts.own.split("\n") }, kinds, "typed"),
    quoted: joined({ whole, lines: whole }, kinds, "quoted"),
    pastedChars: whole.reduce(
      (sum, line, n) => sum + (kinds[n] === "pasted" ? line.length + 1 : 0),
      0,
    ),
  };
}

/** Lines of one kind; what stood between two of them leaves a blank line. */
function joined(
  { whole, lines }: { readonly whole: readonly string[]; readonly lines: readonly string[] },
  kinds: readonly (LineKind | null)[],
  kind: LineKind,
): string {
  const kept: string[] = [];
  let isGap = false;
  for (const [n, line] of lines.entries()) {
    if (kinds[n] !== kind) {
      isGap = kept.length > 0;
      continue;
    }
    if (isGap) kept.push("");
    // A gap that was blanked out of a line must not look like an indent.
    kept.push(whole[n] === line ? line.trimEnd() : line.trim());
    isGap = false;
  }
  return kept.join("\n");
}
