/** Memories, links and digests as sync reads them, and what it writes past their ports. */
import {
  emptyCheckpoint,
  projectNameOf,
  type DigestEntry,
  type Revision,
  type SyncLink,
  type SyncTables,
} from "#domain";
import { checkpointOf, putCheckpoint, storedCheckpoints } from "./checkpoints.ts";
import type { IndexWriter } from "./indexes.ts";
import { metaOf, noteProject, saveMeta } from "./meta.ts";
import { memories } from "./node-rows.ts";
import { addRevision, revisions } from "./revisions.ts";
import type { Sql } from "./sql.ts";
import { tableOf } from "./tables.ts";

const links = tableOf<SyncLink>()(
  "sync_links",
  "from=from_subject to=to_subject relation weight createdAt",
);

export const createSyncNodes = (sql: Sql, indexes: IndexWriter) =>
  ({
    revisionsAfter: (id, limit) => revisionsAfter(sql, id, limit),
    lastRevision: () => lastOf(sql, "mem_revisions"),
    untoldUses: (after, limit) => untoldUses(sql, after, limit),
    untoldLinks: (after, limit) => untoldLinks(sql, after, limit),
    putLink: (link) =>
      void links.insert(
        sql,
        link,
        `ON CONFLICT (from_subject, to_subject, relation) DO UPDATE SET
           weight = max(weight, excluded.weight), created_at = min(created_at, excluded.created_at)`,
      ),
    linksOf: (subject) =>
      links.all(
        sql,
        `WHERE from_subject = ?1 OR to_subject = ?1 ORDER BY from_subject, to_subject, relation`,
        subject,
      ),
    settle: (nodeId, as) => memories.update(sql, as, nodeId),
    nameProject: (key, name, atMs) => noteProject(sql, key, projectNameOf(name, key), atMs),
    projectName: (key) => sql.value<string>("SELECT name FROM projects WHERE key = ?", key),
    addHistory: (node, cause) => {
      const isThere = sql.get(
        `SELECT 1 FROM mem_revisions WHERE node_id = ? AND at_ms = ? AND action = ? AND status = ?
          AND l0_abstract = ? AND l1_overview IS ? AND l2_content IS ?`,
        node.id,
        cause.atMs,
        cause.action,
        node.status,
        node.l0,
        node.l1,
        node.l2,
      );
      if (isThere === null) addRevision(sql, node, cause);
      return isThere === null;
    },
    restate: (node, cause) => addRevision(sql, node, cause),
    digestsAfter: (checkpointId, limit) => digestsAfter(sql, checkpointId, limit),
    putDigest: (digest) => putDigest(sql, indexes, digest),
    lastDigest: () => lastOf(sql, "checkpoints"),
  }) satisfies Partial<SyncTables>;

const lastOf = (sql: Sql, table: string): number => sql.count(`SELECT max(id) FROM ${table}`);

/** `revisionsAfter` lists revisions; of the archive only what was a memory before. */
const revisionsAfter = (sql: Sql, id: number, limit: number): readonly Revision[] =>
  revisions(
    sql,
    `JOIN mem_nodes n ON n.id = r.node_id
      WHERE r.id > ? AND n.node_type = 'leaf'
        AND (r.fields ->> '$.category' <> 'sessions'
             OR EXISTS (SELECT 1 FROM sync_subjects s WHERE s.node_id = r.node_id))
      ORDER BY r.id LIMIT ?`,
    id,
    limit,
  );

function untoldUses(sql: Sql, after: number, limit: number): ReturnType<SyncTables["untoldUses"]> {
  const rows = sql.all<{
    readonly id: number;
    readonly n: number;
    readonly at: number | null;
    readonly used: number;
  }>(
    `SELECT n.id, n.access_count AS n, n.last_access AS at, s.used FROM sync_subjects s
       JOIN mem_nodes n ON n.id = s.node_id
      WHERE s.node_id > ? ORDER BY s.node_id LIMIT ?`,
    after,
    limit,
  );
  return {
    uses: rows
      .filter(({ n, used }) => n > used)
      .map(({ id, n, at }) => ({ nodeId: id, count: n, atMs: at ?? 0 })),
    next: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  };
}

/** The change from which a link is told again: smaller steps are noise. */
const weightStep = 0.05;

function untoldLinks(
  sql: Sql,
  after: string,
  limit: number,
): ReturnType<SyncTables["untoldLinks"]> {
  const [from, to] = after === "" ? [0, 0] : after.split(" ").map(Number);
  const rows = sql.all<SyncLink & { fromId: number; toId: number; known: number | null }>(
    `SELECT l.from_id AS fromId, l.to_id AS toId, f.subject AS "from", t.subject AS "to", l.relation, l.weight,
            l.created_at AS createdAt, k.weight AS known
       FROM mem_links l
       LEFT JOIN sync_subjects f ON f.node_id = l.from_id LEFT JOIN sync_subjects t ON t.node_id = l.to_id
       LEFT JOIN sync_links k ON k.from_subject = f.subject AND k.to_subject = t.subject AND k.relation = l.relation
      WHERE (l.from_id, l.to_id) > (?, ?) ORDER BY l.from_id, l.to_id, l.relation LIMIT ?`,
    from ?? 0,
    to ?? 0,
    limit,
  );
  const last = rows.at(-1);
  const links = rows
    .filter(
      (row) =>
        (row.from as string | null) !== null &&
        (row.to as string | null) !== null &&
        row.weight > (row.known ?? -1) + weightStep,
    )
    .map(({ fromId: _from, toId: _to, known: _known, ...link }) => link);
  return {
    links,
    next: rows.length < limit || last === undefined ? null : `${last.fromId} ${last.toId}`,
  };
}

interface DigestSession {
  readonly projectName: string | null;
  readonly branch: string | null;
  readonly startedAt: number;
  readonly lastEventAt: number;
}

const digestsAfter = (
  sql: Sql,
  checkpointId: number,
  limit: number,
): ReturnType<SyncTables["digestsAfter"]> =>
  sql
    .all<DigestSession>(
      `SELECT ${storedCheckpoints.columns}, s.project_name AS projectName, s.branch, s.started_at AS startedAt,
              s.last_event_at AS lastEventAt
         FROM checkpoints c JOIN sessions s ON s.session_id = c.session_id
        WHERE c.id > ? AND c.is_current = 1 AND c.made_at IN ('quiet', 'end') ORDER BY c.id LIMIT ?`,
      checkpointId,
      limit,
    )
    .map(({ projectName, branch, startedAt, lastEventAt, ...row }) => {
      const { id, sessionId, project, atMs, l0, ...rest } = checkpointOf(
        storedCheckpoints.read(row),
      );
      const { learned, completed, nextSteps, notes, filesEdited } = rest;
      return {
        id,
        digest: {
          session: { id: sessionId, project, projectName, branch, startedAt, lastEventAt },
          atMs,
          l0,
          fields: { learned, completed, nextSteps, notes, filesEdited },
        },
      };
    });

/** A session of another device has one digest, the latest; one of this device keeps its own. */
function putDigest(
  sql: Sql,
  indexes: IndexWriter,
  { session, atMs, l0, fields, stamp }: DigestEntry,
): void {
  const madeName = `sync.digest.${session.id}` as const;
  const known = metaOf(sql, madeName);
  const isHere =
    sql.get("SELECT 1 FROM sessions WHERE session_id = ?", session.id) !== null && known === null;
  if (isHere || (known !== null && known >= stamp)) return;
  saveMeta(sql, madeName, stamp);
  sql.run(
    `INSERT INTO sessions (session_id, project, project_name, branch, status, started_at, ended_at, last_event_at)
     VALUES (?1, ?2, ?3, ?4, 'completed', ?5, ?6, ?6)
     ON CONFLICT (session_id) DO UPDATE SET ended_at = ?6, last_event_at = ?6`,
    session.id,
    session.project,
    session.projectName,
    session.branch,
    session.startedAt,
    session.lastEventAt,
  );
  const old = sql.column<number>("SELECT id FROM checkpoints WHERE session_id = ?", session.id);
  for (const id of old) indexes.dropCheckpoint(id);
  sql.run("DELETE FROM checkpoints WHERE session_id = ?", session.id);
  putCheckpoint(sql, indexes, {
    sessionId: session.id,
    n: 1,
    project: session.project,
    atMs,
    trigger: "end",
    l0,
    fields: { ...emptyCheckpoint, ...fields },
  });
}
