/** The ledger of imports: which records of which source were taken before. */
import { remarkTool, type ImportLedger, type ImportMark } from "#domain";
import type { Sql } from "./sql.ts";

export const createImports = (sql: Sql): ImportLedger => ({
  find: (source, key) =>
    sql.get<ImportMark>(
      "SELECT node_id AS nodeId, extent FROM imports WHERE source = ? AND key = ?",
      source,
      key,
    ),
  unread: () =>
    sql.all<{ readonly sessionId: string; readonly chars: number }>(
      // A record takes about so much of a prompt and an answer at most, and of what was said between them.
      `SELECT s.session_id AS sessionId,
              sum(min(length(t.prompt), 1400) + min(length(coalesce(t.answer, '')), 1000)) +
                (SELECT coalesce(sum(length(u.text)), 0) FROM tool_uses u
                  WHERE u.session_id = s.session_id AND u.tool = '${remarkTool}') AS chars
         FROM sessions s JOIN turns t ON t.session_id = s.session_id
        WHERE t.prompt IS NOT NULL AND coalesce(t.is_private, 0) = 0
          AND EXISTS (SELECT 1 FROM imports i WHERE i.key = 'session:' || s.session_id)
          AND NOT EXISTS (SELECT 1 FROM meta m WHERE m.name = 'model.progress:' || s.session_id)
        GROUP BY s.session_id HAVING min(t.status <> 'open') = 1 ORDER BY s.started_at DESC`,
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
