-- What members of a team give each other (docs/team.md). Who said a memory that came from one; null for all others.
ALTER TABLE mem_nodes ADD COLUMN author TEXT;

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
