-- A turn with a private block: only the words typed outside it are kept, and no model is asked about them.
ALTER TABLE turns ADD COLUMN is_private INTEGER CHECK (is_private IN (0, 1));
