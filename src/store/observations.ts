/** Observations: what was learnt from tool use within a turn, compressed and typed. */
import type { Observation, ObservationDraft, ObservationType, SessionStore } from "#domain";
import type { IndexWriter } from "./indexes.ts";
import { stringsOf, type Sql } from "./sql.ts";

type ObservationTable = Pick<
  SessionStore,
  "addObservations" | "observations" | "observationsByIds" | "replaceObservations"
>;

const observationsMax = 5_000;

export interface ObservationRow {
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

export const observationColumns = `o.id, o.session_id, o.turn, o.project, o.type, o.at_ms, o.title, o.subtitle,
  o.narrative, o.facts, o.concepts, o.files_read, o.files_modified`;

/** The observations of the session store. */
export const createObservations = (sql: Sql, indexes: IndexWriter): ObservationTable => ({
  addObservations: (drafts) => add(sql, indexes, drafts),
  replaceObservations: (sessionId, turn, drafts) =>
    sql.atomically(() => {
      const before = sql.all<{ readonly id: number }>(
        "SELECT id FROM observations WHERE session_id = ? AND turn = ?",
        sessionId,
        turn,
      );
      for (const { id } of before) {
        sql.run("DELETE FROM observations WHERE id = ?", id);
        indexes.dropObservation(id);
      }
      return add(sql, indexes, drafts);
    }),
  observations: (sessionId) =>
    sql
      .all<ObservationRow>(
        `SELECT ${observationColumns} FROM observations o WHERE o.session_id = ?
          ORDER BY o.turn, o.id LIMIT ${observationsMax}`,
        sessionId,
      )
      .map(observationFromRow),
  observationsByIds: (ids) =>
    sql
      .all<ObservationRow>(
        `SELECT ${observationColumns} FROM json_each(?) j CROSS JOIN observations o ON o.id = j.value ORDER BY j.key`,
        JSON.stringify(ids),
      )
      .map(observationFromRow),
});

const add = (
  sql: Sql,
  indexes: IndexWriter,
  drafts: readonly ObservationDraft[],
): readonly Observation[] =>
  sql.atomically(() =>
    drafts.map((draft) => {
      const { lastId } = sql.run(
        `INSERT INTO observations (session_id, turn, project, type, at_ms, title, subtitle, narrative, facts,
                                     concepts, files_read, files_modified)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        draft.sessionId,
        draft.turn,
        draft.project,
        draft.type,
        draft.atMs,
        draft.title,
        draft.subtitle,
        draft.narrative,
        JSON.stringify(draft.facts),
        JSON.stringify(draft.concepts),
        JSON.stringify(draft.filesRead),
        JSON.stringify(draft.filesModified),
      );
      const observation = { ...draft, id: lastId };
      indexes.observation(observation);
      return observation;
    }),
  );

export const observationFromRow = (row: ObservationRow): Observation => ({
  id: row.id,
  sessionId: row.session_id,
  turn: row.turn,
  project: row.project,
  type: row.type,
  title: row.title,
  subtitle: row.subtitle,
  narrative: row.narrative,
  facts: stringsOf(row.facts),
  concepts: stringsOf(row.concepts),
  filesRead: stringsOf(row.files_read),
  filesModified: stringsOf(row.files_modified),
  atMs: row.at_ms,
});
