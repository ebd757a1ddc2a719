/**
 * BM25 over words that were asked for lately: in which documents each stands and what it weighs there, and how long the
 * documents are. FTS5 looks both up anew for every question, lengths one by one, which is most of its ranking. The
 * formula and the order of its steps are those of fts5_aux.c, so that scores are the same to the bit.
 *
 * What is kept always holds: documents that this connection writes are forgotten by their ids and by the beginnings of
 * their words, everything when another process wrote. Inside a transaction FTS5 itself is asked.
 */
import type { IndexChange, IndexWriter } from "./indexes.ts";
import type { Indexed } from "./lexical-kinds.ts";
import { phrasesOf, quoted } from "./counts.ts";
import { createWordPostings, type Posting, type WordPostings } from "./word-postings.ts";
import { isStemmable, stemOf } from "./porter.ts";
import type { Sql } from "./sql.ts";

/** Documents by ascending id, each with its score. */
export interface Scored {
  readonly ids: ArrayLike<number>;
  readonly scores: Float64Array;
}

export interface Postings {
  /** Every document with any of the terms; null where FTS5 is to be asked. */
  readonly match: (of: Indexed, terms: readonly string[]) => Scored | null;
}

/** More changes than these, and all is read anew. */
const changesMax = 256;

/** What is kept of one index. */
interface Kept {
  readonly index: string;
  readonly weights: string;
  readonly words: WordPostings;
  readonly lengths: Lengths;
  /** Since the last question. */
  changes: IndexChange[];
  totals: Totals | null;
}

/** Of all documents of an index. */
interface Totals {
  readonly documents: number;
  readonly tokens: number;
}

/** A connection that only reads answers one question or two: what it would keep, it would read for nothing. */
export function createPostings(sql: Sql, indexes: IndexWriter): Postings {
  if (sql.isReadonly) return { match: () => null };
  const all = new Map<string, Kept>();
  let seen = versionOf(sql);
  indexes.watch((change) => {
    const changes = all.get(change.index)?.changes;
    if (changes !== undefined && changes.length <= changesMax) changes.push(change);
  });
  const keptOf = ({ index, weights }: Indexed): Kept => {
    const known = all.get(index);
    if (known !== undefined) return known;
    const kept: Kept = {
      index,
      weights,
      words: createWordPostings(sql, index, weights.split(",").map(Number)),
      lengths: createLengths(sql, index),
      changes: [],
      totals: null,
    };
    all.set(index, kept);
    return kept;
  };
  return {
    match: (of, terms) => {
      if (sql.isInTransaction()) return null;
      const version = versionOf(sql);
      if (version !== seen) all.clear();
      seen = version;
      const kept = keptOf(of);
      settle(kept);
      const scored = score(sql, kept, phrasesIn(terms));
      // Another process wrote while this was read in parts.
      return versionOf(sql) === seen ? scored : null;
    },
  };
}

const versionOf = (sql: Sql): number =>
  sql.get<{ readonly data_version: number }>("PRAGMA data_version")?.data_version ?? 0;

/** Forgets what changed since the last question. */
function settle(kept: Kept): void {
  const { changes, words, lengths } = kept;
  if (changes.length === 0) return;
  kept.changes = [];
  kept.totals = null;
  const ids = changes.map(({ id }) => id);
  lengths.forget(changes.length > changesMax ? "all" : ids);
  words.forget(changes.length > changesMax ? "all" : changes);
}

/** A phrase of the question: one token of the index, or what only FTS5 can look for. */
type Phrase = { readonly token: string } | { readonly expression: string };

const phrasesIn = (terms: readonly string[]): readonly Phrase[] =>
  phrasesOf(terms).map((phrase) =>
    isStemmable(phrase) ? { token: stemOf(phrase) } : { expression: quoted(phrase) },
  );

/** In how many documents a phrase weighs what. */
interface Weighed {
  readonly ids: ArrayLike<number>;
  /** Weighted occurrences; for a phrase that FTS5 ranked, what it adds to the score. */
  readonly values: Float64Array;
  readonly idf: number | null;
}

function score(sql: Sql, kept: Kept, phrases: readonly Phrase[]): Scored | null {
  kept.totals ??= totalsOf(sql, kept.index);
  const { documents, tokens } = kept.totals;
  const lists = phrases.map((phrase) =>
    "token" in phrase
      ? weighed(kept.words.of(phrase.token), documents)
      : ranked(sql, kept, phrase.expression),
  );
  for (const { ids, idf } of lists) if (idf !== null) kept.lengths.learn(ids);
  return sumOf(lists, kept.lengths, tokens / documents);
}

/** What FTS5 gives a term that is in half of all documents or more. */
const idfMin = 1e-6;

function weighed({ ids, weights }: Posting, documents: number): Weighed {
  const hits = ids.length;
  const idf = Math.log((documents - hits + 0.5) / (hits + 0.5));
  return { ids, values: weights, idf: idf <= 0 ? idfMin : idf };
}

function ranked(sql: Sql, { index, weights }: Kept, expression: string): Weighed {
  const hits = sql.all<{ readonly id: number; readonly score: number }>(
    `SELECT rowid AS id, -bm25(${index}, ${weights}) AS score FROM ${index} WHERE ${index} MATCH ?`,
    expression,
  );
  const values = Float64Array.from(hits, (hit) => hit.score);
  return { ids: hits.map(({ id }) => id), values, idf: null };
}

const k1 = 1.2;
const b = 0.75;

/** Goes through all lists at once, by id; what a document gets is added in the order of the phrases. */
function sumOf(lists: readonly Weighed[], lengths: Lengths, average: number): Scored {
  const most = lists.reduce((sum, { ids }) => sum + ids.length, 0);
  const ids = new Float64Array(most);
  const scores = new Float64Array(most);
  const at = new Uint32Array(lists.length);
  const nextOf = (list: number): number => lists[list]?.ids[at[list] ?? 0] ?? Infinity;
  const next = Float64Array.from(lists, (_, list) => nextOf(list));
  let count = 0;
  for (;;) {
    let id = Infinity;
    for (let list = 0; list < next.length; list += 1) id = Math.min(id, next[list] ?? Infinity);
    if (id === Infinity) break;
    const length = lengths.of(id);
    let total = 0;
    for (let list = 0; list < next.length; list += 1) {
      const one = lists[list];
      if (next[list] !== id || one === undefined) continue;
      const value = one.values[at[list] ?? 0] ?? 0;
      total +=
        one.idf === null
          ? value
          : one.idf * ((value * (k1 + 1)) / (value + k1 * (1 - b + (b * length) / average)));
      at[list] = (at[list] ?? 0) + 1;
      next[list] = nextOf(list);
    }
    ids[count] = id;
    scores[count] = total;
    count += 1;
  }
  return { ids: ids.subarray(0, count), scores: scores.subarray(0, count) };
}

/** The first record of an index: how many documents it has, and of each column how many tokens. */
function totalsOf(sql: Sql, index: string): Totals {
  const row = sql.get<{ readonly block: Uint8Array }>(
    `SELECT block FROM ${index}_data WHERE id = 1`,
  );
  const [documents = 0, ...columns] = varints(row?.block ?? new Uint8Array());
  return { documents, tokens: columns.reduce((sum, tokens) => sum + tokens, 0) };
}

// Lengths of the documents of a full-text index in tokens, kept in memory once looked up: four bytes each.

interface Lengths {
  /** Reads those that are not known, and one page as a whole, so that all are read before long. */
  readonly learn: (ids: ArrayLike<number>) => void;
  /** Length of a document that was learnt. */
  readonly of: (id: number) => number;
  readonly forget: (ids: readonly number[] | "all") => void;
}

/** Ids that share a page. */
const pageIds = 1_024;

interface Row {
  readonly id: number;
  readonly sz: Uint8Array;
}

function createLengths(sql: Sql, index: string): Lengths {
  /** Entries hold the length + 1, so that a fresh page says "unknown" everywhere. */
  const pages = new Map<number, Uint32Array>();
  const read = new Set<number>();
  const pageOf = (id: number): number => Math.floor(id / pageIds);
  const entry = (id: number): number => pages.get(pageOf(id))?.[id % pageIds] ?? 0;
  const set = (id: number, value: number): void => {
    const page = pages.get(pageOf(id)) ?? new Uint32Array(pageIds);
    page[id % pageIds] = value;
    pages.set(pageOf(id), page);
  };
  const put = (rows: readonly Row[]): void => {
    for (const { id, sz } of rows)
      set(
        id,
        varints(sz).reduce((sum, tokens) => sum + tokens, 1),
      );
  };
  const learnPage = (page: number): void => {
    const first = page * pageIds;
    const text = `SELECT id, sz FROM ${index}_docsize WHERE id >= ? AND id < ?`;
    put(sql.all<Row>(text, first, first + pageIds));
    read.add(page);
  };
  const unknown = (ids: ArrayLike<number>): readonly number[] => {
    const found: number[] = [];
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] ?? 0;
      if (entry(id) === 0) found.push(id);
    }
    return found;
  };
  return {
    learn: (ids) => {
      const missing = unknown(ids);
      const whole = missing.find((id) => !read.has(pageOf(id)));
      if (whole !== undefined) learnPage(pageOf(whole));
      const left = whole === undefined ? missing : unknown(missing);
      if (left.length === 0) return;
      const text = `SELECT d.id, d.sz FROM json_each(?) j CROSS JOIN ${index}_docsize d ON d.id = j.value`;
      put(sql.all<Row>(text, JSON.stringify(left)));
    },
    of: (id) => entry(id) - 1,
    forget: (ids) => {
      if (ids !== "all") return ids.forEach((id) => set(id, 0));
      pages.clear();
      read.clear();
    },
  };
}

/** Numbers as SQLite packs them: seven bits a byte, the highest first (none here takes nine bytes). */
function varints(bytes: Uint8Array): readonly number[] {
  const found: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte >= 128) continue;
    found.push(value);
    value = 0;
  }
  return found;
}
