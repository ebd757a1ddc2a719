/**
 * Writes the text for a prompt: nothing most of the time, else at most three things in one labelled block, each with
 * what was said later about it. A pure function of the evidence: the same store, prompt and time give the same bytes.
 */
import { shortIdOf } from "#domain";
import { tokensOf } from "#kit";
import { decidePrompt } from "./gate.ts";
import { wrapBare, wrapPrompt } from "./lines.ts";
import { judge, type Judged } from "./near.ts";
import { pointerLine } from "./pointer.ts";
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
  const cause = judged.some(({ why }) => why === "seen") ? "all-seen" : "budget";
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

/** Names what is not told. A name gives no memory, so nothing counts as shown; none is given twice to a session. */
function namesIn(
  judged: readonly Judged[],
  told: readonly number[],
  { pointed }: PromptEvidence,
): string {
  const before = pointed?.() ?? new Set();
  const nodes = judged
    .filter(
      ({ why, candidate }) =>
        (why === "near" || why === "named") &&
        candidate.kind === "memory" &&
        candidate.from === undefined,
    )
    .map(({ candidate }) => candidate.document.node);
  return pointerLine(nodes.filter(({ id }) => !told.includes(id) && !before.has(shortIdOf(id))));
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
