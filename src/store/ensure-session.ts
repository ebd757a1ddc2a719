/** A session's row before anything is known of it: events can come out of order (a spool drained late). */
import type { Sql } from "./sql.ts";

/** Does nothing when the session is there. */
export const ensureSession = (sql: Sql, sessionId: string, atMs: number): void =>
  void sql.run(
    `INSERT INTO sessions (session_id, status, started_at, last_event_at) VALUES (?1, 'active', ?2, ?2)
     ON CONFLICT (session_id) DO NOTHING`,
    sessionId,
    atMs,
  );
