-- What a person said of an injection: it was wrong, or something was missing.
ALTER TABLE injections ADD COLUMN feedback TEXT;
