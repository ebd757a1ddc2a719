/**
 * What a prompt is given: nothing most of the time, else at most two things in one labelled block, each with what was said
 * later about it. A pure function of the
 * evidence: the same store, prompt and time give the same bytes.
 */
import { tokensOf } from "#kit";
import { stemsOf } from "../exchange/succession.ts";
import { decidePrompt } from "./gate.ts";
import { wrapPrompt } from "./lines.ts";
import { promptLines } from "./prompt-lines.ts";
import type {
  ComposedPrompt,
  MemoryReason,
  PromptCandidate,
  PromptDecision,
  PromptEvidence,
} from "./prompt-types.ts";

/** 70-worth: "at most two lines". */
const linesMax = 2;
/** The second line has to be this likely, against the first. */
const secondShare = 0.4;
/** Two candidates that share so much of their words say the same. */
const sameFrom = 0.6;

/** Text for the prompt (empty = silence), the nodes it shows, and why. */
export function composePrompt(
  evidence: PromptEvidence,
  decision: PromptDecision = decidePrompt(evidence),
): ComposedPrompt {
  const judged = judge(evidence);
  const wanted = decision.verdict === "inject" ? judged.filter(({ why }) => why === "near") : [];
  const { text, nodeIds } = render(
    wanted.map(({ candidate }) => candidate),
    evidence,
  );
  const settled = settle(decision, judged, nodeIds);
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

interface Judged {
  readonly candidate: PromptCandidate;
  /** `near`, `seen`, `same` (as one above it) or `far`. */
  readonly why: string;
}

/** Each candidate with the reason why it may be shown or not, the likeliest first. */
function judge({ candidates, seen }: PromptEvidence): readonly Judged[] {
  const near: PromptCandidate[] = [];
  return candidates.map((candidate) => {
    const why = whyOf(candidate, near, seen);
    if (why === "near") near.push(candidate);
    return { candidate, why };
  });
}

function whyOf(
  candidate: PromptCandidate,
  near: readonly PromptCandidate[],
  seen: ReadonlySet<number>,
): string {
  const [first] = near;
  if (seen.has(candidate.document.node.id)) return "seen";
  if (near.some((other) => saysSame(candidate, other))) return "same";
  if (near.length >= linesMax) return "far";
  // A memory says what holds; an exchange beside it, what was said about it once.
  if (first?.kind === "memory" && candidate.kind === "exchange") return "far";
  return first === undefined || candidate.likelihood >= first.likelihood * secondShare
    ? "near"
    : "far";
}

function saysSame(a: PromptCandidate, b: PromptCandidate): boolean {
  const [mine, theirs] = [a, b].map(({ sentences }) =>
    stemsOf(sentences.map(({ text }) => text).join(" ")),
  );
  if (mine === undefined || theirs === undefined || mine.size === 0) return false;
  const shared = [...mine].filter((stem) => theirs.has(stem)).length;
  return shared / Math.min(mine.size, theirs.size) >= sameFrom;
}

/** The gate may say yes and still nothing be left to say. */
function settle(
  decision: PromptDecision,
  judged: readonly Judged[],
  shown: readonly number[],
): PromptDecision {
  if (decision.verdict === "silence" || shown.length > 0) return decision;
  const cause = judged.some(({ why }) => why === "seen") ? "all-seen" : "budget";
  return { ...decision, verdict: "silence", cause };
}

function render(
  wanted: readonly PromptCandidate[],
  { nowMs, inject }: PromptEvidence,
): { readonly text: string; readonly nodeIds: readonly number[] } {
  const { lines, nodeIds } = promptLines(wanted, nowMs, inject.promptTokens);
  return { text: wrapPrompt(lines), nodeIds };
}

const toReason = (
  { document: { uri, explanation }, likelihood }: PromptCandidate,
  taken: boolean,
  why: string,
): MemoryReason => ({
  uri,
  taken,
  why: why === "near" && !taken ? "not-wanted" : why,
  score: Math.round(likelihood * 1_000) / 1_000,
  fused: explanation.fused,
  lexical: explanation.lexical,
  similarity: explanation.similarity,
});
