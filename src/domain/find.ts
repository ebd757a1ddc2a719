/** Queries over memory and what they return. */
import type { Category } from "./category.ts";
import type { Maker, MemoryNode, NodeStatus, Origin } from "./node.ts";
import type { documentKinds, leafKinds } from "./vocabulary.ts";
import type { Session } from "./session.ts";

export type DocumentKind = (typeof documentKinds)[number];
export type LeafKind = (typeof leafKinds)[number];

export interface FindFilters {
  /** Project keys to look in (global memories always belong); null = all projects. */
  readonly projects: readonly string[] | null;
  readonly categories?: readonly Category[];
  /** It has every one of them. A concept and the type of a moment are tags. */
  readonly tags?: readonly string[];
  readonly file?: string;
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

/** Is more asked for than projects, kinds and statuses, which a head tells? Then whole nodes have to be read. */
export const asksForProperties = (filters: FindFilters): boolean =>
  properties.some((name) => filters[name] !== undefined);

const properties = [
  "categories",
  "tags",
  "file",
  "session",
  "maker",
  "origin",
  "sinceMs",
  "untilMs",
] as const satisfies (keyof FindFilters)[];

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

// Resolves short names of whole addresses: a beginning, or the last word of one. Ports for finding what is meant.

export interface NodeNames {
  /** Leaves at a URI that begins with this, in order of their URIs. */
  readonly byUriStart: (start: string, limit: number) => readonly MemoryNode[];
  /** Leaves whose last segment is this, or else begins with it, in order of their URIs. */
  readonly byName: (name: string, limit: number) => readonly MemoryNode[];
}

export interface SessionNames {
  /** Sessions whose id begins with this, in order of their ids. */
  readonly byIdStart: (start: string, limit: number) => readonly Session[];
}

export type NodeSort = "recent" | "created" | "used" | "most-used" | "importance" | "uri";

export interface Neighbour {
  readonly node: MemoryNode;
  /** Normalised BM25, 0 to 1. */
  readonly lexical: number;
  /** Cosine, null when the embedder knows nothing of either text. */
  readonly similarity: number | null;
  readonly fused: number;
}

// The short name of a node, for lines where a URI would cost more than what it names: its id in base 32, `#4k`. An id
// is never used again, so a short name never comes to mean something else. Pure.

/** Crockford's letters: none that reads as a digit. */
const digits = "0123456789abcdefghjkmnpqrstvwxyz";

/** More would leave the whole numbers that an id may be. */
const digitsMax = 10;

/** `#4k`. */
export function shortIdOf(id: number): string {
  let text = "";
  for (let rest = id; rest > 0 || text === ""; rest = Math.floor(rest / digits.length))
    text = `${digits[rest % digits.length]}${text}`;
  return `#${text}`;
}

/** The id behind `#4k` or `4k`, in either case, `o` read as 0 and `i` or `l` as 1; null when it is none. */
export function idOfShort(text: string): number | null {
  const name = text.trim().toLowerCase().replace(/^#/, "");
  const plain = name.replaceAll("o", "0").replaceAll(/[il]/g, "1");
  if (plain === "" || plain.length > digitsMax) return null;
  let id = 0;
  for (const digit of plain) {
    const value = digits.indexOf(digit);
    if (value < 0) return null;
    id = id * digits.length + value;
  }
  return id;
}
