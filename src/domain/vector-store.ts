/** Storage port of vectors: rebuildable at any time from the texts that they are of. */
export interface VectorStore {
  /** An empty vector records that the embedder knows none of the words, so that the node is not missing for ever. */
  readonly put: (nodeId: number, identity: string, vector: Float32Array) => void;
  /** Every vector of this identity. */
  readonly all: (
    identity: string,
  ) => Iterable<{ readonly nodeId: number; readonly vector: Float32Array }>;
  /** Those of these nodes; who has none is left out. */
  readonly of: (identity: string, ids: readonly number[]) => ReadonlyMap<number, Float32Array>;
  /** The same as stored, for the in-memory index: int8 components without their scale. */
  readonly components: (
    identity: string,
  ) => Iterable<{ readonly nodeId: number; readonly components: Int8Array }>;
  /**
   * Of the `limit` leaves that follow `afterId` (0 = the first), those that are not retracted and have no vector of
   * this identity, and the last id looked at; null when there is none further.
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
