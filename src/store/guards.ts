/** The GuardStore port: what the user forbade, and how far that is approved. */
import type { Guard, GuardDecision, GuardForm, GuardSaying, GuardState, GuardStore } from "#domain";
import type { Sql } from "./sql.ts";

interface GuardRow {
  readonly id: number;
  readonly node_id: number | null;
  readonly project: string | null;
  readonly words: string;
  readonly form: string;
  readonly decision: GuardDecision;
  readonly state: GuardState;
  readonly sayings: string;
  readonly is_told: number;
  readonly created_at: number;
}

const columns = "id, node_id, project, words, form, decision, state, sayings, is_told, created_at";

const guardOf = (row: GuardRow): Guard => ({
  id: row.id,
  nodeId: row.node_id,
  project: row.project,
  words: row.words,
  form: JSON.parse(row.form) as GuardForm,
  decision: row.decision,
  state: row.state,
  sayings: JSON.parse(row.sayings) as readonly GuardSaying[],
  isTold: row.is_told === 1,
  createdAt: row.created_at,
});

const one = (row: GuardRow | null): Guard | null => (row === null ? null : guardOf(row));

/** The GuardStore port. */
export const createGuards = (sql: Sql): GuardStore => {
  const byId = (id: number): Guard | null =>
    one(sql.get<GuardRow>(`SELECT ${columns} FROM tool_guards WHERE id = ?`, id));
  return {
    list: () => sql.all<GuardRow>(`SELECT ${columns} FROM tool_guards ORDER BY id`).map(guardOf),
    byId,
    byForm: (project, form) =>
      one(
        sql.get<GuardRow>(
          `SELECT ${columns} FROM tool_guards WHERE coalesce(project, '') = ? AND form = ?`,
          project ?? "",
          JSON.stringify(form),
        ),
      ),
    add: (guard) => {
      const { lastId } = sql.run(
        `INSERT INTO tool_guards (node_id, project, words, form, decision, state, sayings, is_told, created_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        guard.nodeId,
        guard.project,
        guard.words,
        JSON.stringify(guard.form),
        guard.decision,
        guard.state,
        JSON.stringify(guard.sayings),
        guard.isTold ? 1 : 0,
        guard.createdAt,
      );
      return { ...guard, id: lastId };
    },
    update: (id, patch) => {
      const known = byId(id);
      if (known === null) return;
      const { nodeId, words, decision, state, sayings, isTold } = { ...known, ...patch };
      sql.run(
        `UPDATE tool_guards SET node_id = ?, words = ?, decision = ?, state = ?, sayings = ?, is_told = ? WHERE id = ?`,
        nodeId,
        words,
        decision,
        state,
        JSON.stringify(sayings),
        isTold ? 1 : 0,
        id,
      );
    },
  };
};
