/**
 * Writes the text for a prompt: nothing most of the time, else at most three things in one labelled block. A pure
 * function of the evidence: the same store, prompt and time give the same bytes.
 */
import { shortIdOf } from "#domain";
import { cutToTokens, tokensOf } from "#kit";
import { decidePrompt } from "./gate.ts";
import { teamVoice, wrapBare, wrapPrompt } from "./lines.ts";
import { judge, type Judged } from "./candidate.ts";
import type {
  ComposedPrompt,
  MemoryReason,
  PromptCandidate,
  PromptDecision,
  PromptEvidence,
} from "./prompt-types.ts";
import { lineOf } from "../exchange/exchange.ts";
import { neutralise, quote } from "./neutral.ts";
import { isOwnWords, slotNameOf } from "./worded.ts";
import { saidOn, shortDate, untilOf } from "./start-lines.ts";

// The wording of what a prompt is given: a line for each memory, and exchanges oldest first, so that a reader of an
// earlier value reads the later one below it. Pure.

const lineTokensMax = 46;

/** One line; `isMemory` false = a quotation of an exchange. */
interface Quote {
  readonly nodeId: number;
  readonly isMemory: boolean;
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
 * As many of the candidates as `tokensMax` allows with the block around them, the best first. What room is left makes
 * cut lines whole, the best first: what a memory says often stands at its end.
 */
export function promptLines(
  candidates: readonly PromptCandidate[],
  nowMs: number,
  tokensMax: number,
): Shown {
  const fits = (told: readonly Quote[]): boolean =>
    tokensOf(wrapPrompt(linesOf(told, nowMs))) <= tokensMax;
  let told: readonly Quote[] = [];
  const shown: PromptCandidate[] = [];
  for (const candidate of candidates) {
    const next = [...told, quoteOf(candidate, nowMs, lineTokensMax)];
    if (!fits(next)) continue;
    told = next;
    shown.push(candidate);
  }
  for (const [at, candidate] of shown.entries()) {
    const next = told.with(at, quoteOf(candidate, nowMs, tokensMax));
    if (fits(next)) told = next;
  }
  return { lines: linesOf(told, nowMs), nodeIds: told.map(({ nodeId }) => nodeId) };
}

function linesOf(told: readonly Quote[], nowMs: number): readonly string[] {
  const thread = told.filter(({ isMemory }) => !isMemory).toSorted((a, b) => a.atMs - b.atMs);
  return [
    ...told
      .filter(({ isMemory }) => isMemory)
      .map(
        ({ nodeId, text, atMs, until }) =>
          `- ${text} (${shortDate(atMs, nowMs)}${until}, ${shortIdOf(nodeId)})`,
      ),
    ...thread.map(({ nodeId, atMs, text, isCut }, i) => {
      const id = isCut ? ` (${shortIdOf(nodeId)})` : "";
      return `${i === 0 ? "- " : "  "}${saidOn(atMs, nowMs)}: ${text}${id}`;
    }),
  ];
}

function quoteOf(
  { document: { node }, kind, sentences, from, anchored = "" }: PromptCandidate,
  nowMs: number,
  tokensMax: number,
): Quote {
  const whole = neutralise(lineOf(sentences));
  const text = cutToTokens(whole, tokensMax);
  const isUsers = kind === "memory" && isOwnWords(node) && from === undefined;
  return {
    nodeId: node.id,
    isMemory: kind === "memory",
    atMs: node.validFrom ?? node.updatedAt,
    text: isUsers
      ? text
      : quoted(text, node.origin === "team" ? voiceOf(node, { from, nowMs }) : from),
    isCut: text !== whole,
    until: `${untilOf(node, nowMs)}${neutralise(anchored)}`,
  };
}

const voiceOf = (
  node: Quoted,
  { from, nowMs }: { readonly from: string | undefined; readonly nowMs: number },
): string => `${teamVoice(node, nowMs)}${from === undefined ? "" : ` in ${from}`}`;

type Quoted = PromptCandidate["document"]["node"];

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

/** Tells what is near, or names it. */
function render(
  { verdict, cause }: PromptDecision,
  judged: readonly Judged[],
  evidence: PromptEvidence,
): Rendered {
  const near = judged.flatMap(({ candidate, why }) => (why === "near" ? [candidate] : []));
  if (verdict === "silence") return { text: "", nodeIds: [] };
  if (cause === "pointer") {
    const names = pointerLine(near);
    return { text: names === "" ? "" : wrapBare("prompt", [names]), nodeIds: [] };
  }
  const { nowMs, inject, asks } = evidence;
  const tokensMax = Math.floor(inject.promptTokens * (asks ? questionShare : 1));
  const { lines, nodeIds } = promptLines(near, nowMs, tokensMax);
  return { text: wrapPrompt(lines), nodeIds };
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

/**
 * `Continuity may know: shipping cut-off #4k · invoices currency #7`; empty where nothing has a slot. A name gives no
 * memory, so nothing counts as shown.
 */
function pointerLine(candidates: readonly PromptCandidate[]): string {
  const nodes = candidates
    .filter(({ kind, from }) => kind === "memory" && from === undefined)
    .map(({ document }) => document.node)
    .filter(({ slot }) => slot !== null);
  const names: string[] = [];
  let line = "";
  for (const node of nodes) {
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
