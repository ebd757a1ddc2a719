-- Exchanges: what was said in a turn, prompt and answer together, as a leaf of the archive (docs/adr/0036). Apart from
-- moments and narratives, so that neither bends the other's term statistics.
CREATE VIRTUAL TABLE exchange_fts USING fts5 (
  l0, l1, l2, aliases, tags, files, idents,
  tokenize='porter unicode61 remove_diacritics 2'
);
