/** The ledger of imports: which records of which source were taken before. */
import type { ImportLedger, ImportMark } from "#domain";
import type { Sql } from "./sql.ts";

export const createImports = (sql: Sql): ImportLedger => ({
  find: (source, key) =>
    sql.get<ImportMark>(
      "SELECT node_id AS nodeId, extent FROM imports WHERE source = ? AND key = ?",
      source,
      key,
    ),
  save: (source, key, mark, atMs) =>
    void sql.run(
      `INSERT INTO imports (source, key, node_id, extent, at_ms) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (source, key) DO UPDATE SET node_id = excluded.node_id, extent = excluded.extent,
         at_ms = excluded.at_ms`,
      source,
      key,
      mark.nodeId,
      mark.extent,
      atMs,
    ),
});
