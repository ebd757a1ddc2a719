/** Takes forgotten text out of everything that was recorded: turns, tool use, observations, checkpoints, jobs, injections. */
import { checkpointColumns, checkpointFromRow, type CheckpointRow } from "./checkpoints.ts";
import type { IndexWriter } from "./indexes.ts";
import { stringsIn, type Needles } from "./needles.ts";
import { observationColumns, observationFromRow, type ObservationRow } from "./observations.ts";
import { recordOf, type Sql } from "./sql.ts";

interface Scrubbing {
  readonly sql: Sql;
  readonly indexes: IndexWriter;
  readonly needles: Needles;
}

const pageRows = 500;

/** Runs inside the caller's transaction. `uris`: of the nodes that went; what names one of them goes as well. */
export function forgetRecords(scrubbing: Scrubbing, uris: readonly string[]): void {
  scrubSessions(scrubbing);
  scrubTurns(scrubbing);
  scrubToolUses(scrubbing);
  scrubObservations(scrubbing);
  scrubCheckpoints(scrubbing);
  scrubJobs(scrubbing, uris);
  scrubInjections(scrubbing, uris);
  scrubSightings(scrubbing);
  scrubRevisions(scrubbing);
}

/** Visits rows of a table in order of id. `select` ends with a condition that `AND … > ?` can follow. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the row of the SELECT beside it
function visit<Row extends { readonly id: number }>(
  sql: Sql,
  select: string,
  work: (row: Row) => void,
): void {
  for (let lastId = 0; ;) {
    const rows = sql.all<Row>(`${select} > ? ORDER BY 1 LIMIT ${pageRows}`, lastId);
    rows.forEach(work);
    const last = rows.at(-1);
    if (last === undefined) return;
    lastId = last.id;
  }
}

interface SessionTexts {
  readonly id: number;
  readonly session_id: string;
  readonly title: string | null;
  readonly first_prompt: string | null;
  readonly compact_summary: string | null;
}

function scrubSessions({ sql, needles }: Scrubbing): void {
  const select =
    "SELECT rowid AS id, session_id, title, first_prompt, compact_summary FROM sessions WHERE rowid";
  visit<SessionTexts>(sql, select, (row) => {
    const isHit = (text: string | null): boolean => needles.isInSession(row.session_id, text);
    // The title is the first prompt cut short: one does not stay without the other.
    if (isHit(row.first_prompt) || isHit(row.title))
      sql.run("UPDATE sessions SET title = NULL, first_prompt = NULL WHERE rowid = ?", row.id);
    if (isHit(row.compact_summary))
      sql.run("UPDATE sessions SET compact_summary = NULL WHERE rowid = ?", row.id);
  });
}

interface TurnTexts {
  readonly id: number;
  readonly session_id: string;
  readonly n: number;
  readonly prompt: string | null;
  readonly answer: string | null;
}

/** A turn whose prompt goes is from then on one that was private as a whole: nothing else of it is kept. */
function scrubTurns({ sql, indexes, needles }: Scrubbing): void {
  const select = "SELECT id, session_id, n, prompt, answer FROM turns WHERE id";
  visit<TurnTexts>(sql, select, (row) => {
    if (needles.isInSession(row.session_id, row.prompt)) {
      sql.run("UPDATE turns SET prompt = NULL, answer = NULL WHERE id = ?", row.id);
      indexes.prompt(row.id, null);
      dropTurnRecords({ sql, indexes }, row);
    } else if (needles.isInSession(row.session_id, row.answer))
      sql.run("UPDATE turns SET answer = NULL WHERE id = ?", row.id);
  });
}

function dropTurnRecords(
  { sql, indexes }: Pick<Scrubbing, "sql" | "indexes">,
  turn: { readonly session_id: string; readonly n: number },
): void {
  sql.run("DELETE FROM tool_uses WHERE session_id = ? AND turn = ?", turn.session_id, turn.n);
  const observations = sql.all<{ readonly id: number }>(
    "SELECT id FROM observations WHERE session_id = ? AND turn = ?",
    turn.session_id,
    turn.n,
  );
  for (const { id } of observations) dropObservation({ sql, indexes }, id);
}

function dropObservation({ sql, indexes }: Pick<Scrubbing, "sql" | "indexes">, id: number): void {
  sql.run("DELETE FROM observations WHERE id = ?", id);
  indexes.dropObservation(id);
}

interface ToolTexts {
  readonly id: number;
  readonly session_id: string;
  readonly target: string | null;
  readonly text: string | null;
  readonly files: string;
}

function scrubToolUses({ sql, needles }: Scrubbing): void {
  const select = "SELECT id, session_id, target, text, files FROM tool_uses WHERE id";
  visit<ToolTexts>(sql, select, (row) => {
    if ([row.target, row.text, row.files].some((text) => needles.isInSession(row.session_id, text)))
      sql.run("DELETE FROM tool_uses WHERE id = ?", row.id);
  });
}

function scrubObservations({ sql, indexes, needles }: Scrubbing): void {
  const select = `SELECT ${observationColumns} FROM observations o WHERE o.id`;
  visit<ObservationRow>(sql, select, (row) => {
    const { sessionId, ...texts } = observationFromRow(row);
    if (stringsIn(texts).some((text) => needles.isInSession(sessionId, text)))
      dropObservation({ sql, indexes }, row.id);
  });
}

/** Of a checkpoint only the fields and list entries that say it go: the rest of the session stays summarised. */
function scrubCheckpoints({ sql, indexes, needles }: Scrubbing): void {
  const select = `SELECT ${checkpointColumns} FROM checkpoints c WHERE c.id`;
  visit<CheckpointRow>(sql, select, (row) => {
    const isHit = (text: string): boolean => needles.isInSession(row.session_id, text);
    const before = recordOf(row.fields);
    if (!isHit(row.l0) && !stringsIn(before).some(isHit)) return;
    const fields = Object.fromEntries(
      Object.entries(before).map(([name, value]) => [name, without(value, isHit)]),
    );
    const l0 = isHit(row.l0) ? "" : row.l0;
    sql.run(
      "UPDATE checkpoints SET l0 = ?, fields = ? WHERE id = ?",
      l0,
      JSON.stringify(fields),
      row.id,
    );
    if (row.is_current === 1)
      indexes.checkpoint(checkpointFromRow({ ...row, l0, fields: JSON.stringify(fields) }));
  });
}

function without(value: unknown, isHit: (text: string) => boolean): unknown {
  if (typeof value === "string") return isHit(value) ? "" : value;
  if (!Array.isArray(value)) return value;
  return value.filter((entry) => typeof entry !== "string" || !isHit(entry));
}

interface JobTexts {
  readonly id: number;
  readonly state: string;
  readonly payload: string;
  readonly reply: string | null;
}

/** A job that waits with such a text in its payload has nothing left to do. */
function scrubJobs({ sql, needles }: Scrubbing, uris: readonly string[]): void {
  const isHit = (json: string): boolean =>
    namesOne(json, uris) || [json, ...stringsIn(parsed(json))].some(needles.isIn);
  visit<JobTexts>(sql, "SELECT id, state, payload, reply FROM jobs WHERE id", (row) => {
    if (row.reply !== null && isHit(row.reply))
      sql.run("UPDATE jobs SET reply = NULL WHERE id = ?", row.id);
    if (!isHit(row.payload)) return;
    sql.run("UPDATE jobs SET payload = '{}' WHERE id = ?", row.id);
    if (row.state !== "done")
      sql.run(
        "UPDATE jobs SET state = 'skipped', reason = 'forgotten', lease_ends_at_ms = NULL WHERE id = ?",
        row.id,
      );
  });
  // Reasons are error texts, which may quote what failed.
  visit<{ readonly id: number; readonly reason: string }>(
    sql,
    "SELECT id, reason FROM jobs WHERE reason IS NOT NULL AND id",
    (row) => {
      if (isHit(row.reason)) sql.run("UPDATE jobs SET reason = 'forgotten' WHERE id = ?", row.id);
    },
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null; // A model's reply need not be JSON; its plain text is searched anyway.
  }
}

interface RevisionTexts {
  readonly id: number;
  readonly l0_abstract: string;
  readonly l1_overview: string | null;
  readonly l2_content: string | null;
}

/** What another memory once said, and says no more. What it says now is its own. */
function scrubRevisions({ sql, needles }: Scrubbing): void {
  const select = `SELECT id, l0_abstract, l1_overview, l2_content FROM mem_revisions r
    WHERE EXISTS (SELECT 1 FROM mem_revisions later WHERE later.node_id = r.node_id AND later.id > r.id) AND id`;
  visit<RevisionTexts>(sql, select, (row) => {
    if ([row.l0_abstract, row.l1_overview, row.l2_content].some(needles.isIn))
      sql.run("DELETE FROM mem_revisions WHERE id = ?", row.id);
  });
}

interface SightingTexts {
  readonly id: number;
  readonly slot: string;
  readonly json: string;
}

function scrubSightings({ sql, needles }: Scrubbing): void {
  visit<SightingTexts>(sql, "SELECT id, slot, json FROM sightings WHERE id", (row) => {
    if ([row.slot, row.json, ...stringsIn(parsed(row.json))].some(needles.isIn))
      sql.run("DELETE FROM sightings WHERE id = ?", row.id);
  });
}

interface InjectionTexts {
  readonly id: number;
  readonly text: string;
  readonly reasons: string;
}

function scrubInjections({ sql, needles }: Scrubbing, uris: readonly string[]): void {
  const select = "SELECT id, text, reasons FROM injections WHERE id";
  visit<InjectionTexts>(sql, select, (row) => {
    if (needles.isIn(row.text) || namesOne(row.text, uris) || namesOne(row.reasons, uris))
      sql.run("DELETE FROM injections WHERE id = ?", row.id);
  });
}

/** A URI is made of the words of its memory. A longer one that begins with it is another. */
const namesOne = (text: string, uris: readonly string[]): boolean =>
  uris.some((uri) => {
    for (let at = text.indexOf(uri); at >= 0; at = text.indexOf(uri, at + 1))
      if (!/[a-z0-9._/-]/.test(text.charAt(at + uri.length))) return true;
    return false;
  });
