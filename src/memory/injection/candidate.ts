/**
 * One memory or exchange, measured against a prompt: what of it would be shown, and how near it is; and the choice of
 * the few that are shown. Pure.
 */
import type { FoundDocument, MemoryNode } from "#domain";
import { namesMemory } from "#language";
import { standingIn } from "../exchange/exchange.ts";
import { cosine, stemsOf } from "../exchange/traits.ts";
import { kindOfNode } from "../retrieval/candidates.ts";
import type { PromptCandidate, PromptEvidence, PromptInput, Sentence } from "./prompt-types.ts";

/** A prompt as candidates are compared with it. */
export interface Asked {
  readonly stems: ReadonlySet<string>;
  readonly vector: Float32Array | null;
  readonly idf: (stem: string) => number;
  readonly embed: (text: string) => Float32Array | null;
}

/** What of an exchange is shown, in characters: two of them and their frame stay below 120 tokens. */
const shownCharsMax = 220;

export function candidateOf(
  document: FoundDocument & { readonly node: MemoryNode },
  asked: Asked,
  { nowMs }: PromptInput,
): PromptCandidate {
  const { node, explanation } = document;
  const kind = kindOfNode(node) === "memory" ? "memory" : "exchange";
  const said = sentencesOfNode(node, kind, nowMs).map((one): Measured => {
    const stems = stemsOf(one.text);
    const near = Math.max(0, cosine(asked.vector, asked.embed(one.text)));
    return Object.assign({ stems, share: shareOf(asked, stems), cosine: near }, one);
  });
  const best = Math.max(0, ...said.map((one) => one.cosine));
  // Its vector may still have to be made: a new model, an import.
  const whole = Math.max(0, explanation.similarity ?? best);
  return {
    document,
    kind,
    sentences: kind === "memory" ? said : shownOf(said),
    score: (nearness.whole * whole + nearness.best * best) * (kind === "memory" ? memoryFactor : 1),
    laters: [],
  };
}

/** A memory stands above what was said in the same words: it has an end, and knows when its code has changed. */
const memoryFactor = 1.1;
/** Counts the text and its best sentence. */
const nearness = { whole: 0.75, best: 0.25 } as const;

/** A memory is one line; its other words count for finding it only. */
const sentencesOfNode = (node: MemoryNode, kind: "memory" | "exchange", nowMs: number) =>
  kind === "memory" ? [{ by: "user" as const, text: node.l0 }] : standingIn(node, nowMs);

interface Measured extends Sentence {
  readonly stems: ReadonlySet<string>;
  /** Of the prompt's words by weight, 0 to 1. */
  readonly share: number;
  readonly cosine: number;
}

/** The sentences nearest to the prompt, in order; a question only with its answer. */
function shownOf(said: readonly Measured[]): readonly Measured[] {
  const score = ({ share, cosine: near }: Measured): number => near + 0.6 * share;
  const kept = new Set<Measured>();
  let left = shownCharsMax;
  for (const one of said.toSorted((a, b) => score(b) - score(a))) {
    if (kept.size > 0 && one.text.length > left) continue;
    kept.add(one);
    left -= one.text.length;
    if (left < 30) break;
  }
  return said.filter((one) => kept.has(one));
}

function shareOf(asked: Asked, stems: ReadonlySet<string>): number {
  let own = 0;
  let shared = 0;
  for (const stem of asked.stems) {
    const weight = asked.idf(stem);
    own += weight;
    if (stems.has(stem)) shared += weight;
  }
  return own > 0 ? shared / own : 0;
}

/** Ties by address, so that the order never depends on the order of writing. */
export const byScore = (a: PromptCandidate, b: PromptCandidate): number =>
  b.score - a.score || (a.document.uri < b.document.uri ? -1 : 1);

export const isRule = ({ kind, document: { node } }: PromptCandidate): boolean =>
  kind === "memory" && isRuleNode(node);

/** Categories whose memories are rules, however they are worded. */
export const isRuleNode = ({ category }: MemoryNode): boolean =>
  category === "preferences" || category === "patterns";

// Chooses the candidates that a prompt may be shown: at most three, and none that says what another says. Pure.

/** docs/design/retrieval.md, "At a prompt". */
/** Lines for a question, for an order, and for either at work. */
const linesMax = { question: 3, order: 2, atWork: 1 } as const;
/** Against the first, how near another has to be to be told beside it, and how near to be named. */
const shares = { told: 0.8, named: 0.6 } as const;
/** Two candidates that share so much of their words say the same. */
const sameFrom = 0.6;

/** The prompt goes on with the work of its session, and does not name the memory. */
export const isAtWork = ({ previousAnswer, prompt }: PromptEvidence): boolean =>
  previousAnswer !== null && !namesMemory(prompt);

export interface Judged {
  readonly candidate: PromptCandidate;
  /** `near`, `named`, `seen`, `same` (as one above it) or `far`. */
  readonly why: string;
}

/** Each candidate with the reason why it may be shown or not, the nearest first. */
export function judge(evidence: PromptEvidence): readonly Judged[] {
  const { candidates, seen, asks } = evidence;
  const near: PromptCandidate[] = [];
  const known: PromptCandidate[] = [];
  const best = Math.max(0, ...candidates.map(({ score }) => score));
  const isWork = isAtWork(evidence);
  const max = isWork ? linesMax.atWork : asks ? linesMax.question : linesMax.order;
  return memoriesFirst(candidates, seen).map((candidate) => {
    const isOld = isWork && candidate.kind === "exchange";
    const why = isOld ? "far" : whyOf(candidate, near, { seen, max, best, known });
    if (why === "near") near.push(candidate);
    if (why === "seen" && candidate.kind === "memory") known.push(candidate);
    return { candidate, why };
  });
}

/**
 * In the place of an exchange stands the memory that was made of it: that one has an end, and knows when its code has
 * changed; not where somebody said something newer. In the place of a memory stands a newer one with all its words.
 */
function memoriesFirst(
  candidates: readonly PromptCandidate[],
  seen: ReadonlySet<number>,
): readonly PromptCandidate[] {
  const placed = new Set<PromptCandidate>();
  for (const candidate of candidates) {
    const memory = candidates.find(
      (other) =>
        other.kind === "memory" &&
        !seen.has(other.document.node.id) &&
        (candidate.kind === "exchange"
          ? candidate.laters.length === 0 &&
            (other.score >= candidate.score * shares.told || saysSame(other, candidate))
          : saidAt(other) > saidAt(candidate) && holdsAll(other, candidate)),
    );
    if (memory !== undefined) placed.add(memory);
    placed.add(candidate);
  }
  return [...placed];
}

const saidAt = ({ document: { node } }: PromptCandidate): number =>
  node.validFrom ?? node.updatedAt;

function whyOf(
  candidate: PromptCandidate,
  near: readonly PromptCandidate[],
  { seen, max, best, known }: Bounds,
): string {
  const [first] = near;
  if (seen.has(candidate.document.node.id)) return "seen";
  if (near.some((other) => saysSame(candidate, other))) return "same";
  if (near.length >= max) return "far";
  // A memory says what holds; an exchange beside it, what was said about it once.
  if (first?.kind === "memory" && candidate.kind === "exchange") return "far";
  // What was said before a memory that the session has seen may be what it overruled.
  if (candidate.kind === "exchange" && known.some((one) => saidAt(one) >= saidAt(candidate)))
    return "seen";
  if (candidate.score >= best * shares.told) return "near";
  return candidate.score >= best * shares.named ? "named" : "far";
}

interface Bounds {
  readonly seen: ReadonlySet<number>;
  readonly max: number;
  /** Score of the nearest, also of one that the session has seen: what is far from it answers nothing. */
  readonly best: number;
  /** Memories above it that the session has seen. */
  readonly known: readonly PromptCandidate[];
}

function saysSame(a: PromptCandidate, b: PromptCandidate): boolean {
  const [mine, theirs] = [wordsOf(a), wordsOf(b)];
  if (mine.size === 0) return false;
  const shared = [...mine].filter((stem) => theirs.has(stem)).length;
  return shared / Math.min(mine.size, theirs.size) >= sameFrom;
}

const holdsAll = (whole: PromptCandidate, part: PromptCandidate): boolean =>
  [...wordsOf(part)].every((stem) => wordsOf(whole).has(stem));

const wordsOf = ({ sentences }: PromptCandidate): ReadonlySet<string> =>
  stemsOf(sentences.map(({ text }) => text).join(" "));
