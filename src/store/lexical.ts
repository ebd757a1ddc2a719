/** Candidates by words, from the full-text indexes. Filters are applied in SQL, ranking by BM25 with weights per field. */
import type { LexicalIndex } from "#domain";
import { createFrequencies } from "./frequencies.ts";
import type { IndexWriter } from "./indexes.ts";
import { indexedByKind } from "./lexical-kinds.ts";
import { matchAny } from "./match-expression.ts";
import { joinWhere } from "./node-filter.ts";
import type { Sql } from "./sql.ts";

/** The LexicalIndex port. */
export const createLexical = (sql: Sql, indexes: IndexWriter): LexicalIndex => ({
  match: (kind, terms, filters, limit) => {
    const expression = matchAny(terms);
    if (expression === null) return [];
    const { index, join, weights, where } = indexedByKind[kind];
    const conditions = joinWhere(where(filters));
    return sql
      .all<{ readonly id: number; readonly score: number }>(
        // CROSS JOIN keeps the index outermost: it delivers in order of rank, so rows are looked up only until the limit.
        `SELECT ${index}.rowid AS id, -${index}.rank AS score FROM ${index} CROSS JOIN ${join}
          WHERE ${index} MATCH ? AND ${index}.rank MATCH 'bm25(${weights})' AND ${conditions.text}
          ORDER BY ${index}.rank LIMIT ?`,
        expression,
        ...conditions.params,
        limit,
      )
      .toSorted((a, b) => b.score - a.score || a.id - b.id);
  },
  frequencies: createFrequencies(sql, indexes),
});
