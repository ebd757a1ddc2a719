/**
 * Tells requests about a text ("proofread it") from what people write while they work ("run the tests"): by the
 * examples in lists/requests.txt that the embedded model finds nearest.
 */
import type { VectorIndex } from "#domain";
import { createVectorIndex, loadEmbeddedModel } from "#embed";
import { listsIn } from "./lists.ts";
import examples from "./lists/requests.txt" with { type: "text" };

/** Is a request nearer to examples about a text than to the others? False where no word of it is known. */
export function isAboutText(request: string): boolean {
  const vector = vectorOf(request);
  if (vector === null) return false;
  const { text, work } = (opened ??= open(vector.length));
  return nearness(text, vector) > nearness(work, vector);
}

interface Examples {
  readonly text: VectorIndex;
  readonly work: VectorIndex;
}

/** Vectors of the examples, made when the first request is read. */
let opened: Examples | null = null;

function open(dimension: number): Examples {
  const { list } = listsIn(examples);
  const indexed = (requests: readonly string[]): VectorIndex => {
    const index = createVectorIndex(dimension);
    for (const [n, vector] of requests.map(vectorOf).entries())
      if (vector !== null) index.put(n, vector);
    return index;
  };
  return { text: indexed(list("text")), work: indexed(list("work")) };
}

function vectorOf(text: string): Float32Array | null {
  const model = loadEmbeddedModel();
  return model.ok ? model.value.embed(text) : null;
}

/** Several, so that no single example decides. */
const nearestCount = 3;

const nearness = (index: VectorIndex, vector: Float32Array): number =>
  index.nearest(vector, nearestCount, null).reduce((sum, { similarity }) => sum + similarity, 0);
