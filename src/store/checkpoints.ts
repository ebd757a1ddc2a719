/** Checkpoints: structured session summaries. A session may have several; the last is current. */
import type { Checkpoint, CheckpointFields, CheckpointTrigger, SessionStore } from "#domain";
import { assert } from "#kit";
import type { IndexWriter } from "./indexes.ts";
import { isIn, joinWhere } from "./node-rows.ts";
import { recordOf, type Sql } from "./sql.ts";

const checkpointsMax = 1_000;

export interface CheckpointRow {
  readonly id: number;
  readonly session_id: string;
  readonly n: number;
  readonly project: string | null;
  readonly at_ms: number;
  readonly made_at: CheckpointTrigger;
  readonly is_current: number;
  readonly l0: string;
  readonly fields: string;
}

export const checkpointColumns =
  "c.id, c.session_id, c.n, c.project, c.at_ms, c.made_at, c.is_current, c.l0, c.fields";

/** Holds for sessions in which a person spoke, and for those without turns. */
const isOfPerson =
  "coalesce((SELECT min(coalesce(t.is_headless, 0)) FROM turns t WHERE t.session_id = c.session_id), 0) = 0";

/** The checkpoints of the session store. */
export function createCheckpoints(sql: Sql, indexes: IndexWriter) {
  const select = `SELECT ${checkpointColumns} FROM checkpoints c`;
  return {
    addCheckpoint: (checkpoint) =>
      sql.atomically(() => {
        const { sessionId } = checkpoint;
        retireCurrent(sql, indexes, sessionId);
        const { lastId } = sql.run(
          `INSERT INTO checkpoints (session_id, n, project, at_ms, made_at, is_current, l0, fields)
           VALUES (?1, (SELECT coalesce(max(n), 0) + 1 FROM checkpoints WHERE session_id = ?1), ?2, ?3, ?4, 1, ?5, ?6)`,
          sessionId,
          checkpoint.project,
          checkpoint.atMs,
          checkpoint.trigger,
          checkpoint.l0,
          JSON.stringify(checkpoint.fields),
        );
        const row = sql.get<CheckpointRow>(`${select} WHERE c.id = ?`, lastId);
        assert(row !== null, "a checkpoint that was saved is there");
        const saved = checkpointFromRow(row);
        indexes.checkpoint(saved);
        return saved;
      }),
    currentCheckpoint: (sessionId) => {
      const row = sql.get<CheckpointRow>(
        `${select} WHERE c.session_id = ? AND c.is_current = 1`,
        sessionId,
      );
      return row === null ? null : checkpointFromRow(row);
    },
    checkpoints: (sessionId) =>
      sql
        .all<CheckpointRow>(
          `${select} WHERE c.session_id = ? ORDER BY c.n LIMIT ${checkpointsMax}`,
          sessionId,
        )
        .map(checkpointFromRow),
    recentCheckpoints: (projects, limit) => {
      const where = joinWhere([
        [`c.is_current = 1 AND ${isOfPerson}`],
        ...(projects === null ? [] : [isIn("c.project", projects)]),
      ]);
      return sql
        .all<CheckpointRow>(
          `${select} WHERE ${where.text} ORDER BY c.at_ms DESC, c.id DESC LIMIT ?`,
          ...where.params,
          limit,
        )
        .map(checkpointFromRow);
    },
    checkpointsByIds: (ids) =>
      sql
        .all<CheckpointRow>(
          `SELECT ${checkpointColumns} FROM json_each(?) j CROSS JOIN checkpoints c ON c.id = j.value ORDER BY j.key`,
          JSON.stringify(ids),
        )
        .map(checkpointFromRow),
  } satisfies Partial<SessionStore>;
}

/** Only the current checkpoint of a session is searchable: the earlier ones say the same with less. */
function retireCurrent(sql: Sql, indexes: IndexWriter, sessionId: string): void {
  const current = sql.get<{ readonly id: number }>(
    "SELECT id FROM checkpoints WHERE session_id = ? AND is_current = 1",
    sessionId,
  );
  if (current === null) return;
  sql.run("UPDATE checkpoints SET is_current = 0 WHERE id = ?", current.id);
  indexes.dropCheckpoint(current.id);
}

export const checkpointFromRow = (row: CheckpointRow): Checkpoint => ({
  id: row.id,
  sessionId: row.session_id,
  project: row.project,
  n: row.n,
  atMs: row.at_ms,
  trigger: row.made_at,
  l0: row.l0,
  current: row.is_current === 1,
  ...fieldsOf(row.fields),
});

/** Fields of a stored checkpoint; one written before a field existed has it empty. */
function fieldsOf(text: string): CheckpointFields {
  const record = recordOf(text);
  const string = (name: keyof CheckpointFields): string => {
    const value = record[name];
    return typeof value === "string" ? value : "";
  };
  const list = (name: keyof CheckpointFields): readonly string[] => {
    const value = record[name];
    return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
  };
  return {
    request: string("request"),
    investigated: string("investigated"),
    learned: string("learned"),
    completed: string("completed"),
    nextSteps: string("nextSteps"),
    notes: string("notes"),
    currentTask: string("currentTask"),
    filesRead: list("filesRead"),
    filesEdited: list("filesEdited"),
    filesInHand: list("filesInHand"),
    uncommitted: list("uncommitted"),
    thrash: list("thrash"),
  };
}
