/** Brings every test set into one form: documents of one store, and questions with the ids that answer them. */
import type { Category } from "#domain";

export interface BenchDocument {
  readonly id: string;
  /** Below `mem://`; decides whether it is a memory or part of a session's archive. */
  readonly uri: string;
  readonly category: Category;
  readonly text: string;
  readonly atMs: number;
  readonly project?: string | null;
  /** Id of the document that this one replaced. */
  readonly supersedes?: string;
  readonly aliases?: readonly string[];
}

export interface BenchQuestion {
  readonly text: string;
  readonly gold: ReadonlySet<string>;
  /** For the table per type. */
  readonly type: string;
  readonly nowMs: number;
}

/** Documents and questions that share a store. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly BenchDocument[];
  readonly questions: readonly BenchQuestion[];
}

export interface QuestionSet {
  readonly name: string;
  readonly collections: readonly Collection[];
  readonly metrics: Readonly<Record<string, Metric>>;
  /** The figure that stands for the set, and what it has to reach. */
  readonly headline: { readonly metric: string; readonly target: number | null };
  /** The unit that is dealt into two halves: parameters are chosen on one and confirmed on the other. */
  readonly halvesBy: "collection" | "question";
}

/** Two statements that do or do not say the same. */
export interface LabelledPair {
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
  readonly kind: string;
}

export type Metric = (ranked: readonly string[], gold: ReadonlySet<string>) => number;

/**
 * `halvesOf` deals names into two halves: the names in order of their hash, dealt in turn, so that
 * both halves are of one size.
 */
export function halvesOf(names: readonly string[]): ReadonlyMap<string, 0 | 1> {
  const hashed = [...new Set(names)]
    .map((name) => ({ name, hash: new Bun.CryptoHasher("sha256").update(name).digest("hex") }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  return new Map(hashed.map(({ name }, i) => [name, i % 2 === 0 ? 0 : 1]));
}
