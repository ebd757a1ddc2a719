/** Ledgers of what was taken before: events, and records of imports. Keys, hashes and times; never what was said. */
import {
  type EventLog,
  type Guard,
  type GuardDecision,
  type GuardForm,
  type GuardSaying,
  type GuardState,
  type GuardStore,
  hookNames,
  type ImportLedger,
  type ImportMark,
  remarkTool,
} from "#domain";
import { msPerSecond } from "#kit";
import type { Sql } from "./sql.ts";

/**
 * docs/design/capture.md, "One event counts once": without ids, two equal prompts within one second from one session
 * count once.
 */
const sameWithinMs = msPerSecond;

/** The EventLog port. */
export const createEvents = (sql: Sql): EventLog => ({
  accept: (event) =>
    sql.atomically(() => {
      if (event.anonymous && isRepeated(sql, event)) return "duplicate";
      const { changes } = sql.run(
        `INSERT INTO events (key, hook, session_id, content_hash, anonymous, at_ms, received_at_ms, via)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
        event.key,
        event.hook,
        event.sessionId,
        event.contentHash,
        event.anonymous ? 1 : 0,
        event.atMs,
        event.receivedAtMs,
        event.via,
      );
      return changes === 1 ? "fresh" : "duplicate";
    }),
  acceptedVia: (key) =>
    sql.get<{ readonly via: string }>("SELECT via FROM events WHERE key = ?", key)?.via ?? null,
  count: () => sql.get<{ readonly n: number }>("SELECT count(*) AS n FROM events")?.n ?? 0,
  lastByHook: () => hookNames.toSorted().flatMap((hook) => lastOf(sql, hook)),
  noteLatencies: (latencies) =>
    sql.atomically(() => {
      for (const { key, ms } of latencies)
        sql.run("UPDATE events SET latency_ms = ? WHERE key = ? AND latency_ms IS NULL", ms, key);
    }),
  latencies: (limit) =>
    new Map(
      hookNames
        .map((hook) => [hook, latenciesOf(sql, hook, limit)] as const)
        .filter(([, latencies]) => latencies.length > 0),
    ),
  lastSession: () =>
    sql.get<{ readonly session_id: string }>(
      `SELECT session_id FROM events JOIN sessions USING (session_id)
        WHERE via <> 'http' AND transcript_path IS NOT NULL
        ORDER BY received_at_ms DESC, at_ms DESC LIMIT 1`,
    )?.session_id ?? null,
  firedIn: (sessionId) =>
    new Map(
      sql
        .all<{ readonly hook: string; readonly n: number }>(
          "SELECT hook, count(*) AS n FROM events WHERE session_id = ? GROUP BY hook LIMIT 100",
          sessionId,
        )
        .map(({ hook, n }) => [hook, n]),
    ),
});

type Accepted = Parameters<EventLog["accept"]>[0];

/** Was the same told a moment ago, by another installation say? */
function isRepeated(sql: Sql, event: Accepted): boolean {
  const { sessionId, hook, atMs } = event;
  const same = sql.get<{ readonly at_ms: number }>(
    `SELECT at_ms FROM events
      WHERE anonymous = 1 AND content_hash = ? AND session_id IS ? AND hook = ? AND at_ms BETWEEN ? AND ?
      ORDER BY abs(at_ms - ?) LIMIT 1`,
    event.contentHash,
    sessionId,
    hook,
    atMs - sameWithinMs,
    atMs + sameWithinMs,
    atMs,
  );
  if (same === null || !isOfSession.has(hook)) return same !== null;
  // A session that began or ended a moment ago, and did something since, begins or ends again.
  return (
    sql.get(
      "SELECT 1 FROM events WHERE session_id IS ? AND hook <> ? AND at_ms > ? AND at_ms < ? LIMIT 1",
      sessionId,
      hook,
      Math.min(same.at_ms, atMs),
      Math.max(same.at_ms, atMs),
    ) === null
  );
}

const isOfSession: ReadonlySet<string> = new Set(["start", "end"]);

const latenciesOf = (sql: Sql, hook: string, limit: number): readonly number[] =>
  sql
    .all<{ readonly latency_ms: number }>(
      `SELECT latency_ms FROM events WHERE hook = ? AND latency_ms IS NOT NULL
        ORDER BY received_at_ms DESC LIMIT ?`,
      hook,
      limit,
    )
    .map((row) => row.latency_ms);

interface LastRow {
  readonly at_ms: number;
  readonly received_at_ms: number;
  readonly n: number;
}

/** One end of the index for each hook: of two hundred thousand events, only their number is counted. */
const lastOf = (sql: Sql, hook: string): ReturnType<EventLog["lastByHook"]> =>
  sql
    .all<LastRow>(
      `SELECT at_ms, received_at_ms, (SELECT count(*) FROM events WHERE hook = ?1) AS n FROM events
        WHERE hook = ?1 ORDER BY received_at_ms DESC, at_ms DESC LIMIT 1`,
      hook,
    )
    .map((row) => ({ hook, atMs: row.at_ms, receivedAtMs: row.received_at_ms, count: row.n }));

// The ledger of imports: which records of which source were taken before.

export const createImports = (sql: Sql): ImportLedger => ({
  find: (source, key) =>
    sql.get<ImportMark>(
      "SELECT node_id AS nodeId, extent FROM imports WHERE source = ? AND key = ?",
      source,
      key,
    ),
  unread: () =>
    sql.all<{ readonly sessionId: string; readonly chars: number }>(
      // A record takes about so much of a prompt and an answer at most, and of what was said between them.
      `SELECT s.session_id AS sessionId,
              sum(min(length(t.prompt), 1400) + min(length(coalesce(t.answer, '')), 1000)) +
                (SELECT coalesce(sum(length(u.text)), 0) FROM tool_uses u
                  WHERE u.session_id = s.session_id AND u.tool = '${remarkTool}') AS chars
         FROM sessions s JOIN turns t ON t.session_id = s.session_id
        WHERE t.prompt IS NOT NULL AND coalesce(t.is_private, 0) = 0
          AND EXISTS (SELECT 1 FROM imports i WHERE i.key = 'session:' || s.session_id)
          AND NOT EXISTS (SELECT 1 FROM meta m WHERE m.name = 'model.progress:' || s.session_id)
        GROUP BY s.session_id HAVING min(t.status <> 'open') = 1 ORDER BY s.started_at DESC`,
    ),
  save: (source, key, mark, atMs) =>
    void sql.run(
      `INSERT INTO imports (source, key, node_id, extent, at_ms) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (source, key) DO UPDATE SET node_id = excluded.node_id, extent = excluded.extent,
         at_ms = excluded.at_ms`,
      source,
      key,
      mark.nodeId,
      mark.extent,
      atMs,
    ),
});

// The GuardStore port: what the user forbade, and how far that is approved.

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
