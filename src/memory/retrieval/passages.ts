/**
 * Similarity with the best passages of long texts. The vector of a memory is that of its abstract, and of a long text
 * it says little: a question about a detail is nearer to the few sentences that tell it than to the whole.
 */
import type { Embedder, FoundDocument } from "#domain";
import { productOf } from "./nudges.ts";

export interface PassageDeps {
  readonly embedder: Embedder;
  readonly weights: { readonly lexicalWeight: number };
}

/** Shorter texts are one passage, and their vector says it. */
const longCharsMin = 400;
/** A passage is a line, as people and tools write lists and logs; longer ones are cut. */
const passageCharsMax = 600;
const passageCharsMin = 20;
/** Of one document, and of all documents of one search: about ten milliseconds of embedding. */
const documentCharsMax = 8_000;
const searchCharsMax = 120_000;
/** The mean of so many best passages counts, beside the whole and by so much of its weight (docs/adr/0028). */
const bestPassages = 4;
const passageWeight = 0.8;

/**
 * The same documents, best first. Long ones rise or fall by how much nearer their best passages are than those of the
 * other long ones; short ones stay as they are.
 */
export function withPassages(
  deps: PassageDeps,
  bestFirst: readonly FoundDocument[],
  vector: Float32Array | null,
): readonly FoundDocument[] {
  if (vector === null) return bestFirst;
  let left = searchCharsMax;
  const nearness = bestFirst.map((document) => {
    const text = longTextOf(document);
    if (text === null || text.length > left) return null;
    left -= text.length;
    return bestOf(deps.embedder, text, vector);
  });
  const known = nearness.filter((value) => value !== null);
  const typical = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  const weight = passageWeight * (1 - deps.weights.lexicalWeight);
  return bestFirst.map((document, i) => {
    const own = nearness[i] ?? null;
    return own === null ? document : moved(document, weight * (own - typical));
  });
}

function longTextOf({ node }: FoundDocument): string | null {
  if (node === null) return null;
  const text = [node.l0, node.l1 ?? "", node.l2 ?? ""].join("\n");
  return text.length < longCharsMin ? null : text.slice(0, documentCharsMax);
}

/** Mean similarity of the best few passages. */
function bestOf(embedder: Embedder, text: string, vector: Float32Array): number {
  const found: number[] = [];
  for (const passage of text.split(/\n+/u)) {
    if (passage.length < passageCharsMin) continue;
    const own = embedder.embed(passage.slice(0, passageCharsMax));
    if (own !== null) found.push(Math.max(0, dot(vector, own)));
  }
  const best = found.toSorted((a, b) => b - a).slice(0, bestPassages);
  return best.reduce((sum, value) => sum + value, 0) / bestPassages;
}

function moved(document: FoundDocument, by: number): FoundDocument {
  const { explanation } = document;
  const fused = Math.max(0, explanation.fused + by);
  const score = fused * productOf(explanation.nudges);
  return { ...document, score, explanation: { ...explanation, fused } };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
