/** Queries over memory and what they return. */
import type { Category } from "./category.ts";
import type { Maker, MemoryNode, NodeStatus, Origin } from "./node.ts";
import type { documentKinds, leafKinds } from "./vocabulary.ts";

export type DocumentKind = (typeof documentKinds)[number];
/** The kind of a node. */
export type LeafKind = (typeof leafKinds)[number];

export interface FindFilters {
  /** Project keys to look in (global memories always belong); null = all projects. */
  readonly projects: readonly string[] | null;
  readonly categories?: readonly Category[];
  readonly tag?: string;
  readonly file?: string;
  readonly concept?: string;
  readonly type?: string;
  readonly session?: string;
  readonly maker?: Maker;
  readonly origin?: Origin;
  /** Default: active and superseded (marked); `pending`, `retracted` only when asked for. */
  readonly statuses?: readonly NodeStatus[];
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** Leaves out what had expired by then; absent = only status decides. */
  readonly nowMs?: number;
}

/** A filter by facts that are known of a node without reading it whole; `kinds`: default every leaf. */
export interface PlainFilter {
  readonly projects: FindFilters["projects"];
  readonly statuses?: readonly NodeStatus[];
  readonly nowMs?: number;
  readonly kinds?: readonly DocumentKind[];
}

export interface FindQuery extends FindFilters {
  readonly text: string;
  readonly kinds: readonly DocumentKind[];
  readonly limit: number;
  readonly sort: "relevance" | "date";
  readonly minScore?: number;
  /** The project asking, for the affinity nudge; null outside projects. */
  readonly homeProject: string | null;
  readonly nowMs: number;
}

/** The reasons for a result's rank. */
export interface Explanation {
  /** Rank among lexical candidates from 1, null when the words did not match. */
  readonly lexicalRank: number | null;
  /** Normalised BM25, 0 to 1. */
  readonly lexical: number;
  /** Cosine similarity, null when the embedder knows nothing of either text. */
  readonly similarity: number | null;
  /** `lexical` and `similarity` after fusion, before nudges. */
  readonly fused: number;
  /** Factors such as `{project: 1.05, importance: 1.02}`. */
  readonly nudges: Readonly<Record<string, number>>;
}

export interface FoundDocument {
  readonly kind: DocumentKind;
  /** The node behind a memory or moment; null for the other kinds. */
  readonly node: MemoryNode | null;
  readonly uri: string;
  readonly l0: string;
  readonly project: string | null;
  readonly atMs: number;
  readonly score: number;
  readonly explanation: Explanation;
  /** URI of the memory that superseded this one, or may have (an open pair), if any. */
  readonly supersededBy: string | null;
}
