/** Chooses the candidates that a prompt may be shown: at most three, and none that says what another says. Pure. */
import { stemsOf } from "../exchange/traits.ts";
import type { PromptCandidate, PromptEvidence } from "./prompt-types.ts";

/** docs/design/retrieval.md, "At a prompt". */
/** Lines for a question, and for an order. */
const linesMax = { question: 3, order: 2 } as const;
/** Against the first, how near another has to be to be told beside it, and how near to be named. */
const shares = { told: 0.8, named: 0.6 } as const;
/** Two candidates that share so much of their words say the same. */
const sameFrom = 0.6;

export interface Judged {
  readonly candidate: PromptCandidate;
  /** `near`, `named`, `seen`, `same` (as one above it) or `far`. */
  readonly why: string;
}

/** Each candidate with the reason why it may be shown or not, the nearest first. */
export function judge({
  candidates,
  seen,
  asks,
}: Pick<PromptEvidence, "asks" | "candidates" | "seen">): readonly Judged[] {
  const near: PromptCandidate[] = [];
  const known: PromptCandidate[] = [];
  const best = Math.max(0, ...candidates.map(({ score }) => score));
  const max = asks ? linesMax.question : linesMax.order;
  return memoriesFirst(candidates, seen).map((candidate) => {
    const why = whyOf(candidate, near, { seen, max, best, known });
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
          ? candidate.laters.length + other.laters.length === 0 && saysSame(other, candidate)
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
