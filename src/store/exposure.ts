/** Records what each session was shown, and every injection as it was made. Being shown is not being used. */
import type {
  Exposure,
  ExposureJournal,
  InjectionFilter,
  InjectionHead,
  InjectionRecord,
  Withheld,
} from "#domain";
import { type Condition, joinWhere, type Where } from "./node-rows.ts";
import type { Sql } from "./sql.ts";
import { tableOf } from "./tables.ts";

export const createExposure = (sql: Sql): ExposureJournal => ({
  add: (exposures) => addExposures(sql, exposures),
  of: (sessionId, sinceMs, limit) =>
    exposureTable.all(
      sql,
      "WHERE e.session_id = ? AND e.at_ms >= ? AND e.channel <> 'search' ORDER BY e.at_ms, e.id LIMIT ?",
      sessionId,
      sinceMs,
      limit,
    ),
  seen: (sessionId, untilMs = Number.MAX_SAFE_INTEGER) =>
    new Set(
      sql.column<number>(
        "SELECT DISTINCT node_id FROM exposures WHERE session_id = ? AND is_seen = 1 AND at_ms <= ? LIMIT 100000",
        sessionId,
        untilMs,
      ),
    ),
  shownCount: (sessionId) =>
    sql.count(
      "SELECT count(DISTINCT node_id) FROM exposures WHERE session_id = ? AND channel <> 'said'",
      sessionId,
    ),
  givenCount: (nodeId) =>
    sql.count(
      "SELECT count(*) FROM exposures WHERE node_id = ? AND channel IN ('start', 'prompt')",
      nodeId,
    ),
  resetSeen: (sessionId) =>
    void sql.run(
      "UPDATE exposures SET is_seen = 0 WHERE session_id = ? AND is_seen = 1",
      sessionId,
    ),
  ...createInjections(sql),
});

// Injections as they were made: for `why`, for the list of every prompt, and what a person said of them.

const exposureTable = tableOf<Exposure>()("exposures e", "sessionId nodeId uri channel atMs");

const injectionHeads = tableOf<Omit<InjectionRecord, "text" | "reasons">>()(
  "injections x",
  "id sessionId atMs channel cause tokens feedback",
);

const injections = tableOf<InjectionRecord>()(
  "injections x",
  "id sessionId atMs channel cause tokens feedback text reasons",
);

/** Characters of a prompt in a list. */
const promptChars = 300;

const addExposures = (sql: Sql, exposures: readonly Exposure[]): void =>
  sql.atomically(() => {
    for (const exposure of exposures) exposureTable.insert(sql, exposure);
  });

const createInjections = (sql: Sql) =>
  ({
    ...createLists(sql),
    ...createDelivery(sql),
    addInjection: (record) => void injections.insert(sql, record),
    injections: (sessionId, limit) =>
      injections.all(
        sql,
        `WHERE ${sessionId === null ? "?1 IS NULL" : "x.session_id = ?1"} ORDER BY x.id DESC LIMIT ?2`,
        sessionId,
        limit,
      ),
    injection: (id) => injections.byId(sql, id),
    shownBy: ({ sessionId, atMs, channel }) =>
      sql.column<number>(
        "SELECT node_id FROM exposures WHERE session_id = ? AND at_ms = ? AND channel = ? ORDER BY id LIMIT 1000",
        sessionId,
        atMs,
        channel,
      ),
    judge: (id, feedback) =>
      sql.run("UPDATE injections SET feedback = ? WHERE id = ?", feedback, id).changes > 0,
  }) satisfies Partial<ExposureJournal>;

/** Takes back what has not arrived yet. */
const createDelivery = (sql: Sql) =>
  ({
    withhold: (sessionId, atMs, channels) =>
      sql.atomically(() => {
        const which =
          "session_id = ? AND at_ms = ? AND channel IN (SELECT value FROM json_each(?))";
        const event = [sessionId, atMs, channels] as const;
        const withheld = sql.all<Withheld["injections"][number]>(
          `SELECT id, channel, cause, tokens FROM injections WHERE ${which} AND tokens > 0`,
          ...event,
        );
        const exposures = exposureTable.all(sql, `WHERE ${which} ORDER BY e.id`, ...event);
        sql.run(`DELETE FROM exposures WHERE ${which}`, ...event);
        sql.run(
          `UPDATE injections SET cause = 'late', tokens = 0 WHERE ${which} AND tokens > 0`,
          ...event,
        );
        return { injections: withheld, exposures };
      }),
    deliver: ({ injections: withheld, exposures }) =>
      sql.atomically(() => {
        for (const { id, cause, tokens } of withheld)
          sql.run("UPDATE injections SET cause = ?, tokens = ? WHERE id = ?", cause, tokens, id);
        addExposures(sql, exposures);
      }),
  }) satisfies Partial<ExposureJournal>;

/** The lists, which leave the long texts out. */
const createLists = (sql: Sql) =>
  ({
    injectionHeads: (filter, { limit, offset = 0 }) => {
      const { text, params } = whereOf(filter);
      const nodeId = filter.nodeId ?? null;
      // The long texts are read for the rows of the page alone.
      return sql
        .all<InjectionHead & { readonly used: number | null }>(
          `WITH page AS MATERIALIZED (
           SELECT ${injectionHeads.columns} FROM injections x WHERE ${text}
            ORDER BY x.at_ms DESC, x.id DESC LIMIT ? OFFSET ?)
         SELECT page.*, s.project, s.title AS sessionTitle, t.n AS turn,
                substr(t.prompt, 1, ${promptChars}) AS prompt,
                ${reasonOf("probability")} AS probability, ${reasonOf("threshold")} AS threshold,
                ${nodeId === null ? "NULL" : usedLater(nodeId)} AS used
           FROM page JOIN injections i ON i.id = page.id
           LEFT JOIN sessions s ON s.session_id = page.sessionId
           LEFT JOIN turns t ON t.id = (
             SELECT max(id) FROM turns WHERE session_id = page.sessionId AND started_at = page.atMs
                AND page.channel = 'prompt')
          ORDER BY page.atMs DESC, page.id DESC`,
          ...params,
          limit,
          offset,
        )
        .map((row) => Object.assign(row, { used: row.used === null ? null : row.used === 1 }));
    },
    countInjections: (filter) => {
      const { text, params } = whereOf(filter);
      return sql.count(`SELECT count(*) FROM injections x WHERE ${text}`, ...params);
    },
  }) satisfies Partial<ExposureJournal>;

const reasonOf = (name: "probability" | "threshold"): string =>
  `CASE WHEN json_valid(i.reasons) THEN json_extract(i.reasons, '$.decision.${name}') END`;

const usedLater = (nodeId: number): string =>
  `EXISTS (SELECT 1 FROM exposures f WHERE f.node_id = ${nodeId} AND f.channel = 'fetch'
                AND f.session_id = page.sessionId AND f.at_ms >= page.atMs)`;

export const silentPrompt = `x.tokens = 0 AND x.channel = 'prompt' AND x.cause NOT IN ('late', 'failed')`;

function conditionOfKind(kind: NonNullable<InjectionFilter["kind"]>): Condition {
  if (kind === "given") return ["x.tokens > 0"];
  if (kind === "silent") return [silentPrompt];
  return kind === "late" || kind === "failed" ? ["x.cause = ?", kind] : ["x.feedback = ?", kind];
}

function whereOf(filter: InjectionFilter): Where {
  const { id, sessionId, nodeId, projects, kind, sinceMs, untilMs } = filter;
  const parts: Condition[] = [];
  if (id !== undefined) parts.push(["x.id = ?", id]);
  if (sessionId !== undefined) parts.push(["x.session_id = ?", sessionId]);
  if (nodeId !== undefined)
    parts.push([
      `x.id IN (SELECT j.id FROM exposures e CROSS JOIN injections j
                 WHERE e.node_id = ? AND j.at_ms = e.at_ms AND j.session_id = e.session_id AND j.channel = e.channel)`,
      nodeId,
    ]);
  if (projects !== null)
    parts.push([
      `x.session_id IN (SELECT session_id FROM sessions WHERE project IN (SELECT value FROM json_each(?)))`,
      projects,
    ]);
  if (kind !== undefined) parts.push(conditionOfKind(kind));
  if (sinceMs !== undefined) parts.push(["x.at_ms >= ?", sinceMs]);
  if (untilMs !== undefined) parts.push(["x.at_ms < ?", untilMs]);
  return joinWhere(parts);
}
