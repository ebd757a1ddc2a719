/**
 * Takes forgotten text out of everything that was recorded: turns, tool use, observations, checkpoints, jobs,
 * injections.
 */
import { isRecord, parseJson } from "#kit";
import { shortIdOf } from "#domain";
import { checkpointOf, storedCheckpoints } from "./checkpoints.ts";
import type { IndexWriter } from "./indexes.ts";
import { stringsIn, type ForgottenTexts } from "./forgotten-texts.ts";
import type { Sql } from "./sql.ts";
import { dropTurnRecords } from "./turns.ts";

/** Texts of a row, by column. */
type Texts<Column extends string, Nullable extends string = never> = Readonly<
  { id: number } & Record<Column, string> & Record<Nullable, string | null>
>;

interface Scrubbing {
  readonly sql: Sql;
  readonly indexes: IndexWriter;
  readonly forgotten: ForgottenTexts;
}

const pageRows = 500;

/** The nodes that went, with every URI that they ever had: what names one of them goes as well. */
export interface Gone {
  readonly ids: readonly number[];
  readonly uris: readonly string[];
}

/** Runs inside the caller's transaction. Returns how many injections were redacted. */
export function forgetRecords(scrubbing: Scrubbing, gone: Gone): number {
  scrubSessions(scrubbing);
  scrubTurns(scrubbing);
  scrubToolUses(scrubbing);
  scrubObservations(scrubbing);
  scrubCheckpoints(scrubbing);
  scrubJobs(scrubbing, gone.uris);
  scrubRevisions(scrubbing);
  scrubReasons(scrubbing, gone.uris);
  scrubGuards(scrubbing);
  dropNotices(scrubbing);
  return scrubInjections(scrubbing, gone);
}

/** Takes out what names nodes that have gone, and leaves what only tells the same. */
export function withdrawRecords(scrubbing: Scrubbing, gone: Gone): void {
  scrubJobs(scrubbing, gone.uris);
  scrubReasons(scrubbing, gone.uris);
  dropNotices(scrubbing);
  scrubInjections(scrubbing, gone);
}

/** Drops lines for the user that wait for the next prompt, and answers that no hook has confirmed: both tell texts. */
const dropNotices = ({ sql }: Scrubbing): void =>
  void sql.run("DELETE FROM meta WHERE name GLOB 'notice.*' OR name = 'answers.awaited'");

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

function scrubSessions({ sql, forgotten }: Scrubbing): void {
  const select =
    "SELECT rowid AS id, session_id, title, first_prompt, compact_summary FROM sessions WHERE rowid";
  visit<Texts<"session_id", "title" | "first_prompt" | "compact_summary">>(sql, select, (row) => {
    const isHit = (text: string | null): boolean => forgotten.isInSession(row.session_id, text);
    // The title is the first prompt cut short: one does not stay without the other.
    if (isHit(row.first_prompt) || isHit(row.title))
      sql.run("UPDATE sessions SET title = NULL, first_prompt = NULL WHERE rowid = ?", row.id);
    if (isHit(row.compact_summary))
      sql.run("UPDATE sessions SET compact_summary = NULL WHERE rowid = ?", row.id);
  });
}

const filesColumns = ["files_read", "files_edited"] as const;
type FilesColumn = (typeof filesColumns)[number];

/** A turn whose prompt goes is from then on one that was private as a whole: nothing else of it is kept. */
function scrubTurns({ sql, indexes, forgotten }: Scrubbing): void {
  const select =
    "SELECT id, session_id, n, prompt, answer, files_read, files_edited FROM turns WHERE id";
  visit<Texts<"session_id" | FilesColumn, "prompt" | "answer"> & { readonly n: number }>(
    sql,
    select,
    (row) => {
      for (const column of filesColumns) {
        const files = parseJson(row[column]);
        const kept = without(files, forgotten.isIn);
        if (Array.isArray(files) && Array.isArray(kept) && kept.length < files.length)
          sql.run(`UPDATE turns SET ${column} = ? WHERE id = ?`, JSON.stringify(kept), row.id);
      }
      if (forgotten.isInSession(row.session_id, row.prompt)) {
        sql.run("UPDATE turns SET prompt = NULL, answer = NULL WHERE id = ?", row.id);
        indexes.prompt(row.id, null);
        dropTurnRecords(sql, row.session_id, row.n);
      } else if (forgotten.isInSession(row.session_id, row.answer))
        sql.run("UPDATE turns SET answer = NULL WHERE id = ?", row.id);
    },
  );
}

function scrubToolUses({ sql, forgotten }: Scrubbing): void {
  const select = "SELECT id, session_id, target, text, files FROM tool_uses WHERE id";
  visit<Texts<"session_id" | "files", "target" | "text">>(sql, select, (row) => {
    if (
      [row.target, row.text, row.files].some((text) => forgotten.isInSession(row.session_id, text))
    )
      sql.run("DELETE FROM tool_uses WHERE id = ?", row.id);
  });
}

function scrubObservations({ sql, forgotten }: Scrubbing): void {
  const select = "SELECT * FROM observations o WHERE o.id";
  visit<{ readonly id: number; readonly session_id: string }>(sql, select, (row) => {
    if (Object.values(row).some((text) => forgotten.isInSession(row.session_id, `${text ?? ""}`)))
      sql.run("DELETE FROM observations WHERE id = ?", row.id);
  });
}

/** In a checkpoint only the fields and list entries that say it go: the rest of the session stays summarised. */
function scrubCheckpoints({ sql, indexes, forgotten }: Scrubbing): void {
  const select = `SELECT ${storedCheckpoints.columns} FROM checkpoints c WHERE c.id`;
  visit<{ readonly id: number }>(sql, select, (row) => {
    const stored = storedCheckpoints.read(row);
    const isHit = (text: string): boolean => forgotten.isInSession(stored.sessionId, text);
    if (!isHit(stored.l0) && !stringsIn(stored.fields).some(isHit)) return;
    const fields = Object.fromEntries(
      Object.entries(stored.fields).map(([name, value]) => [name, without(value, isHit)]),
    );
    const cleaned = { l0: isHit(stored.l0) ? "" : stored.l0, fields };
    storedCheckpoints.update(sql, cleaned, row.id);
    if (stored.current) indexes.checkpoint(checkpointOf({ ...stored, ...cleaned }));
  });
}

function without(value: unknown, isHit: (text: string) => boolean): unknown {
  if (typeof value === "string") return isHit(value) ? "" : value;
  if (!Array.isArray(value)) return value;
  return value.filter((entry) => typeof entry !== "string" || !isHit(entry));
}

/** A job that waits with such a text in its payload has nothing left to do. */
function scrubJobs({ sql, forgotten }: Scrubbing, uris: readonly string[]): void {
  const isHit = (json: string): boolean =>
    namesOne(json, uris) || [json, ...stringsIn(parseJson(json))].some(forgotten.isIn);
  visit<Texts<"state" | "payload", "reply">>(
    sql,
    "SELECT id, state, payload, reply FROM jobs WHERE id",
    (row) => {
      if (row.reply !== null && isHit(row.reply))
        sql.run("UPDATE jobs SET reply = NULL WHERE id = ?", row.id);
      if (!isHit(row.payload)) return;
      sql.run("UPDATE jobs SET payload = '{}' WHERE id = ?", row.id);
      if (row.state !== "done")
        sql.run(
          "UPDATE jobs SET state = 'skipped', reason = 'forgotten', lease_ends_at_ms = NULL WHERE id = ?",
          row.id,
        );
    },
  );
  // Reasons are error texts, which may quote what failed.
  visit<Texts<"reason">>(
    sql,
    "SELECT id, reason FROM jobs WHERE reason IS NOT NULL AND id",
    (row) => {
      if (isHit(row.reason)) sql.run("UPDATE jobs SET reason = 'forgotten' WHERE id = ?", row.id);
    },
  );
}

/** Earlier wordings of other memories go, when they say it. What it says now is its own. */
function scrubRevisions({ sql, forgotten }: Scrubbing): void {
  const select = `SELECT id, l0_abstract, l1_overview, l2_content FROM mem_revisions r
    WHERE EXISTS (SELECT 1 FROM mem_revisions later WHERE later.node_id = r.node_id AND later.id > r.id) AND id`;
  visit<Texts<"l0_abstract", "l1_overview" | "l2_content">>(sql, select, (row) => {
    if ([row.l0_abstract, row.l1_overview, row.l2_content].some(forgotten.isIn))
      sql.run("DELETE FROM mem_revisions WHERE id = ?", row.id);
  });
}

/** Names of what went stand in the reasons of others' changes, and in what those are about. */
function scrubReasons({ sql }: Scrubbing, uris: readonly string[]): void {
  const isNamed = (text: string): boolean => namesOne(text, uris);
  const select = `SELECT id, reason, fields ->> '$.about.uris' AS named FROM mem_revisions
    WHERE (reason LIKE '%mem://%' OR fields ->> '$.about.uris' IS NOT NULL) AND id`;
  visit<Texts<"reason", "named">>(sql, select, ({ id, reason, named }) => {
    if (!isNamed(`${reason} ${named}`)) return;
    const others = stringsIn(parseJson(named ?? "[]")).filter((uri) => !isNamed(uri));
    sql.run(
      "UPDATE mem_revisions SET reason = ?, fields = json_replace(fields, '$.about.uris', json(?)) WHERE id = ?",
      reason
        .split(" ")
        .map((word) => (isNamed(word) ? redacted : word))
        .join(" "),
      JSON.stringify(others),
      id,
    );
  });
}

/** A guard quotes the user: it goes with its words, and with a turn that it was said in. */
function scrubGuards({ sql, forgotten }: Scrubbing): void {
  const select = `SELECT id, words, sayings, EXISTS (
      SELECT 1 FROM json_each(g.sayings) s JOIN turns t
        ON t.session_id = s.value ->> '$.sessionId' AND t.n = s.value ->> '$.turn' WHERE t.prompt IS NULL
    ) AS is_private FROM tool_guards g WHERE id`;
  visit<Texts<"words" | "sayings"> & { readonly is_private: number }>(
    sql,
    select,
    ({ id, words, sayings, is_private: isPrivate }) => {
      if (isPrivate === 1 || [words, ...stringsIn(parseJson(sayings))].some(forgotten.isIn))
        sql.run("DELETE FROM tool_guards WHERE id = ?", id);
    },
  );
}

/**
 * That something was given stays on record, with its time and size; the lines that told it do not. Returns how many
 * injections were changed.
 */
function scrubInjections({ sql, forgotten }: Scrubbing, gone: Gone): number {
  const ids = JSON.stringify(gone.ids);
  const marks = new Set(gone.ids.map(shortIdOf));
  const isNamed = (text: string): boolean => namesOne(text, gone.uris);
  const isHit = (line: string): boolean =>
    forgotten.isIn(line) ||
    forgotten.sharesStretch(line) ||
    isNamed(line) ||
    (line.match(/#[0-9a-z]+/g) ?? []).some((mark) => marks.has(mark));
  let count = 0;
  // A line that an injection showed is in the exposure journal: a line may be no more than a sentence of its memory.
  const select = `SELECT x.id, x.text, x.reasons, EXISTS (
      SELECT 1 FROM exposures e WHERE e.session_id = x.session_id AND e.at_ms = x.at_ms AND e.channel = x.channel
        AND e.node_id IN (SELECT value FROM json_each('${ids}'))) AS is_shown
    FROM injections x WHERE x.id`;
  visit<Texts<"text" | "reasons"> & { readonly is_shown: number }>(
    sql,
    select,
    ({ id, text, reasons, is_shown: isShown }) => {
      const why = parseJson(reasons) ?? null;
      const isGiven =
        isShown === 1 || forgotten.isIn(text) || isNamed(text) || givenUris(why).some(isNamed);
      if (!isGiven && !isNamed(reasons)) return;
      const lines = text.split("\n");
      const kept = lines.map((line) => (isHit(line) ? redacted : line));
      // A text that tells it and of which no line is known to: then none of it stays.
      const isKnown = kept.some((line, at) => line !== lines[at]) || !isGiven;
      sql.run(
        "UPDATE injections SET text = ?, reasons = ? WHERE id = ?",
        isKnown ? kept.join("\n") : redacted,
        JSON.stringify(redactedIn(why, (value) => isNamed(value) || forgotten.isIn(value))),
        id,
      );
      count += 1;
    },
  );
  return count;
}

/** URIs that the reasons of an injection name as given; what was considered only is marked so. */
function givenUris(reasons: unknown): readonly string[] {
  if (Array.isArray(reasons)) return reasons.flatMap(givenUris);
  if (!isRecord(reasons)) return [];
  const { uri, taken } = reasons;
  if (uri === undefined) return Object.values(reasons).flatMap(givenUris);
  return taken === false || typeof uri !== "string" ? [] : [uri];
}

/** Stands where forgotten text stood in a record that stays. */
const redacted = "[forgotten]";

function redactedIn(value: unknown, isHit: (text: string) => boolean): unknown {
  if (typeof value === "string") return isHit(value) ? redacted : value;
  if (Array.isArray(value)) return value.map((entry) => redactedIn(entry, isHit));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, redactedIn(entry, isHit)]),
  );
}

/** A URI is made of the words of its memory. A longer one that begins with it is another. */
const namesOne = (text: string, uris: readonly string[]): boolean =>
  uris.some((uri) => {
    for (let at = text.indexOf(uri); at >= 0; at = text.indexOf(uri, at + 1))
      if (!/[a-z0-9._/-]/.test(text.charAt(at + uri.length))) return true;
    return false;
  });
