/** The documents that hold a token, with its weighted occurrences in each: those of tokens asked for lately. */
import type { IndexChange } from "./indexes.ts";
import type { Sql } from "./sql.ts";

/** Documents by ascending id. */
export interface Posting {
  readonly ids: Uint32Array;
  readonly weights: Float64Array;
}

export interface WordPostings {
  readonly of: (token: string) => Posting;
  readonly forget: (changes: readonly IndexChange[] | "all") => void;
}

/** Kept for one index; of twelve bytes each. */
const postingsMax = 60_000;
/** Tokens kept: what a map of many small lists takes counts as well. */
const tokensMax = 1_500;
/** Stemming may leave so few letters that its first two are not those of the word (see `indexes.ts`). */
const stemMin = 3;

export function createWordPostings(
  sql: Sql,
  index: string,
  weights: readonly number[],
): WordPostings {
  const table = `temp.${index}_words`;
  sql.script(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5vocab(main, ${index}, instance)`,
  );
  const columns = sql
    .all<{ readonly name: string }>("SELECT name FROM pragma_table_info(?) ORDER BY cid", index)
    .map(({ name }, at) => [name, weights[at] ?? 1] as const);
  const weightOf = new Map(columns);
  const kept = new Map<string, Posting>();
  let size = 0;
  const drop = (token: string): void => {
    size -= kept.get(token)?.ids.length ?? 0;
    kept.delete(token);
  };
  const read = (token: string): Posting =>
    toPosting(sql.all<Instance>(`SELECT doc, col FROM ${table} WHERE term = ?`, token), weightOf);
  return {
    of: (token) => {
      const posting = kept.get(token) ?? read(token);
      // What was asked for longest ago goes first.
      drop(token);
      kept.set(token, posting);
      size += posting.ids.length;
      for (const [oldest] of kept) {
        if (size <= postingsMax && kept.size <= tokensMax) break;
        drop(oldest);
      }
      return posting;
    },
    forget: (changes) => {
      for (const [token, { ids }] of kept)
        if (changes === "all" || changes.some((change) => mayTouch(change, token, ids)))
          drop(token);
    },
  };
}

interface Instance {
  readonly doc: number;
  readonly col: string;
}

/** Rows are in the order of documents, and of columns in each: that is the order in which FTS5 adds up. */
function toPosting(rows: readonly Instance[], weightOf: ReadonlyMap<string, number>): Posting {
  const ids = new Uint32Array(rows.length);
  const weights = new Float64Array(rows.length);
  let last = -1;
  for (const { doc, col } of rows) {
    if (last < 0 || ids[last] !== doc) last += 1;
    ids[last] = doc;
    weights[last] = (weights[last] ?? 0) + (weightOf.get(col) ?? 0);
  }
  return { ids: ids.slice(0, last + 1), weights: weights.slice(0, last + 1) };
}

/** Was the document in the list, or can it be now? */
function mayTouch({ id, initials }: IndexChange, token: string, ids: Uint32Array): boolean {
  if (initials === "none") return holds(ids, id);
  if (initials === "unknown" || token.length < stemMin) return true;
  return initials.has(token.slice(0, 2));
}

function holds(ids: Uint32Array, id: number): boolean {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id;
}
