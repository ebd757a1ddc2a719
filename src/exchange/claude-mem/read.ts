/**
 * Reads a database of claude-mem, any version from 3 to 13: sessions first, then prompts, observations and summaries
 * in the order of time, then how each session ended. The file is opened elsewhere and is never changed. Holds ids and
 * times of sessions in memory, never texts.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import {
  boundedKey,
  type ForeignDatabase,
  type ForeignRow,
  type NamedProject,
  projectNameOf,
  type SessionStatus,
  storedLimits,
} from "#domain";
import { bothEnds, cutAtWord, memoised, oneLine, sha256 } from "#kit";
import { emptyTurn, gated } from "../items.ts";
import {
  itemStep,
  left,
  type ReadContext,
  type ReadPlan,
  type ReadStep,
  SourceFailure,
} from "../source.ts";
import { type NotePlace, noteStep, summaryOf, textOf, timeOf } from "./note.ts";

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

/** The columns that hold the words of a record: a table of that name without any of these is another program's. */
const textColumns: Readonly<Record<string, readonly string[]>> = {
  observations: ["text", "title", "narrative", "facts"],
  memories: ["text", "title"],
  session_summaries: ["request", "learned", "completed"],
  overviews: ["content"],
  [promptTable]: ["prompt_text"],
};

/**
 * Every column that is read. Until version 3 claude-mem kept sessions, memories and overviews; since 4 observations,
 * summaries and prompts of `sdk_sessions`, whose two ids (the client's and the observer's) have had three pairs of
 * names.
 */
const columns = (
  "content_session_id claude_session_id session_id memory_session_id sdk_session_id project merged_into_project " +
  "user_prompt prompt_number prompt_text status started_at_epoch created_at_epoch created_at completed_at_epoch " +
  "text type title subtitle narrative facts concepts keywords files_read files_modified files_touched files_edited " +
  "request investigated learned completed next_steps notes content"
).split(" ");

/** Oldest first, so that what replaces something comes after it. */
const query = { columns, orderBy: ["created_at_epoch", "started_at_epoch", "id"] };

const taken = [...sessionTables, ...noteTables, ...summaryTables, promptTable];

export function planClaudeMem(context: ReadContext, db: ForeignDatabase, path: string): ReadPlan {
  const faked = taken.find((table) => db.others.has(table) && !db.tables.has(table));
  if (faked !== undefined)
    throw new SourceFailure(`${path}: ${faked} is not an ordinary table, so nothing was read`);
  const isTheirs = Object.entries(textColumns).some(([table, texts]) =>
    db.tables.get(table)?.some((column) => texts.includes(column)),
  );
  if (!isTheirs) throw new SourceFailure(`${path} is a database, but not one of claude-mem`);
  const counted = [...taken, ...Object.keys(leftTables)].filter((table) => db.tables.has(table));
  for (const table of counted) {
    const damage = db.damage(table);
    if (damage !== null)
      throw new SourceFailure(
        `${path} is damaged (${oneLine(damage).slice(0, 120)}), so nothing was read`,
        "repair it with `sqlite3 FILE .recover`, and import what that gives",
      );
  }
  const total = counted.reduce((sum, table) => sum + db.count(table), 0);
  return { total, unit: "records", steps: steps(context, db), close: () => db[Symbol.dispose]() };
}

function* steps(context: ReadContext, db: ForeignDatabase): Iterable<ReadStep> {
  const { gate } = context;
  const places = createPlaces(context, db);
  const each = function* (
    tables: readonly string[],
    stepOf: (row: ForeignRow) => ReadStep,
  ): Iterable<ReadStep> {
    for (const table of tables)
      for (const row of db.rows(table, query)) {
        yield stepOf(row);
        yield { type: "progress", done: 1 };
      }
  };
  const placed = (stepOf: (row: ForeignRow, place: NotePlace) => ReadStep) => (row: ForeignRow) => {
    const place = places.placeOf(row);
    return place === null ? left("refused", "without a session or a time") : stepOf(row, place);
  };
  yield* each(sessionTables, (row) => sessionStep(context, places, row));
  yield* each([promptTable], (row) => promptStep(context, places, row));
  // Version 3 kept the prompt with the session only.
  if (!db.tables.has(promptTable))
    for (const row of db.rows("streaming_sessions", query))
      if (textOf(row, "user_prompt") !== "") yield promptStep(context, places, row);
  yield* each(
    noteTables,
    placed((row, place) => noteStep(gate, row, place)),
  );
  yield* each(
    summaryTables,
    placed((row, place) => {
      const checkpoint = summaryOf(gate, row, place);
      if (checkpoint === null) return left("skipped", "holds no text");
      const { sessionId, project, atMs } = place;
      const key = `summary:${sha256(JSON.stringify([sessionId, atMs, checkpoint.l0]))}`;
      return itemStep({
        kind: "summary",
        key,
        sessionId,
        project: project?.key ?? null,
        atMs,
        checkpoint,
      });
    }),
  );
  for (const [table, reason] of Object.entries(leftTables)) {
    const count = db.count(table);
    if (count > 0) yield left("skipped", reason, count);
  }
  yield* places.ends();
}

function sessionStep({ gate }: ReadContext, places: Places, row: ForeignRow): ReadStep {
  const sessionId = sessionIdIn(row) || textOf(row, "session_id").slice(0, 128);
  if (sessionId === "") return left("refused", "a session without an id");
  const startedAt = timeOf(row, "started_at_epoch", "created_at_epoch");
  if (startedAt === null) return left("refused", "without a time");
  if (!places.add(row, sessionId, startedAt)) return left("skipped", "the same session again");
  const first = gated(gate, textOf(row, "user_prompt"))?.trim() || null;
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

const sessionIdIn = (row: ForeignRow): string =>
  textOf(row, "content_session_id", "claude_session_id").slice(0, 128);

function promptStep({ gate }: ReadContext, places: Places, row: ForeignRow): ReadStep {
  const sessionId = sessionIdIn(row);
  const atMs = timeOf(row, "started_at_epoch", "created_at_epoch", "created_at");
  const text = textOf(row, "prompt_text", "user_prompt");
  if (sessionId === "" || atMs === null) return left("refused", "without a session or a time");
  const n = places.nextTurn(sessionId, numberIn(row), atMs);
  if (n === null) return left("refused", "a prompt of a session that does not exist");
  if (text === "") return left("skipped", "holds no text");
  const whole = gated(gate, text)?.trim() ?? null;
  const prompt = whole === null ? null : bothEnds(whole, storedLimits.promptCharsMax);
  return itemStep({ ...emptyTurn, sessionId, n, prompt, startedAt: atMs, endedAt: atMs });
}

const numberIn = ({ prompt_number: value = null }: ForeignRow): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

interface KnownSession {
  readonly project: string;
  readonly status: Exclude<SessionStatus, "active">;
  readonly completedAt: number;
  lastMs: number;
  /** Prompt numbers in the order of their turns. */
  readonly prompts: number[];
}

type Places = ReturnType<typeof createPlaces>;

/** `createPlaces` finds the places of rows: session ids in their two forms, turn numbers, projects. */
function createPlaces(context: ReadContext, db: ForeignDatabase) {
  const sessions = new Map<string, KnownSession>();
  const byObserver = new Map<string, string>();
  const projectOf = createProjects(context, db);
  return {
    projectOf,
    /** False when the session was there already. */
    add: (row: ForeignRow, sessionId: string, startedAt: number): boolean => {
      const observer = textOf(row, "memory_session_id", "sdk_session_id");
      if (observer !== "") byObserver.set(observer, sessionId);
      if (sessions.has(sessionId)) return false;
      const status = textOf(row, "status");
      sessions.set(sessionId, {
        project: textOf(row, "project"),
        status: status === "completed" || status === "failed" ? status : "interrupted",
        completedAt: timeOf(row, "completed_at_epoch") ?? 0,
        lastMs: startedAt,
        prompts: [],
      });
      return true;
    },
    /** Number of the turn that a prompt opens, from 1; null for a session that does not exist. */
    nextTurn: (sessionId: string, promptNumber: number | null, atMs: number): number | null => {
      const session = sessions.get(sessionId);
      if (session === undefined) return null;
      session.lastMs = Math.max(session.lastMs, atMs);
      return session.prompts.push(promptNumber ?? session.prompts.length + 1);
    },
    /** Null for a row without a session or a time. */
    placeOf: (row: ForeignRow): NotePlace | null => {
      const atMs = timeOf(row, "created_at_epoch", "created_at");
      const id = textOf(row, "memory_session_id", "sdk_session_id", "session_id");
      if (atMs === null || id === "") return null;
      const sessionId = (byObserver.get(id) ?? id).slice(0, 128);
      const session = sessions.get(sessionId);
      if (session !== undefined) session.lastMs = Math.max(session.lastMs, atMs);
      const { project: known, prompts } = session ?? { project: "", prompts: [] };
      const project = projectOf(textOf(row, "merged_into_project", "project") || known);
      return { sessionId, turn: turnOf(prompts, numberIn(row)), project, atMs };
    },
    ends: function* (): Iterable<ReadStep> {
      for (const [sessionId, { project, status, lastMs, completedAt }] of sessions)
        yield itemStep({
          kind: "end",
          sessionId,
          project: projectOf(project)?.key ?? null,
          status,
          endedAt: Math.max(lastMs, completedAt),
          checkpoint: null,
          transcript: null,
        });
    },
  };
}

/** The turn of a prompt number: that prompt's, else the last before it; 0 when there is none. */
const turnOf = (prompts: readonly number[], promptNumber: number | null): number =>
  promptNumber === null
    ? prompts.length
    : prompts.findLastIndex((number) => number <= promptNumber) + 1;

/**
 * claude-mem knows a project by the name of its folder; `a/b` is a worktree of `a`. Ours is found by a project that is
 * known under that name, or by a folder that some record names; else the name stands for itself.
 */
function createProjects(context: ReadContext, db: ForeignDatabase) {
  const folders = foldersOf(db);
  return memoised((name: string): NamedProject | null => {
    const own = name.split("/")[0]?.trim().slice(0, 200) ?? "";
    if (own === "") return null;
    const named = context.projectNamed(own);
    if (named !== null) return { key: named, name: own };
    const folder = folders.get(own) ?? folders.get(name);
    const project = folder === undefined ? null : context.projectOf(folder);
    const key = project?.key ?? boundedKey(own);
    return { key, name: projectNameOf(own, key) };
  });
}

const folderRowsMax = 5_000;

/** Working folders by project name, from the tables that keep them. */
function foldersOf(db: ForeignDatabase): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  let seen = 0;
  for (const row of db.rows("tool_uses", { columns: ["project", "cwd"], orderBy: [] })) {
    const project = textOf(row, "project");
    const cwd = textOf(row, "cwd");
    // A subfolder would be another project where there is no repository.
    if (cwd.endsWith(`/${project}`) && !folders.has(project)) folders.set(project, cwd);
    seen += 1;
    if (seen >= folderRowsMax) break;
  }
  return folders;
}

/** The database in the folder that is named; anything else is taken for the database itself. */
export const claudeMemDatabase = (path: string): string =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? join(path, "claude-mem.db")
    : path;
