/**
 * Candidates by words, from the full-text indexes. Filters are applied in SQL, ranking by BM25 with weights per field.
 */
import {
  asksForProperties,
  type DocumentKind,
  type FindFilters,
  type LexicalHit,
  type LexicalIndex,
} from "#domain";
import { createCounts, matchAny, matchEach } from "./counts.ts";
import type { IndexWriter } from "./indexes.ts";
import { indexedByKind } from "./lexical-kinds.ts";
import { joinWhere } from "./node-rows.ts";
import type { NodeTraits } from "./node-entries.ts";
import type { Sql } from "./sql.ts";

/** Up to this many documents, a term's weight is kept above the floor (see `matchFew`). */
const fewDocumentsMax = 64;
/** The least weight of a term, for one in half of all documents or more. */
const termWeightMin = 0.1;
/** FTS5's own floor (fts5_aux.c). */
const fts5WeightMin = 1e-6;

interface Source {
  readonly sql: Sql;
  readonly traits: NodeTraits;
}

interface MatchQuery {
  readonly kind: DocumentKind;
  readonly filters: FindFilters | null;
  readonly limit: number;
}

export function createLexical(sql: Sql, indexes: IndexWriter, traits: NodeTraits): LexicalIndex {
  const source: Source = { sql, traits };
  const counts = createCounts(sql, indexes);

  /**
   * In a young store every word is in most documents, and FTS5 gives such words no weight at all: of two memories
   * neither would be a hit. So while there are few documents each term is asked for alone, and weighed with a floor.
   */
  const matchFew = (query: MatchQuery, terms: readonly string[]): readonly LexicalHit[] => {
    const documents = counts.documents(query.kind);
    const scores = new Map<number, number>();
    for (const term of new Set(terms)) {
      const hits = counts.hits(query.kind, term);
      if (hits === 0) continue;
      const weight = Math.log((documents - hits + 0.5) / (hits + 0.5));
      const factor = Math.max(termWeightMin, weight) / (weight > 0 ? weight : fts5WeightMin);
      for (const hit of match(source, { ...query, limit: fewDocumentsMax }, [term]))
        scores.set(hit.id, (scores.get(hit.id) ?? 0) + hit.score * factor);
    }
    return ranked([...scores].map(([id, score]) => ({ id, score }))).slice(0, query.limit);
  };

  return {
    match: (kind, terms, filters, limit) => {
      const query = { kind, filters, limit };
      return counts.documents(kind) <= fewDocumentsMax
        ? matchFew(query, terms)
        : match(source, query, terms);
    },
    newest: (kind, groups, filters, limit) => newest(sql, { kind, filters, limit }, groups),
    frequencies: counts.frequencies,
  };
}

/**
 * Hits looked at for each that is wanted, when filters reject some; four times as many again as long as less than half
 * of what is wanted has passed. The best are looked at first, so what is missing then are the weakest.
 */
const hitsPerWanted = 4;

/**
 * Every document that matches with its score, and the best of them picked here: FTS5's own ordering takes half as long
 * again, and filters would be joined to every row of it.
 */
function match(source: Source, query: MatchQuery, terms: readonly string[]): readonly LexicalHit[] {
  const expression = matchAny(terms);
  if (expression === null) return [];
  const { index, weights } = indexedByKind[query.kind];
  const hits = source.sql.all<LexicalHit>(
    `SELECT rowid AS id, -bm25(${index}, ${weights}) AS score FROM ${index} WHERE ${index} MATCH ?`,
    expression,
  );
  return query.filters === null
    ? bestOf(hits, query.limit)
    : bestPassing(source, { ...query, filters: query.filters }, hits);
}

function bestPassing(
  source: Source,
  query: MatchQuery & { readonly filters: FindFilters },
  hits: readonly LexicalHit[],
): readonly LexicalHit[] {
  const passed: LexicalHit[] = [];
  let looked = 0;
  for (let wanted = query.limit * hitsPerWanted; ; wanted *= hitsPerWanted) {
    const best = bestOf(hits, wanted);
    const passing = idsPassing(
      source,
      query,
      best.slice(looked).map(({ id }) => id),
    );
    passed.push(...best.slice(looked).filter(({ id }) => passing.has(id)));
    looked = best.length;
    if (passed.length >= query.limit / 2 || looked === hits.length)
      return passed.slice(0, query.limit);
  }
}

function idsPassing(
  { sql, traits }: Source,
  { kind, filters }: { readonly kind: DocumentKind; readonly filters: FindFilters },
  ids: readonly number[],
): ReadonlySet<number> {
  const kept = isNodeKind(kind) ? traits.passing(ids, filters) : null;
  if (kept !== null && !asksForProperties(filters)) return new Set(kept);
  const left = kept ?? ids;
  const { index, join, where } = indexedByKind[kind];
  const conditions = joinWhere(where(filters));
  const passing = sql.column<number>(
    `SELECT hit.value FROM json_each(?) hit CROSS JOIN ${join.replaceAll(`${index}.rowid`, "hit.value")}
      WHERE ${conditions.text}`,
    left,
    ...conditions.params,
  );
  return new Set(passing);
}

const isNodeKind = (kind: DocumentKind): boolean =>
  kind === "memory" || kind === "moment" || kind === "exchange";

/** In order of rowid, which the index keeps: nothing is ranked, and reading ends at the limit. */
function newest(
  sql: Sql,
  query: MatchQuery,
  groups: readonly (readonly string[])[],
): readonly number[] {
  const expression = matchEach(groups);
  if (expression === null) return [];
  const { index, join, where } = indexedByKind[query.kind];
  const conditions = query.filters === null ? null : joinWhere(where(query.filters));
  return sql.column<number>(
    `SELECT ${index}.rowid FROM ${index} ${conditions === null ? "" : `CROSS JOIN ${join}`}
      WHERE ${index} MATCH ? ${conditions === null ? "" : `AND ${conditions.text}`}
      ORDER BY ${index}.rowid DESC LIMIT ?`,
    expression,
    ...(conditions?.params ?? []),
    query.limit,
  );
}

/** As sorting all and cutting: only those are sorted that reach the score of the last one kept. */
function bestOf(hits: readonly LexicalHit[], limit: number): readonly LexicalHit[] {
  if (hits.length <= limit) return ranked(hits);
  const least = Float64Array.from(hits, ({ score }) => score).toSorted()[hits.length - limit] ?? 0;
  return ranked(hits.filter(({ score }) => score >= least)).slice(0, limit);
}

/** Best first; equal scores by id, so that the same store gives the same order. */
const ranked = (hits: readonly LexicalHit[]): readonly LexicalHit[] =>
  hits.toSorted((a, b) => b.score - a.score || a.id - b.id);
