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
