/**
 * Whether the user said what a memory asks for, and how they said it. An order that only the agent repeats may be one that
 * it has read, so it counts for nothing; where the model's wording goes beyond the user's, theirs is the memory. Pure.
 */
import { oneLine } from "#kit";
import type { SaidTurn } from "./condense.ts";
import { agreesInForce, isDangerous, isDirective } from "./force.ts";
import { holds, vocabularyOf } from "./grounding.ts";
import type { SessionInput } from "./session.ts";
import { eastAsian, isGlue, looseText, wordsOf } from "./words.ts";

interface Proposed {
  /** `rule`: the user said it as standing. */
  readonly kind: string;
  readonly line: string;
  readonly quote: string;
  readonly origin: "user" | "agent";
}

/**
 * Nobody's order: what tells its reader to do something is the user's, who said it in these words. What the agent says
 * never adds to it: it repeats what it has read. A command that can do harm is the user's alone.
 */
export function hasItsForce(
  { line, origin, quote }: Proposed,
  said: SaidTurn,
  input: SessionInput,
): boolean {
  if (isDangerous(line) && !isDangerous(said.own)) return false;
  if (!isDirective(line)) return isSpokenOf(line, input);
  const asked = directivesIn(line);
  return (
    origin === "user" &&
    agreesInForce(asked, { clause: "", message: statedAround(quote, said) }) &&
    sharedOf(asked, said.own) >= carriedShareMin &&
    !addsFrom(asked, said, input)
  );
}

/** Does the user speak of it at all? An order in words that nobody knows for one has nothing of theirs. */
function isSpokenOf(line: string, { record }: SessionInput): boolean {
  const typed = record.said.map(({ own }) => own).join("\n");
  return (eastAsian.test(typed) && !eastAsian.test(line)) || sharedOf(line, typed) > 0;
}

/** The sentences and reasons of a line that ask for something, or all of it. */
function directivesIn(line: string): string {
  const parts = line.split(/[;.!?。；！？](?:\s+|$)|,?\s(?:because|since|so|as)\s/u);
  const asking = parts.filter(isDirective).join("\n");
  return wordsOf(asking).filter((word) => !isGlue(word)).length > 1 ? asking : line;
}

/** What asks for obedience is the user's only in their own words: half of them at least. */
const carriedShareMin = 0.5;

/** What the user states where the quote stands: its sentences and the one before, which it may lean on; no question. */
function statedAround(quote: string, { own }: SaidTurn): string {
  const inked = (text: string): string => looseText(text).replace(/\s/gu, "");
  const wanted = inked(quote);
  const paragraph = own.split("\n").find((line) => inked(line).includes(wanted)) ?? "";
  const start = inked(paragraph).indexOf(wanted);
  let at = 0;
  const sentences = paragraph.split(/(?<=[.!?]\s)|(?<=[。！？])/u).map((text) => {
    const from = at;
    at += inked(text).length;
    return { text, isQuoted: from < start + wanted.length && at > start };
  });
  const stated = sentences.filter(
    ({ text, isQuoted }, n) =>
      (isQuoted || sentences[n + 1]?.isQuoted === true) && !/[?？]\s*$/u.test(text),
  );
  return oneLine(stated.map(({ text }) => text).join(""));
}

/** Words that only the agent said. */
function addsFrom(
  line: string,
  { answer, before }: SaidTurn,
  { project, record }: SessionInput,
): boolean {
  const typed = vocabularyOf([project ?? "", ...record.said.map(({ own }) => own)]);
  const told = vocabularyOf([answer, before]);
  return wordsOf(line).some((word) => !isGlue(word) && !holds(typed, word) && holds(told, word));
}

/**
 * What the user stated where the quote stands: where the model's wording is not borne out, theirs is the memory. Null when
 * it is about something else, or leans on the answer before; what was laid down for good stands by itself.
 */
export function inOwnWords({ kind, line, origin, quote }: Proposed, said: SaidTurn): string | null {
  if (origin === "agent") return null;
  const stated = statedAround(quote, said);
  const isOtherScript = eastAsian.test(stated) && !eastAsian.test(line);
  return kind === "rule" || isOtherScript || sharedOf(line, stated) >= toldShareMin ? stated : null;
}

/** Of a line's content words the user's have this part, or they tell of something else. */
const toldShareMin = 1 / 3;

/** The part of a line's content words that a message has. */
function sharedOf(line: string, message: string): number {
  const vocabulary = vocabularyOf([message]);
  const words = [...new Set(wordsOf(line).filter((word) => !isGlue(word)))];
  return words.filter((word) => holds(vocabulary, word)).length / Math.max(1, words.length);
}
