/**
 * Removes what a turn left in the records of its session: guards that quote it, summaries and injections made since it
 * began, its jobs. Memories are the caller's business (src/daemon/intake/forget-turn.ts).
 */
import type { Guard, Turn } from "#domain";
import { checkpointOf, storedCheckpoints } from "./checkpoints.ts";
import { guards } from "./events.ts";
import type { IndexWriter } from "./indexes.ts";
import type { Sql } from "./sql.ts";

/** Runs inside the caller's transaction, after the turn's own rows have gone. */
export function dropTraces(sql: Sql, indexes: IndexWriter, turn: Turn): void {
  dropSayings(sql, turn);
  dropSummaries(sql, indexes, turn);
  const { sessionId, n, startedAt } = turn;
  const nextMs = sql.value<number>(
    "SELECT min(started_at) FROM turns WHERE session_id = ? AND n > ?",
    sessionId,
    n,
  );
  const span = [sessionId, startedAt, nextMs ?? Number.MAX_SAFE_INTEGER] as const;
  sql.run(
    "DELETE FROM injections WHERE session_id = ? AND at_ms >= ? AND at_ms < ? AND channel <> 'start'",
    ...span,
  );
  // The next turn takes its number, and jobs of one name run once. A summary that waits tells of the other turns.
  sql.run(
    `DELETE FROM jobs WHERE session_id = ? AND payload ->> '$.turn' = ?
      AND (kind = 'turn' OR state IN ('done', 'skipped'))`,
    sessionId,
    n,
  );
  // A hash of the words would tell whoever guesses them.
  sql.run(
    "UPDATE events SET content_hash = 'off the record' WHERE session_id = ? AND at_ms >= ? AND at_ms < ?",
    ...span,
  );
}

/** A guard that was said in no other turn goes; of another the words that were said in this one. */
function dropSayings(sql: Sql, { sessionId, n }: Turn): void {
  for (const guard of guards.all(sql, "ORDER BY g.id")) {
    const rest = guard.sayings.filter((one) => one.sessionId !== sessionId || one.turn !== n);
    if (rest.length === guard.sayings.length) continue;
    if (rest.length === 0) sql.run("DELETE FROM tool_guards WHERE id = ?", guard.id);
    else guards.update(sql, { sayings: rest, words: shortestOf(rest) }, guard.id);
  }
}

const shortestOf = (sayings: Guard["sayings"]): string =>
  sayings.map(({ words }) => words).toSorted((a, b) => a.length - b.length)[0] ?? "";

/** Summaries made while the turn ran tell of it. The one before is current again. */
function dropSummaries(sql: Sql, indexes: IndexWriter, { sessionId, startedAt }: Turn): void {
  const since = [sessionId, startedAt] as const;
  const isCompacted =
    sql.get(
      "SELECT 1 FROM events WHERE session_id = ? AND at_ms >= ? AND hook IN ('compact', 'subagent')",
      ...since,
    ) !== null;
  if (isCompacted)
    sql.run("UPDATE sessions SET compact_summary = NULL WHERE session_id = ?", sessionId);
  const made = storedCheckpoints.all(sql, "WHERE c.session_id = ? AND c.at_ms >= ?", ...since);
  for (const { id } of made) {
    indexes.dropCheckpoint(id);
    sql.run("DELETE FROM checkpoints WHERE id = ?", id);
  }
  const [last] = storedCheckpoints.all(
    sql,
    "WHERE c.session_id = ? ORDER BY c.n DESC LIMIT 1",
    sessionId,
  );
  if (last === undefined || last.current) return;
  storedCheckpoints.update(sql, { current: true }, last.id);
  indexes.checkpoint(checkpointOf({ ...last, current: true }));
}
