/**
 * Lifts what hangs beside good hits: the turns before and after in a session, and nodes that are linked, up to two
 * steps away. What stands beside an answer is often part of it.
 */
import type { FindQuery, FoundDocument, Link, MemoryNode, Relation } from "#domain";
import { type FinderContext, fuse, passesFilters } from "./candidates.ts";
import { documentOf } from "./ranking.ts";
import { turnOf } from "./things.ts";

/** A result on its way, with how it was reached. */
export interface SearchHit {
  readonly document: FoundDocument;
  readonly score: number;
  /** `query`: matched the whole question; `clause`: a part of it; `sibling`, `link`: hangs beside a good hit. */
  readonly via: "query" | "clause" | "sibling" | "link" | "elsewhere";
}

/** Sessions whose turns are read in order, best hits first. */
const sessionsMax = 12;
const turnsMax = 200;
/** The share of a moment's better neighbour that is added to it (docs/adr/0028), by distance. */
const besideShare: Readonly<Record<number, number>> = { 1: 0.43, 2: 0.2 };
/** So many best hits have their links followed. */
const expandedHitsMax = 3;
/** A leaf's own match counts for most, the hit it hangs beside for the rest. */
const parentShare = 0.2;
const stepsMax = 2;
const linksMax = 20;
/** A memory that was replaced or denied is no help with what holds. */
const unhelpful: ReadonlySet<Relation> = new Set(["supersedes", "contradicts"]);

interface Beside {
  readonly deps: FinderContext;
  readonly query: FindQuery;
  readonly vector: Float32Array | null;
  readonly known: ReadonlyMap<string, SearchHit>;
}

/** Hits that were lifted or added; each stands at least as high as before. */
export function besideHits(
  deps: FinderContext,
  bestFirst: readonly SearchHit[],
  asked: { readonly query: FindQuery; readonly vector: Float32Array | null },
): readonly SearchHit[] {
  const known = new Map(bestFirst.map((hit) => [hit.document.uri, hit]));
  const context: Beside = { deps, known, ...asked };
  return [
    ...turnsBeside(context, bestFirst),
    ...bestFirst.slice(0, expandedHitsMax).flatMap((hit) => linkedTo(context, hit)),
  ];
}

/** Turns of the sessions that the best hits are from, each lifted by the better one of its neighbours in time. */
function turnsBeside(context: Beside, bestFirst: readonly SearchHit[]): readonly SearchHit[] {
  const folders = new Set(
    bestFirst.flatMap(({ document: { node } }) =>
      isOfTurns(node?.parentUri) ? [node?.parentUri ?? ""] : [],
    ),
  );
  return [...folders].slice(0, sessionsMax).flatMap((folder) => {
    const turns = context.deps.nodes
      .children(folder, { limit: turnsMax })
      .filter((node) => passesFilters(node, context.query))
      .map((node) => ({ node, hit: hitOf(context, node, "sibling"), at: turnOf(node.uri) }))
      .toSorted((a, b) => a.at - b.at);
    return turns.flatMap(({ hit, at }, i) => {
      const gains = [turns[i - 1], turns[i + 1]].map((other) =>
        other === undefined ? 0 : (besideShare[Math.abs(other.at - at)] ?? 0) * other.hit.score,
      );
      const score = hit.score + Math.max(...gains);
      return score > hit.score ? [{ ...hit, score }] : [];
    });
  });
}

/** One record is kept of each turn; those of earlier versions were moments. */
const isOfTurns = (folder: string | null | undefined): boolean =>
  folder?.endsWith("/exchanges") === true || folder?.endsWith("/moments") === true;

function linkedTo(context: Beside, hit: SearchHit): readonly SearchHit[] {
  const { nodes } = context.deps;
  const shares = new Map<number, number>();
  let edge = hit.document.node === null ? [] : [{ id: hit.document.node.id, share: parentShare }];
  for (let step = 0; step < stepsMax; step += 1) {
    edge = edge.flatMap(({ id, share }) =>
      nodes
        .links(id)
        .filter(({ relation }) => !unhelpful.has(relation))
        .slice(0, linksMax)
        .map((link) => ({ id: otherEnd(link, id), share: share * Math.min(1, link.weight) }))
        .filter((found) => found.share > (shares.get(found.id) ?? 0)),
    );
    for (const { id, share } of edge) shares.set(id, Math.max(share, shares.get(id) ?? 0));
  }
  return nodes
    .byIds([...shares.keys()])
    .filter((node) => node.uri !== hit.document.uri && passesFilters(node, context.query))
    .flatMap((node) => lifted(hitOf(context, node, "link"), hit.score, shares.get(node.id) ?? 0));
}

const otherEnd = ({ fromId, toId }: Link, id: number): number => (fromId === id ? toId : fromId);

/** Between its own score and that of the hit it stands beside; nothing when that is no gain. */
function lifted(hit: SearchHit, parentScore: number, share: number): readonly SearchHit[] {
  const score = (1 - share) * hit.score + share * parentScore;
  return score > hit.score ? [{ ...hit, score }] : [];
}

/** As it was found, or else with what its vector says. */
function hitOf(context: Beside, node: MemoryNode, via: SearchHit["via"]): SearchHit {
  const known = context.known.get(node.uri);
  if (known !== undefined) return { ...known, via };
  const { deps, vector } = context;
  const similarity = vector === null ? null : deps.vectors.similarity(vector, node.id);
  const fused = fuse(0, similarity, deps.weights.lexicalWeight);
  const explanation = { lexicalRank: null, lexical: 0, similarity, fused, nudges: {} };
  const document = documentOf(node, { score: fused, explanation, supersededBy: null });
  return { document, score: fused, via };
}
