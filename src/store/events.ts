/** Ledgers of what was taken before: events, and records of imports. Keys, hashes and times; never what was said. */
import {
  type EventLog,
  type Guard,
  type GuardStore,
  hookNames,
  type ImportLedger,
  type ImportMark,
  remarkTool,
} from "#domain";
import { msPerSecond } from "#kit";
import type { Sql } from "./sql.ts";
import { replace, tableOf } from "./tables.ts";

/**
 * docs/design/capture.md, "One event counts once": without ids, two equal prompts within one second from one session
 * count once.
 */
const sameWithinMs = msPerSecond;

type Accepted = Parameters<EventLog["accept"]>[0];

const events = tableOf<Accepted>()(
  "events",
  "key hook sessionId contentHash anonymous:bool atMs receivedAtMs via",
);

export const createEvents = (sql: Sql): EventLog => ({
  accept: (event) =>
    sql.atomically(() => {
      if (event.anonymous && isRepeated(sql, event)) return "duplicate";
      const { changes } = events.insert(sql, event, "ON CONFLICT (key) DO NOTHING");
      return changes === 1 ? "fresh" : "duplicate";
    }),
  count: () => sql.count("SELECT count(*) FROM events"),
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
    sql.value<string>(
      `SELECT session_id FROM events JOIN sessions USING (session_id)
        WHERE via <> 'http' AND transcript_path IS NOT NULL
        ORDER BY received_at_ms DESC, at_ms DESC LIMIT 1`,
    ),
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
  sql.column<number>(
    `SELECT latency_ms FROM events WHERE hook = ? AND latency_ms IS NOT NULL
      ORDER BY received_at_ms DESC LIMIT ?`,
    hook,
    limit,
  );

/** One end of the index for each hook: of two hundred thousand events, only their number is counted. */
const lastOf = (sql: Sql, hook: string): ReturnType<EventLog["lastByHook"]> =>
  sql.all(
    `SELECT hook, at_ms AS atMs, received_at_ms AS receivedAtMs,
            (SELECT count(*) FROM events WHERE hook = ?1) AS count FROM events
      WHERE hook = ?1 ORDER BY received_at_ms DESC, at_ms DESC LIMIT 1`,
    hook,
  );

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
  save: (source, key, { nodeId, extent }, atMs) =>
    replace(sql, "imports", { source, key, node_id: nodeId, extent, at_ms: atMs }),
});

// The GuardStore port: what the user forbade, and how far that is approved.

export const guards = tableOf<Guard>()(
  "tool_guards g",
  "id nodeId project words form:json decision state sayings:json isTold:bool createdAt",
);

export const createGuards = (sql: Sql): GuardStore => {
  const byId = (id: number): Guard | null => guards.byId(sql, id);
  return {
    list: () => guards.all(sql, "ORDER BY g.id"),
    byId,
    byForm: (project, form) =>
      guards.get(
        sql,
        "WHERE coalesce(g.project, '') = ? AND g.form = ?",
        project ?? "",
        JSON.stringify(form),
      ),
    add: (guard) => {
      const { lastId } = guards.insert(sql, guard);
      return { ...guard, id: lastId };
    },
    update: (id, patch) => guards.update(sql, patch, id),
  };
};
