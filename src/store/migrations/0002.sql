-- What a memory is about, as `subject · attribute`: at any time it has one current value in a project.
ALTER TABLE mem_nodes ADD COLUMN slot TEXT;
CREATE INDEX idx_nodes_slot ON mem_nodes (project, slot) WHERE slot IS NOT NULL AND status = 'active' AND node_type = 'leaf';

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
