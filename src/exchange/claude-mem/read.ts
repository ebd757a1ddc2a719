/**
 * Reads a database of claude-mem, any version from 3 to 13: sessions first, then prompts, observations and summaries
 * in the order of time, then how each session ended. The file is opened elsewhere and is never changed.
 */
import { storedLimits, type ForeignDatabase, type ForeignRow } from "#domain";
import { bothEnds, cutAtWord, oneLine, sha256 } from "#kit";
import {
  left,
  itemStep,
  SourceFailure,
  type ReaderDeps,
  type ReadPlan,
  type ReadStep,
} from "../source.ts";
import { gated } from "../items.ts";
import {
  noteColumns,
  noteOf,
  numberOf,
  promptColumns,
  sessionColumns,
  summaryColumns,
  summaryOf,
  textOf,
  timeOf,
} from "./note.ts";
import { createPlaces, type Places } from "./places.ts";
import { lstatSync } from "node:fs";
import { join } from "node:path";

/** Tables that hold what an import takes, in the order in which they are read. */
const sessionTables = ["sdk_sessions", "sessions", "streaming_sessions"] as const;
const noteTables = ["observations", "memories"] as const;
const summaryTables = ["session_summaries", "overviews"] as const;
const promptTable = "user_prompts";

/** Records that are no memories, with the reason that the report gives. */
const leftTables: Readonly<Record<string, string>> = {
  tool_uses: "raw tool records are not kept",
  pending_messages: "raw tool records are not kept",
  transcript_events: "raw tool records are not kept",
  diagnostics: "a message of claude-mem about itself",
};

/** Where the words of a record are: a table of that name without any of these is another program's. */
const textColumns: Readonly<Record<string, readonly string[]>> = {
  observations: ["text", "title", "narrative", "facts"],
  memories: ["text", "title"],
  session_summaries: ["request", "learned", "completed"],
  overviews: ["content"],
  [promptTable]: ["prompt_text"],
};

const hasOne = (db: ForeignDatabase, table: string, columns: readonly string[]): boolean =>
  db.tables.get(table)?.some((column) => columns.includes(column)) ?? false;

const taken = [...sessionTables, ...noteTables, ...summaryTables, promptTable];

export function planClaudeMem(deps: ReaderDeps, db: ForeignDatabase, path: string): ReadPlan {
  const faked = taken.find((table) => db.others.has(table) && !db.tables.has(table));
  if (faked !== undefined)
    throw new SourceFailure(`${path}: ${faked} is not an ordinary table, so nothing was read`);
  const there = taken.filter((table) => db.tables.has(table));
  if (!Object.entries(textColumns).some(([table, columns]) => hasOne(db, table, columns)))
    throw new SourceFailure(`${path} is a database, but not one of claude-mem`);
  const counted = [...there, ...Object.keys(leftTables).filter((table) => db.tables.has(table))];
  for (const table of counted) {
    const damage = db.damage(table);
    if (damage !== null)
      throw new SourceFailure(
        `${path} is damaged (${oneLine(damage).slice(0, 120)}), so nothing was read`,
        "repair it with `sqlite3 FILE .recover`, and import what that gives",
      );
  }
  const total = counted.reduce((sum, table) => sum + db.count(table), 0);
  return { total, unit: "records", steps: steps(deps, db), close: () => db[Symbol.dispose]() };
}

function* steps(deps: ReaderDeps, db: ForeignDatabase): Iterable<ReadStep> {
  const places = createPlaces(deps, db);
  yield* sessions(deps, db, places);
  yield* prompts(deps, db, places);
  for (const table of noteTables)
    yield* each(db, table, noteColumns, (row) => noteStep(deps, places, row));
  for (const table of summaryTables)
    yield* each(db, table, summaryColumns, (row) => summaryStep(deps, places, row));
  for (const [table, reason] of Object.entries(leftTables)) {
    const count = db.count(table);
    if (count > 0) yield left("skipped", reason, count);
  }
  yield* places.ends();
}

/** Oldest first, so that what replaces something comes after it. */
function* each(
  db: ForeignDatabase,
  table: string,
  columns: readonly string[],
  stepOf: (row: ForeignRow) => ReadStep,
): Iterable<ReadStep> {
  const orderBy = ["created_at_epoch", "started_at_epoch", "id"];
  for (const row of db.rows(table, { columns, orderBy })) {
    yield stepOf(row);
    yield { type: "progress", done: 1 };
  }
}

function* sessions(deps: ReaderDeps, db: ForeignDatabase, places: Places): Iterable<ReadStep> {
  for (const table of sessionTables)
    yield* each(db, table, sessionColumns, (row) => sessionStep(deps, places, row));
}

function sessionStep(deps: ReaderDeps, places: Places, row: ForeignRow): ReadStep {
  const sessionId = textOf(row, "content_session_id", "claude_session_id", "session_id").slice(
    0,
    128,
  );
  if (sessionId === "") return left("refused", "a session without an id");
  const startedAt = timeOf(row, "started_at_epoch", "created_at_epoch");
  if (startedAt === null) return left("refused", "without a time");
  const isFirst = places.addSession(row, { sessionId, startedAt });
  if (!isFirst) return left("skipped", "the same session again");
  const prompt = gated(deps.gate, textOf(row, "user_prompt"));
  const first = prompt === null || prompt.trim() === "" ? null : prompt.trim();
  return itemStep({
    kind: "session",
    sessionId,
    project: places.projectOf(textOf(row, "project")),
    branch: null,
    cwd: null,
    title: first === null ? null : cutAtWord(oneLine(first), 120),
    firstPrompt: first === null ? null : cutAtWord(first, 2_000),
    parentSession: null,
    startedAt,
  });
}

function* prompts(deps: ReaderDeps, db: ForeignDatabase, places: Places): Iterable<ReadStep> {
  yield* each(db, promptTable, promptColumns, (row) => promptStep(deps, places, row));
  // Version 3 kept the prompt with the session only.
  if (!db.tables.has(promptTable))
    for (const row of db.rows("streaming_sessions", {
      columns: sessionColumns,
      orderBy: ["started_at_epoch"],
    }))
      if (textOf(row, "user_prompt") !== "")
        yield promptStep(deps, places, {
          ...row,
          prompt_text: textOf(row, "user_prompt"),
          created_at_epoch: timeOf(row, "started_at_epoch"),
          prompt_number: 1,
        });
}

function promptStep(deps: ReaderDeps, places: Places, row: ForeignRow): ReadStep {
  const sessionId = textOf(row, "content_session_id", "claude_session_id").slice(0, 128);
  const atMs = timeOf(row, "created_at_epoch", "created_at");
  const text = textOf(row, "prompt_text");
  if (sessionId === "" || atMs === null) return left("refused", "without a session or a time");
  if (!places.isKnown(sessionId))
    return left("refused", "a prompt of a session that does not exist");
  if (text === "") return left("skipped", "holds no text");
  const whole = gated(deps.gate, text)?.trim() ?? null;
  const prompt = whole === null ? null : bothEnds(whole, storedLimits.promptCharsMax);
  return itemStep({
    kind: "turn",
    sessionId,
    n: places.nextTurn(sessionId, numberOf(row, "prompt_number"), atMs),
    promptId: null,
    line: null,
    prompt,
    answer: null,
    startedAt: atMs,
    endedAt: atMs,
    interrupted: false,
    toolCount: 0,
    tools: [],
    filesRead: [],
    filesEdited: [],
    exchange: null,
    memories: [],
  });
}

function noteStep(deps: ReaderDeps, places: Places, row: ForeignRow): ReadStep {
  const place = places.placeOf(row);
  if (place === null) return left("refused", "without a session or a time");
  const note = noteOf(deps, row, place);
  return note.type === "item" ? itemStep(note.item) : left(note.outcome, note.reason);
}

function summaryStep(deps: ReaderDeps, places: Places, row: ForeignRow): ReadStep {
  const place = places.placeOf(row);
  if (place === null) return left("refused", "without a session or a time");
  const checkpoint = summaryOf(deps, row, place);
  if (checkpoint === null) return left("skipped", "holds no text");
  const { sessionId, project, atMs } = place;
  const key = `summary:${sha256(JSON.stringify([sessionId, atMs, checkpoint.l0]))}`;
  return itemStep({ kind: "summary", key, sessionId, project, atMs, checkpoint });
}

// Where claude-mem keeps its database. Opens nothing.

/** The database in the folder that is named; anything else is taken for the database itself. */
export const claudeMemDatabase = (path: string): string =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? join(path, "claude-mem.db")
    : path;
