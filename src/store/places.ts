/** Keeps the folders of projects, and commits by which a clone is known. */
import type { LlmCall, LlmLedger, Place, PlaceStore } from "#domain";
import { onClock, type Sql } from "./sql.ts";
import { insert, tableOf } from "./tables.ts";

const placesMax = 200;
/**
 * The limits for each project: the first ones stay, since every full clone has them; the others
 * make room for later ones.
 */
const firstKept = 64;
const commitsMax = 256;
/** Looked for in a clone: half of the oldest, half of the latest. */
const halfAsked = 16;

const stored = tableOf<Place>()("project_places p", "root isTrusted=trusted:bool");

export const createPlaces = (sql: Sql): PlaceStore => ({
  of: (project, root) => {
    const rest = `WHERE project = ? ORDER BY seen_at DESC, root LIMIT ${placesMax}`;
    const places = stored.all(sql, rest, project);
    if (places.some(({ isTrusted }) => isTrusted)) return places;
    return [...places, ...sessionFolders(sql, { project, root, except: places })];
  },
  in: (root) =>
    sql.value<string>(
      "SELECT project FROM project_places WHERE root = ? ORDER BY seen_at DESC LIMIT 1",
      root,
    ),
  at: (project, root) =>
    sql.get("SELECT 1 FROM project_places WHERE project = ? AND root = ?", project, root) !== null,
  sharing: (project, commits) =>
    sql.column<string>(
      `SELECT DISTINCT project FROM project_commits
        WHERE project LIKE 'dir:%' AND project <> ? AND id IN (SELECT value FROM json_each(?)) LIMIT 8`,
      project,
      commits,
    ),
  put: (project, place, atMs) =>
    void insert(
      sql,
      "project_places",
      { project, ...stored.values(place), seen_at: atMs },
      "ON CONFLICT (project, root) DO UPDATE SET trusted = excluded.trusted, seen_at = max(seen_at, excluded.seen_at)",
    ),
  commits: (project) => {
    const ordered = (order: string): readonly string[] =>
      sql.column<string>(
        `SELECT id FROM project_commits WHERE project = ? AND id NOT GLOB 'folder:*'
          ORDER BY seen_at ${order}, id LIMIT ${halfAsked}`,
        project,
      );
    return [...new Set([...ordered("ASC"), ...ordered("DESC")])];
  },
  addCommits: (project, ids, atMs) =>
    sql.atomically(() => {
      for (const id of ids)
        insert(sql, "project_commits", { project, id, seen_at: atMs }, "ON CONFLICT DO NOTHING");
      dropMiddle(sql, project);
    }),
});

/**
 * `sessionFolders` reads an import's claims of where the project lay; a folder that is not
 * believed, and this one, say nothing.
 */
const sessionFolders = (
  sql: Sql,
  ask: { readonly project: string; readonly root: string; readonly except: readonly Place[] },
): readonly Place[] =>
  sql
    .column<string>(
      `SELECT cwd FROM sessions WHERE project = ?1 AND cwd IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM json_each(?2) r
                           WHERE cwd = r.value
                              OR substr(cwd, 1, length(r.value) + 1) IN (r.value || '/', r.value || '\\'))
        GROUP BY cwd ORDER BY max(last_event_at) DESC LIMIT ${placesMax}`,
      ask.project,
      [ask.root, ...ask.except.map(({ root }) => root)],
    )
    .map((root) => ({ root, isTrusted: true }));

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

const calls = tableOf<LlmCall>()(
  "llm_calls c",
  `atMs purpose provider model sessionId inputTokens=tokens_in outputTokens=tokens_out costUsd latencyMs outcome
   isEstimate=estimated:flag`,
);

export const createLedger = (sql: Sql): LlmLedger => ({
  add: (call) => void calls.insert(sql, call),
  tokensSince: (sinceMs, sessionId) =>
    sql.count(
      `SELECT sum(tokens_in + tokens_out) FROM llm_calls
        WHERE at_ms >= ? ${sessionId === null ? "" : "AND session_id = ?"}`,
      sinceMs,
      ...(sessionId === null ? [] : [sessionId]),
    ),
  last: () =>
    sql.get(
      "SELECT at_ms AS atMs, model, outcome, provider, purpose FROM llm_calls ORDER BY id DESC LIMIT 1",
    ),
  usage: (sinceMs, days) =>
    sql.all(
      // sum() of nothing but NULL is NULL: where no price is known, none is shown.
      `SELECT date(${onClock("at_ms", days)} / 1000, 'unixepoch') AS day, purpose, model, count(*) AS calls,
              count(*) FILTER (WHERE outcome <> 'ok') AS failed,
              count(*) FILTER (WHERE estimated = 1) AS estimated, sum(tokens_in) AS inputTokens,
              sum(tokens_out) AS outputTokens, sum(cost_usd) AS costUsd
         FROM llm_calls WHERE at_ms >= ?
        GROUP BY day, purpose, model ORDER BY day DESC, purpose, model LIMIT ${usageLinesMax}`,
      sinceMs,
    ),
});
