/** One look beside good hits in the tree: what hangs in the same small folder as an answer is often part of it. */
import { categoryRules } from "#domain";
import type { FindQuery, FoundDocument, MemoryNode, StoreDep } from "#domain";
import type { ExplanationJson } from "./json.ts";

/** A result on its way, with how it was reached. */
export interface Hit {
  readonly document: FoundDocument;
  readonly score: number;
  readonly via: ExplanationJson["via"];
}

/** Folders of this many best hits are looked into. */
const expandedHitsMax = 3;
/** A folder with more leaves than this says nothing about what they share. */
const leavesMax = 30;
/**
 * A sibling's own match counts for most, the hit it hangs beside for the rest. 40-retrieval also names relevance; it
 * is left out, since age lowers what is pushed and never what is found.
 */
const siblingScore = (own: number, parentScore: number): number => 0.8 * own + 0.2 * parentScore;

const categoryRoots: ReadonlySet<string> = new Set(
  Object.values(categoryRules).map(({ root }) => root),
);

/**
 * Active leaves beside the best hits with the score that this gives them; where they matched by themselves already, it
 * is never lower than what they had. Category roots are left out: hanging under `mem://user/entities` relates nothing;
 * hanging in one session's or one entity's folder does. A narrowed question gets none: only the finder can judge its
 * filters.
 */
export function siblingsOf(
  deps: StoreDep,
  direct: readonly Hit[],
  query: FindQuery,
): readonly Hit[] {
  if (isNarrowed(query)) return [];
  const known = new Map(direct.map((hit) => [hit.document.uri, hit]));
  const beside = new Map<string, Hit>();
  // Best first: what hangs beside two hits is lifted by the better one.
  for (const hit of direct.slice(0, expandedHitsMax)) {
    for (const node of leavesBeside(deps, hit, query)) {
      const own = known.get(node.uri);
      const score = siblingScore(own?.score ?? 0, hit.score);
      if (beside.has(node.uri) || score <= (own?.score ?? 0)) continue;
      const document = own?.document ?? besideOf(node, hit.document.kind);
      beside.set(node.uri, { document, score, via: "sibling" });
    }
  }
  return [...beside.values()];
}

/** What hangs in the same folder as a hit, when that folder is small and means something. */
function leavesBeside(
  { store }: StoreDep,
  { document }: Hit,
  query: FindQuery,
): readonly MemoryNode[] {
  const parent = document.node?.parentUri ?? null;
  if (parent === null || categoryRoots.has(parent)) return [];
  const children = store.nodes.children(parent, { limit: leavesMax + 1, offset: 0 });
  return children.length > leavesMax ? [] : children.filter((node) => belongs(node, query));
}

/** Best first (or latest first); ties by URI, so that the same store gives the same order. */
export const orderOf =
  (sort: FindQuery["sort"]) =>
  (a: Hit, b: Hit): number =>
    (sort === "date" ? b.document.atMs - a.document.atMs : 0) ||
    b.score - a.score ||
    (a.document.uri < b.document.uri ? -1 : 1);

const narrowing = [
  "categories",
  "tag",
  "file",
  "concept",
  "type",
  "session",
  "maker",
  "origin",
  "statuses",
  "sinceMs",
  "untilMs",
  "minScore",
] as const satisfies (keyof FindQuery)[];

const isNarrowed = (query: FindQuery): boolean =>
  narrowing.some((filter) => query[filter] !== undefined);

const belongs = (node: MemoryNode, { projects, nowMs }: FindQuery): boolean =>
  node.nodeType === "leaf" &&
  node.status === "active" &&
  (node.expiresAt === null || node.expiresAt > nowMs) &&
  (projects === null || node.project === null || projects.includes(node.project));

const besideOf = (node: MemoryNode, kind: FoundDocument["kind"]): FoundDocument => ({
  kind,
  node,
  uri: node.uri,
  l0: node.l0,
  project: node.project,
  atMs: node.updatedAt,
  score: 0,
  explanation: { lexicalRank: null, lexical: 0, similarity: null, fused: 0, nudges: {} },
  supersededBy: null,
});
