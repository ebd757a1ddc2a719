/** Turns: one user prompt and everything up to the Stop that ends it. The prompt is searchable. */
import type {
  FormerObservation,
  ObservationType,
  SessionStore,
  ToolUse,
  Turn,
  TurnStatus,
} from "#domain";
import { assert } from "#kit";
import type { IndexWriter } from "./indexes.ts";
import { type Sql, stringsOf } from "./sql.ts";

/** Turns read of one session, the first ones; no session has more prompts. */
const turnsMax = 10_000;
/** Files remembered per turn. */
const filesMax = 500;

interface TurnRow {
  readonly id: number;
  readonly session_id: string;
  readonly n: number;
  readonly prompt_id: string | null;
  readonly line: number | null;
  readonly status: TurnStatus;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly tool_count: number;
  readonly prompt: string | null;
  readonly answer: string | null;
  readonly is_private: number | null;
  readonly is_headless: number | null;
  readonly files_read: string;
  readonly files_edited: string;
}

const columns = `t.id, t.session_id, t.n, t.prompt_id, t.line, t.status, t.started_at, t.ended_at, t.tool_count,
  t.prompt, t.answer, t.is_private, t.is_headless, t.files_read, t.files_edited`;

/** The turns of the session store. */
export function createTurns(sql: Sql, indexes: IndexWriter) {
  const first = (condition: string, ...params: readonly (string | number)[]): Turn | null => {
    const row = sql.get<TurnRow>(`SELECT ${columns} FROM turns t WHERE ${condition}`, ...params);
    return row === null ? null : turnFromRow(row);
  };
  const byId = (id: number): Turn => {
    const turn = first("t.id = ?", id);
    assert(turn !== null, `turn ${id} exists`);
    return turn;
  };
  const many = (rest: string, ...params: readonly (string | number)[]): readonly Turn[] =>
    sql.all<TurnRow>(`SELECT ${columns} FROM turns t ${rest}`, ...params).map(turnFromRow);
  return {
    addTurn: (turn) => sql.atomically(() => addTurn(sql, indexes, turn)),
    openTurn: (turn) => sql.atomically(() => byId(openTurn(sql, indexes, turn))),
    updateTurn: (turnId, patch) =>
      sql.atomically(() => {
        const before = byId(turnId);
        const after: Turn = {
          ...before,
          ...patch,
          filesRead: united(before.filesRead, patch.filesRead),
          filesEdited: united(before.filesEdited, patch.filesEdited),
        };
        saveTurn(sql, after);
        if (after.prompt !== before.prompt) indexes.prompt(turnId, after.prompt);
        return after;
      }),
    hideTurn: (turnId) =>
      sql.atomically(() => {
        hideTurn(sql, byId(turnId));
        return byId(turnId);
      }),
    dropTurn: (turnId) => sql.atomically(() => dropTurn(sql, indexes, byId(turnId))),
    currentTurn: (sessionId) => first("t.session_id = ? ORDER BY t.n DESC LIMIT 1", sessionId),
    turnByPromptId: (sessionId, promptId) =>
      first("t.session_id = ? AND t.prompt_id = ? ORDER BY t.n DESC LIMIT 1", sessionId, promptId),
    turn: (sessionId, n) => first("t.session_id = ? AND t.n = ?", sessionId, n),
    turns: (sessionId) => many(`WHERE t.session_id = ? ORDER BY t.n LIMIT ${turnsMax}`, sessionId),
    turnsBefore: (sessionId, n, limit) =>
      many("WHERE t.session_id = ? AND t.n < ? ORDER BY t.n DESC LIMIT ?", sessionId, n, limit),
    promptsByIds: (ids) =>
      sql
        .all<TurnRow & { readonly project: string | null }>(
          `SELECT ${columns}, s.project
             FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value
             JOIN sessions s ON s.session_id = t.session_id ORDER BY j.key`,
          JSON.stringify(ids),
        )
        .map((row) => ({ id: row.id, turn: turnFromRow(row), project: row.project })),
  } satisfies Partial<SessionStore>;
}

function addTurn(
  sql: Sql,
  indexes: IndexWriter,
  turn: Omit<Turn, "id">,
): "added" | "there" | "gap" {
  const last =
    sql.get<{ readonly n: number | null }>(
      "SELECT max(n) AS n FROM turns WHERE session_id = ?",
      turn.sessionId,
    )?.n ?? 0;
  if (turn.n <= last) return "there";
  if (turn.n !== last + 1) return "gap";
  const { lastId } = sql.run(
    `INSERT INTO turns (session_id, n, prompt_id, line, status, started_at, ended_at, tool_count, prompt, answer,
                        files_read, files_edited, is_private, is_headless)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    turn.sessionId,
    turn.n,
    turn.promptId,
    turn.line,
    turn.status,
    turn.startedAt,
    turn.endedAt,
    turn.toolCount,
    turn.prompt,
    turn.answer,
    JSON.stringify(turn.filesRead.slice(0, filesMax)),
    JSON.stringify(turn.filesEdited.slice(0, filesMax)),
    turn.isPrivate === true ? 1 : null,
    turn.isHeadless === true ? 1 : null,
  );
  if (turn.prompt !== null && turn.prompt !== "") indexes.prompt(lastId, turn.prompt);
  return "added";
}

/** Returns the new turn's id. */
function openTurn(
  sql: Sql,
  indexes: IndexWriter,
  turn: Parameters<SessionStore["openTurn"]>[0],
): number {
  ensureSession(sql, turn.sessionId, turn.atMs);
  const { lastId } = sql.run(
    `INSERT INTO turns (session_id, n, prompt_id, status, started_at, prompt, is_private, is_headless)
     VALUES (?1, (SELECT coalesce(max(n), 0) + 1 FROM turns WHERE session_id = ?1), ?2, 'open', ?3, ?4, ?5, ?6)`,
    turn.sessionId,
    turn.promptId,
    turn.atMs,
    turn.prompt,
    turn.isPrivate === true ? 1 : null,
    turn.isHeadless === true ? 1 : null,
  );
  if (turn.prompt !== null && turn.prompt !== "") indexes.prompt(lastId, turn.prompt);
  return lastId;
}

function hideTurn(sql: Sql, { id, sessionId, n }: Turn): void {
  sql.run(
    `UPDATE turns SET is_private = 1, answer = NULL, files_read = '[]', files_edited = '[]' WHERE id = ?`,
    id,
  );
  sql.run(
    "UPDATE tool_uses SET target = NULL, text = NULL, files = '[]' WHERE session_id = ? AND turn = ?",
    sessionId,
    n,
  );
  sql.run("DELETE FROM observations WHERE session_id = ? AND turn = ?", sessionId, n);
}

function dropTurn(sql: Sql, indexes: IndexWriter, { id, sessionId, n }: Turn): void {
  indexes.prompt(id, null);
  sql.run("DELETE FROM tool_uses WHERE session_id = ? AND turn = ?", sessionId, n);
  sql.run("DELETE FROM observations WHERE session_id = ? AND turn = ?", sessionId, n);
  sql.run("DELETE FROM turns WHERE id = ?", id);
  // Title and first prompt of a session are those of its first turn with words.
  sql.run(
    `UPDATE sessions SET title = NULL, first_prompt = NULL WHERE session_id = ?1
     AND NOT EXISTS (
       SELECT 1 FROM turns
       WHERE session_id = ?1 AND n < ?2 AND prompt <> '' AND coalesce(is_private, 0) = 0
     )`,
    sessionId,
    n,
  );
}

const united = (
  before: readonly string[],
  added: readonly string[] | undefined,
): readonly string[] =>
  added === undefined || added.length === 0
    ? before
    : [...new Set([...before, ...added])].slice(0, filesMax);

const saveTurn = (sql: Sql, turn: Turn): void =>
  void sql.run(
    `UPDATE turns SET prompt = ?, status = ?, ended_at = ?, answer = ?, tool_count = ?, files_read = ?,
                      files_edited = ?, prompt_id = ?, line = ? WHERE id = ?`,
    turn.prompt,
    turn.status,
    turn.endedAt,
    turn.answer,
    turn.toolCount,
    JSON.stringify(turn.filesRead),
    JSON.stringify(turn.filesEdited),
    turn.promptId,
    turn.line,
    turn.id,
  );

const turnFromRow = (row: TurnRow): Turn => ({
  id: row.id,
  sessionId: row.session_id,
  n: row.n,
  promptId: row.prompt_id,
  line: row.line,
  status: row.status,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  prompt: row.prompt,
  answer: row.answer,
  ...(row.is_private === 1 ? { isPrivate: true } : {}),
  ...(row.is_headless === 1 ? { isHeadless: true } : {}),
  toolCount: row.tool_count,
  filesRead: stringsOf(row.files_read),
  filesEdited: stringsOf(row.files_edited),
});

// A session's row before anything is known of it: events can come out of order (a spool drained late).

/** Does nothing when the session is there. */
export const ensureSession = (sql: Sql, sessionId: string, atMs: number): void =>
  void sql.run(
    `INSERT INTO sessions (session_id, status, started_at, last_event_at) VALUES (?1, 'active', ?2, ?2)
     ON CONFLICT (session_id) DO NOTHING`,
    sessionId,
    atMs,
  );

// Raw tool use: a bounded stretch per session, dropped once it is compressed.

/** At most so many raw observations per session; the oldest go first (docs/design/capture.md, "What is kept"). */
export const toolUsesPerSessionMax = 5_000;

interface ToolUseRow {
  readonly id: number;
  readonly session_id: string;
  readonly turn: number;
  readonly tool_use_id: string | null;
  readonly tool: string;
  readonly target: string | null;
  readonly files: string;
  readonly outcome: "ok" | "error";
  readonly text: string | null;
  readonly at_ms: number;
  readonly agent_id: string | null;
}

/** The tool uses of the session store. */
export const createToolUses = (sql: Sql) =>
  ({
    addToolUse: (use) => sql.atomically(() => addToolUse(sql, use)),
    toolUses: (sessionId, turn) =>
      sql
        .all<ToolUseRow>(
          `SELECT id, session_id, turn, tool_use_id, tool, target, files, outcome, text, at_ms, agent_id
           FROM tool_uses WHERE session_id = ?1 AND (?2 IS NULL OR turn = ?2)
          ORDER BY seq LIMIT ${toolUsesPerSessionMax}`,
          sessionId,
          turn,
        )
        .map(toolUseFromRow),
  }) satisfies Partial<SessionStore>;

function addToolUse(sql: Sql, use: Omit<ToolUse, "id">): boolean {
  // A number per session instead of counting rows: each insert costs the same, however long the session is.
  const seq =
    (sql.get<{ readonly seq: number | null }>(
      "SELECT max(seq) AS seq FROM tool_uses WHERE session_id = ?",
      use.sessionId,
    )?.seq ?? 0) + 1;
  const { changes } = sql.run(
    `INSERT INTO tool_uses (session_id, seq, turn, tool_use_id, tool, target, files, outcome, text, at_ms, agent_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    use.sessionId,
    seq,
    use.turn,
    use.toolUseId,
    use.tool,
    use.target,
    JSON.stringify(use.files),
    use.outcome,
    use.text,
    use.atMs,
    use.agentId,
  );
  if (changes === 0) return false;
  if (seq > toolUsesPerSessionMax)
    sql.run(
      "DELETE FROM tool_uses WHERE session_id = ? AND seq <= ?",
      use.sessionId,
      seq - toolUsesPerSessionMax,
    );
  return true;
}

const toolUseFromRow = (row: ToolUseRow): ToolUse => ({
  id: row.id,
  sessionId: row.session_id,
  turn: row.turn,
  toolUseId: row.tool_use_id,
  tool: row.tool,
  target: row.target,
  files: stringsOf(row.files),
  outcome: row.outcome,
  text: row.text,
  atMs: row.at_ms,
  agentId: row.agent_id,
});

// Observations of tool use by earlier versions, in rows of their own. Nothing is added to them.

interface ObservationRow {
  readonly id: number;
  readonly session_id: string;
  readonly turn: number;
  readonly project: string | null;
  readonly type: ObservationType;
  readonly at_ms: number;
  readonly title: string;
  readonly subtitle: string;
  readonly narrative: string;
  readonly facts: string;
  readonly concepts: string;
  readonly files_read: string;
  readonly files_modified: string;
}

/** The observations of the session store. */
export const createObservations = (sql: Sql) =>
  ({
    formerObservations: (limit) =>
      sql
        .all<ObservationRow>("SELECT * FROM observations ORDER BY id LIMIT ?", limit)
        .map(observationFromRow),
    dropObservation: (id) => void sql.run("DELETE FROM observations WHERE id = ?", id),
  }) satisfies Partial<SessionStore>;

const observationFromRow = (row: ObservationRow): FormerObservation => ({
  id: row.id,
  sessionId: row.session_id,
  turn: row.turn,
  project: row.project,
  type: row.type,
  title: row.title,
  text: [row.subtitle, row.narrative].filter((part) => part !== "").join("\n"),
  facts: stringsOf(row.facts),
  concepts: stringsOf(row.concepts),
  files: [...new Set([...stringsOf(row.files_modified), ...stringsOf(row.files_read)])],
  atMs: row.at_ms,
});
