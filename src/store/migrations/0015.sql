-- From the schema of build d9689840.

-- A turn with a private block: only the words typed outside it are kept, and no model is asked about them.
ALTER TABLE turns ADD COLUMN is_private INTEGER CHECK (is_private IN (0, 1));
-- A turn whose prompt a program sent: nothing said in it becomes a memory, and no model is asked about it.
ALTER TABLE turns ADD COLUMN is_headless INTEGER CHECK (is_headless IN (0, 1));
-- What tools brought about is told by the exchange of a turn. Upkeep makes leaves of the archive of these rows.
DROP TABLE observation_fts;
-- Nothing waits any more for another session to say something of its slot: what is not kept is in review.
DROP TABLE sightings;
