/**
 * What a line of a reply rests on: words that were said, and somebody's order. Whose order a line is that asks for
 * obedience: the user's, the agent's own, or other people's. What tells is where its words stand, not how they are
 * put: a cure may be an imperative, and a page that is told of may be none. Pure.
 */
import type { MemoryKind } from "#domain";
import {
  cites,
  claimsLeave,
  foldedWordsOf,
  foldText,
  isGlue,
  isHard,
  isHarmful,
  isNoFirmerThan,
  isOrder,
  stemOf,
  withoutCitations,
} from "#language";
import type { SaidTurn } from "./condense.ts";

// Whether words stand in what somebody said: names and numbers to the letter, other words by their stem. Pure.

/** Words of texts for membership tests. */
interface Vocabulary {
  readonly stems: ReadonlySet<string>;
  /** Folded, one line. */
  readonly text: string;
}

export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const words = texts.flatMap((text) => foldedWordsOf(text));
  return {
    stems: new Set(words.map(stemOf)),
    text: ` ${foldText(texts.join(" \n ")).replace(/\s+/gu, " ")} `,
  };
}

/**
 * Hard words to the letter: identifiers also inside longer ones, numbers whole, with or without their unit. Days are
 * free, since "yesterday" becomes one. Other words by their stem.
 */
export function holds(vocabulary: Vocabulary, word: string): boolean {
  if (!isHard(word)) return vocabulary.stems.has(stemOf(word));
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(word)) return true;
  const number = /^(\d[\d.,:]*)(?:[a-z]{1,7}|%)?$/.exec(word)?.[1];
  return number === undefined
    ? vocabulary.text.includes(word)
    : hasNumber(vocabulary.text, number.replace(/[.,:]+$/, ""));
}

function hasNumber(text: string, number: string): boolean {
  let at = text.indexOf(number);
  while (at >= 0) {
    const around = text.charAt(at - 1) + text.charAt(at + number.length);
    if (!/\d/.test(around)) return true;
    at = text.indexOf(number, at + 1);
  }
  return false;
}

/** Half of a line's words at least, or another share. */
export function isCarriedBy(line: string, message: string, share = 0.5): boolean {
  const vocabulary = vocabularyOf([message]);
  const words = [...new Set(foldedWordsOf(line).filter((word) => !isGlue(word)))];
  const held = words.filter((word) => holds(vocabulary, word));
  return held.length >= words.length * share;
}

/** A memory as it is proposed; `origin`: who said its quote. */
interface Proposed {
  readonly kind: MemoryKind;
  readonly line: string;
  readonly origin: Origin;
}
type Origin = "user" | "agent";

/** The words of a session. */
interface Session {
  /** The turn that is quoted. */
  readonly said: SaidTurn;
  /** All that the user typed themselves. */
  readonly own: string;
  readonly turns: readonly SaidTurn[];
}

/** Null for other people's. A command that does harm is the user's alone, or of a plan that they accepted. */
export function ordererOf(
  { kind, line, origin }: Proposed,
  { said, own, turns }: Session,
): Origin | null {
  const decided = [own, ...turns.map(({ accepted }) => accepted)].join("\n");
  if (isHarmful(line) && !isHarmful(decided)) return null;
  if (!isOrder(line)) return origin;
  if (origin === "user" && isTheUsers(kind, line, said)) return "user";
  // The agent's own, with what was typed: a trap with its cure, a decision with its reason. It orders nothing.
  if (claimsLeave(line)) return null;
  const agents = turns.map(({ answer, asked }) => `${agentsOwn(answer)}\n${asked}`).join("\n");
  return isCarriedBy(line, `${own}\n${agents}`, carriedShareMin) ? "agent" : null;
}

/** Share of an order's words that the session must have said for it to be the agent's own. */
const carriedShareMin = 0.6;

function isTheUsers(kind: MemoryKind, line: string, said: SaidTurn): boolean {
  // Within one turn: words of two turns, put together, may be an order that nobody gave.
  // A choice, or a plan that they accepted, was theirs to decide.
  const proposed = kind === "decision" ? `${said.own}\n${said.before}\n${said.asked}` : said.own;
  return isNoFirmerThan(line, proposed) && isCarriedBy(line, proposed);
}

/** Fenced and quoted blocks of an answer. */
const blocks = /^[ \t]*(?:```|~~~)[^]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![^]))|^[ \t]*>.*$/gmu;

/** Keeps what an answer says itself: without quotations, what it tells of others, and what it says others say. */
function agentsOwn(answer: string): string {
  const sentences = answer.replaceAll(blocks, "").split(/(?<=[.!?])\s|(?<=。)|\n/u);
  const own = withoutCitations(sentences.join("\n")).split("\n");
  return (
    sentences
      .map((sentence, at) => ({ sentence: sentence.trim(), said: own[at]?.trim() ?? "" }))
      // "…, as the page says": nothing follows the mark, so what stands before it is cited.
      .filter(({ sentence, said }) => said !== sentence || !cites(sentence))
      .map(({ said }) => said)
      .join("\n")
  );
}
