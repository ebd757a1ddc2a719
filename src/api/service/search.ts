/**
 * Search: `find` answers with one ranked lookup, `search` with more than one look (memory/retrieval). Returned results
 * go to the exposure journal and count as nothing else: exposure is not use.
 */
import {
  documentKinds,
  type FindQuery,
  type MemoryNode,
  type NodeFilter,
  projectLabels,
} from "#domain";
import { ok, type Result } from "#kit";
import { newerOf, type SearchHit, type SearchResult } from "#memory";
import type { FoundJson, SearchJson } from "../forms-search.ts";
import type { ServiceError } from "./errors.ts";
import { speaksFor } from "./reader.ts";
import { cursorAfter, defined, filtersOf, pageOf, scopeOf } from "./scope.ts";
import { memoryToJson, tokenCosts } from "./views.ts";
import type { Context, TimedQuery } from "./context.ts";
import type { ListedMemoryJson, MemoryPageJson } from "../forms-memory.ts";

export type SearchAsk = TimedQuery<"GET /api/search">;

const limitDefault = 10;

export function search(context: Context, ask: SearchAsk): Result<SearchJson, ServiceError> {
  const scope = scopeOf(context, ask);
  if (!scope.ok) return scope;
  const { mode, format = mode === "find" ? "index" : "overview" } = ask;
  const query = queryOf(ask, scope.value);
  const {
    hits: own,
    clauses,
    rounds,
  } = mode === "search" ? context.finder.search(query) : found(context, query);
  const hits = withElsewhere(context, ask, { query, own });
  journal(context, hits, ask);
  const results = hits.map((hit) => toJson(hit, format));
  return ok({
    query: ask.q,
    mode,
    format,
    clauses,
    rounds,
    projects: scope.value,
    project_names: namesOf(context, results),
    results,
    tokens: results.reduce((sum, result) => sum + tokensShown(result), 0),
  });
}

const queryOf = (ask: SearchAsk, projects: readonly string[] | null): FindQuery => ({
  ...filtersOf(ask),
  ...defined({ minScore: ask.min_score }),
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

/**
 * Own results first; where no project was named, what others hold that is exact or clearly better follows in the place
 * of the last ones. A list by date is of this project alone.
 */
function withElsewhere(
  context: Context,
  ask: SearchAsk,
  { query, own }: { readonly query: FindQuery; readonly own: readonly SearchHit[] },
): readonly SearchHit[] {
  const { finder, store } = context;
  if (ask.project !== undefined || query.projects === null || query.sort !== "relevance")
    return own;
  if (store.admin.projectNames().length <= query.projects.length) return own;
  const near = finder.elsewhere(
    query,
    own.map(({ document }) => document),
    (project) => !isSwitchedOff(context, project),
  );
  if (near.length === 0) return own;
  const others = near.map((document): SearchHit => ({
    document,
    score: document.score,
    via: "elsewhere",
  }));
  const kept = own.slice(0, Math.max(1, query.limit - others.length));
  return [...kept, ...others].slice(0, query.limit);
}

/** True for a project one of whose folders is excluded from memory now; a folder that is gone has no ignore file. */
const isSwitchedOff = ({ store, isCaptured }: Context, project: string): boolean =>
  store.places.of(project, "").some(({ root, isTrusted }) => isTrusted && !isCaptured(root));

/** Names of the projects that results belong to, by key. */
function namesOf(
  { store }: Context,
  results: readonly { readonly project: string | null }[],
): Readonly<Record<string, string>> {
  const shown = new Set(results.map(({ project }) => project));
  if (!results.some(({ project }) => project !== null)) return {};
  const all = store.admin.projectNames();
  const labels = projectLabels(all);
  const named = all.filter(({ key }) => shown.has(key));
  return Object.fromEntries(named.map(({ key, name }) => [key, labels.get(key) ?? name]));
}

/** Fields that only leaves have. */
const standingOf = (node: MemoryNode | null) => ({
  id: node?.id ?? null,
  category: node?.category ?? null,
  origin: node?.origin ?? null,
  author: node?.author ?? null,
  status: node?.status ?? null,
});

function toJson({ document, score, via }: SearchHit, format: SearchJson["format"]): FoundJson {
  const { l0, node } = document;
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

// Lists of memories, a page at a time.

export type ListAsk = TimedQuery<"GET /api/memories">;

/** `filterOf` translates the query of a list for the store: projects by their keys. */
function filterOf(context: Context, asked: ListAsk): Result<NodeFilter, ServiceError> {
  const scope = scopeOf(context, { project: asked.project });
  if (!scope.ok) return scope;
  const { archive, pinned, used, text: containing, expired, nowMs } = asked;
  return ok({
    ...filtersOf(asked),
    ...defined({ archive, pinned, used, containing }),
    ...(expired ? { expiredMs: nowMs } : { nowMs }),
    projects: scope.value,
  });
}

/** One page of memories, or of the archive. */
export function list(context: Context, ask: ListAsk): Result<MemoryPageJson, ServiceError> {
  const page = pageOf(ask);
  if (!page.ok) return page;
  const asked = filterOf(context, ask);
  if (!asked.ok) return asked;
  const total = context.store.nodes.count(asked.value);
  const nodes = context.store.nodes.list(asked.value, ask.sort, page.value);
  return ok({
    items: listed(context, nodes),
    project_names: namesOf(context, nodes),
    total,
    next_cursor: cursorAfter(page.value, total),
  });
}

/** Adds what replaced each memory, or the newer one of an open pair. */
function listed({ store }: Context, nodes: readonly MemoryNode[]): readonly ListedMemoryJson[] {
  const ids = nodes.map(({ id }) => id);
  const successors = store.nodes.successors(ids);
  const newer = newerOf(store.nodes, ids);
  return nodes.map((node) => ({
    ...memoryToJson(node),
    superseded_by: (node.status === "active" ? newer : successors).get(node.id)?.uri ?? null,
  }));
}
