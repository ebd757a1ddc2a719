-- The schema of the first release. Times are epoch milliseconds; lists are JSON text.
-- Small columns stand before the long texts, so that a filter never walks overflow pages.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
  key        TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  first_seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: the id of a forgotten node must never mean another one.
CREATE TABLE mem_nodes (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  uri            TEXT NOT NULL UNIQUE,
  parent_uri     TEXT REFERENCES mem_nodes (uri),
  node_type      TEXT NOT NULL CHECK (node_type IN ('dir', 'leaf')),
  category       TEXT,
  project        TEXT,
  branch         TEXT,
  scope          TEXT NOT NULL DEFAULT 'user' CHECK (scope IN ('user', 'team')),
  status         TEXT NOT NULL CHECK (status IN ('active', 'pending', 'superseded', 'retracted')),
  origin         TEXT NOT NULL CHECK (origin IN ('user', 'agent', 'tool', 'import')),
  maker          TEXT NOT NULL CHECK (maker IN ('signal', 'stop', 'precompact', 'extract', 'manual', 'import')),
  source_session TEXT,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  valid_from     INTEGER,
  valid_to       INTEGER,
  expires_at     INTEGER,
  relevance      REAL NOT NULL DEFAULT 1.0,
  last_access    INTEGER,
  access_count   INTEGER NOT NULL DEFAULT 0,
  importance     INTEGER NOT NULL DEFAULT 3 CHECK (importance BETWEEN 1 AND 5),
  evidence_count INTEGER NOT NULL DEFAULT 1,
  pinned         INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  mergeable      INTEGER NOT NULL DEFAULT 0 CHECK (mergeable IN (0, 1)),
  l0_abstract    TEXT NOT NULL,
  tags           TEXT NOT NULL DEFAULT '[]',
  files          TEXT NOT NULL DEFAULT '[]',
  aliases        TEXT NOT NULL DEFAULT '[]',
  anchors        TEXT NOT NULL DEFAULT '[]',
  merged_from    TEXT NOT NULL DEFAULT '[]',
  evidence       TEXT NOT NULL DEFAULT '[]',
  l1_overview    TEXT,
  l2_content     TEXT
) STRICT;
CREATE INDEX idx_nodes_parent ON mem_nodes (parent_uri, node_type, uri, status);
-- Counts, lists and figures read this index alone: it holds all that they filter and sort by. Of a hundred thousand memories
-- a list takes 7 ms with it and 38 ms without the last columns.
CREATE INDEX idx_nodes_category ON mem_nodes (category, status, project, updated_at, importance, expires_at, last_access,
  access_count, relevance, origin, maker, pinned) WHERE node_type = 'leaf';
CREATE INDEX idx_nodes_recent ON mem_nodes (updated_at, category, status, expires_at) WHERE node_type = 'leaf';
CREATE INDEX idx_nodes_created ON mem_nodes (created_at, category, status, project) WHERE node_type = 'leaf';
CREATE INDEX idx_nodes_relevance ON mem_nodes (relevance);
CREATE INDEX idx_nodes_session ON mem_nodes (source_session) WHERE source_session IS NOT NULL;
CREATE INDEX idx_nodes_expires ON mem_nodes (expires_at) WHERE expires_at IS NOT NULL;

-- Append-only: rows are only ever removed by forget. Ids are never used again, here and in every other table that the
-- live feed reads: it goes on behind the last one that it showed.
CREATE TABLE mem_revisions (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  node_id     INTEGER NOT NULL REFERENCES mem_nodes (id),
  at_ms       INTEGER NOT NULL,
  action      TEXT NOT NULL,
  made_by     TEXT NOT NULL,
  reason      TEXT NOT NULL,
  status      TEXT NOT NULL,
  l0_abstract TEXT NOT NULL,
  l1_overview TEXT,
  l2_content  TEXT,
  fields      TEXT NOT NULL
) STRICT;
CREATE INDEX idx_revisions_node ON mem_revisions (node_id, id);

CREATE TABLE mem_links (
  from_id    INTEGER NOT NULL REFERENCES mem_nodes (id) ON DELETE CASCADE,
  to_id      INTEGER NOT NULL REFERENCES mem_nodes (id) ON DELETE CASCADE,
  relation   TEXT NOT NULL CHECK (relation IN ('related', 'supersedes', 'contradicts', 'elaborates', 'caused_by')),
  weight     REAL NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (from_id, to_id, relation),
  CHECK (from_id <> to_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_links_to ON mem_links (to_id, relation);

-- int8 components; value = component * scale. An empty blob records that the embedder knows none of the words.
CREATE TABLE mem_vectors (
  node_id  INTEGER NOT NULL REFERENCES mem_nodes (id) ON DELETE CASCADE,
  identity TEXT NOT NULL,
  scale    REAL NOT NULL,
  vector   BLOB NOT NULL,
  PRIMARY KEY (node_id, identity)
) STRICT, WITHOUT ROWID;

CREATE TABLE mem_guards (
  id         INTEGER PRIMARY KEY,
  node_id    INTEGER NOT NULL REFERENCES mem_nodes (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  pattern    TEXT NOT NULL,
  message    TEXT NOT NULL,
  enabled    INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_guards_node ON mem_guards (node_id);

CREATE TABLE sessions (
  session_id      TEXT PRIMARY KEY,
  project         TEXT,
  project_name    TEXT,
  branch          TEXT,
  cwd             TEXT,
  title           TEXT,
  first_prompt    TEXT,
  status          TEXT NOT NULL CHECK (status IN ('active', 'completed', 'interrupted', 'failed')),
  started_at      INTEGER NOT NULL,
  ended_at        INTEGER,
  last_event_at   INTEGER NOT NULL,
  parent_session  TEXT,
  transcript_path TEXT,
  compact_summary TEXT
) STRICT;
CREATE INDEX idx_sessions_status ON sessions (status, last_event_at);
CREATE INDEX idx_sessions_recent ON sessions (last_event_at);
CREATE INDEX idx_sessions_project ON sessions (project, last_event_at);

CREATE TABLE turns (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id   TEXT NOT NULL REFERENCES sessions (session_id),
  n            INTEGER NOT NULL,
  prompt_id    TEXT,
  -- Line of the prompt in the client's transcript, from 1; null until the transcript was read.
  line         INTEGER,
  status       TEXT NOT NULL CHECK (status IN ('open', 'closed', 'interrupted')),
  started_at   INTEGER NOT NULL,
  ended_at     INTEGER,
  tool_count   INTEGER NOT NULL DEFAULT 0,
  prompt       TEXT,
  answer       TEXT,
  files_read   TEXT NOT NULL DEFAULT '[]',
  files_edited TEXT NOT NULL DEFAULT '[]',
  UNIQUE (session_id, n)
) STRICT;
CREATE INDEX idx_turns_prompt_id ON turns (session_id, prompt_id) WHERE prompt_id IS NOT NULL;
CREATE INDEX idx_turns_started ON turns (started_at);
CREATE INDEX idx_turns_ended ON turns (ended_at) WHERE answer IS NOT NULL;
CREATE INDEX idx_turns_open ON turns (session_id) WHERE status = 'open';

-- Raw observations: what PostToolUse brought, until it is compressed.
CREATE TABLE tool_uses (
  id          INTEGER PRIMARY KEY,
  session_id  TEXT NOT NULL,
  seq         INTEGER NOT NULL,
  turn        INTEGER NOT NULL,
  tool_use_id TEXT,
  tool        TEXT NOT NULL,
  target      TEXT,
  files       TEXT NOT NULL,
  outcome     TEXT NOT NULL CHECK (outcome IN ('ok', 'error')),
  text        TEXT,
  at_ms       INTEGER NOT NULL,
  agent_id    TEXT
) STRICT;
CREATE UNIQUE INDEX idx_tool_uses_seq ON tool_uses (session_id, seq);
CREATE UNIQUE INDEX idx_tool_uses_id ON tool_uses (session_id, tool_use_id) WHERE tool_use_id IS NOT NULL;
CREATE INDEX idx_tool_uses_at ON tool_uses (at_ms);

CREATE TABLE observations (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id     TEXT NOT NULL,
  turn           INTEGER NOT NULL,
  project        TEXT,
  type           TEXT NOT NULL,
  at_ms          INTEGER NOT NULL,
  title          TEXT NOT NULL,
  subtitle       TEXT NOT NULL,
  narrative      TEXT NOT NULL,
  facts          TEXT NOT NULL,
  concepts       TEXT NOT NULL,
  files_read     TEXT NOT NULL,
  files_modified TEXT NOT NULL
) STRICT;
CREATE INDEX idx_observations_session ON observations (session_id, turn);
CREATE INDEX idx_observations_at ON observations (at_ms);

CREATE TABLE checkpoints (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id   TEXT NOT NULL,
  n            INTEGER NOT NULL,
  project      TEXT,
  at_ms        INTEGER NOT NULL,
  made_at      TEXT NOT NULL CHECK (made_at IN ('stop', 'precompact', 'quiet', 'end')),
  is_current   INTEGER NOT NULL CHECK (is_current IN (0, 1)),
  l0           TEXT NOT NULL,
  fields       TEXT NOT NULL,
  UNIQUE (session_id, n)
) STRICT;
CREATE UNIQUE INDEX idx_checkpoints_current ON checkpoints (session_id) WHERE is_current = 1;
CREATE INDEX idx_checkpoints_at ON checkpoints (at_ms);
CREATE INDEX idx_checkpoints_recent ON checkpoints (at_ms) WHERE is_current = 1;
CREATE INDEX idx_checkpoints_project ON checkpoints (project, at_ms) WHERE is_current = 1;

CREATE TABLE jobs (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  key              TEXT NOT NULL UNIQUE,
  kind             TEXT NOT NULL,
  session_id       TEXT,
  state            TEXT NOT NULL CHECK (state IN ('queued', 'leased', 'done', 'skipped')),
  failures         INTEGER NOT NULL DEFAULT 0,
  leases           INTEGER NOT NULL DEFAULT 0,
  run_after_ms     INTEGER NOT NULL,
  lease_ends_at_ms INTEGER,
  created_at       INTEGER NOT NULL,
  finished_at      INTEGER,
  reason           TEXT,
  payload          TEXT NOT NULL,
  reply            TEXT
) STRICT;
CREATE INDEX idx_jobs_open ON jobs (id) WHERE state IN ('queued', 'leased');
CREATE INDEX idx_jobs_open_session ON jobs (session_id, id) WHERE state IN ('queued', 'leased');
CREATE INDEX idx_jobs_state ON jobs (state);

-- The idempotency log: keys and hashes, never content.
CREATE TABLE events (
  key            TEXT PRIMARY KEY,
  hook           TEXT NOT NULL,
  session_id     TEXT,
  content_hash   TEXT NOT NULL,
  anonymous      INTEGER NOT NULL CHECK (anonymous IN (0, 1)),
  at_ms          INTEGER NOT NULL,
  received_at_ms INTEGER NOT NULL,
  via            TEXT NOT NULL CHECK (via IN ('socket', 'spool', 'http')),
  -- From the start of the hook's process to the commit, in ms; null = not known (yet).
  latency_ms     REAL
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_events_same ON events (content_hash, session_id, at_ms) WHERE anonymous = 1;
CREATE INDEX idx_events_hook ON events (hook, received_at_ms, at_ms, latency_ms);

CREATE TABLE exposures (
  id         INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  node_id    INTEGER NOT NULL,
  uri        TEXT NOT NULL,
  channel    TEXT NOT NULL,
  at_ms      INTEGER NOT NULL,
  is_seen    INTEGER NOT NULL DEFAULT 1 CHECK (is_seen IN (0, 1))
) STRICT;
CREATE INDEX idx_exposures_session ON exposures (session_id, is_seen, node_id);
CREATE INDEX idx_exposures_node ON exposures (node_id);
CREATE INDEX idx_exposures_at ON exposures (at_ms, channel, node_id);

CREATE TABLE injections (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL,
  at_ms      INTEGER NOT NULL,
  channel    TEXT NOT NULL,
  cause      TEXT NOT NULL,
  tokens     INTEGER NOT NULL,
  text       TEXT NOT NULL,
  reasons    TEXT NOT NULL
) STRICT;
CREATE INDEX idx_injections_session ON injections (session_id, id);
CREATE INDEX idx_injections_at ON injections (at_ms);

CREATE TABLE transcripts (
  path       TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  lines      INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Records of other programs' memories that were imported before: keys of theirs or hashes, never text.
CREATE TABLE imports (
  source  TEXT NOT NULL,
  key     TEXT NOT NULL,
  node_id INTEGER,
  -- How far a source that grows was read, in bytes.
  extent  INTEGER,
  at_ms   INTEGER NOT NULL,
  PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;

-- Salted fingerprints of what must not be learnt again.
CREATE TABLE forgotten (
  fingerprint TEXT PRIMARY KEY,
  at_ms       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE llm_calls (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms      INTEGER NOT NULL,
  purpose    TEXT NOT NULL,
  provider   TEXT NOT NULL,
  model      TEXT NOT NULL,
  session_id TEXT,
  tokens_in  INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  cost_usd   REAL,
  latency_ms INTEGER NOT NULL,
  outcome    TEXT NOT NULL
) STRICT;
CREATE INDEX idx_llm_calls_at ON llm_calls (at_ms);
CREATE INDEX idx_llm_calls_session ON llm_calls (session_id, at_ms);

-- With their own copy of the text: contentless tables never take a deleted row out of the totals that BM25 divides by
-- (ten memories updated five times counted as sixty), and external content would need the identifiers as a column.
-- Without FTS5's secure-delete: in SQLite 3.53.4 it corrupts the index when one transaction deletes and inserts rows
-- (45 of 60 random runs; none without it). Purging merges the indexes instead, which drops deleted words as well.
-- Memories and the archive (moments, narratives) are apart, so that neither bends the other's term statistics.
CREATE VIRTUAL TABLE mem_fts USING fts5 (
  l0, l1, l2, aliases, tags, files, idents,
  tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE archive_fts USING fts5 (
  l0, l1, l2, aliases, tags, files, idents,
  tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE prompt_fts USING fts5 (
  prompt, idents,
  tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE observation_fts USING fts5 (
  title, subtitle, narrative, facts, concepts, files, idents,
  tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE checkpoint_fts USING fts5 (
  l0, body, files, idents,
  tokenize='porter unicode61 remove_diacritics 2'
);
