/**
 * Databases as claude-mem made them in four of its eras, with an invented project in them: version 3 (memories and
 * overviews), 5 (observations of two session ids), 9 (the ids renamed, a queue of raw messages) and 13 (merged
 * worktrees, raw tool uses with their folder). Tests only.
 */
import { Database } from "bun:sqlite";

export type ClaudeMemVersion = 3 | 5 | 9 | 13;

/** Sessions in every database, the oldest first. */
export const claudeMemSessions = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
] as const;

export interface Built {
  readonly path: string;
  /** Records that an import counts. */
  readonly records: number;
  /** The number of raw ones that it leaves, among these. */
  readonly raw: number;
}

const day = Date.parse("2026-01-12T09:00:00Z");
const at = (minutes: number): { readonly iso: string; readonly ms: number } => {
  const ms = day + minutes * 60_000;
  return { iso: new Date(ms).toISOString(), ms };
};

interface NoteRow {
  readonly session: number;
  readonly type: string;
  readonly title: string;
  readonly subtitle: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly minute: number;
}

export const notes: readonly NoteRow[] = [
  {
    session: 0,
    type: "bugfix",
    title: "Ferry timetable no longer skips the last sailing",
    subtitle: "Off by one in the day boundary",
    narrative: "The query compared with less-than on midnight, so the sailing at 23:59 fell out.",
    facts: ["src/timetable/day.ts compares with <=", "Seen in winter time only"],
    minute: 3,
  },
  {
    session: 0,
    type: "decision",
    title: "Seat reservations expire after twelve minutes",
    subtitle: "Agreed with the harbour office",
    narrative: "Longer holds blocked whole decks in July.",
    facts: ["Hold time is 12 minutes"],
    minute: 5,
  },
  {
    session: 0,
    type: "discovery",
    title: "Gangway sensors report in local time",
    subtitle: "All other feeds use UTC",
    narrative: "Converted at the edge, once.",
    facts: [],
    minute: 7,
  },
  {
    session: 1,
    type: "feature",
    title: "Deck plan export added",
    subtitle: "SVG and PDF",
    narrative: "Rendered on a queue since it takes four seconds.",
    facts: ["Command: harbour export-deck"],
    minute: 1_450,
  },
  {
    session: 1,
    type: "discovery",
    title: "Viewed deck.ts",
    subtitle: "",
    narrative: "",
    facts: [],
    minute: 1_455,
  },
];

const prompts = [
  {
    session: 0,
    n: 1,
    text: "The timetable drops the last sailing of the day, find out why",
    minute: 1,
  },
  { session: 0, n: 2, text: "How long should a seat stay reserved?", minute: 4 },
  {
    session: 1,
    n: 1,
    text: "Export deck plans. <private>the pier code is 9911</private>",
    minute: 1_445,
  },
];

const summaries = [
  {
    session: 0,
    request: "Fix the timetable",
    learned: "Midnight belongs to the day before",
    completed: "The last sailing is shown again",
    next: "Check summer time",
    minute: 10,
  },
  {
    session: 1,
    request: "Deck plans as files",
    learned: "Rendering is slow",
    completed: "SVG and PDF export",
    next: "",
    minute: 1_470,
  },
];

/** Builds one; `wal`: as its running program leaves it, with the newest rows in the log beside the file. */
export function buildClaudeMem(path: string, version: ClaudeMemVersion, wal = false): Built {
  const db = new Database(path, { create: true });
  if (wal) db.run("PRAGMA journal_mode = WAL");
  const built = version === 3 ? buildOld(db) : buildNew(db, version);
  // Without a checkpoint: the log stays as a killed process leaves it.
  if (wal) db.run("PRAGMA wal_autocheckpoint = 0");
  else db.close();
  if (wal) openLogs.push(db);
  return { path, ...built };
}

/** Connections that keep their logs; closed by `closeClaudeMem`. */
const openLogs: Database[] = [];
export const closeClaudeMem = (): void => {
  for (const db of openLogs.splice(0)) db.close();
};

function buildOld(db: Database): Omit<Built, "path"> {
  db.run(
    `CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL)`,
  );
  db.run(`CREATE TABLE sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT UNIQUE NOT NULL, project TEXT NOT NULL,
    created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, source TEXT NOT NULL DEFAULT 'compress', metadata_json TEXT)`);
  db.run(`CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, text TEXT NOT NULL,
    document_id TEXT UNIQUE, keywords TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, project TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT 'transcript', title TEXT, subtitle TEXT, facts TEXT, concepts TEXT, files_touched TEXT)`);
  db.run(`CREATE TABLE overviews (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, content TEXT NOT NULL,
    created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, project TEXT NOT NULL, origin TEXT NOT NULL DEFAULT 'claude')`);
  db.run(`CREATE TABLE diagnostics (id INTEGER PRIMARY KEY, session_id TEXT, message TEXT NOT NULL, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL, project TEXT NOT NULL)`);
  db.run(`CREATE TABLE transcript_events (id INTEGER PRIMARY KEY, session_id TEXT NOT NULL, event_index INTEGER NOT NULL,
    raw_json TEXT NOT NULL, captured_at_epoch INTEGER NOT NULL)`);
  db.run(`CREATE TABLE streaming_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT UNIQUE NOT NULL,
    sdk_session_id TEXT, project TEXT NOT NULL, user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL,
    completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active')`);
  for (const [index, session] of claudeMemSessions.entries()) {
    const { iso, ms } = at(index * 1_440);
    db.run(
      "INSERT INTO sessions (session_id, project, created_at, created_at_epoch) VALUES (?, 'harbour', ?, ?)",
      [session, iso, ms],
    );
    db.run(
      "INSERT INTO streaming_sessions (claude_session_id, project, user_prompt, started_at, started_at_epoch, status) VALUES (?, 'harbour', ?, ?, ?, 'completed')",
      [session, prompts.find((one) => one.session === index)?.text ?? "", iso, ms],
    );
  }
  for (const [index, note] of notes.entries()) {
    const { iso, ms } = at(note.minute);
    // The oldest rows have a text and nothing else.
    const isOld = index === 0;
    db.run(
      "INSERT INTO memories (session_id, text, document_id, keywords, created_at, created_at_epoch, project, title, subtitle, facts) VALUES (?, ?, ?, ?, ?, ?, 'harbour', ?, ?, ?)",
      [
        claudeMemSessions[note.session] ?? "",
        note.narrative === "" ? note.title : `${note.title}. ${note.narrative}`,
        `doc-${index}`,
        "ferry, timetable",
        iso,
        ms,
        isOld ? null : note.title,
        isOld ? null : note.subtitle,
        isOld ? null : JSON.stringify(note.facts),
      ],
    );
  }
  for (const summary of summaries) {
    const { iso, ms } = at(summary.minute);
    db.run(
      "INSERT INTO overviews (session_id, content, created_at, created_at_epoch, project) VALUES (?, ?, ?, ?, 'harbour')",
      [
        claudeMemSessions[summary.session] ?? "",
        `${summary.completed}. ${summary.learned}.`,
        iso,
        ms,
      ],
    );
  }
  db.run(
    "INSERT INTO diagnostics (message, created_at, created_at_epoch, project) VALUES ('worker restarted', 'x', 1, 'harbour')",
  );
  db.run(
    `INSERT INTO transcript_events (session_id, event_index, raw_json, captured_at_epoch) VALUES ('${claudeMemSessions[0]}', 0, '{}', 1)`,
  );
  // Two session tables, one prompt a session.
  return { records: 2 + 2 + 2 + notes.length + summaries.length + 2, raw: 2 };
}

function buildNew(db: Database, version: 5 | 9 | 13): Omit<Built, "path"> {
  const client = version >= 9 ? "content_session_id" : "claude_session_id";
  const observer = version >= 9 ? "memory_session_id" : "sdk_session_id";
  db.run(
    `CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL)`,
  );
  db.run(`CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, ${client} TEXT UNIQUE NOT NULL, ${observer} TEXT UNIQUE,
    project TEXT NOT NULL, user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT,
    completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active', worker_port INTEGER, prompt_counter INTEGER DEFAULT 0)`);
  db.run(`CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, ${observer} TEXT NOT NULL, project TEXT NOT NULL, text TEXT,
    type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
    prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL)`);
  db.run(`CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, ${observer} TEXT NOT NULL, project TEXT NOT NULL,
    request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT,
    prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL)`);
  db.run(`CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, ${client} TEXT NOT NULL, prompt_number INTEGER NOT NULL,
    prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL)`);
  // A full-text index with triggers hangs on it, as on the real one.
  db.run(
    "CREATE VIRTUAL TABLE user_prompts_fts USING fts5 (prompt_text, content='user_prompts', content_rowid='id')",
  );
  db.run(
    "CREATE TRIGGER user_prompts_ai AFTER INSERT ON user_prompts BEGIN INSERT INTO user_prompts_fts (rowid, prompt_text) VALUES (new.id, new.prompt_text); END",
  );
  if (version >= 9) {
    db.run(`CREATE TABLE pending_messages (id INTEGER PRIMARY KEY, session_db_id INTEGER NOT NULL, ${client} TEXT NOT NULL,
      message_type TEXT NOT NULL, tool_name TEXT, tool_input TEXT, tool_response TEXT, cwd TEXT, created_at_epoch INTEGER NOT NULL)`);
    db.run(
      `INSERT INTO pending_messages VALUES (1, 1, '${claudeMemSessions[0]}', 'observation', 'Bash', '{}', 'secret output', '/home/dev/harbour', 1)`,
    );
  }
  // From version 8 on the observer's session is another one than the client's.
  const observed = (session: number): string =>
    version >= 9 ? `observer-${session}` : (claudeMemSessions[session] ?? "");
  for (const [index, session] of claudeMemSessions.entries()) {
    const { iso, ms } = at(index * 1_440);
    db.run(
      `INSERT INTO sdk_sessions (${client}, ${observer}, project, user_prompt, started_at, started_at_epoch, status) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [
        session,
        observed(index),
        index === 1 ? "harbour/export-branch" : "harbour",
        prompts.find((one) => one.session === index)?.text ?? "",
        iso,
        ms,
        index === 0 ? "completed" : "active",
      ],
    );
  }
  for (const prompt of prompts) {
    const { iso, ms } = at(prompt.minute);
    db.run(
      `INSERT INTO user_prompts (${client}, prompt_number, prompt_text, created_at, created_at_epoch) VALUES (?, ?, ?, ?, ?)`,
      [claudeMemSessions[prompt.session] ?? "", prompt.n, prompt.text, iso, ms],
    );
  }
  for (const note of notes) {
    const { iso, ms } = at(note.minute);
    db.run(
      `INSERT INTO observations (${observer}, project, type, title, subtitle, facts, narrative, concepts, files_read, files_modified, prompt_number, created_at, created_at_epoch)
      VALUES (?, 'harbour', ?, ?, ?, ?, ?, '["how-it-works"]', '["src/timetable/day.ts"]', '[]', 1, ?, ?)`,
      [
        observed(note.session),
        note.type,
        note.title,
        note.subtitle,
        JSON.stringify(note.facts),
        note.narrative,
        iso,
        ms,
      ],
    );
  }
  for (const summary of summaries) {
    const { iso, ms } = at(summary.minute);
    db.run(
      `INSERT INTO session_summaries (${observer}, project, request, learned, completed, next_steps, prompt_number, created_at, created_at_epoch)
      VALUES (?, 'harbour', ?, ?, ?, ?, 1, ?, ?)`,
      [
        observed(summary.session),
        summary.request,
        summary.learned,
        summary.completed,
        summary.next,
        iso,
        ms,
      ],
    );
  }
  if (version === 13) addNewest(db);
  const raw = version === 13 ? 2 : version === 9 ? 1 : 0;
  return { records: 2 + prompts.length + notes.length + summaries.length + raw, raw };
}

/** `addNewest` adds the newest era: worktrees that were merged, and every raw tool use with the folder it ran in. */
function addNewest(db: Database): void {
  for (const table of ["observations", "session_summaries"])
    db.run(`ALTER TABLE ${table} ADD COLUMN merged_into_project TEXT`);
  db.run(
    "UPDATE observations SET project = 'harbour/export-branch', merged_into_project = 'harbour' WHERE id = 4",
  );
  db.run(`CREATE TABLE tool_uses (id INTEGER PRIMARY KEY, tool_use_id TEXT NOT NULL, project TEXT NOT NULL, tool_name TEXT NOT NULL,
    tool_input TEXT, tool_response TEXT, cwd TEXT, created_at_epoch INTEGER NOT NULL)`);
  db.run(
    "INSERT INTO tool_uses VALUES (1, 't1', 'harbour', 'Bash', '{}', 'raw', '/home/dev/harbour', 1)",
  );
}
