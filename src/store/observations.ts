/** Observations of tool use by earlier versions, in rows of their own. Nothing is added to them. */
import type { FormerObservation, ObservationType, SessionStore } from "#domain";
import { stringsOf, type Sql } from "./sql.ts";

type ObservationTable = Pick<SessionStore, "formerObservations" | "dropObservation">;

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
export const createObservations = (sql: Sql): ObservationTable => ({
  formerObservations: (limit) =>
    sql
      .all<ObservationRow>("SELECT * FROM observations ORDER BY id LIMIT ?", limit)
      .map(observationFromRow),
  dropObservation: (id) => void sql.run("DELETE FROM observations WHERE id = ?", id),
});

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
