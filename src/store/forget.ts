/**
 * Forgetting for good: nodes with everything that hangs on them, the records that repeat them, and a salted fingerprint
 * so that they are not learnt again. Undo is not wanted here; `retract` is the one that can be undone.
 */
import type { NodeStore } from "#domain";
import type { Random } from "#kit";
import { noteForget } from "./activity.ts";
import { dropEmptyAbove, parentOf } from "./directories.ts";
import {
  createForgottenTextMatcher,
  dropFingerprints,
  forgottenAt,
  type ForgottenTexts,
  keepFingerprints,
  saltsOf,
} from "./forgotten-texts.ts";
import { forgetRecords, type Gone, withdrawRecords } from "./forget-records.ts";
import type { IndexWriter } from "./indexes.ts";
import { memories } from "./node-rows.ts";
import { dropNotes } from "./meta.ts";
import type { Sql } from "./sql.ts";
import { forgetSubjects } from "./sync-tables.ts";

/** Archive leaves read at a time: each may hold 40,000 characters. */
const pageRows = 200;

export const createForget = (sql: Sql, indexes: IndexWriter, random: Random) =>
  ({
    forget: (nodeIds, texts, atMs, words = []) =>
      sql.atomically(() => {
        const nodes = leavesAt(sql, nodeIds);
        const quotes = nodes.flatMap(({ evidence }) =>
          evidence.map(({ sessionId, quote }) => ({ sessionId, text: quote })),
        );
        const forgotten = createForgottenTextMatcher(
          [...texts, ...nodes.map(({ l0 }) => l0)],
          quotes,
          words,
        );
        const byWord = createForgottenTextMatcher([], [], words);
        const gone = uniqueById([...nodes, ...leavesTelling(sql, { forgotten, byWord })]);
        const records = removeNodes(sql, indexes, gone);
        const redacted = forgetRecords({ sql, indexes, forgotten }, records);
        noteGone(sql, records, atMs);
        keepFingerprints(sql, random, {
          texts: [...texts, ...gone.map(({ l0 }) => l0), ...quotes.map(({ text }) => text)],
          atMs,
        });
        return { redacted };
      }),
    withdraw: (nodeIds, atMs) =>
      sql.atomically(() => {
        const records = removeNodes(sql, indexes, leavesAt(sql, nodeIds));
        const forgotten = createForgottenTextMatcher([], [], []);
        withdrawRecords({ sql, indexes, forgotten }, records);
        // To other devices too, the negative time tells that what else says the same stays.
        noteGone(sql, records, -atMs);
      }),
    refuse: (texts, atMs) => sql.atomically(() => keepFingerprints(sql, random, { texts, atMs })),
    isSaid: (word) =>
      sql.get(
        `SELECT 1 FROM turns WHERE answer LIKE ?1
        UNION ALL SELECT 1 FROM tool_uses WHERE target LIKE ?1 OR text LIKE ?1 OR files LIKE ?1
        UNION ALL SELECT 1 FROM tool_guards WHERE words LIKE ?1
        UNION ALL SELECT 1 FROM sessions WHERE compact_summary LIKE ?1
        UNION ALL SELECT 1 FROM checkpoints WHERE fields LIKE ?1
        UNION ALL SELECT 1 FROM mem_revisions WHERE l0_abstract LIKE ?1
        UNION ALL SELECT 1 FROM injections WHERE text LIKE ?1 LIMIT 1`,
        `%${word}%`,
      ) !== null,
    hasForgotten: () => saltsOf(sql).length > 0,
    wasForgottenSince: (atMs) =>
      sql.get("SELECT 1 FROM forgotten WHERE at_ms >= ? LIMIT 1", atMs) !== null,
    forgottenAt: (text) => forgottenAt(sql, text),
    isForgotten: (text) => forgottenAt(sql, text) !== null,
    unforget: (text) => dropFingerprints(sql, text),
  }) satisfies Partial<NodeStore>;

interface Leaf {
  readonly id: number;
  readonly uri: string;
  readonly l0: string;
}

const leavesAt = (sql: Sql, ids: readonly number[]) =>
  memories.all(sql, "WHERE n.id IN (SELECT value FROM json_each(?)) AND n.node_type = 'leaf'", ids);

const uniqueById = (leaves: readonly Leaf[]): readonly Leaf[] => [
  ...new Map(leaves.map((leaf) => [leaf.id, leaf])).values(),
];

/**
 * Leaves of the archive that repeat a forgotten text, and memories that do not hold (a proposal, a replaced one): they
 * are records, not memories of their own. Of memories that hold, those with a forgotten word.
 */
function leavesTelling(
  sql: Sql,
  { forgotten, byWord }: { readonly forgotten: ForgottenTexts; readonly byWord: ForgottenTexts },
): readonly Leaf[] {
  const found: Leaf[] = [];
  for (let lastId = 0; ;) {
    const leaves = memories.all(
      sql,
      `WHERE n.id > ? AND n.node_type = 'leaf' ORDER BY n.id LIMIT ${pageRows}`,
      lastId,
    );
    for (const { id, uri, l0, l1, l2, ...leaf } of leaves) {
      const session = leaf.sourceSession;
      const tells = (text: string | null): boolean => {
        if (leaf.category !== "sessions")
          return leaf.status === "active" ? byWord.isIn(text) : forgotten.isIn(text);
        return session === null ? forgotten.isIn(text) : forgotten.isInSession(session, text);
      };
      if ([l0, l1, l2, JSON.stringify(leaf.evidence), uri].some(tells)) found.push({ id, uri, l0 });
    }
    const last = leaves.at(-1);
    if (last === undefined) return found;
    lastId = last.id;
  }
}

/** Returns the removed nodes with every URI that they ever had. */
function removeNodes(sql: Sql, indexes: IndexWriter, leaves: readonly Leaf[]): Gone {
  const uris = new Set(leaves.flatMap(({ id, uri }) => [uri, ...placesOf(sql, id)]));
  for (const leaf of leaves) removeNode(sql, indexes, leaf);
  return { ids: leaves.map(({ id }) => id), uris: [...uris] };
}

/** Tells the exposure journal, the devices in sync and the readers of notes that nodes have gone. */
function noteGone(sql: Sql, { ids }: Gone, forgetAt: number): void {
  // That something was shown stays on record; its URI is made of its words.
  sql.run("UPDATE exposures SET uri = '' WHERE node_id IN (SELECT value FROM json_each(?))", ids);
  forgetSubjects(sql, ids, forgetAt);
  dropNotes(sql);
  noteForget(sql);
}

/** Links, vectors and guards go with the row, and directories that this leaves empty. */
function removeNode(sql: Sql, indexes: IndexWriter, { id, uri }: Leaf): void {
  indexes.dropNode(id);
  sql.run("DELETE FROM mem_revisions WHERE node_id = ?", id);
  sql.run("UPDATE mem_nodes SET parent_uri = ? WHERE parent_uri = ?", parentOf(uri), uri);
  sql.run("DELETE FROM mem_nodes WHERE id = ?", id);
  dropEmptyAbove(sql, uri);
}

/** `placesOf` lists the URIs at which a node ever lay: a URI is made of the words of its memory. */
const placesOf = (sql: Sql, nodeId: number): readonly string[] =>
  sql
    .column<string | null>(
      "SELECT DISTINCT fields ->> '$.uri' FROM mem_revisions WHERE node_id = ?",
      nodeId,
    )
    .flatMap((uri) => uri ?? []);
