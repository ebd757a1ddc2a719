/**
 * Whose order a line is that asks for obedience: the user's, the agent's own, or other people's. What tells is where
 * its words stand, not how they are put: a cure may be an imperative, and a page that is told of may be none. Pure.
 */
import type { MemoryKind } from "#domain";
import {
  cites,
  claimsLeave,
  isHarmful,
  isNoFirmerThan,
  isOrder,
  withoutCitations,
} from "#language";
import type { SaidTurn } from "./condense.ts";
import { isCarriedBy } from "./grounding.ts";

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

/** Null for other people's. A command that does harm is the user's alone. */
export function ordererOf(
  { kind, line, origin }: Proposed,
  { said, own, turns }: Session,
): Origin | null {
  if (isHarmful(line) && !isHarmful(own)) return null;
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
