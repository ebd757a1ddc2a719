/** Where projects were seen, and commits by which a clone is known. */
import type { LlmLedger, LlmPurpose, Place, PlaceStore, ProviderName } from "#domain";
import { onClock, type Sql } from "./sql.ts";

const placesMax = 200;
/** Of each project: the first ones stay, since every full clone has them; the others make room for later ones. */
const firstKept = 64;
const commitsMax = 256;
/** Looked for in a clone: half of the oldest, half of the latest. */
const halfAsked = 16;

interface Row {
  readonly root: string;
  readonly trusted: number;
}

/** The PlaceStore port. */
export const createPlaces = (sql: Sql): PlaceStore => ({
  of: (project, root) => {
    const rows = sql.all<Row>(
      `SELECT root, trusted FROM project_places WHERE project = ? ORDER BY seen_at DESC, root LIMIT ${placesMax}`,
      project,
    );
    const places = rows.map((row): Place => ({ root: row.root, isTrusted: row.trusted === 1 }));
    if (places.some(({ isTrusted }) => isTrusted)) return places;
    return [...places, ...sessionFolders(sql, { project, root, except: places })];
  },
  in: (root) =>
    sql.get<{ readonly project: string }>(
      "SELECT project FROM project_places WHERE root = ? ORDER BY seen_at DESC LIMIT 1",
      root,
    )?.project ?? null,
  at: (project, root) =>
    sql.get("SELECT 1 FROM project_places WHERE project = ? AND root = ?", project, root) !== null,
  sharing: (project, commits) =>
    sql
      .all<{ readonly key: string }>(
        `SELECT DISTINCT project AS key FROM project_commits
          WHERE project LIKE 'dir:%' AND project <> ? AND id IN (SELECT value FROM json_each(?)) LIMIT 8`,
        project,
        JSON.stringify(commits),
      )
      .map(({ key }) => key),
  put: (project, { root, isTrusted }, atMs) =>
    void sql.run(
      `INSERT INTO project_places (project, root, trusted, seen_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (project, root) DO UPDATE SET trusted = excluded.trusted, seen_at = max(seen_at, excluded.seen_at)`,
      project,
      root,
      isTrusted ? 1 : 0,
      atMs,
    ),
  commits: (project) => {
    const ordered = (order: string): readonly { readonly id: string }[] =>
      sql.all<{ readonly id: string }>(
        `SELECT id FROM project_commits WHERE project = ? AND id NOT GLOB 'folder:*'
          ORDER BY seen_at ${order}, id LIMIT ${halfAsked}`,
        project,
      );
    return [...new Set([...ordered("ASC"), ...ordered("DESC")].map(({ id }) => id))];
  },
  addCommits: (project, ids, atMs) =>
    sql.atomically(() => {
      for (const id of ids)
        sql.run(
          `INSERT INTO project_commits (project, id, seen_at) VALUES (?, ?, ?) ON CONFLICT (project, id) DO NOTHING`,
          project,
          id,
          atMs,
        );
      dropMiddle(sql, project);
    }),
});

/** What an import says of where the project lay; a folder that is not believed, and this one, say nothing. */
const sessionFolders = (
  sql: Sql,
  ask: { readonly project: string; readonly root: string; readonly except: readonly Place[] },
): readonly Place[] =>
  sql
    .all<{ readonly cwd: string }>(
      `SELECT cwd FROM sessions WHERE project = ?1 AND cwd IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM json_each(?2) r
                           WHERE cwd = r.value
                              OR substr(cwd, 1, length(r.value) + 1) IN (r.value || '/', r.value || '\\'))
        GROUP BY cwd ORDER BY max(last_event_at) DESC LIMIT ${placesMax}`,
      ask.project,
      JSON.stringify([ask.root, ...ask.except.map(({ root }) => root)]),
    )
    .map(({ cwd }) => ({ root: cwd, isTrusted: true }));

const dropMiddle = (sql: Sql, project: string): void =>
  void sql.run(
    `DELETE FROM project_commits WHERE project = ?1 AND id IN (
       SELECT id FROM (SELECT id, seen_at, row_number() OVER (ORDER BY seen_at, id) AS n, count(*) OVER () AS total
                         FROM project_commits WHERE project = ?1)
        WHERE n > ${firstKept} AND n <= ${firstKept} + total - ${commitsMax})`,
    project,
  );

// The ledger of model calls: what each was for, what it cost and how it ended. Numbers and names; never a prompt.

/** Day, purpose and model: some hundred lines a month at most. */
const usageLinesMax = 10_000;

interface UsageRow {
  readonly day: string;
  readonly purpose: LlmPurpose;
  readonly model: string;
  readonly calls: number;
  readonly failed: number;
  readonly estimated: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost_usd: number | null;
}

interface LastRow {
  readonly at_ms: number;
  readonly model: string;
  readonly outcome: string;
  readonly provider: ProviderName;
  readonly purpose: LlmPurpose;
}

/** The LlmLedger port. */
export const createLedger = (sql: Sql): LlmLedger => ({
  add: (call) =>
    void sql.run(
      `INSERT INTO llm_calls (at_ms, purpose, provider, model, session_id, tokens_in, tokens_out, cost_usd, latency_ms,
                              outcome, estimated)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      call.atMs,
      call.purpose,
      call.provider,
      call.model,
      call.sessionId,
      call.inputTokens,
      call.outputTokens,
      call.costUsd,
      call.latencyMs,
      call.outcome,
      call.isEstimate ? 1 : null,
    ),
  tokensSince: (sinceMs, sessionId) =>
    sql.get<{ readonly tokens: number }>(
      `SELECT coalesce(sum(tokens_in + tokens_out), 0) AS tokens FROM llm_calls
        WHERE at_ms >= ? ${sessionId === null ? "" : "AND session_id = ?"}`,
      sinceMs,
      ...(sessionId === null ? [] : [sessionId]),
    )?.tokens ?? 0,
  last: () => {
    const row = sql.get<LastRow>(
      `SELECT at_ms, model, outcome, provider, purpose FROM llm_calls ORDER BY id DESC LIMIT 1`,
    );
    if (row === undefined || row === null) return null;
    const { at_ms: atMs, ...call } = row;
    return { atMs, ...call };
  },
  usage: (sinceMs, days) =>
    sql
      .all<UsageRow>(
        // sum() of nothing but NULL is NULL: where no price is known, none is shown.
        `SELECT date(${onClock("at_ms", days)} / 1000, 'unixepoch') AS day, purpose, model, count(*) AS calls,
                count(*) FILTER (WHERE outcome <> 'ok') AS failed,
                count(*) FILTER (WHERE estimated = 1) AS estimated, sum(tokens_in) AS tokens_in,
                sum(tokens_out) AS tokens_out, sum(cost_usd) AS cost_usd
           FROM llm_calls WHERE at_ms >= ?
          GROUP BY day, purpose, model ORDER BY day DESC, purpose, model LIMIT ${usageLinesMax}`,
        sinceMs,
      )
      .map((row) => ({
        day: row.day,
        purpose: row.purpose,
        model: row.model,
        calls: row.calls,
        failed: row.failed,
        estimated: row.estimated,
        inputTokens: row.tokens_in,
        outputTokens: row.tokens_out,
        costUsd: row.cost_usd,
      })),
});
