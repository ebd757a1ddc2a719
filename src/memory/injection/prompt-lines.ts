/**
 * The wording of what a prompt is given: a line for each memory, and one thread of what was said about it, oldest
 * first, so that a reader of an earlier value reads the later one below it. Pure.
 */
import { shortIdOf } from "#domain";
import { cutToTokens, tokensOf } from "#kit";
import { lineOf } from "../exchange/exchange.ts";
import { numbersIn, stemsOf } from "../exchange/stems.ts";
import { laterTokensMax } from "./later.ts";
import { teamVoice, wrapPrompt } from "./lines.ts";
import { neutralise } from "./neutral.ts";
import { saidOn, shortDate, untilOf } from "./start-lines.ts";
import type { Later, PromptCandidate, Sentence } from "./prompt-types.ts";

const lineTokensMax = 46;
/** What was said later about one exchange and is shown with it. */
const latersMax = 2;

/** One quotation of a thread. */
interface Quote {
  readonly nodeId: number;
  readonly atMs: number;
  readonly text: string;
  /** `, until 2 Dec` or `, was so at 1a2b3c4`, behind its date. */
  readonly until: string;
}

/** With its date, as a thread tells it. */
interface ThreadQuote extends Quote {
  readonly when: string;
}

export interface Shown {
  readonly lines: readonly string[];
  readonly nodeIds: readonly number[];
}

/**
 * As much of the candidates as `tokensMax` allows with the block around it, the likeliest first; every exchange with
 * what came later.
 */
export function promptLines(
  candidates: readonly PromptCandidate[],
  nowMs: number,
  tokensMax: number,
): Shown {
  const memories: Quote[] = [];
  const thread: ThreadQuote[] = [];
  for (const candidate of candidates) {
    const own = quoteOf(candidate, nowMs);
    const known = new Set([...memories, ...thread].map(({ nodeId }) => nodeId));
    const told = [...memories, ...thread];
    if (known.has(own.nodeId) || told.some((other) => saysAgain(own, other))) continue;
    const laters = candidate.laters
      .slice(0, latersMax)
      .map((later) => laterOf(later))
      .filter(({ nodeId }) => !known.has(nodeId))
      .filter(
        (one, i, all) => ![...told, own, ...all.slice(0, i)].some((other) => saysAgain(one, other)),
      );
    const [nearest, ...others] = laters;
    // An earlier word never stands without the one that may have changed it.
    const least = nearest === undefined ? [own] : [own, nearest];
    for (const quotes of [[...least, ...others], least]) {
      const isMemory = candidate.kind === "memory" && laters.length === 0;
      const next = {
        memories: isMemory ? [...memories, ...quotes] : memories,
        thread: isMemory ? thread : [...thread, ...withDates(quotes, nowMs)],
      };
      if (tokensOf(wrapPrompt(linesOf(next.memories, next.thread, nowMs))) > tokensMax) continue;
      memories.splice(0, Infinity, ...next.memories);
      thread.splice(0, Infinity, ...next.thread);
      break;
    }
  }
  return {
    lines: linesOf(memories, thread, nowMs),
    nodeIds: [...memories, ...thread].map(({ nodeId }) => nodeId),
  };
}

/** Share of the words of a quotation that stand in another, from which it says nothing more. */
const againFrom = 0.8;

function saysAgain(one: Quote, other: Quote): boolean {
  // Another number in the same words is the very change.
  const numbers = numbersIn(other.text);
  if ([...numbersIn(one.text)].some((number) => !numbers.has(number))) return false;
  const own = stemsOf(one.text);
  const theirs = stemsOf(other.text);
  const shared = [...own].filter((stem) => theirs.has(stem)).length;
  return own.size > 0 && shared / own.size >= againFrom;
}

/** Marks all but the newest of what was said about one thing; a single old word may have changed unnoticed. */
function withDates(quotes: readonly Quote[], nowMs: number): readonly ThreadQuote[] {
  const newest = Math.max(...quotes.map(({ atMs }) => atMs));
  return quotes.map((quote) => {
    const { atMs } = quote;
    const date = shortDate(atMs, nowMs);
    const followed = atMs < newest ? `${date} (earlier)` : date;
    return Object.assign({}, quote, { when: quotes.length > 1 ? followed : saidOn(atMs, nowMs) });
  });
}

function linesOf(
  memories: readonly Quote[],
  thread: readonly ThreadQuote[],
  nowMs: number,
): readonly string[] {
  const inOrder = thread.toSorted((a, b) => a.atMs - b.atMs);
  return [
    ...memories.map(
      ({ nodeId, text, atMs, until }) =>
        `- ${text} (${shortDate(atMs, nowMs)}${until}, ${shortIdOf(nodeId)})`,
    ),
    ...inOrder.map(({ text, when }, i) => `${i === 0 ? "- " : "  "}${when}: ${text}`),
  ];
}

function quoteOf(
  { document: { node }, kind, sentences, from, anchored = "" }: PromptCandidate,
  nowMs: number,
): Quote {
  const text = wordsOf(sentences, lineTokensMax);
  const isUsers = kind === "memory" && node.origin === "user" && from === undefined;
  return {
    nodeId: node.id,
    atMs: node.validFrom ?? node.updatedAt,
    text: isUsers
      ? text
      : quoted(text, node.origin === "team" ? voiceOf(node, { from, nowMs }) : from),
    until: `${untilOf(node, nowMs)}${neutralise(anchored)}`,
  };
}

const voiceOf = (
  node: Quoted,
  { from, nowMs }: { readonly from: string | undefined; readonly nowMs: number },
): string => `${teamVoice(node, nowMs)}${from === undefined ? "" : ` in ${from}`}`;

type Quoted = PromptCandidate["document"]["node"];

const laterOf = ({ node, sentences, from }: Later): Quote => ({
  nodeId: node.id,
  atMs: node.validFrom ?? node.updatedAt,
  text: quoted(wordsOf(sentences, laterTokensMax), from),
  until: "",
});

const wordsOf = (sentences: readonly Sentence[], tokensMax: number): string =>
  cutToTokens(neutralise(lineOf(sentences)), tokensMax);

/** In quotation marks, behind the name of its project when that is another one. */
const quoted = (text: string, from?: string): string =>
  `${from === undefined ? "" : `[${neutralise(from)}] `}"${text.replaceAll('"', "'")}"`;
