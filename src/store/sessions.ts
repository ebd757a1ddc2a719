/** Sessions, their transcripts' offsets, and the session store as a whole. */
import {
  projectNameOf,
  type Session,
  type SessionFilter,
  type SessionStatus,
  type SessionStore,
  type SessionUpdate,
} from "#domain";
import { assert } from "#kit";
import { createCheckpoints } from "./checkpoints.ts";
import { createObservations, createToolUses, createTurns, ensureSession } from "./turns.ts";
import type { IndexWriter } from "./indexes.ts";
import { joinWhere, isIn, type Condition } from "./node-rows.ts";
import type { Sql } from "./sql.ts";

interface SessionRow {
  readonly session_id: string;
  readonly project: string | null;
  readonly project_name: string | null;
  readonly branch: string | null;
  readonly cwd: string | null;
  readonly title: string | null;
  readonly first_prompt: string | null;
  readonly status: SessionStatus;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly last_event_at: number;
  readonly parent_session: string | null;
  readonly transcript_path: string | null;
}

const columns = `session_id, project, project_name, branch, cwd, title, first_prompt, status, started_at, ended_at,
  last_event_at, parent_session, transcript_path`;

/** All of the SessionStore port. */
export const createSessions = (sql: Sql, indexes: IndexWriter): SessionStore => ({
  ...createSessionTable(sql),
  ...createTurns(sql, indexes),
  ...createToolUses(sql),
  ...createObservations(sql),
  ...createCheckpoints(sql, indexes),
});

function createSessionTable(sql: Sql) {
  const byId = (sessionId: string): Session | null => {
    const row = sql.get<SessionRow>(
      `SELECT ${columns} FROM sessions WHERE session_id = ?`,
      sessionId,
    );
    return row === null ? null : sessionFromRow(row);
  };
  return {
    byId,
    byIdStart: byIdStartOf(sql),
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
      return sql
        .all<SessionRow>(
          `SELECT ${columns} FROM sessions WHERE ${where.text}
            ORDER BY last_event_at DESC, session_id LIMIT ? OFFSET ?`,
          ...where.params,
          page.limit,
          page.offset,
        )
        .map(sessionFromRow);
    },
    ...createCounts(sql),
    recordCounts: () => ({
      turns: countOf(sql, "turns"),
      checkpoints: countOf(sql, "checkpoints"),
    }),
    quietSince: (beforeMs, limit) =>
      sql
        .all<SessionRow>(
          `SELECT ${columns} FROM sessions s
            WHERE last_event_at < ?
              AND (status = 'active'
                   OR EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id AND t.status = 'open'))
            ORDER BY last_event_at, session_id LIMIT ?`,
          beforeMs,
          limit,
        )
        .map(sessionFromRow),
    ...createSummaries(sql),
    ...createOffsets(sql),
  } satisfies Partial<SessionStore>;
}

const byIdStartOf =
  (sql: Sql): SessionStore["byIdStart"] =>
  (start, limit) =>
    sql
      .all<SessionRow>(
        `SELECT ${columns} FROM sessions
            WHERE session_id >= ?1 AND substr(session_id, 1, length(?1)) = ?1 ORDER BY session_id LIMIT ?2`,
        start,
        limit,
      )
      .map(sessionFromRow);

const createCounts = (sql: Sql) =>
  ({
    count: (filter = { projects: null }) => {
      const where = joinWhere(listConditions(filter));
      return (
        sql.get<{ readonly n: number }>(
          `SELECT count(*) AS n FROM sessions WHERE ${where.text}`,
          ...where.params,
        )?.n ?? 0
      );
    },
    turnCounts: (sessionIds) =>
      new Map(
        sql
          .all<{ readonly session_id: string; readonly n: number }>(
            `SELECT session_id, count(*) AS n FROM turns
            WHERE session_id IN (SELECT value FROM json_each(?)) GROUP BY session_id`,
            JSON.stringify(sessionIds),
          )
          .map(({ session_id: id, n }) => [id, n]),
      ),
  }) satisfies Partial<SessionStore>;

const createSummaries = (sql: Sql) =>
  ({
    saveCompactSummary: (sessionId, summary, atMs) =>
      sql.atomically(() => {
        ensureSession(sql, sessionId, atMs);
        sql.run("UPDATE sessions SET compact_summary = ? WHERE session_id = ?", summary, sessionId);
      }),
    compactSummary: (sessionId) =>
      sql.get<{ readonly summary: string | null }>(
        "SELECT compact_summary AS summary FROM sessions WHERE session_id = ?",
        sessionId,
      )?.summary ?? null,
  }) satisfies Partial<SessionStore>;

const createOffsets = (sql: Sql) =>
  ({
    transcriptOffset: (path) =>
      sql.get<{ readonly bytes: number; readonly lines: number }>(
        "SELECT bytes, lines FROM transcripts WHERE path = ?",
        path,
      ) ?? { bytes: 0, lines: 0 },
    saveTranscriptOffset: (path, sessionId, offset, atMs) =>
      void sql.run(
        `INSERT INTO transcripts (path, session_id, bytes, lines, updated_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (path) DO UPDATE SET session_id = excluded.session_id, bytes = excluded.bytes,
         lines = excluded.lines, updated_at = excluded.updated_at`,
        path,
        sessionId,
        offset.bytes,
        offset.lines,
        atMs,
      ),
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

const countOf = (sql: Sql, table: "turns" | "checkpoints"): number =>
  sql.get<{ readonly n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;

const sessionFromRow = (row: SessionRow): Session => ({
  sessionId: row.session_id,
  project: row.project,
  projectName: row.project_name,
  branch: row.branch,
  cwd: row.cwd,
  title: row.title,
  firstPrompt: row.first_prompt,
  status: row.status,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  lastEventAt: row.last_event_at,
  parentSession: row.parent_session,
  transcriptPath: row.transcript_path,
});
