/** What each session was shown, and every injection as it was made. Being shown is not being used. */
import type {
  Exposure,
  ExposureJournal,
  InjectionFilter,
  InjectionHead,
  InjectionRecord,
  Withheld,
} from "#domain";
import type { Sql, SqlValue } from "./sql.ts";

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

// Injections as they were made: for `why`, for the list of every prompt, and what a person said of them.

interface HeadRow {
  readonly id: number;
  readonly session_id: string;
  readonly at_ms: number;
  readonly channel: InjectionRecord["channel"];
  readonly cause: string;
  readonly tokens: number;
  readonly feedback: InjectionRecord["feedback"];
}

interface InjectionRow extends HeadRow {
  readonly text: string;
  readonly reasons: string;
}

interface ListRow extends HeadRow {
  readonly project: string | null;
  readonly title: string | null;
  readonly n: number | null;
  readonly prompt: string | null;
  readonly probability: number | null;
  readonly threshold: number | null;
  readonly used: number | null;
}

const heads = "id, session_id, at_ms, channel, cause, tokens, feedback";
const columns = `${heads}, text, reasons`;
/** Characters of a prompt in a list. */
const promptChars = 300;

/** Notes what sessions came to know. */
const addExposures = (sql: Sql, exposures: readonly Exposure[]): void =>
  sql.atomically(() => {
    for (const exposure of exposures)
      sql.run(
        "INSERT INTO exposures (session_id, node_id, uri, channel, at_ms) VALUES (?, ?, ?, ?, ?)",
        exposure.sessionId,
        exposure.nodeId,
        exposure.uri,
        exposure.channel,
        exposure.atMs,
      );
  });

/** The part of the ExposureJournal port about whole injections. */
const createInjections = (sql: Sql) =>
  ({
    ...createLists(sql),
    ...createDelivery(sql),
    addInjection: (record) =>
      void sql.run(
        `INSERT INTO injections (session_id, at_ms, channel, cause, tokens, text, reasons)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
        record.sessionId,
        record.atMs,
        record.channel,
        record.cause,
        record.tokens,
        record.text,
        record.reasons,
      ),
    injections: (sessionId, limit) =>
      sql
        .all<InjectionRow>(
          `SELECT ${columns} FROM injections
          WHERE ${sessionId === null ? "?1 IS NULL" : "session_id = ?1"} ORDER BY id DESC LIMIT ?2`,
          sessionId,
          limit,
        )
        .map(injectionOf),
    injection: (id) => {
      const row = sql.get<InjectionRow>(`SELECT ${columns} FROM injections WHERE id = ?`, id);
      return row === null ? null : injectionOf(row);
    },
    shownBy: ({ sessionId, atMs, channel }) =>
      sql
        .all<{ readonly node_id: number }>(
          `SELECT node_id FROM exposures WHERE session_id = ? AND at_ms = ? AND channel = ? ORDER BY id LIMIT 1000`,
          sessionId,
          atMs,
          channel,
        )
        .map(({ node_id }) => node_id),
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
        const event = [sessionId, atMs, JSON.stringify(channels)] as const;
        const injections = sql.all<Withheld["injections"][number]>(
          `SELECT id, channel, cause, tokens FROM injections WHERE ${which} AND tokens > 0`,
          ...event,
        );
        const exposures = sql.all<Exposure>(
          `SELECT session_id AS sessionId, node_id AS nodeId, uri, channel, at_ms AS atMs FROM exposures
          WHERE ${which} ORDER BY id`,
          ...event,
        );
        sql.run(`DELETE FROM exposures WHERE ${which}`, ...event);
        sql.run(
          `UPDATE injections SET cause = 'late', tokens = 0 WHERE ${which} AND tokens > 0`,
          ...event,
        );
        return { injections, exposures };
      }),
    deliver: ({ injections, exposures }) =>
      sql.atomically(() => {
        for (const { id, cause, tokens } of injections)
          sql.run("UPDATE injections SET cause = ?, tokens = ? WHERE id = ?", cause, tokens, id);
        addExposures(sql, exposures);
      }),
  }) satisfies Partial<ExposureJournal>;

/** The lists, which leave the long texts out. */
const createLists = (sql: Sql) =>
  ({
    injectionHeads: (filter, { limit, offset }) => {
      const { where, params } = conditionsOf(filter);
      const nodeId = filter.nodeId ?? null;
      // The long texts are read for the rows of the page alone.
      return sql
        .all<ListRow>(
          `WITH page AS MATERIALIZED (
           SELECT ${heads.replaceAll(/\w+/g, "x.$&")} FROM injections x ${where}
            ORDER BY x.at_ms DESC, x.id DESC LIMIT ? OFFSET ?)
         SELECT page.*, s.project, s.title, t.n, substr(t.prompt, 1, ${promptChars}) AS prompt,
                ${reasonOf("probability")} AS probability, ${reasonOf("threshold")} AS threshold,
                ${nodeId === null ? "NULL" : usedLater(nodeId)} AS used
           FROM page JOIN injections i ON i.id = page.id
           LEFT JOIN sessions s ON s.session_id = page.session_id
           LEFT JOIN turns t ON t.id = (
             SELECT max(id) FROM turns WHERE session_id = page.session_id AND started_at = page.at_ms
                AND page.channel = 'prompt')
          ORDER BY page.at_ms DESC, page.id DESC`,
          ...params,
          limit,
          offset,
        )
        .map(headOf);
    },
    countInjections: (filter) => {
      const { where, params } = conditionsOf(filter);
      return (
        sql.get<{ readonly n: number }>(
          `SELECT count(*) AS n FROM injections x ${where}`,
          ...params,
        )?.n ?? 0
      );
    },
  }) satisfies Partial<ExposureJournal>;

const reasonOf = (name: "probability" | "threshold"): string =>
  `CASE WHEN json_valid(i.reasons) THEN json_extract(i.reasons, '$.decision.${name}') END`;

const usedLater = (nodeId: number): string =>
  `EXISTS (SELECT 1 FROM exposures f WHERE f.node_id = ${nodeId} AND f.channel = 'fetch'
                AND f.session_id = page.session_id AND f.at_ms >= page.at_ms)`;

const silentPrompt = `x.tokens = 0 AND x.channel = 'prompt' AND x.cause NOT IN ('late', 'failed')`;

function conditionOfKind(
  kind: NonNullable<InjectionFilter["kind"]>,
): readonly [condition: string, ...params: readonly SqlValue[]] {
  if (kind === "given") return ["x.tokens > 0"];
  if (kind === "silent") return [silentPrompt];
  return kind === "late" || kind === "failed" ? ["x.cause = ?", kind] : ["x.feedback = ?", kind];
}

function conditionsOf(filter: InjectionFilter): {
  readonly where: string;
  readonly params: readonly SqlValue[];
} {
  const { id, sessionId, nodeId, projects, kind, sinceMs, untilMs } = filter;
  const parts: (readonly [condition: string, ...params: readonly SqlValue[]])[] = [];
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
      JSON.stringify(projects),
    ]);
  if (kind !== undefined) parts.push(conditionOfKind(kind));
  if (sinceMs !== undefined) parts.push(["x.at_ms >= ?", sinceMs]);
  if (untilMs !== undefined) parts.push(["x.at_ms < ?", untilMs]);
  return {
    where: parts.length === 0 ? "" : `WHERE ${parts.map(([condition]) => condition).join(" AND ")}`,
    params: parts.flatMap(([, ...params]) => params),
  };
}

const headOf = (row: ListRow): InjectionHead => ({
  ...ownOf(row),
  project: row.project,
  sessionTitle: row.title,
  turn: row.n,
  prompt: row.prompt,
  probability: row.probability,
  threshold: row.threshold,
  used: row.used === null ? null : row.used === 1,
});

const injectionOf = (row: InjectionRow): InjectionRecord => ({
  ...ownOf(row),
  text: row.text,
  reasons: row.reasons,
});

const ownOf = (row: HeadRow) => ({
  id: row.id,
  sessionId: row.session_id,
  atMs: row.at_ms,
  channel: row.channel,
  cause: row.cause,
  tokens: row.tokens,
  feedback: row.feedback,
});
