/**
 * Lists that were looked at lately: whoever comes back to one sees it at once, while it is asked for anew. Only as
 * long as nothing has changed since, so that what was deleted never comes back into sight.
 */
import type { Rows } from "./paged.ts";

/** Of one view: filters that somebody goes back and forth between. */
const listsMax = 4;

interface Kept<Row> {
  readonly rows: Rows<Row>;
  readonly stamp: string;
}

export interface KeptRows<Row> {
  /** The list of this key as it was left, or a new one. */
  readonly of: (key: string, make: () => Rows<Row>) => Rows<Row>;
}

/** `stampNow` gives another text when what was shown may be out of date. */
export function createKeptRows<Row>(stampNow: () => string): KeptRows<Row> {
  const lists = new Map<string, Kept<Row>>();
  return {
    of: (key, make) => {
      const known = lists.get(key);
      const stamp = stampNow();
      const kept = known?.stamp === stamp ? known : { rows: make(), stamp };
      lists.delete(key);
      lists.set(key, kept);
      for (const oldest of lists.keys()) if (lists.size > listsMax) lists.delete(oldest);
      return kept.rows;
    },
  };
}
