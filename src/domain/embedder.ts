/** The embedder port. Vectors of different identities are never compared. */

export interface EmbedderIdentity {
  /** `cst-256-v1@<first 12 hex of the model's sha256>`: changes when the vectors would. */
  readonly id: string;
  readonly dimension: number;
  /** Cosine at or above which two texts are worth comparing as duplicates. */
  readonly duplicateFloor: number;
  /** Cosine below which a vector hit alone is not worth returning. */
  readonly similarityFloor: number;
}

export interface Embedder {
  readonly identity: EmbedderIdentity;
  /**
   * Unit vector of a text, or null when the embedder knows none of its words (never similar to anything).
   * Length = identity.dimension.
   */
  readonly embed: (text: string) => Float32Array | null;
}

export interface EmbedderDep {
  readonly embedder: Embedder;
}

/** Exact nearest neighbours over the vectors of nodes. */
export interface VectorIndex {
  readonly size: () => number;
  readonly put: (nodeId: number, vector: Float32Array) => void;
  /** As `put`, for a unit vector that was quantised before: int8 components in any one scale. */
  readonly putComponents: (nodeId: number, components: Int8Array) => void;
  readonly remove: (nodeId: number) => void;
  /** Cosine of the query with each allowed node, best first, at most `limit`. `allow` null = all. */
  readonly nearest: (
    query: Float32Array,
    limit: number,
    allow: ((nodeId: number) => boolean) | null,
  ) => readonly { readonly nodeId: number; readonly similarity: number }[];
  /** Cosine with one node, null when it has no vector. */
  readonly similarity: (query: Float32Array, nodeId: number) => number | null;
}
