/** Raw tool use: a bounded stretch per session, dropped once it is compressed. */
import type { SessionStore, ToolUse, FormerObservation, ObservationType } from "#domain";
import { stringsOf, type Sql } from "./sql.ts";

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
