/** What each session was shown, and every injection as it was made. Being shown is not being used. */
import type { Exposure, ExposureJournal } from "#domain";
import { addExposures, createInjections } from "./injections.ts";
import type { Sql } from "./sql.ts";

/** The ExposureJournal port. */
export const createExposure = (sql: Sql): ExposureJournal => ({
  add: (exposures) => addExposures(sql, exposures),
  of: (sessionId, sinceMs, limit) =>
    sql.all<Exposure>(
      `SELECT session_id AS sessionId, node_id AS nodeId, uri, channel, at_ms AS atMs FROM exposures
        WHERE session_id = ? AND at_ms >= ? AND channel <> 'search' ORDER BY at_ms, id LIMIT ?`,
      sessionId,
      sinceMs,
      limit,
    ),
  seen: (sessionId, untilMs = Number.MAX_SAFE_INTEGER) =>
    new Set(
      sql
        .all<{ readonly node_id: number }>(
          "SELECT DISTINCT node_id FROM exposures WHERE session_id = ? AND is_seen = 1 AND at_ms <= ? LIMIT 100000",
          sessionId,
          untilMs,
        )
        .map(({ node_id }) => node_id),
    ),
  shownCount: (sessionId) =>
    sql.get<{ readonly n: number }>(
      "SELECT count(DISTINCT node_id) AS n FROM exposures WHERE session_id = ? AND channel <> 'said'",
      sessionId,
    )?.n ?? 0,
  givenCount: (nodeId) =>
    sql.get<{ readonly n: number }>(
      "SELECT count(*) AS n FROM exposures WHERE node_id = ? AND channel IN ('start', 'prompt')",
      nodeId,
    )?.n ?? 0,
  resetSeen: (sessionId) =>
    void sql.run(
      "UPDATE exposures SET is_seen = 0 WHERE session_id = ? AND is_seen = 1",
      sessionId,
    ),
  ...createInjections(sql),
});
