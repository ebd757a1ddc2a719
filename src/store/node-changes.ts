/**
 * Tells what is kept of the nodes in memory that they changed: triggers of this connection note each write, whatever
 * made it, and `PRAGMA data_version` shows those of other processes.
 */
import { dataVersionOf, type Sql } from "./sql.ts";

/** The value under a key, computed when it is asked for first after a change. Keys name what is computed. */
export type Memo = <Value extends object | number>(key: string, compute: () => Value) => Value;

export interface NodeChanges {
  /**
   * Keeps counts and pages until a node changes. Pages that show figures ask every few seconds, and a count over a
   * hundred thousand memories takes milliseconds in which hooks wait.
   */
  readonly memo: Memo;
  /** Ids of nodes whose kind, status, project, place or end changed since this was asked before. */
  readonly touched: () => readonly number[] | "all";
}

const script = `
  CREATE TEMP TABLE IF NOT EXISTS touched_nodes (id INTEGER PRIMARY KEY);
  CREATE TEMP TABLE IF NOT EXISTS node_writes (count INTEGER NOT NULL);
  INSERT INTO node_writes VALUES (0);
  CREATE TEMP TRIGGER IF NOT EXISTS written_new AFTER INSERT ON main.mem_nodes
    BEGIN UPDATE node_writes SET count = count + 1; INSERT OR IGNORE INTO touched_nodes VALUES (new.id); END;
  CREATE TEMP TRIGGER IF NOT EXISTS written_changed AFTER UPDATE ON main.mem_nodes
    BEGIN UPDATE node_writes SET count = count + 1; END;
  CREATE TEMP TRIGGER IF NOT EXISTS touched_changed
    AFTER UPDATE OF uri, node_type, category, project, status, expires_at ON main.mem_nodes
    BEGIN INSERT OR IGNORE INTO touched_nodes VALUES (new.id); END;
  CREATE TEMP TRIGGER IF NOT EXISTS written_gone AFTER DELETE ON main.mem_nodes
    BEGIN UPDATE node_writes SET count = count + 1; INSERT OR IGNORE INTO touched_nodes VALUES (old.id); END;`;

/** A connection that only reads needs no triggers. */
export function watchNodes(sql: Sql): NodeChanges {
  if (!sql.isReadonly) sql.script(script);
  return { memo: createMemo(sql), touched: createTouched(sql) };
}

/** Different questions kept at a time. */
const keptMax = 200;

function createMemo(sql: Sql): Memo {
  const kept = new Map<string, unknown>();
  let seen = "";
  return <Value extends object | number>(key: string, compute: () => Value): Value => {
    const writes = sql.isReadonly ? 0 : sql.count("SELECT count FROM node_writes");
    // Work that failed may have computed from rows that are gone again.
    const stamp = `${writes} ${sql.undone()} ${dataVersionOf(sql)}`;
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

/** More changes than this at once, and everything is read anew. */
const touchedMax = 2_000;

function createTouched(sql: Sql): NodeChanges["touched"] {
  let dataVersion = 0;
  let undone = sql.undone();
  /** Noted by a transaction that is still open: if it is undone, so is the note. */
  let uncommitted: readonly number[] = [];
  return () => {
    const now = dataVersionOf(sql);
    const isOther = now !== dataVersion;
    dataVersion = now;
    const before = sql.undone() === undone ? [] : uncommitted;
    undone = sql.undone();
    const touched = sql.column<number>("SELECT id FROM touched_nodes");
    if (touched.length > 0) sql.run("DELETE FROM touched_nodes");
    uncommitted = sql.isInTransaction() ? [...uncommitted, ...touched] : [];
    const isMuch = touched.length > touchedMax || uncommitted.length > touchedMax;
    return isOther || isMuch ? "all" : [...before, ...touched];
  };
}
