-- What tools brought about is told by the exchange of a turn. Upkeep makes leaves of the archive of these rows.
DROP TABLE observation_fts;
