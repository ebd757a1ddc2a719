/** Turns: one user prompt and everything up to the Stop that ends it. The prompt is searchable. */
import type { FormerObservation, FoundPrompt, SessionStore, ToolUse, Turn } from "#domain";
import { assert } from "#kit";
import type { IndexWriter } from "./indexes.ts";
import type { Sql, SqlValue } from "./sql.ts";
import { tableOf } from "./tables.ts";
import { dropTraces } from "./turn-traces.ts";

/** Turns read of one session, the first ones; no session has more prompts. */
const turnsMax = 10_000;
/** Files remembered per turn. */
const filesMax = 500;
/** Characters of a prompt that are read for a search, which shows its beginning. */
const promptCharsMax = 4_000;

const turns = tableOf<Turn>()(
  "turns t",
  `id sessionId n promptId line status startedAt endedAt toolCount prompt answer isPrivate:flag isHeadless:flag
   filesRead:strings filesEdited:strings`,
);

export function createTurns(sql: Sql, indexes: IndexWriter) {
  const first = (condition: string, ...params: readonly SqlValue[]): Turn | null =>
    turns.get(sql, `WHERE ${condition}`, ...params);
  const byId = (id: number): Turn => {
    const turn = turns.byId(sql, id);
    assert(turn !== null, `turn ${id} exists`);
    return turn;
  };
  return {
    addTurn: (turn) => sql.atomically(() => addTurn(sql, indexes, turn)),
    openTurn: (turn) => sql.atomically(() => byId(openTurn(sql, indexes, turn))),
    updateTurn: (turnId, patch) =>
      sql.atomically(() => {
        const before = byId(turnId);
        const filesRead = united(before.filesRead, patch.filesRead);
        const filesEdited = united(before.filesEdited, patch.filesEdited);
        const changed = { ...patch, filesRead, filesEdited };
        const after: Turn = { ...before, ...changed };
        // Only what the patch names: a column with an index costs its rows in the index.
        turns.update(sql, changed, turnId);
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
    turns: (sessionId) =>
      turns.all(sql, `WHERE t.session_id = ? ORDER BY t.n LIMIT ${turnsMax}`, sessionId),
    turnsBefore: (sessionId, n, limit) =>
      turns.all(
        sql,
        "WHERE t.session_id = ? AND t.n < ? ORDER BY t.n DESC LIMIT ?",
        sessionId,
        n,
        limit,
      ),
    promptsByIds: (ids) =>
      sql.all<FoundPrompt>(
        `SELECT t.id, t.session_id AS sessionId, t.n, substr(t.prompt, 1, ${promptCharsMax}) AS prompt,
                t.started_at AS startedAt, s.project
           FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value
           JOIN sessions s ON s.session_id = t.session_id ORDER BY j.key`,
        ids,
      ),
  } satisfies Partial<SessionStore>;
}

function addTurn(
  sql: Sql,
  indexes: IndexWriter,
  turn: Omit<Turn, "id">,
): "added" | "there" | "gap" {
  const last = sql.count("SELECT max(n) FROM turns WHERE session_id = ?", turn.sessionId);
  if (turn.n <= last) return "there";
  if (turn.n !== last + 1) return "gap";
  const filesRead = turn.filesRead.slice(0, filesMax);
  const filesEdited = turn.filesEdited.slice(0, filesMax);
  const { lastId } = turns.insert(sql, { ...turn, filesRead, filesEdited });
  if (turn.prompt !== null && turn.prompt !== "") indexes.prompt(lastId, turn.prompt);
  return "added";
}

/** Returns the new turn's id. */
function openTurn(
  sql: Sql,
  indexes: IndexWriter,
  turn: Parameters<SessionStore["openTurn"]>[0],
): number {
  const { sessionId, promptId, prompt, isPrivate, isHeadless, atMs } = turn;
  ensureSession(sql, sessionId, atMs);
  const { lastId } = sql.run(
    `INSERT INTO turns (session_id, n, prompt_id, status, started_at, prompt, is_private, is_headless)
     VALUES (?1, (SELECT coalesce(max(n), 0) + 1 FROM turns WHERE session_id = ?1), ?2, 'open', ?3, ?4, ?5, ?6)`,
    sessionId,
    promptId,
    atMs,
    prompt,
    isPrivate === true ? 1 : null,
    isHeadless === true ? 1 : null,
  );
  if (prompt !== null && prompt !== "") indexes.prompt(lastId, prompt);
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

function dropTurn(sql: Sql, indexes: IndexWriter, turn: Turn): void {
  const { id, sessionId, n } = turn;
  indexes.prompt(id, null);
  dropTurnRecords(sql, sessionId, n);
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
  dropTraces(sql, indexes, turn);
}

export function dropTurnRecords(sql: Sql, sessionId: string, n: number): void {
  sql.run("DELETE FROM tool_uses WHERE session_id = ? AND turn = ?", sessionId, n);
  sql.run("DELETE FROM observations WHERE session_id = ? AND turn = ?", sessionId, n);
}

const united = (
  before: readonly string[],
  added: readonly string[] | undefined,
): readonly string[] =>
  added === undefined || added.length === 0
    ? before
    : [...new Set([...before, ...added])].slice(0, filesMax);

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

const toolUseColumns =
  "id sessionId turn toolUseId tool target files:strings outcome text atMs agentId";
const toolUses = tableOf<ToolUse>()("tool_uses u", toolUseColumns);
const numberedToolUses = tableOf<ToolUse & { readonly seq: number }>()(
  "tool_uses u",
  `${toolUseColumns} seq`,
);

export const createToolUses = (sql: Sql) =>
  ({
    addToolUse: (use) => sql.atomically(() => addToolUse(sql, use)),
    toolUses: (sessionId, turn) =>
      toolUses.all(
        sql,
        `WHERE u.session_id = ?1 AND (?2 IS NULL OR u.turn = ?2) ORDER BY u.seq LIMIT ${toolUsesPerSessionMax}`,
        sessionId,
        turn,
      ),
  }) satisfies Partial<SessionStore>;

function addToolUse(sql: Sql, use: Omit<ToolUse, "id">): boolean {
  // A number per session instead of counting rows: each insert costs the same, however long the session is.
  const { sessionId } = use;
  const last = sql.value<number>("SELECT max(seq) FROM tool_uses WHERE session_id = ?", sessionId);
  const seq = (last ?? 0) + 1;
  const { changes } = numberedToolUses.insert(sql, { ...use, seq }, "ON CONFLICT DO NOTHING");
  if (changes === 0) return false;
  if (seq > toolUsesPerSessionMax)
    sql.run(
      "DELETE FROM tool_uses WHERE session_id = ? AND seq <= ?",
      sessionId,
      seq - toolUsesPerSessionMax,
    );
  return true;
}

// Observations of tool use by earlier versions, in rows of their own. Nothing is added to them.

interface Observation extends Omit<FormerObservation, "text" | "files"> {
  readonly subtitle: string;
  readonly narrative: string;
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
}

const observations = tableOf<Observation>()(
  "observations o",
  `id sessionId turn project type atMs title subtitle narrative facts:strings concepts:strings
   filesRead:strings filesModified:strings`,
);

export const createObservations = (sql: Sql) =>
  ({
    formerObservations: (limit) =>
      observations
        .all(sql, "ORDER BY o.id LIMIT ?", limit)
        .map(({ subtitle, narrative, filesRead, filesModified, ...rest }) =>
          Object.assign(rest, {
            text: [subtitle, narrative].filter((part) => part !== "").join("\n"),
            files: [...new Set([...filesModified, ...filesRead])],
          }),
        ),
    dropObservation: (id) => void sql.run("DELETE FROM observations WHERE id = ?", id),
  }) satisfies Partial<SessionStore>;
