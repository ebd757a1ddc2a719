/**
 * Forgetting for good: nodes with everything that hangs on them, the records that repeat them, and a salted fingerprint so
 * that they are not learnt again. Undo is not wanted here; `retract` is the one that can be undone.
 */
import { categoryRules, type NodeStore } from "#domain";
import { sha256, type Random } from "#kit";
import { metaOf, saveMeta } from "./admin.ts";
import { parentOf } from "./directories.ts";
import { forgetRecords } from "./forget-records.ts";
import type { IndexWriter } from "./indexes.ts";
import { createNeedles, normalise, type Needles } from "./needles.ts";
import { nodeColumns, nodeFromRow, type NodeRow } from "./node-rows.ts";
import type { Sql } from "./sql.ts";

type Forgetting = Pick<NodeStore, "forget" | "isForgotten" | "unforget">;

const saltName = "forgotten.salt";
/** Archive leaves read at a time: each may hold 40,000 characters. */
const pageRows = 200;

/** The forgetting half of the node store. */
export const createForget = (sql: Sql, indexes: IndexWriter, random: Random): Forgetting => ({
  forget: (ids, texts, atMs) =>
    sql.atomically(() => {
      const nodes = sql
        .all<NodeRow>(
          `SELECT ${nodeColumns} FROM mem_nodes n
            WHERE n.id IN (SELECT value FROM json_each(?)) AND n.node_type = 'leaf'`,
          JSON.stringify(ids),
        )
        .map(nodeFromRow);
      const quotes = nodes.flatMap(({ evidence }) =>
        evidence.map(({ sessionId, quote }) => ({ sessionId, text: quote })),
      );
      const needles = createNeedles([...texts, ...nodes.map(({ l0 }) => l0)], quotes);
      const gone = [...nodes, ...archiveLeaves(sql, needles)];
      for (const node of gone) removeNode(sql, indexes, node);
      forgetRecords(
        { sql, indexes, needles },
        gone.map(({ uri }) => uri),
      );
      const salt = saltOf(sql) ?? random.hex(32);
      saveMeta(sql, saltName, salt);
      for (const text of [...texts, ...gone.map(({ l0 }) => l0), ...quotes.map(({ text }) => text)])
        keepFingerprint(sql, fingerprint(salt, text), atMs);
    }),
  isForgotten: (text) => {
    const salt = saltOf(sql);
    if (salt === null) return false;
    const mark = fingerprint(salt, text);
    return mark !== null && sql.get("SELECT 1 FROM forgotten WHERE fingerprint = ?", mark) !== null;
  },
  unforget: (text) => {
    const salt = saltOf(sql);
    const mark = salt === null ? null : fingerprint(salt, text);
    if (mark !== null) sql.run("DELETE FROM forgotten WHERE fingerprint = ?", mark);
  },
});

const saltOf = (sql: Sql): string | null => metaOf(sql, saltName);

/** Null for a text without a letter or digit, which would stand for every other such text. */
function fingerprint(salt: string, text: string): string | null {
  const plain = normalise(text);
  return plain === "" ? null : sha256(`${salt}:${plain}`, 64);
}

const keepFingerprint = (sql: Sql, mark: string | null, atMs: number): void => {
  if (mark !== null)
    sql.run(
      "INSERT INTO forgotten (fingerprint, at_ms) VALUES (?, ?) ON CONFLICT DO NOTHING",
      mark,
      atMs,
    );
};

interface Leaf {
  readonly id: number;
  readonly uri: string;
  readonly l0: string;
}

/** Moments and narratives that repeat a forgotten text: they are records of a session, not memories of their own. */
function archiveLeaves(sql: Sql, needles: Needles): readonly Leaf[] {
  const found: Leaf[] = [];
  for (let lastId = 0; ;) {
    const rows = sql.all<NodeRow>(
      `SELECT ${nodeColumns} FROM mem_nodes n
        WHERE n.id > ? AND n.category = 'sessions' AND n.node_type = 'leaf' ORDER BY n.id LIMIT ${pageRows}`,
      lastId,
    );
    for (const row of rows) {
      const texts = [row.l0_abstract, row.l1_overview, row.l2_content, row.evidence];
      const session = row.source_session;
      const isRepeated = texts.some((text) =>
        session === null ? needles.isIn(text) : needles.isInSession(session, text),
      );
      if (isRepeated) found.push({ id: row.id, uri: row.uri, l0: row.l0_abstract });
    }
    const last = rows.at(-1);
    if (last === undefined) return found;
    lastId = last.id;
  }
}

/** Links, vectors and guards go with the row. Directories that this leaves empty go too: their names are words as well. */
function removeNode(sql: Sql, indexes: IndexWriter, { id, uri }: Leaf): void {
  indexes.dropNode(id);
  sql.run("DELETE FROM mem_revisions WHERE node_id = ?", id);
  sql.run("DELETE FROM exposures WHERE node_id = ?", id);
  sql.run("UPDATE mem_nodes SET parent_uri = ? WHERE parent_uri = ?", parentOf(uri), uri);
  sql.run("DELETE FROM mem_nodes WHERE id = ?", id);
  for (let above = parentOf(uri); above !== null && !isLasting(above); above = parentOf(above)) {
    const { changes } = sql.run(
      `DELETE FROM mem_nodes WHERE uri = ?1 AND node_type = 'dir'
          AND NOT EXISTS (SELECT 1 FROM mem_nodes WHERE parent_uri = ?1)`,
      above,
    );
    if (changes === 0) return;
  }
}

/** The roots of the tree stay, empty or not. */
const isLasting = (uri: string): boolean =>
  Object.values(categoryRules).some(({ root }) => root === uri || root.startsWith(`${uri}/`)) ||
  parentOf(uri) === null;
