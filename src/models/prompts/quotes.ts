/**
 * Finds the words that a memory of a reply quotes: who said them, in which turn, and the whole
 * sentence. Pure.
 */
import type { MemoryKind } from "#domain";
import { oneLine } from "#kit";
import { foldText, foldedWordsOf, isOrder } from "#language";
import { cleanText, promptLimits as limits } from "./reply.ts";
import type { SaidTurn } from "./condense-turn.ts";
import { holds, isCarriedBy, vocabularyOf } from "./orderer.ts";

/** A memory as it is proposed: what it says, and the words that it rests on. */
interface Proposed {
  readonly kind: MemoryKind;
  readonly line: string;
  readonly quote: string;
  readonly turn: number;
}

/** White space, case, quotation marks, emphasis, headings and the record's marks of a new line aside. */
export const looseText = (text: string): string =>
  foldText(cleanText(text))
    .replace(/^\s*#+ |[*_`"'⏎§]/gm, "")
    .replace(/…/g, "...")
    .replace(/\s+/gu, " ")
    .trim();

export interface Quoted {
  readonly said: SaidTurn;
  readonly origin: "user" | "agent";
  /** The whole sentence that begins so, or holds these words. */
  readonly quote: string;
  /** Pasted by the user, and taken up by the agent. */
  readonly isPasted?: boolean;
}

/** As long as this, or all that was typed. */
const quoteCharsMin = limits.quoteCharsMin;

const atEnds = /^[\s.,;:!?-]+|[\s.,;:!?-]+$/g;

/**
 * The turn in which the quote stands: the one that is named, else another. In the user's typed words; but for rules
 * also in what the agent answered or asked: a proposal that was accepted with a "yes". What ran bears out a cause, a
 * place or a fact. A paste does so where the agent took it up, as the agent's words.
 */
export function quotedIn(
  { kind, line, quote, turn }: Proposed,
  said: readonly SaidTurn[],
): Quoted | null {
  const wanted = looseText(quote).replace(atEnds, "");
  if (wanted === "") return null;
  const nearest = nearestTurns(said, turn);
  const stands = (text: string): boolean => {
    const loose = looseText(text);
    const isWhole = wanted === loose.replace(atEnds, "");
    return isWhole || (wanted.length >= quoteCharsMin && loose.includes(wanted));
  };
  const whole = (text: string): string =>
    sentencesIn(text).find((one) => looseText(one).includes(wanted)) ?? quote;
  const typed = nearest.find((each) => stands(each.typed));
  if (typed !== undefined) return { said: typed, origin: "user", quote: whole(typed.typed) };
  if (kind === "rule" || wanted.length < quoteCharsMin) return null;
  // They decided so when they accepted the plan.
  const planned = kind === "decision" ? nearest.find((each) => stands(each.accepted)) : undefined;
  if (planned !== undefined)
    return { said: planned, origin: "user", quote: whole(planned.accepted) };
  const answered = nearest.find(({ answer, asked }) => stands(answer) || stands(asked));
  if (answered !== undefined) {
    const told = `${answered.answer}\n${answered.asked}`;
    return { said: answered, origin: "agent", quote: whole(told) };
  }
  const ran = nearest.find(
    ({ did, files }) =>
      stands(did) || files.some((path) => stands(path) || stands(`edited ${path}`)),
  );
  if (ran !== undefined) return { said: ran, origin: "agent", quote };
  const pasted = nearest.find((each) => isTakenUp(line, each) && stands(each.pasted));
  return pasted === undefined
    ? null
    : { said: pasted, origin: "agent", quote: whole(pasted.pasted), isPasted: true };
}

/** True for no order, where the agent says or does much of a line itself, in the turn that its words were pasted in. */
const isTakenUp = (line: string, { answer, asked, did, files }: SaidTurn): boolean =>
  !isOrder(line) && isCarriedBy(line, [answer, asked, did, ...files].join("\n"), takenUpShareMin);

/** Share of the words of a line; its quote says others. */
const takenUpShareMin = 0.4;

/** A habit that refusals without words suggest rests on the call that was refused: words of the agent. */
export function refusedCallIn({ quote, turn }: Proposed, said: readonly SaidTurn[]): Quoted | null {
  const wanted = looseText(quote).replace(atEnds, "");
  if (wanted.length < quoteCharsMin) return null;
  const refusalIn = ({ asked }: SaidTurn): string | undefined =>
    asked
      .split("\n")
      .find((line) => line.startsWith("user refused ") && looseText(line).includes(wanted));
  const found = nearestTurns(said, turn).find((each) => refusalIn(each) !== undefined);
  return found === undefined
    ? null
    : { said: found, origin: "agent", quote: refusalIn(found) ?? quote };
}

const nearestTurns = (said: readonly SaidTurn[], turn: number): readonly SaidTurn[] =>
  said.toSorted((a, b) => Math.abs(a.n - turn) - Math.abs(b.n - turn));

/** Evidence is one of these; longer ones are no sentences. */
const sentencesIn = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?;])\s|(?<=[。！？])|\n/u)
    .map((sentence) => oneLine(cleanText(sentence)))
    .filter((sentence) => sentence !== "" && sentence.length <= limits.quoteCharsMax);

/**
 * Gives a memory that is quoted amiss, but told in a turn, to the agent, and never as a rule: its evidence is the
 * sentence that says most of it. What was pasted tells nothing.
 */
export function borneOut(
  { kind, line, turn }: Omit<Proposed, "quote">,
  said: readonly SaidTurn[],
): Quoted | null {
  if (kind === "rule") return null;
  const toldIn = ({ answer, asked, did, own }: SaidTurn): string =>
    [own, answer, asked, did].join("\n");
  const found = nearestTurns(said, turn).find((each) =>
    isCarriedBy(line, toldIn(each), borneOutShareMin),
  );
  const sentences = found === undefined ? [] : sentencesIn(toldIn(found));
  const words = foldedWordsOf(line);
  const shared = (sentence: string): number => {
    const vocabulary = vocabularyOf([sentence]);
    return words.filter((word) => holds(vocabulary, word)).length;
  };
  const quote = sentences.toSorted((a, b) => shared(b) - shared(a))[0];
  return found === undefined || quote === undefined
    ? null
    : { said: found, origin: "agent", quote };
}

/** Share of a line's words that one turn must have said. */
const borneOutShareMin = 0.7;
