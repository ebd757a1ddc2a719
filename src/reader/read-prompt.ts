/**
 * Reads one prompt: who made it, and which of its lines the user typed for it.
 */
import { requestIn } from "#domain";
import { kindsOf, partsOf, type LineKind, type PromptKind } from "./read-lines.ts";
import { readerWeights } from "./model.ts";

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
    // What was blanked out of a line must not look like an indent.
    kept.push(whole[n] === line ? line.trimEnd() : line.trim());
    isGap = false;
  }
  return kept.join("\n");
}
