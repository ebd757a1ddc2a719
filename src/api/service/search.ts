/**
 * Search: `find` answers with one ranked lookup, `search` with more than one look (memory/retrieval). Returned results
 * go to the exposure journal and count as nothing else: exposure is not use.
 */
import type { DocumentKind, FindFilters, FindQuery, MemoryNode } from "#domain";
import { ok, type Result } from "#kit";
import type { SearchHit, SearchResult } from "#memory";
import type { FoundJson, SearchFormat, SearchJson, SearchMode } from "../forms-search.ts";
import type { ServiceError } from "./errors.ts";
import { speaksFor } from "./reader.ts";
import { type ScopeAsk, scopeOf } from "./scope.ts";
import { tokenCosts } from "./views.ts";
import type { Context } from "./context.ts";

export interface SearchAsk extends Omit<FindFilters, "projects">, ScopeAsk {
  readonly text: string;
  readonly mode: SearchMode;
  readonly format: SearchFormat;
  readonly kinds: readonly DocumentKind[];
  /** 1 to 100. */
  readonly limit: number;
  readonly sort: "relevance" | "date";
  readonly minScore?: number;
  /** Session that asks, for the exposure journal; null = a person. */
  readonly reader: string | null;
  readonly nowMs: number;
}

export function search(context: Context, ask: SearchAsk): Result<SearchJson, ServiceError> {
  const scope = scopeOf(context, ask);
  if (!scope.ok) return scope;
  const query = queryOf(ask, scope.value);
  const { hits, clauses, rounds } =
    ask.mode === "search" ? context.finder.search(query) : found(context, query);
  journal(context, hits, ask);
  const results = hits.map((hit) => toJson(hit, ask.format));
  return ok({
    query: ask.text,
    mode: ask.mode,
    format: ask.format,
    clauses,
    rounds,
    projects: scope.value,
    results,
    tokens: results.reduce((sum, result) => sum + tokensShown(result), 0),
  });
}

function queryOf(ask: SearchAsk, projects: readonly string[] | null): FindQuery {
  const { mode: _m, format: _f, reader: _r, home, ...rest } = ask;
  const isOne = projects?.length === 1;
  return { ...rest, projects, homeProject: home ?? (isOne ? (projects[0] ?? null) : null) };
}

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

function toJson({ document, score, via }: SearchHit, format: SearchFormat): FoundJson {
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
  const { reader, nowMs } = ask;
  if (!writable || reader === null) return;
  const sessionId = speaksFor(context, reader);
  const exposures = hits.flatMap(({ document: { node } }) =>
    node === null
      ? []
      : [
          {
            sessionId,
            nodeId: node.id,
            uri: node.uri,
            channel: "search" as const,
            atMs: nowMs,
          },
        ],
  );
  if (exposures.length > 0) store.exposure.add(exposures);
}
