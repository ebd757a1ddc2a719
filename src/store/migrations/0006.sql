-- The feed goes back by time: what an import brings late is older than what it is written after.
CREATE INDEX idx_revisions_at ON mem_revisions (at_ms);
