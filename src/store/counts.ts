/**
 * In how many documents a term occurs: what tells a rare word from a common one. Counted by the index itself, so words
 * that stem alike count together, and remembered, since prompts of one project repeat their words.
 */
import type { DocumentKind, LexicalIndex } from "#domain";
import { type IndexWriter, mayContain, pairsOf } from "./indexes.ts";
import { indexedByKind } from "./lexical-kinds.ts";
import { dataVersionOf, type Sql } from "./sql.ts";

/** Counts remembered per kind and scope. */
const rememberedMax = 5_000;
/** Scopes remembered at a time. */
const scopesMax = 64;
/**
 * Below this, counting is cheap and every change is seen at once. Above, counts may be off by one change in a hundred
 * documents: nothing is decided by so little.
 */
const exactDocumentsMax = 2_000;
const staleShare = 0.01;
/**
 * When there are more hits than this, the newest are looked at, and the share of them that lies in
 * the projects stands for all; of more only if none of the first does.
 */
const joinedHitsFirst = 24;
const joinedHitsMax = 200;

interface Remembered {
  readonly documents: number;
  readonly byTerm: Map<string, number>;
  readonly changes: number;
  readonly dataVersion: number;
  readonly absent: Absent;
}

/** Terms that no document has, as of the last look. */
interface Absent {
  readonly terms: Set<string>;
  changes: number;
  undone: number;
}

/** Counts of one connection, remembered as long as they hold. */
export function createCounts(sql: Sql, indexes: IndexWriter) {
  const scopes = new Map<string, Remembered>();

  const remembered = (kind: DocumentKind, projects: readonly string[] | null): Remembered => {
    const key = JSON.stringify([kind, projects]);
    const dataVersion = dataVersionOf(sql);
    const known = scopes.get(key);
    const changes = indexes.changes(indexedByKind[kind].index);
    if (known !== undefined) recheck({ sql, indexes, kind }, known.absent, changes);
    if (known !== undefined && isFresh(known, changes, dataVersion)) return known;
    const byTerm =
      known === undefined || known.dataVersion !== dataVersion
        ? null
        : untouched(known, indexes.initialsSince(indexedByKind[kind].index, known.changes));
    if (scopes.size >= scopesMax) scopes.clear();
    const fresh: Remembered = {
      documents: countDocuments(sql, kind, projects),
      byTerm: byTerm ?? new Map(),
      changes,
      dataVersion,
      absent:
        known?.dataVersion === dataVersion
          ? known.absent
          : { terms: new Set(), changes, undone: sql.undone() },
    };
    scopes.set(key, fresh);
    return fresh;
  };

  const everywhere = (known: Remembered, kind: DocumentKind, term: string): number => {
    const { terms } = known.absent;
    if (known.documents === 0 || terms.has(term)) return 0;
    const hits = lookUp(known.byTerm, term, () => countHits(sql, kind, term));
    if (terms.size >= rememberedMax) terms.clear();
    if (hits === 0) terms.add(term);
    return hits;
  };

  const frequencies: LexicalIndex["frequencies"] = (kind, terms, projects) => {
    const all = remembered(kind, null);
    const scope = projects === null ? all : remembered(kind, projects);
    const byTerm = new Map<string, number>();
    for (const term of terms) {
      const hits = everywhere(all, kind, term);
      byTerm.set(
        term,
        projects === null || hits === 0
          ? hits
          : lookUp(scope.byTerm, term, () => countHitsIn(sql, kind, term, { projects, hits })),
      );
    }
    return { documents: scope.documents, byTerm };
  };
  return {
    /** The number of documents of a kind that are indexed. */
    documents: (kind: DocumentKind): number => remembered(kind, null).documents,
    /** In how many of them a term occurs. */
    hits: (kind: DocumentKind, term: string): number =>
      everywhere(remembered(kind, null), kind, term),
    frequencies,
  };
}

/** A memory that was just made must be found by its only rare word: no change is overlooked here. */
function recheck(
  of: { readonly sql: Sql; readonly indexes: IndexWriter; readonly kind: DocumentKind },
  absent: Absent,
  changes: number,
): void {
  const undone = of.sql.undone();
  if (absent.changes === changes && absent.undone === undone) return;
  const { index } = indexedByKind[of.kind];
  const came = absent.undone === undone ? of.indexes.arrivalsSince(index, absent.changes) : null;
  if (came === null) absent.terms.clear();
  else for (const term of absent.terms) if (mayContain(came, term)) absent.terms.delete(term);
  absent.changes = changes;
  absent.undone = undone;
}

/** Counts that are zero are not kept here, where a change may be overlooked. */
function lookUp(byTerm: Map<string, number>, term: string, count: () => number): number {
  const known = byTerm.get(term);
  if (known !== undefined) return known;
  const found = count();
  if (byTerm.size >= rememberedMax) byTerm.clear();
  if (found > 0) byTerm.set(term, found);
  return found;
}

/** `untouched` gives the counts that still hold after new documents came; null when that cannot be told. */
function untouched(
  { byTerm }: Remembered,
  initials: ReadonlySet<string> | null,
): Map<string, number> | null {
  if (initials === null) return null;
  for (const term of byTerm.keys()) if (mayContain(initials, term)) byTerm.delete(term);
  return byTerm;
}

function isFresh(known: Remembered, changes: number, dataVersion: number): boolean {
  if (known.dataVersion !== dataVersion) return false;
  const since = changes - known.changes;
  return (
    since === 0 || (known.documents > exactDocumentsMax && since <= known.documents * staleShare)
  );
}

function countDocuments(sql: Sql, kind: DocumentKind, projects: readonly string[] | null): number {
  const { index, rows } = indexedByKind[kind];
  // The index keeps one row per document here: by far the smallest table to count.
  if (projects === null) return sql.count(`SELECT count(*) FROM ${index}_docsize`);
  const text = `SELECT count(*) FROM ${rows} AND ${isInProjects(kind)}`;
  return sql.count(text, projects);
}

const countHits = (sql: Sql, kind: DocumentKind, term: string): number => {
  const { index } = indexedByKind[kind];
  const text = `SELECT count(*) FROM ${index} WHERE ${index} MATCH ?`;
  return sql.count(text, matchTerm(term));
};

function countHitsIn(
  sql: Sql,
  kind: DocumentKind,
  term: string,
  { projects, hits }: { readonly projects: readonly string[]; readonly hits: number },
): number {
  const { index, join } = indexedByKind[kind];
  const text = `SELECT count(*)
       FROM (SELECT rowid AS id FROM ${index} WHERE ${index} MATCH ? ORDER BY rowid DESC LIMIT ?) hit
      CROSS JOIN ${join.replaceAll(`${index}.rowid`, "hit.id")} WHERE ${isInProjects(kind)}`;
  for (const looked of [joinedHitsFirst, joinedHitsMax]) {
    const found = sql.count(text, matchTerm(term), looked, projects);
    if (found > 0 || hits <= looked) return Math.round((found * hits) / Math.min(hits, looked));
  }
  return 0;
}

function isInProjects(kind: DocumentKind): string {
  const { project, isGlobalShared } = indexedByKind[kind];
  const listed = `${project} IN (SELECT value FROM json_each(?))`;
  return isGlobalShared ? `(${project} IS NULL OR ${listed})` : listed;
}

// FTS5 expressions from terms. Whatever a person can type is a safe term: each becomes a quoted string, in which only
// the quote itself means anything (https://www.sqlite.org/fts5.html#full_text_query_syntax). Pure.

/** SQLite refuses expressions deeper than 256; retrieval asks for eight terms. */
const termsMax = 64;
/** A term is a word or a short phrase. */
const termCharsMax = 500;

/** `"term" OR "two words"`; null when there is no term. */
export function matchAny(terms: readonly string[]): string | null {
  const expressions = terms.slice(0, termsMax).map(matchTerm);
  return expressions.length === 0 ? null : expressions.join(" OR ");
}

/** A term of each group: `("a") AND ("b" OR "c")`; null when a group has none. */
export function matchEach(groups: readonly (readonly string[])[]): string | null {
  const expressions = groups.map(matchAny);
  if (expressions.length === 0 || expressions.includes(null)) return null;
  return expressions.map((expression) => `(${expression ?? ""})`).join(" AND ");
}

/** One term; text written without spaces also as its pairs, which is how it is indexed. */
export function matchTerm(term: string): string {
  const bounded = term.slice(0, termCharsMax);
  const pairs = pairsOf(bounded);
  return pairs.length === 0
    ? quoted(bounded)
    : `(${quoted(bounded)} OR ${quoted(pairs.join(" "))})`;
}

/** A phrase as it is. NUL would end the expression for SQLite, and half a surrogate pair is no character. */
const quoted = (text: string): string =>
  `"${text.replaceAll("\0", " ").toWellFormed().replaceAll('"', '""')}"`;
