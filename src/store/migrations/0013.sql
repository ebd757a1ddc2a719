-- A turn whose prompt a program sent: nothing said in it becomes a memory, and no model is asked about it.
ALTER TABLE turns ADD COLUMN is_headless INTEGER CHECK (is_headless IN (0, 1));
