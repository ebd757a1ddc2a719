/**
 * Writes the text for a prompt: nothing most of the time, else at most three things in one labelled block, each with
 * what was said later about it. A pure function of the evidence: the same store, prompt and time give the same bytes.
 */
import { shortIdOf } from "#domain";
import { tokensOf } from "#kit";
import { decidePrompt } from "./gate.ts";
import { wrapPrompt } from "./lines.ts";
import { judge, type Judged } from "./near.ts";
import { composePointer } from "./pointer.ts";
import { promptLines } from "./prompt-lines.ts";
import type {
  ComposedPrompt,
  MemoryReason,
  PromptCandidate,
  PromptDecision,
  PromptEvidence,
} from "./prompt-types.ts";

/** Text for the prompt (empty = silence), the nodes it shows, and why. */
export function composePrompt(
  evidence: PromptEvidence,
  decision: PromptDecision = decidePrompt(evidence),
): ComposedPrompt {
  const judged = judge(evidence);
  const wanted = judged.flatMap(({ candidate, why }) =>
    decision.verdict === "inject" && why === "near" ? [candidate] : [],
  );
  const { text, nodeIds } =
    decision.cause === "pointer" ? pointTo(wanted, evidence) : render(wanted, evidence);
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
  const cause = judged.some(({ why }) => why === "seen") ? "all-seen" : "budget";
  return { ...decision, verdict: "silence", cause };
}

/** Names what may help. A name gives no memory, so nothing counts as shown; none is given twice to a session. */
function pointTo(
  wanted: readonly PromptCandidate[],
  { pointed }: PromptEvidence,
): { readonly text: string; readonly nodeIds: readonly number[] } {
  const before = pointed?.() ?? new Set();
  const nodes = wanted
    .filter(({ kind, from }) => kind === "memory" && from === undefined)
    .map(({ document }) => document.node);
  const text = composePointer(nodes.filter(({ id }) => !before.has(shortIdOf(id))));
  return { text, nodeIds: [] };
}

/** A question may have a quarter more than the budget. */
const questionShare = 1.25;

function render(
  wanted: readonly PromptCandidate[],
  { nowMs, inject, asks }: PromptEvidence,
): { readonly text: string; readonly nodeIds: readonly number[] } {
  const tokensMax = Math.floor(inject.promptTokens * (asks ? questionShare : 1));
  const { lines, nodeIds } = promptLines(wanted, nowMs, tokensMax);
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
