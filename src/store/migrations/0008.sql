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
