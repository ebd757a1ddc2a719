/**
 * Finds the words that a line of a reply rests on: words that were said, and somebody's order.
 * Names who ordered a line that asks for obedience: the user, the agent itself, or other people.
 * The place of its words decides, not how they are put: a cure may be an imperative, and a
 * page that is told of may be none. Pure.
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
  losesDenial,
  stemOf,
  withoutCitations,
} from "#language";
import type { SaidTurn } from "./condense-turn.ts";

// Tells whether words stand in what somebody said: names and numbers to the letter, other words by their stem. Pure.

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
  return words.filter((word) => holds(vocabulary, word)).length >= words.length * share;
}

/** A memory as it is proposed; `origin`: who said its quote. */
interface Proposed {
  readonly kind: MemoryKind;
  readonly line: string;
  readonly quote: string;
  readonly origin: Origin;
}
type Origin = "user" | "agent";

/** The words of a session. */
interface Session {
  /** The turn that is quoted. */
  readonly said: SaidTurn;
  /** All that the user typed themselves. */
  readonly own: string;
  /** Rules of the user that it replaces. */
  readonly rules: string;
  /** All that it replaces. */
  readonly known: string;
  readonly turns: readonly SaidTurn[];
}

/**
 * Null for other people's: a line that asks for obedience is made of words of this session, and one that tells of its
 * user's wish of theirs. A command that does harm is the user's alone, or of a plan that they accepted.
 */
export function ordererOf(proposed: Proposed, session: Session): Origin | null {
  const { kind, line, origin } = proposed;
  const { own, rules, said, turns } = session;
  const decided = [own, rules, ...turns.map(({ accepted }) => accepted)].join("\n");
  if (isHarmful(line) && !isHarmful(decided)) return null;
  if (!isOrder(line) || isRuleOfUser(proposed, session)) return origin;
  if (claimsLeave(line) && !isCarriedBy(line, decided, ownShareMin)) return null;
  if (!isCarriedBy(line, toldIn(session), toldShareMin)) return null;
  // A choice, or a plan that they accepted, was theirs to decide.
  const theirs = kind === "decision" ? `${said.own}\n${said.before}\n${said.asked}` : said.own;
  return isCarriedBy(line, theirs) && isNoFirmerThan(line, theirs) ? origin : "agent";
}

/** Share of the words of a rule, or of a wish that is told, that its user must have typed. */
const ownShareMin = 0.25;
/** Share of the words of an order that the session must have said for it to be the agent's own. */
const toldShareMin = 0.6;

/** All that was said and done, without what the agent only tells of others. */
const toldIn = ({ own, turns }: Session): string =>
  [
    own,
    turns[0]?.before ?? "",
    // A remark that ends "per AGENTS.md:" announces a tool call, and cites nothing of the next remark.
    ...turns.flatMap(({ texts, asked, did }) => [...texts.map(agentsOwn), asked, did]),
  ].join("\n");

/**
 * True for a rule that its user's words carry: some of its words, as firm as the quoted turn and with what its sentence
 * denies. Every name and number was typed or ran, or is a file's: what only the agent told may be others'.
 */
export function isRuleOfUser(
  { kind, line, quote, origin }: Proposed,
  { known, own, rules, said, turns }: Session,
): boolean {
  const seen = turns.flatMap(({ asked, did, files }) => [asked, did, ...files]);
  const named = vocabularyOf([own, known, rules, ...seen]);
  const typed = vocabularyOf([said.own, rules]);
  const words = [...new Set(foldedWordsOf(line).filter((word) => !isHard(word) && !isGlue(word)))];
  return (
    kind === "rule" &&
    origin === "user" &&
    words.filter((word) => holds(typed, word)).length >= Math.max(2, words.length * ownShareMin) &&
    foldedWordsOf(line).every((word) => !isHard(word) || holds(named, word)) &&
    isNoFirmerThan(line, `${said.own}\n${rules}`) &&
    !losesDenial(line, quote)
  );
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
