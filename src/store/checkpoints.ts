/** Checkpoints: structured session summaries. A session may have several; the last is current. */
import {
  type Checkpoint,
  type CheckpointFields,
  emptyCheckpoint,
  type SessionStore,
} from "#domain";
import { assert, listOf } from "#kit";
import type { IndexWriter } from "./indexes.ts";
import type { Sql, SqlValue } from "./sql.ts";
import { tableOf } from "./tables.ts";

const checkpointsMax = 1_000;

/** A row as it is kept; see `checkpointOf`. */
interface StoredCheckpoint extends Omit<Checkpoint, keyof CheckpointFields> {
  readonly fields: Readonly<Record<string, unknown>>;
}

export const storedCheckpoints = tableOf<StoredCheckpoint>()(
  "checkpoints c",
  "id sessionId n project atMs trigger=made_at current=is_current:bool l0 fields:record",
);

/** Current ones of a project, newest first, of sessions in which a person spoke, or that have no turns. */
const recent = `WHERE c.is_current = 1 AND c.project = ?
  AND coalesce((SELECT min(coalesce(t.is_headless, 0)) FROM turns t WHERE t.session_id = c.session_id), 0) = 0
  ORDER BY c.at_ms DESC, c.id DESC LIMIT ?`;

export function createCheckpoints(sql: Sql, indexes: IndexWriter) {
  const all = (rest: string, ...params: readonly SqlValue[]): readonly Checkpoint[] =>
    storedCheckpoints.all(sql, rest, ...params).map(checkpointOf);
  return {
    addCheckpoint: (checkpoint) =>
      sql.atomically(() => {
        const { sessionId } = checkpoint;
        retireCurrent(sql, indexes, sessionId);
        const last = sql.value<number>(
          "SELECT max(n) FROM checkpoints WHERE session_id = ?",
          sessionId,
        );
        return putCheckpoint(sql, indexes, { ...checkpoint, n: (last ?? 0) + 1 });
      }),
    currentCheckpoint: (sessionId) =>
      all("WHERE c.session_id = ? AND c.is_current = 1", sessionId)[0] ?? null,
    checkpoints: (sessionId) =>
      all(`WHERE c.session_id = ? ORDER BY c.n LIMIT ${checkpointsMax}`, sessionId),
    recentCheckpoints: (project, limit) => all(recent, project, limit),
    recentNextSteps: (project, limit) =>
      sql.all(
        `SELECT c.session_id AS sessionId, c.at_ms AS atMs, coalesce(c.fields ->> '$.nextSteps', '') AS nextSteps
           FROM checkpoints c ${recent}`,
        project,
        limit,
      ),
    checkpointsByIds: (ids) => storedCheckpoints.byIds(sql, ids).map(checkpointOf),
  } satisfies Partial<SessionStore>;
}

/** Adds the one that is current from now on, with its index rows. */
export function putCheckpoint(
  sql: Sql,
  indexes: IndexWriter,
  checkpoint: Omit<StoredCheckpoint, "id" | "current" | "fields"> & {
    readonly fields: CheckpointFields;
  },
): Checkpoint {
  const fields = { ...checkpoint.fields };
  const { lastId } = storedCheckpoints.insert(sql, { ...checkpoint, fields, current: true });
  const stored = storedCheckpoints.byId(sql, lastId);
  assert(stored !== null, "a checkpoint that was saved is there");
  const saved = checkpointOf(stored);
  indexes.checkpoint(saved);
  return saved;
}

/** Only the current checkpoint of a session is searchable: the earlier ones say the same with less. */
function retireCurrent(sql: Sql, indexes: IndexWriter, sessionId: string): void {
  const current = sql.value<number>(
    "SELECT id FROM checkpoints WHERE session_id = ? AND is_current = 1",
    sessionId,
  );
  if (current === null) return;
  sql.run("UPDATE checkpoints SET is_current = 0 WHERE id = ?", current);
  indexes.dropCheckpoint(current);
}

/** A checkpoint written before a field existed has it empty. */
export function checkpointOf({ fields, ...rest }: StoredCheckpoint): Checkpoint {
  const known = Object.entries(emptyCheckpoint).map(([name, empty]) => {
    const value = fields[name];
    if (typeof empty === "string") return [name, typeof value === "string" ? value : ""];
    return [name, listOf(value).filter((entry) => typeof entry === "string")];
  });
  return { ...rest, ...(Object.fromEntries(known) as CheckpointFields) };
}
