/** Learnt linear classifiers over hashed traits, as `train/` writes them: int8 weights with one scale. Pure. */
import type { Traits } from "./traits.ts";

/** A file of `models/learnt/`. */
export interface LearntFile {
  readonly provenance: string;
  readonly bias: number;
  readonly scale: number;
  /** int8, base64. */
  readonly weights: string;
}

/** How likely a sentence with these traits is one of the kind that was learnt: 0 to 1. */
export type Classifier = (traits: Traits) => number;

/** Decodes the weights once, when they are first asked for. */
export function classifierOf(file: LearntFile): Classifier {
  let weights: Int8Array | null = null;
  return ({ on, values }) => {
    weights ??= decode(file.weights);
    let sum = 0;
    for (let k = 0; k < on.length; k += 1) sum += (weights[on[k] ?? 0] ?? 0) * (values[k] ?? 0);
    return 1 / (1 + Math.exp(-(file.bias + sum * file.scale)));
  };
}

function decode(base64: string): Int8Array {
  const bytes = atob(base64);
  return Int8Array.from({ length: bytes.length }, (_, i) => bytes.charCodeAt(i));
}
