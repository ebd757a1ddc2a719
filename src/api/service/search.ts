/**
 * Search: `find` answers with one ranked lookup, `search` with more than one look (memory/retrieval). Returned results
 * go to the exposure journal and count as nothing else: exposure is not use.
 */
import { documentKinds, type FindQuery, type MemoryNode } from "#domain";
import { ok, type Result } from "#kit";
import type { SearchHit, SearchResult } from "#memory";
import type { FoundJson, SearchJson } from "../forms-search.ts";
import type { ServiceError } from "./errors.ts";
import { speaksFor } from "./reader.ts";
import { defined, filtersOf, scopeOf } from "./scope.ts";
import { tokenCosts } from "./views.ts";
import type { Context, TimedQuery } from "./context.ts";

export type SearchAsk = TimedQuery<"GET /api/search">;

const limitDefault = 10;

export function search(context: Context, ask: SearchAsk): Result<SearchJson, ServiceError> {
  const scope = scopeOf(context, ask);
  if (!scope.ok) return scope;
  const { mode, format = mode === "find" ? "index" : "overview" } = ask;
  const query = queryOf(ask, scope.value);
  const { hits, clauses, rounds } =
    mode === "search" ? context.finder.search(query) : found(context, query);
  journal(context, hits, ask);
  const results = hits.map((hit) => toJson(hit, format));
  return ok({
    query: ask.q,
    mode,
    format,
    clauses,
    rounds,
    projects: scope.value,
    results,
    tokens: results.reduce((sum, result) => sum + tokensShown(result), 0),
  });
}

const queryOf = (ask: SearchAsk, projects: readonly string[] | null): FindQuery => ({
  ...filtersOf(ask),
  ...defined({ concept: ask.concept, type: ask.type, minScore: ask.min_score }),
  text: ask.q,
  kinds: ask.kind ?? documentKinds,
  limit: ask.limit ?? limitDefault,
  sort: ask.sort,
  projects,
  homeProject: ask.home ?? (projects?.length === 1 ? (projects[0] ?? null) : null),
  nowMs: ask.nowMs,
});

const found = ({ finder }: Context, query: FindQuery): SearchResult => ({
  hits: finder
    .list(query)
    .map((document) => ({ document, score: document.score, via: "query" as const })),
  clauses: [],
  rounds: 0,
});

/** Fields that only leaves have. */
const standingOf = (node: MemoryNode | null) => ({
  category: node?.category ?? null,
  origin: node?.origin ?? null,
  author: node?.author ?? null,
  status: node?.status ?? null,
});

function toJson({ document, score, via }: SearchHit, format: SearchJson["format"]): FoundJson {
  const { node } = document;
  const { l0 } = document;
  const { l1, l2 } = node ?? { l1: null, l2: null };
  return {
    uri: document.uri,
    kind: document.kind,
    ...standingOf(node),
    project: document.project,
    l0,
    // A missing overview falls back to the abstract, so that the format always carries text.
    ...(format === "index" ? {} : { l1: l1 ?? l0 }),
    ...(format === "full" ? { l2 } : {}),
    score,
    at: document.atMs,
    superseded_by: document.supersededBy,
    tokens: tokenCosts(l0, l1, l2),
    explanation: { ...document.explanation, via },
  };
}

const tokensShown = ({ tokens, l1, l2 }: FoundJson): number =>
  tokens.l0 + (l1 === undefined ? 0 : tokens.l1) + (l2 === undefined ? 0 : tokens.l2);

/** Notes what the session was shown. Only nodes can be shown again, and only sessions keep a seen-list. */
function journal(context: Context, hits: readonly SearchHit[], ask: SearchAsk): void {
  const { writable, store } = context;
  const { reader, nowMs: atMs } = ask;
  if (!writable || reader === undefined) return;
  const sessionId = speaksFor(context, reader);
  const exposures = hits.flatMap(({ document: { node } }) =>
    node === null
      ? []
      : [{ sessionId, nodeId: node.id, uri: node.uri, channel: "search" as const, atMs }],
  );
  if (exposures.length > 0) store.exposure.add(exposures);
}
