/**
 * What was counted of the nodes, kept until one of them changes. Pages that show figures ask every few seconds, and a
 * count over a hundred thousand memories takes milliseconds in which hooks wait. Knows no table but that of the nodes.
 */
import type { Sql } from "./sql.ts";

/** The value under a key, computed when it is asked for first after a change. Keys name what is computed. */
export type Memo = <Value extends object | number>(key: string, compute: () => Value) => Value;

/** Different questions kept at a time. */
const keptMax = 200;

/** The same connection, and a memory that is emptied by its writes to the nodes, and by those of other processes. */
export function watchNodes(sql: Sql): { readonly sql: Sql; readonly memo: Memo } {
  let changes = 0;
  /** Work that failed may have computed from rows that are gone again. */
  const undoing = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      changes += 1;
      throw error;
    }
  };
  const watched: Sql = {
    ...sql,
    run: (text, ...params) => {
      if (text.includes("mem_nodes")) changes += 1;
      return sql.run(text, ...params);
    },
    script: (text) => {
      changes += 1;
      sql.script(text);
    },
    transaction: (work) => undoing(() => sql.transaction(work)),
    repeatable: (work) => undoing(() => sql.repeatable(work)),
    atomically: (work) => undoing(() => sql.atomically(work)),
  };
  return { sql: watched, memo: createMemo(sql, () => changes) };
}

function createMemo(sql: Sql, ownChanges: () => number): Memo {
  const kept = new Map<string, unknown>();
  let seen = "";
  return <Value extends object | number>(key: string, compute: () => Value): Value => {
    const others = sql.get<{ readonly data_version: number }>("PRAGMA data_version");
    const stamp = `${ownChanges()} ${others?.data_version ?? 0}`;
    if (stamp !== seen || kept.size >= keptMax) kept.clear();
    seen = stamp;
    const known = kept.get(key);
    // A key always means the same computation, and so the same type.
    if (known !== undefined) return known as Value;
    const value = compute();
    kept.set(key, value);
    return value;
  };
}
