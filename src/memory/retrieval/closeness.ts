/**
 * How well the words of a question and of a memory meet, one by one, as a factor of the memory's score (docs/adr/0050).
 * Learnt (train/closeness.ts; models/learnt/closeness.json), valid for the embedder it was learnt with: with another,
 * every factor is 1.
 */
import type { Embedder, NodeHead, VectorIndex } from "#domain";
import file from "../../../models/learnt/closeness.json" with { type: "json" };
import type { Candidate } from "./candidates.ts";

export interface ClosenessDeps {
  readonly embedder: Embedder;
  readonly vectors: Pick<VectorIndex, "similarity">;
}

interface Entry {
  readonly node: Pick<NodeHead, "id"> & { readonly line: string };
  readonly candidate: Pick<Candidate, "lexical" | "similarity" | "fused">;
}

/** Words at most double a score or halve it twice. */
const factorMax = 2;
const factorMin = 0.25;
/** A score below this says nothing; its logarithm would say much. */
const scoreMin = 0.02;

/** The factors of some memories for a question, in their order; null where the embedder has no weights. */
export function closenessTo(
  deps: ClosenessDeps,
  question: string,
): ((entries: readonly Entry[]) => readonly number[]) | null {
  if (deps.embedder.identity.id !== file.embedder) return null;
  return (entries) =>
    closenessFeatures(deps, question, entries, usualQuestion()).map((features) => {
      if (features === null) return 1;
      let sum = file.bias;
      for (const [at, weight] of file.weights.entries()) sum += weight * (features[at] ?? 0);
      return Math.min(factorMax, Math.max(factorMin, Math.exp(sum)));
    });
}

/**
 * What the factor is learnt from: the score without it, cosine, words in common, the embedder's interactions, and the
 * cosine with what is usually asked. A memory that is near to every question tells little by being near to this one.
 */
export function closenessFeatures(
  { embedder, vectors }: ClosenessDeps,
  question: string,
  entries: readonly Entry[],
  usual: Float32Array,
): readonly (readonly number[] | null)[] {
  const met = embedder.interactions?.(
    question,
    entries.map(({ node }) => node.line),
  );
  return entries.map(({ node, candidate }, at) => {
    const own = met?.[at] ?? null;
    return own === null
      ? null
      : [
          Math.log(Math.max(scoreMin, candidate.fused)),
          Math.max(0, candidate.similarity ?? 0),
          candidate.lexical,
          ...own,
          vectors.similarity(usual, node.id) ?? 0,
        ];
  });
}

let usual: Float32Array | null = null;

/** The mean of the questions that the weights were learnt with, as a unit vector. */
function usualQuestion(): Float32Array {
  if (usual !== null) return usual;
  const bytes = Int8Array.from(atob(file.usual), (letter) => letter.charCodeAt(0));
  const norm = Math.hypot(...bytes) || 1;
  return (usual = Float32Array.from(bytes, (value) => value / norm));
}
