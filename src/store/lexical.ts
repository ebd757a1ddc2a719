/** Candidates by words, from the full-text indexes. Filters are applied in SQL, ranking by BM25 with weights per field. */
import type { DocumentKind, FindFilters, LexicalHit, LexicalIndex } from "#domain";
import { createCounts } from "./counts.ts";
import type { IndexWriter } from "./indexes.ts";
import { indexedByKind } from "./lexical-kinds.ts";
import { matchAny, matchEach } from "./match-expression.ts";
import { joinWhere } from "./node-filter.ts";
import type { Sql } from "./sql.ts";

/** Up to this many documents, a term's weight is kept above the floor (see `matchFew`). */
const fewDocumentsMax = 64;
/** What a term in half of all documents or more still weighs. */
const termWeightMin = 0.1;
/** FTS5's own floor (fts5_aux.c). */
const fts5WeightMin = 1e-6;

interface MatchQuery {
  readonly kind: DocumentKind;
  readonly filters: FindFilters | null;
  readonly limit: number;
}

/** The LexicalIndex port. */
export function createLexical(sql: Sql, indexes: IndexWriter): LexicalIndex {
  const counts = createCounts(sql, indexes);

  /**
   * In a young store every word is in most documents, and FTS5 gives such words no weight at all: of two memories neither
   * would be a hit. So while there are few documents each term is asked for alone, and weighed with a floor.
   */
  const matchFew = (query: MatchQuery, terms: readonly string[]): readonly LexicalHit[] => {
    const documents = counts.documents(query.kind);
    const scores = new Map<number, number>();
    for (const term of new Set(terms)) {
      const hits = counts.hits(query.kind, term);
      if (hits === 0) continue;
      const weight = Math.log((documents - hits + 0.5) / (hits + 0.5));
      const factor = Math.max(termWeightMin, weight) / (weight > 0 ? weight : fts5WeightMin);
      for (const hit of match(sql, { ...query, limit: fewDocumentsMax }, [term]))
        scores.set(hit.id, (scores.get(hit.id) ?? 0) + hit.score * factor);
    }
    return ranked([...scores].map(([id, score]) => ({ id, score }))).slice(0, query.limit);
  };

  return {
    match: (kind, terms, filters, limit) => {
      const query = { kind, filters, limit };
      return counts.documents(kind) <= fewDocumentsMax
        ? matchFew(query, terms)
        : match(sql, query, terms);
    },
    newest: (kind, groups, filters, limit) => newest(sql, { kind, filters, limit }, groups),
    frequencies: counts.frequencies,
  };
}

function match(sql: Sql, query: MatchQuery, terms: readonly string[]): readonly LexicalHit[] {
  const expression = matchAny(terms);
  if (expression === null) return [];
  return query.filters === null
    ? matchAll(sql, query, expression)
    : matchSome(sql, { ...query, filters: query.filters }, expression);
}

/**
 * Every document that matches with its score, and the best of them picked here: FTS5's own ordering takes half as long
 * again, and without filters there is nothing to join.
 */
function matchAll(sql: Sql, query: MatchQuery, expression: string): readonly LexicalHit[] {
  const { index, weights } = indexedByKind[query.kind];
  const hits = sql.all<LexicalHit>(
    `SELECT rowid AS id, -bm25(${index}, ${weights}) AS score FROM ${index} WHERE ${index} MATCH ?`,
    expression,
  );
  return bestOf(hits, query.limit);
}

function matchSome(
  sql: Sql,
  query: MatchQuery & { readonly filters: FindFilters },
  expression: string,
): readonly LexicalHit[] {
  const { index, join, weights, where } = indexedByKind[query.kind];
  const conditions = joinWhere(where(query.filters));
  return ranked(
    sql.all<LexicalHit>(
      // CROSS JOIN keeps the index outermost: it delivers in order of rank, so rows are looked up only until the limit.
      `SELECT ${index}.rowid AS id, -${index}.rank AS score FROM ${index} CROSS JOIN ${join}
        WHERE ${index} MATCH ? AND ${index}.rank MATCH 'bm25(${weights})' AND ${conditions.text}
        ORDER BY ${index}.rank LIMIT ?`,
      expression,
      ...conditions.params,
      query.limit,
    ),
  );
}

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
  const rows = sql.all<{ readonly id: number }>(
    `SELECT ${index}.rowid AS id FROM ${index} ${conditions === null ? "" : `CROSS JOIN ${join}`}
      WHERE ${index} MATCH ? ${conditions === null ? "" : `AND ${conditions.text}`}
      ORDER BY ${index}.rowid DESC LIMIT ?`,
    expression,
    ...(conditions?.params ?? []),
    query.limit,
  );
  return rows.map(({ id }) => id);
}

/** As sorting all and cutting; of many, only those are sorted that reach the score of the last one kept. */
function bestOf(hits: readonly LexicalHit[], limit: number): readonly LexicalHit[] {
  if (hits.length <= limit) return ranked(hits);
  const scores = Float64Array.from(hits, ({ score }) => score).sort();
  const least = scores[scores.length - limit] ?? 0;
  return ranked(hits.filter(({ score }) => score >= least)).slice(0, limit);
}

/** Best first; equal scores by id, so that the same store gives the same order. */
const ranked = (hits: readonly LexicalHit[]): readonly LexicalHit[] =>
  hits.toSorted((a, b) => b.score - a.score || a.id - b.id);
