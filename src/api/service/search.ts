/**
 * Search: `find` answers with one ranked lookup, `search` with more than one look (memory/retrieval). Returned results
 * go to the exposure journal and count as nothing else: exposure is not use.
 */
import type { DocumentKind, FindFilters, FindQuery, MemoryNode } from "#domain";
import { err, ok, oneLine, type Result } from "#kit";
import type { SearchHit, SearchResult } from "#memory";
import type { FoundJson, SearchFormat, SearchJson, SearchMode } from "../forms-search.ts";
import type { SavedViewsJson } from "../forms-reports.ts";
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

export interface SearchApi {
  readonly search: (ask: SearchAsk) => Result<SearchJson, ServiceError>;
}

export const createSearchApi = (context: Context): SearchApi => ({
  search: (ask) => {
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
  },
});

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
const standingOf = (
  node: MemoryNode | null,
): Pick<FoundJson, "author" | "category" | "origin" | "status"> =>
  node === null
    ? { category: null, origin: null, author: null, status: null }
    : {
        category: node.category,
        origin: node.origin,
        author: node.author ?? null,
        status: node.status,
      };

function toJson({ document, score, via }: SearchHit, format: SearchFormat): FoundJson {
  const { node } = document;
  const tiers = { l0: document.l0, l1: node?.l1 ?? null, l2: node?.l2 ?? null };
  return {
    uri: document.uri,
    kind: document.kind,
    ...standingOf(node),
    project: document.project,
    l0: document.l0,
    // A missing overview falls back to the abstract, so that the format always carries text.
    ...(format === "index" ? {} : { l1: tiers.l1 ?? tiers.l0 }),
    ...(format === "full" ? { l2: tiers.l2 } : {}),
    score,
    at: document.atMs,
    superseded_by: document.supersededBy,
    tokens: tokenCosts(tiers),
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

// Searches and lists that a person keeps under a name: addresses within the viewer. Must not know what is in them.

export interface SavedViewsApi {
  /** In the order in which they were kept. */
  readonly savedViews: () => SavedViewsJson;
  /** Keeps an address under a name; one of that name is replaced. The address null lets go of it. */
  readonly saveView: (name: string, address: string | null) => Result<SavedViewsJson, ServiceError>;
}

type View = SavedViewsJson["items"][number];

const metaName = "viewer.views";
/** More than a menu can hold. */
const viewsMax = 50;

export const createSavedViewsApi = (context: Context): SavedViewsApi => ({
  savedViews: () => ({ items: viewsOf(context) }),
  saveView: (given, address) => {
    if (!context.writable) return err({ type: "service.read-only" });
    const gated = context.gate.clean(oneLine(given));
    const name = gated.text.trim();
    if (gated.whollyPrivate || name === "") return err({ type: "memory.private" });
    const others = viewsOf(context).filter((view) => view.name !== name && view.name !== given);
    const kept = address === null ? null : addressOf(context, address);
    const items = kept === null ? others : [...others, { name, address: kept }].slice(-viewsMax);
    context.store.transaction(() => put(context, items));
    return ok({ items });
  },
});

/** What was searched for may hold a secret as any text may. */
function addressOf({ gate }: Context, address: string): string {
  const [path = "", query = ""] = address.split(/\?(.*)/s);
  const parameters = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
    name,
    gate.clean(value).text,
  ]);
  const text = new URLSearchParams(parameters).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Lets go of those that repeat one of these texts: what was forgotten must not stand in a search either. */
export function dropViews(context: Context, texts: readonly string[]): void {
  const views = viewsOf(context);
  const lower = texts.map((text) => text.toLowerCase());
  const kept = views.filter(({ name, address }) => {
    const values = [...new URLSearchParams(address.split("?")[1] ?? "").values()];
    return ![name, ...values].some((said) =>
      lower.some((text) => said.toLowerCase().includes(text)),
    );
  });
  if (kept.length < views.length) put(context, kept);
}

const put = ({ store }: Context, views: readonly View[]): void =>
  store.admin.setMeta(metaName, views.length === 0 ? null : JSON.stringify(views));

/** What cannot be read counts as none. */
function viewsOf({ store }: Context): readonly View[] {
  try {
    const value: unknown = JSON.parse(store.admin.getMeta(metaName) ?? "[]");
    return Array.isArray(value) ? value.filter(isView) : [];
  } catch {
    return []; // JSON.parse is the only thing here that throws.
  }
}

const isView = (value: unknown): value is View =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  "address" in value &&
  typeof value.address === "string";
