/** The schema that this program reads: as many migrations as there are. Apart from their text, which few need. */
export const schemaVersion = 8;
