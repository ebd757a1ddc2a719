/** The embedder port. Vectors of different identities are never compared. */
import type { Result } from "#kit";

/** The figures that were measured with one embedder and hold for no other (docs/adr/0014). */
export interface Calibration {
  /** Cosine below which a vector hit alone is not worth returning. */
  readonly similarityFloor: number;
  /** Share of the score that words have; vectors have the rest. */
  readonly lexicalWeight: number;
}

export interface EmbedderIdentity extends Calibration {
  /** `cst-256-v4@<first 12 hex of the model's sha256>`: changes when the vectors would. */
  readonly id: string;
  readonly dimension: number;
  /** False: this embedder was not measured, and the numbers are cautious ones. */
  readonly isCalibrated: boolean;
}

export interface Embedder {
  readonly identity: EmbedderIdentity;
  /**
   * Unit vector of a text, or null when the embedder knows none of its words (never similar to anything).
   * Length = identity.dimension.
   */
  readonly embed: (text: string) => Float32Array | null;
  /**
   * Tells whether a lower-case word is one that people use, as the texts tell that the model was
   * made of; absent where that is unknown.
   */
  readonly isWord?: (word: string) => boolean;
  /** Absent where only vectors of whole texts are to be had. */
  readonly interactions?: Interactions;
  /** Present when the vectors come from a server: then `embed` knows only what `prepare` has fetched. */
  readonly remote?: RemoteEmbedder;
}

/**
 * `Interactions` compares the words of a question with those of each text, one by one, as numbers
 * in an order that its room names (`interactionNames`); null for a text that has no word in common
 * use with the model.
 */
export type Interactions = (
  question: string,
  texts: readonly string[],
) => readonly (readonly number[] | null)[];

/** The half of an embedder that takes time. Only background work waits for it. */
export interface RemoteEmbedder {
  /** Vectors of texts to be found, in their order; or in words why there are none. */
  readonly documents: (
    texts: readonly string[],
  ) => Promise<Result<readonly Float32Array[], string>>;
  /** Fetches the vector of a question; resolves when it is there, or after `waitMs` without it. Never rejects. */
  readonly prepare: (text: string, waitMs: number) => Promise<void>;
  /** Notes that a node wants a vector; the background fetches it. */
  readonly owe: (nodeId: number) => void;
  /** From now on told with each node that is owed: else it would wait until something wakes the background. */
  readonly onOwed?: (listener: () => void) => void;
  /** Nodes that wait, at most `limit`; they wait on until settled. */
  readonly owed: (limit: number) => readonly number[];
  readonly settle: (nodeIds: readonly number[]) => void;
  /** The time for which it is to be left alone after a failure, ms. */
  readonly restingMs: () => number;
  readonly status: () => { readonly isUsable: boolean; readonly reason: string };
}

/** Exact nearest neighbours over the vectors of nodes. */
export interface VectorIndex {
  readonly size: () => number;
  readonly put: (nodeId: number, vector: Float32Array) => void;
  /** As `put`, for a unit vector that was quantised before: int8 components in any one scale. */
  readonly putComponents: (nodeId: number, components: Int8Array) => void;
  readonly remove: (nodeId: number) => void;
  /** Cosine of the query with each node, or with each of `among`; best first, at most `limit`. */
  readonly nearest: (
    query: Float32Array,
    limit: number,
    among: ReadonlySet<number> | Uint32Array | null,
  ) => readonly { readonly nodeId: number; readonly similarity: number }[];
  /** Cosine with one node, null when it has no vector. */
  readonly similarity: (query: Float32Array, nodeId: number) => number | null;
}

// Storage port of vectors: rebuildable at any time from the texts that they are of.

export interface VectorStore {
  /** An empty vector records that the embedder knows none of the words, so that the node is not missing for ever. */
  readonly put: (nodeId: number, identity: string, vector: Float32Array) => void;
  /** Every vector of this identity as it is stored: int8 components without their scale. */
  readonly components: (
    identity: string,
  ) => Iterable<{ readonly nodeId: number; readonly components: Int8Array }>;
  /**
   * Looks at the `limit` leaves that follow `afterId` (0 = the first). Returns those that are not retracted and have no
   * vector of this identity, and the last id looked at; null when there is none further.
   */
  readonly missing: (
    identity: string,
    afterId: number,
    limit: number,
  ) => {
    readonly leaves: readonly { readonly id: number; readonly l0: string; readonly text: string }[];
    readonly lastId: number | null;
  };
  /** Drops vectors of other identities, some at a time. Returns how many; 0 = there are none left. */
  readonly dropOthers: (identity: string, limit: number) => number;
}
