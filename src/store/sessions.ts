/** Sessions, their transcripts' offsets, and the session store as a whole. */
import {
  projectNameOf,
  type Session,
  type SessionFilter,
  type SessionStore,
  type SessionUpdate,
} from "#domain";
import { assert } from "#kit";
import { createCheckpoints } from "./checkpoints.ts";
import { createObservations, createToolUses, createTurns, ensureSession } from "./turns.ts";
import type { IndexWriter } from "./indexes.ts";
import { joinWhere, isIn, type Condition } from "./node-rows.ts";
import type { Sql } from "./sql.ts";
import { replace, tableOf } from "./tables.ts";

const sessions = tableOf<Session>()(
  "sessions s",
  `sessionId project projectName branch cwd title firstPrompt status startedAt endedAt lastEventAt parentSession
   transcriptPath`,
);

export const createSessions = (sql: Sql, indexes: IndexWriter): SessionStore => ({
  ...createSessionTable(sql),
  ...createSessionNotes(sql),
  ...createTurns(sql, indexes),
  ...createToolUses(sql),
  ...createObservations(sql),
  ...createCheckpoints(sql, indexes),
});

function createSessionTable(sql: Sql) {
  const byId = (sessionId: string): Session | null =>
    sessions.get(sql, "WHERE s.session_id = ?", sessionId);
  return {
    byId,
    byIdStart: (start, limit) =>
      sessions.all(
        sql,
        "WHERE s.session_id >= ?1 AND substr(s.session_id, 1, length(?1)) = ?1 ORDER BY s.session_id LIMIT ?2",
        start,
        limit,
      ),
    upsert: (update) =>
      sql.atomically(() => {
        saveSession(sql, update);
        if (update.project) saveProject(sql, update.project, update);
        const session = byId(update.sessionId);
        assert(session !== null, "a session that was saved is there");
        return session;
      }),
    list: (filter, page) => {
      const where = joinWhere(listConditions(filter));
      return sessions.all(
        sql,
        `WHERE ${where.text} ORDER BY s.last_event_at DESC, s.session_id LIMIT ? OFFSET ?`,
        ...where.params,
        page.limit,
        page.offset ?? 0,
      );
    },
    count: (filter = { projects: null }) => {
      const { text, params } = joinWhere(listConditions(filter));
      return sql.count(`SELECT count(*) FROM sessions WHERE ${text}`, ...params);
    },
    turnCounts: (sessionIds) =>
      new Map(
        sql
          .all<{ readonly id: string; readonly n: number }>(
            `SELECT session_id AS id, count(*) AS n FROM turns
              WHERE session_id IN (SELECT value FROM json_each(?)) GROUP BY session_id`,
            sessionIds,
          )
          .map(({ id, n }) => [id, n]),
      ),
    recordCounts: () => ({
      turns: sql.count("SELECT count(*) FROM turns"),
      checkpoints: sql.count("SELECT count(*) FROM checkpoints"),
    }),
    quietSince: (beforeMs, limit) =>
      sessions.all(
        sql,
        `WHERE s.last_event_at < ?
           AND (s.status = 'active'
                OR EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id AND t.status = 'open'))
         ORDER BY s.last_event_at DESC, s.session_id LIMIT ?`,
        beforeMs,
        limit,
      ),
  } satisfies Partial<SessionStore>;
}

const createSessionNotes = (sql: Sql) =>
  ({
    saveCompactSummary: (sessionId, summary, atMs) =>
      sql.atomically(() => {
        ensureSession(sql, sessionId, atMs);
        sql.run("UPDATE sessions SET compact_summary = ? WHERE session_id = ?", summary, sessionId);
      }),
    compactSummary: (sessionId) =>
      sql.value<string>("SELECT compact_summary FROM sessions WHERE session_id = ?", sessionId),
    transcriptOffset: (path) =>
      sql.get<{ readonly bytes: number; readonly lines: number }>(
        "SELECT bytes, lines FROM transcripts WHERE path = ?",
        path,
      ) ?? { bytes: 0, lines: 0 },
    saveTranscriptOffset: (path, sessionId, { bytes, lines }, atMs) =>
      replace(sql, "transcripts", { path, session_id: sessionId, bytes, lines, updated_at: atMs }),
  }) satisfies Partial<SessionStore>;

/**
 * Null leaves what is there; only an explicit null for the end clears it. Events may arrive late: time moves on only.
 */
function saveSession(sql: Sql, update: SessionUpdate): void {
  const endsAt = update.endedAt ?? null;
  const isEndGiven = update.endedAt === undefined ? 0 : 1;
  sql.run(
    `INSERT INTO sessions (session_id, project, project_name, branch, cwd, title, first_prompt, status, started_at,
                           ended_at, last_event_at, parent_session, transcript_path)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(?8, 'active'), ?9, ?10, ?9, ?11, ?12)
     ON CONFLICT (session_id) DO UPDATE SET
       project = coalesce(?2, project), project_name = coalesce(?3, project_name), branch = coalesce(?4, branch),
       cwd = coalesce(?5, cwd), title = coalesce(?6, title), first_prompt = coalesce(?7, first_prompt),
       status = coalesce(?8, status), ended_at = iif(?13, ?10, ended_at),
       last_event_at = max(last_event_at, ?9), parent_session = coalesce(?11, parent_session),
       transcript_path = coalesce(?12, transcript_path)`,
    update.sessionId,
    update.project ?? null,
    nameOf(update),
    update.branch ?? null,
    update.cwd ?? null,
    update.title ?? null,
    update.firstPrompt ?? null,
    update.status ?? null,
    update.atMs,
    endsAt,
    update.parentSession ?? null,
    update.transcriptPath ?? null,
    isEndGiven,
  );
}

/** A name is cleaned, from whatever source. */
const nameOf = ({ project, projectName }: SessionUpdate): string | null =>
  projectName ? projectNameOf(projectName, project ?? projectName) : null;

const saveProject = (sql: Sql, key: string, update: SessionUpdate): void =>
  void sql.run(
    `INSERT INTO projects (key, name, first_seen) VALUES (?1, coalesce(?2, ?3), ?4)
     ON CONFLICT (key) DO UPDATE SET name = ?2 WHERE ?2 IS NOT NULL AND name <> ?2`,
    key,
    nameOf(update),
    projectNameOf(key, key),
    update.atMs,
  );

const listConditions = (filter: SessionFilter): readonly Condition[] => [
  ...(filter.projects === null ? [] : [isIn("project", filter.projects)]),
  ...(filter.status === undefined ? [] : [["status = ?", filter.status] as const]),
  ...(filter.sinceMs === undefined ? [] : [["last_event_at >= ?", filter.sinceMs] as const]),
  ...(filter.untilMs === undefined ? [] : [["last_event_at <= ?", filter.untilMs] as const]),
];
