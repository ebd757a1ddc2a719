/** What taking items needs: the store, the write path of memories, and the source they come from. */
import type { Candidate, Embedder, ImportSource, MemoryNode, Store, VectorIndex } from "#domain";
import type { ClockDep } from "#kit";

export interface ApplyDeps extends ClockDep {
  /** Dedup, then create, merge, supersede or skip; inside the caller's transaction. */
  readonly remember: (
    candidate: Candidate,
    by: string,
  ) => {
    readonly plan: "create" | "supersede" | "skip";
    readonly node: MemoryNode | null;
  };
  readonly store: Store;
  readonly embedder: Embedder;
  readonly vectors: VectorIndex;
  /**
   * A batch came: whatever else rewrites memories waits, so that an import ends alike however often it was broken off.
   */
  readonly onBatch: () => void;
  /** Fills vectors that are missing. Returns how many. */
  readonly embedMissing: () => number;
}

export interface Applying extends ApplyDeps {
  readonly source: ImportSource;
  /** This run of the import, as revisions name it: `undo` takes back what it brought as a whole. */
  readonly by: string;
}

/** The ledger's key of a session. */
export const sessionKey = (sessionId: string): string => `session:${sessionId}`;
