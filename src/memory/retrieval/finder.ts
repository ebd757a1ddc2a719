/**
 * Finding memories without a model: `find` in about a millisecond, `search` with more than one look, and the
 * neighbours that dedup compares with.
 *
 * Read-only: searching never changes what the next search finds (docs/adr/0005).
 */
import type { FindQuery, FoundDocument, Neighbour, Settings } from "#domain";
import { type CandidateQuery, type FinderContext, nodeCandidates } from "./candidates.ts";
import { type MayShow, worthElsewhere } from "./elsewhere.ts";
import { ask, boundedLimit, isAnyNear, lookUp, namedIn } from "./lookup.ts";
import type { NudgeContext } from "./nudges.ts";
import { byDate, rankNodes } from "./ranking.ts";
import { withReplaced } from "./replaced.ts";
import { search, type SearchResult } from "./search.ts";
import { oneForEach } from "./things.ts";

/** The finder's input; the share of words is the embedder's own unless the settings name one. */
export interface FinderInput extends Omit<FinderContext, "weights"> {
  readonly weights: Settings["retrieval"];
}

export interface Finder {
  /** Best first (or newest first), at most `limit` and never more than 100. Any string is a valid query. */
  readonly find: (query: FindQuery) => readonly FoundDocument[];
  /** The same, each thing once: of what one turn left, a memory or else the exchange. Nothing where nothing is near. */
  readonly list: (query: FindQuery) => readonly FoundDocument[];
  /** As `list` with more than one look: the parts of the question, words of the first results, what hangs beside. */
  readonly search: (query: FindQuery) => SearchResult;
  /**
   * Results of projects that the question does not name, where they replaced one of its own results, are exact or
   * clearly better: at most two.
   */
  readonly elsewhere: (
    query: FindQuery,
    own: readonly FoundDocument[],
    mayShow: MayShow,
  ) => readonly FoundDocument[];
  /** Memories that may say the same, current ones only, without nudges: for dedup. Best fused first. */
  readonly neighbours: (
    text: string,
    options: {
      readonly projects: readonly string[] | null;
      readonly nowMs: number;
      readonly limit: number;
    },
  ) => readonly Neighbour[];
}

export function createFinder(input: FinderInput): Finder {
  const { weights, embedder } = input;
  const lexicalWeight = weights.lexicalWeight ?? embedder.identity.lexicalWeight;
  const deps: FinderContext = { ...input, weights: { ...weights, lexicalWeight } };
  return {
    find: (query) => find(deps, query),
    list: (query) => list(deps, query),
    search: (query) => search(deps, query),
    elsewhere: (query, own, mayShow) => elsewhere(deps, query, { own, mayShow }),
    neighbours: (text, options) => neighbours(deps, text, options),
  };
}

function find(deps: FinderContext, asGiven: FindQuery): readonly FoundDocument[] {
  const limit = boundedLimit(asGiven.limit);
  if (limit === 0) return [];
  const asked = { ...ask(deps, asGiven.text), exact: namedIn(deps, asGiven) };
  return lookUp(deps, { ...asGiven, limit }, asked);
}

/** Nodes of one turn that are looked at for one result: a memory and the exchange. */
const nodesPerThing = 2;

function list(deps: FinderContext, asGiven: FindQuery): readonly FoundDocument[] {
  const limit = boundedLimit(asGiven.limit);
  if (limit === 0) return [];
  const asked = { ...ask(deps, asGiven.text), exact: namedIn(deps, asGiven) };
  const isOfOneKind = asGiven.kinds.length === 1;
  const query = { ...asGiven, limit, kept: limit * (isOfOneKind ? 1 : nodesPerThing) };
  const documents = lookUp(deps, query, asked);
  if (!isAnyNear(deps, documents)) return [];
  const found = documents.map((document) => ({ document, score: document.score }));
  const things = withReplaced(deps.nodes, oneForEach(found, limit, asGiven.text)).map(
    ({ document, score }) => Object.assign({}, document, { score }),
  );
  return query.sort === "date" ? things.toSorted(byDate) : things;
}

/** Results of all projects that are compared with each other. */
const comparedMax = 10;

function elsewhere(
  deps: FinderContext,
  query: FindQuery,
  { own, mayShow }: { readonly own: readonly FoundDocument[]; readonly mayShow: MayShow },
): readonly FoundDocument[] {
  if (query.projects === null || query.limit <= 0) return [];
  const wide: FindQuery = { ...query, projects: null, limit: comparedMax, sort: "relevance" };
  const exact = namedIn(deps, wide);
  return worthElsewhere({ query, own, all: list(deps, wide), exact, mayShow, nodes: deps.nodes });
}

function neighbours(
  deps: FinderContext,
  text: string,
  options: Parameters<Finder["neighbours"]>[1],
): readonly Neighbour[] {
  const query: CandidateQuery = {
    projects: options.projects,
    kinds: ["memory"],
    statuses: ["active", "pending"],
    limit: options.limit,
    nowMs: options.nowMs,
  };
  const candidates = nodeCandidates(deps, query, ask(deps, text));
  const plain = { ...deps.weights, projectWeight: 0, importanceWeight: 0, relevanceWeight: 0 };
  const context: NudgeContext = { homeProject: null, window: null, weights: plain };
  return rankNodes({ nodes: deps.nodes }, { ...query, sort: "relevance" }, candidates, context)
    .slice(0, options.limit)
    .flatMap(({ node, explanation: { lexical, similarity, fused } }) =>
      // A colleague's memory is neither merged with nor ended by what is learnt here.
      node === null || node.origin === "team" ? [] : [{ node, lexical, similarity, fused }],
    );
}
