-- The first schema. Times are epoch milliseconds; lists are JSON text.
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

-- AUTOINCREMENT: the id of a forgotten node must never mean another one. `slot`: what a memory is about, as
-- `subject · attribute`; at any time it has one current value in a project. `author`: who of a team said it, or null.
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
  l2_content     TEXT,
  slot           TEXT,
  author         TEXT
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
CREATE INDEX idx_nodes_slot ON mem_nodes (project, slot) WHERE slot IS NOT NULL AND status = 'active' AND node_type = 'leaf';
-- Memories that name files, by project: looked for each time that a session opens a file.
CREATE INDEX idx_nodes_anchored ON mem_nodes (project) WHERE anchors <> '[]' AND node_type = 'leaf';

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
-- The feed goes back by time: what an import brings late is older than what it is written after.
CREATE INDEX idx_revisions_at ON mem_revisions (at_ms);

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

-- `feedback`: what a person said of an injection; it was wrong, or something was missing.
CREATE TABLE injections (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL,
  at_ms      INTEGER NOT NULL,
  channel    TEXT NOT NULL,
  cause      TEXT NOT NULL,
  tokens     INTEGER NOT NULL,
  text       TEXT NOT NULL,
  reasons    TEXT NOT NULL,
  feedback   TEXT
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

-- `estimated`: 1 where the provider did not say how many tokens a call used; null = as the provider counted.
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
  outcome    TEXT NOT NULL,
  estimated  INTEGER
) STRICT;
CREATE INDEX idx_llm_calls_at ON llm_calls (at_ms);
CREATE INDEX idx_llm_calls_session ON llm_calls (session_id, at_ms);

-- What a model proposed below the bar: it becomes a memory when another session says something of the same slot.
CREATE TABLE sightings (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  slot       TEXT NOT NULL,
  project    TEXT,
  session_id TEXT NOT NULL,
  json       TEXT NOT NULL,
  at_ms      INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_sightings_slot ON sightings (slot);

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
-- Exchanges: what was said in a turn, prompt and answer together, as a leaf of the archive (docs/adr/0036). Apart from
-- moments and narratives, so that neither bends the other's term statistics.
CREATE VIRTUAL TABLE exchange_fts USING fts5 (
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

-- Where a project was seen on this machine (docs/adr/0039). `root` is the top folder of a working tree.
CREATE TABLE project_places (
  project TEXT NOT NULL,
  root    TEXT NOT NULL,
  trusted INTEGER NOT NULL CHECK (trusted IN (0, 1)),
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (project, root)
) STRICT, WITHOUT ROWID;

-- Commits that the trusted places of a project had: what a clone is known by.
CREATE TABLE project_commits (
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;

-- What sync knows (docs/adr/0044). A subject is a memory as all devices name it; a stamp says when and where something
-- was said. Texts stand in `sync_log` only, and go when the memory is forgotten.
CREATE TABLE sync_subjects (
  subject    TEXT PRIMARY KEY,
  -- Null: not here (yet), or forgotten.
  node_id    INTEGER UNIQUE,
  -- The latest stamp that is known of it.
  latest     TEXT NOT NULL DEFAULT '',
  -- What builds on no later remembering is forgotten.
  forgotten  TEXT,
  -- Forgotten here, and not told to the others yet.
  forget_at  INTEGER,
  -- What it asks for; which of several that ask for the same gets it is decided for all of them together.
  place      TEXT,
  slot       TEXT,
  is_current INTEGER NOT NULL DEFAULT 0 CHECK (is_current IN (0, 1)),
  said       TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL DEFAULT 0,
  -- The subject that it was merged into.
  merged_into TEXT,
  -- Uses by device, as JSON.
  uses       TEXT NOT NULL DEFAULT '{}',
  used       INTEGER NOT NULL DEFAULT 0,
  used_at    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_sync_subjects_place ON sync_subjects (place) WHERE place IS NOT NULL;
CREATE INDEX idx_sync_subjects_slot ON sync_subjects (slot) WHERE slot IS NOT NULL;
CREATE INDEX idx_sync_subjects_due ON sync_subjects (subject) WHERE forget_at IS NOT NULL;

-- Statements that hold, of all devices; of every other kind what is still to be sent.
CREATE TABLE sync_log (
  id      TEXT PRIMARY KEY,
  subject TEXT,
  stamp   TEXT NOT NULL,
  token   TEXT NOT NULL,
  is_sent INTEGER NOT NULL CHECK (is_sent IN (0, 1)),
  json    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_sync_log_subject ON sync_log (subject, stamp);
CREATE INDEX idx_sync_log_unsent ON sync_log (stamp) WHERE is_sent = 0;

-- Fingerprints of the lines that a memory ever had, so that one that is forgotten elsewhere is found. `token`: the
-- remembering that the statement builds on; `licence`: the one that allows the line, the earliest where there are several.
CREATE TABLE sync_wordings (
  subject TEXT NOT NULL,
  token   TEXT NOT NULL,
  mark    TEXT NOT NULL,
  licence TEXT NOT NULL,
  PRIMARY KEY (subject, token, mark)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_sync_wordings_mark ON sync_wordings (mark);
-- Memories that others forgot, until that is done here too.
CREATE TABLE sync_gone (
  node_id INTEGER PRIMARY KEY,
  stamp   TEXT NOT NULL
) STRICT;
-- What is to be brought in step with what is known: subjects, and places and slots that somebody may have left.
CREATE TABLE sync_due (
  what  TEXT NOT NULL CHECK (what IN ('subject', 'place', 'slot')),
  value TEXT NOT NULL,
  PRIMARY KEY (what, value)
) STRICT, WITHOUT ROWID;
-- When memories that say it were forgotten, since when it is not learnt, and when it was last remembered by name.
CREATE TABLE sync_marks (
  mark       TEXT PRIMARY KEY,
  killed     TEXT,
  forgotten  TEXT,
  remembered TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_links (
  from_subject TEXT NOT NULL,
  to_subject   TEXT NOT NULL,
  relation     TEXT NOT NULL,
  weight       REAL NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (from_subject, to_subject, relation)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_sync_links_to ON sync_links (to_subject);

-- How far the log of each device was taken in.
CREATE TABLE sync_heads (
  device TEXT PRIMARY KEY,
  seq    INTEGER NOT NULL,
  hash   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What members of a team give each other (docs/team.md).
-- What came, by project, member and the sender's id. Its words are the node's alone, so that forgetting finds them.
-- `hash` is of the text, empty = withdrawn; `stood` is the status that it was given here: another one is a person's.
CREATE TABLE team_items (
  project TEXT NOT NULL,
  member  TEXT NOT NULL,
  item    TEXT NOT NULL,
  clock   INTEGER NOT NULL,
  hash    TEXT NOT NULL,
  node_id INTEGER,
  stood   TEXT,
  PRIMARY KEY (project, member, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_team_items_node ON team_items (node_id) WHERE node_id IS NOT NULL;

CREATE TABLE team_muted (
  what  TEXT NOT NULL CHECK (what IN ('member', 'project')),
  value TEXT NOT NULL,
  PRIMARY KEY (what, value)
) STRICT, WITHOUT ROWID;

-- Files of a repository whose bytes the user trusts, and who committed them as far as git tells.
CREATE TABLE team_trusted (
  project TEXT NOT NULL,
  name    TEXT NOT NULL,
  hash    TEXT NOT NULL,
  author  TEXT,
  PRIMARY KEY (project, name, hash)
) STRICT, WITHOUT ROWID;

-- What is shared from here. `seq` counts up with every change; `hash` is of what was told last, empty = withdrawn.
CREATE TABLE team_shares (
  project TEXT NOT NULL,
  item    TEXT NOT NULL,
  node_id INTEGER NOT NULL,
  seq     INTEGER NOT NULL,
  clock   INTEGER NOT NULL,
  hash    TEXT NOT NULL,
  is_wanted INTEGER NOT NULL CHECK (is_wanted IN (0, 1)),
  PRIMARY KEY (project, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_team_shares_node ON team_shares (node_id);

-- Per project: categories that are proposed for sharing, or shared at once; and what becomes of what arrives.
CREATE TABLE team_rules (
  project    TEXT PRIMARY KEY,
  categories TEXT NOT NULL,
  share      TEXT NOT NULL CHECK (share IN ('ask', 'auto')),
  arrive     TEXT NOT NULL CHECK (arrive IN ('review', 'live'))
) STRICT, WITHOUT ROWID;

-- What the user forbade the agent, in a form that a hook can check (docs/guide/guards.md). Its words go with its memory.
CREATE TABLE tool_guards (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  node_id    INTEGER REFERENCES mem_nodes (id) ON DELETE CASCADE,
  project    TEXT,
  words      TEXT NOT NULL,
  form       TEXT NOT NULL,
  decision   TEXT NOT NULL CHECK (decision IN ('ask', 'deny')),
  state      TEXT NOT NULL CHECK (state IN ('heard', 'offered', 'approved', 'removed')),
  sayings    TEXT NOT NULL,
  is_told    INTEGER NOT NULL CHECK (is_told IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX idx_tool_guards_form ON tool_guards (coalesce(project, ''), form);
CREATE INDEX idx_tool_guards_node ON tool_guards (node_id) WHERE node_id IS NOT NULL;
