/** How many tokens each document of a full-text index has, kept in memory once looked up: four bytes each. */
import type { Sql } from "./sql.ts";

export interface Lengths {
  /** Reads those that are not known, and one page as a whole, so that all are read before long. */
  readonly learn: (ids: ArrayLike<number>) => void;
  /** Of a document that was learnt. */
  readonly of: (id: number) => number;
  readonly forget: (ids: readonly number[] | "all") => void;
}

/** Ids that share a page. */
const pageIds = 1_024;

interface Row {
  readonly id: number;
  readonly sz: Uint8Array;
}

export function createLengths(sql: Sql, index: string): Lengths {
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
export function varints(bytes: Uint8Array): readonly number[] {
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
