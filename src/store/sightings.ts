/** Proposals below the bar, by slot: what one session alone did not bear out waits for a second one. */
import type { Sighting, SightingStore } from "#domain";
import type { Sql } from "./sql.ts";

interface SightingRow {
  readonly slot: string;
  readonly project: string | null;
  readonly session_id: string;
  readonly json: string;
  readonly at_ms: number;
}

/** Of one slot, read at a time. */
const sightingsMax = 20;

/** The SightingStore port. */
export const createSightings = (sql: Sql): SightingStore => ({
  add: ({ slot, project, sessionId, json, atMs }) =>
    sql.atomically(() => {
      sql.run(
        "DELETE FROM sightings WHERE slot = ? AND project IS ? AND session_id = ?",
        slot,
        project,
        sessionId,
      );
      sql.run(
        "INSERT INTO sightings (slot, project, session_id, json, at_ms) VALUES (?, ?, ?, ?, ?)",
        slot,
        project,
        sessionId,
        json,
        atMs,
      );
    }),
  of: ({ slot, project, sessionId }) =>
    sql
      .all<SightingRow>(
        `SELECT slot, project, session_id, json, at_ms FROM sightings
          WHERE slot = ? AND project IS ? AND session_id <> ? ORDER BY at_ms DESC, id DESC LIMIT ${sightingsMax}`,
        slot,
        project,
        sessionId,
      )
      .map(sightingFromRow),
  drop: ({ slot, project }) =>
    void sql.run("DELETE FROM sightings WHERE slot = ? AND project IS ?", slot, project),
  count: () => sql.get<{ readonly n: number }>("SELECT count(*) AS n FROM sightings")?.n ?? 0,
});

const sightingFromRow = (row: SightingRow): Sighting => ({
  slot: row.slot,
  project: row.project,
  sessionId: row.session_id,
  json: row.json,
  atMs: row.at_ms,
});
