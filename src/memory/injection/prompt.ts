/**
 * Writes the text for a prompt: nothing most of the time, else at most three things in one labelled block, each with
 * what was said later about it. A pure function of the evidence: the same store, prompt and time give the same bytes.
 */
import { type MemoryNode, shortIdOf } from "#domain";
import { cutToTokens, tokensOf } from "#kit";
import { decidePrompt } from "./gate.ts";
import { teamVoice, wrapBare, wrapPrompt } from "./lines.ts";
import { isAtWork, judge, type Judged } from "./candidate.ts";
import type {
  ComposedPrompt,
  Later,
  MemoryReason,
  PromptCandidate,
  PromptDecision,
  PromptEvidence,
  Sentence,
} from "./prompt-types.ts";
import { lineOf } from "../exchange/exchange.ts";
import { numbersIn, stemsOf } from "../exchange/traits.ts";
import { laterTokensMax } from "./later.ts";
import { neutralise, quote } from "./neutral.ts";
import { isOwnWords, slotNameOf } from "./worded.ts";
import { saidOn, shortDate, untilOf } from "./start-lines.ts";

// The wording of what a prompt is given: a line for each memory, and one thread of what was said about it, oldest
// first, so that a reader of an earlier value reads the later one below it. Pure.

const lineTokensMax = 46;
/** What was said later about one exchange and is shown with it. */
const latersMax = 2;

/** One quotation of a thread. */
interface Quote {
  readonly nodeId: number;
  readonly atMs: number;
  readonly text: string;
  /** Its id tells where the rest is. */
  readonly isCut: boolean;
  /** `, until 2 Dec` or `, was so at 1a2b3c4`, behind its date. */
  readonly until: string;
}

interface Shown {
  readonly lines: readonly string[];
  readonly nodeIds: readonly number[];
}

/**
 * As much of the candidates as `tokensMax` allows with the block around it, the best first; every exchange with what
 * came later.
 */
export function promptLines(
  candidates: readonly PromptCandidate[],
  nowMs: number,
  tokensMax: number,
): Shown {
  let told: Told = { memories: [], thread: [], followed: [] };
  const render = (some: Told): readonly string[] => linesOf(some, nowMs);
  for (const candidate of candidates) {
    const own = quoteOf(candidate, nowMs);
    const before = [...told.memories, ...told.thread];
    if (before.some((other) => other.nodeId === own.nodeId || saysAgain(own, other))) continue;
    const isTold = ({ nodeId }: Quote): boolean => before.some((other) => other.nodeId === nodeId);
    const laters = candidate.laters.slice(0, latersMax).map((later) => laterOf(later));
    const known = laters.filter(isTold);
    const news = laters
      .filter((later) => !isTold(later))
      .filter(
        (one, i, all) =>
          ![...before, own, ...all.slice(0, i)].some((other) => saysAgain(one, other)),
      );
    const [nearest, ...others] = news;
    // An earlier word never stands without the one that may have changed it.
    const least = nearest === undefined ? [own] : [own, nearest];
    for (const quotes of [[...least, ...others], least]) {
      const isMemory = candidate.kind === "memory" && laters.length === 0;
      const next = {
        memories: isMemory ? [...told.memories, ...quotes] : told.memories,
        thread: isMemory ? told.thread : [...told.thread, ...quotes],
        followed: [...told.followed, ...followedIn([...quotes, ...known])],
      };
      if (tokensOf(wrapPrompt(render(next))) > tokensMax) continue;
      told = next;
      break;
    }
  }
  return {
    lines: render(told),
    nodeIds: [...told.memories, ...told.thread].map(({ nodeId }) => nodeId),
  };
}

interface Told {
  readonly memories: readonly Quote[];
  readonly thread: readonly Quote[];
  /** Quotes about one thing that was said more than once: true for the earlier ones. */
  readonly followed: readonly { readonly nodeId: number; readonly isEarlier: boolean }[];
}

/** All but the newest of what was said about one thing is earlier; one word alone is neither. */
function followedIn(quotes: readonly Quote[]): Told["followed"] {
  const newest = Math.max(...quotes.map(({ atMs }) => atMs));
  return quotes.length < 2
    ? []
    : quotes.map(({ nodeId, atMs }) => ({ nodeId, isEarlier: atMs < newest }));
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

function linesOf({ memories, thread, followed }: Told, nowMs: number): readonly string[] {
  const inOrder = thread.toSorted((a, b) => a.atMs - b.atMs);
  return [
    ...memories.map(
      ({ nodeId, text, atMs, until }) =>
        `- ${text} (${shortDate(atMs, nowMs)}${until}, ${shortIdOf(nodeId)})`,
    ),
    ...inOrder.map((quote, i) => {
      const id = quote.isCut ? ` (${shortIdOf(quote.nodeId)})` : "";
      return `${i === 0 ? "- " : "  "}${whenOf(quote, followed, nowMs)}: ${quote.text}${id}`;
    }),
  ];
}

/** Its date; a single old word may have changed unnoticed, the newest of several holds. */
function whenOf({ nodeId, atMs }: Quote, followed: Told["followed"], nowMs: number): string {
  const own = followed.filter((one) => one.nodeId === nodeId);
  if (own.length === 0) return saidOn(atMs, nowMs);
  const date = shortDate(atMs, nowMs);
  return own.some(({ isEarlier }) => isEarlier) ? `${date} (earlier)` : date;
}

function quoteOf(
  { document: { node }, kind, sentences, from, anchored = "" }: PromptCandidate,
  nowMs: number,
): Quote {
  const { text, isCut } = wordsOf(sentences, lineTokensMax);
  const isUsers = kind === "memory" && isOwnWords(node) && from === undefined;
  return {
    nodeId: node.id,
    atMs: node.validFrom ?? node.updatedAt,
    text: isUsers
      ? text
      : quoted(text, node.origin === "team" ? voiceOf(node, { from, nowMs }) : from),
    isCut,
    until: `${untilOf(node, nowMs)}${neutralise(anchored)}`,
  };
}

const voiceOf = (
  node: Quoted,
  { from, nowMs }: { readonly from: string | undefined; readonly nowMs: number },
): string => `${teamVoice(node, nowMs)}${from === undefined ? "" : ` in ${from}`}`;

type Quoted = PromptCandidate["document"]["node"];

function laterOf({ node, sentences, from }: Later): Quote {
  const { text, isCut } = wordsOf(sentences, laterTokensMax);
  const atMs = node.validFrom ?? node.updatedAt;
  return { nodeId: node.id, atMs, text: quoted(text, from), isCut, until: "" };
}

function wordsOf(sentences: readonly Sentence[], tokensMax: number) {
  const whole = neutralise(lineOf(sentences));
  const text = cutToTokens(whole, tokensMax);
  return { text, isCut: text !== whole };
}

/** In quotation marks, behind the name of its project when that is another one. */
const quoted = (text: string, from?: string): string =>
  `${from === undefined ? "" : `[${neutralise(from)}] `}${quote(text)}`;

/** Text for the prompt (empty = silence), the nodes it shows, and why. */
export function composePrompt(
  evidence: PromptEvidence,
  decision: PromptDecision = decidePrompt(evidence),
): ComposedPrompt {
  const judged = judge(evidence);
  const { text, nodeIds } = render(decision, judged, evidence);
  const settled = settle(decision, judged, text);
  return {
    text,
    nodeIds,
    tokens: tokensOf(text),
    decision: settled,
    reasons: {
      decision: settled,
      memories: judged.map(({ candidate, why }) =>
        toReason(candidate, nodeIds.includes(candidate.document.node.id), why),
      ),
    },
  };
}

/** The gate may say yes and still nothing be left to say. */
function settle(decision: PromptDecision, judged: readonly Judged[], text: string): PromptDecision {
  if (decision.verdict === "silence" || text !== "") return decision;
  if (decision.cause === "pointer") return { ...decision, verdict: "silence", cause: "gate" };
  const has = (reason: string): boolean => judged.some(({ why }) => why === reason);
  const cause = has("seen") ? "all-seen" : has("near") ? "budget" : "gate";
  return { ...decision, verdict: "silence", cause };
}

/** A question may have a quarter more than the budget. */
const questionShare = 1.25;

interface Rendered {
  readonly text: string;
  readonly nodeIds: readonly number[];
}

/** Tells what is near, and names below it what is less so; a pointer names both. */
function render(
  { verdict, cause }: PromptDecision,
  judged: readonly Judged[],
  evidence: PromptEvidence,
): Rendered {
  if (verdict === "silence") return { text: "", nodeIds: [] };
  if (cause === "pointer") {
    const names = namesIn(judged, [], evidence);
    return { text: names === "" ? "" : wrapBare("prompt", [names]), nodeIds: [] };
  }
  const { nowMs, inject, asks } = evidence;
  const tokensMax = Math.floor(inject.promptTokens * (asks ? questionShare : 1));
  const wanted = judged.flatMap(({ candidate, why }) => (why === "near" ? [candidate] : []));
  const { lines, nodeIds } = promptLines(wanted, nowMs, tokensMax);
  const names = lines.length === 0 ? "" : namesIn(judged, nodeIds, evidence);
  const text = wrapPrompt(names === "" ? lines : [...lines, names]);
  return { text: tokensOf(text) > tokensMax ? wrapPrompt(lines) : text, nodeIds };
}

/** Names what is not told, except at work. A name gives no memory, so nothing counts as shown. */
function namesIn(
  judged: readonly Judged[],
  told: readonly number[],
  evidence: PromptEvidence,
): string {
  if (isAtWork(evidence)) return "";
  const nodes = judged
    .filter(
      ({ why, candidate }) =>
        (why === "near" || why === "named") &&
        candidate.kind === "memory" &&
        candidate.from === undefined,
    )
    .map(({ candidate }) => candidate.document.node);
  return pointerLine(nodes.filter(({ id }) => !told.includes(id)));
}

const toReason = (
  { document: { uri, explanation }, score }: PromptCandidate,
  taken: boolean,
  why: string,
): MemoryReason => ({
  uri,
  taken,
  why: why === "near" && !taken ? "not-wanted" : why,
  score: Math.round(score * 1_000) / 1_000,
  fused: explanation.fused,
  lexical: explanation.lexical,
  similarity: explanation.similarity,
});

// Points at memories that may help a prompt: the names of their slots and their ids, without the values. Pure.

/** With the block that it stands in when it stands alone. */
const pointerTokensMax = 30;
const nameTokensMax = 10;
const head = "Continuity may know: ";

/** `Continuity may know: shipping cut-off #4k · invoices currency #7`; empty where nothing has a slot. */
function pointerLine(nodes: readonly MemoryNode[]): string {
  const names: string[] = [];
  let line = "";
  for (const node of nodes.filter(({ slot }) => slot !== null)) {
    const { subject, attribute } = slotNameOf(node);
    const slot = cutToTokens(`${subject} ${attribute}`.trim(), nameTokensMax);
    const more = [...names, `${slot} ${shortIdOf(node.id)}`];
    const longer = `${head}${more.join(" · ")}`;
    if (tokensOf(wrapBare("prompt", [longer])) > pointerTokensMax) break;
    names.push(...more.slice(-1));
    line = longer;
  }
  return line;
}
