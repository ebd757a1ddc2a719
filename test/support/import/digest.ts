/** Everything an import leaves, without what may differ between two runs: for comparing homes. */
import type { Database } from "bun:sqlite";
import { createHash } from "node:crypto";

const queries = [
  `SELECT uri, category, project, status, origin, maker, source_session, created_at, updated_at, valid_from, valid_to,
          expires_at, importance, evidence_count, l0_abstract, l1_overview, l2_content, tags, files, aliases, evidence
     FROM mem_nodes ORDER BY uri`,
  // An import names itself by the time at which it ran.
  `SELECT n.uri, r.at_ms, r.action, iif(r.made_by LIKE 'import:%', 'import', r.made_by), r.reason, r.status, r.l0_abstract
     FROM mem_revisions r JOIN mem_nodes n ON n.id = r.node_id ORDER BY n.uri, r.id`,
  `SELECT a.uri, b.uri AS other, l.relation FROM mem_links l JOIN mem_nodes a ON a.id = l.from_id
     JOIN mem_nodes b ON b.id = l.to_id ORDER BY 1, 2, 3`,
  "SELECT n.uri, hex(v.vector) AS vector FROM mem_vectors v JOIN mem_nodes n ON n.id = v.node_id ORDER BY n.uri",
  `SELECT session_id, project, project_name, branch, cwd, title, first_prompt, status, started_at, ended_at, last_event_at
     FROM sessions ORDER BY session_id`,
  `SELECT session_id, n, prompt_id, line, status, started_at, ended_at, tool_count, prompt, answer, files_read, files_edited
     FROM turns ORDER BY session_id, n`,
  `SELECT session_id, turn, type, at_ms, title, subtitle, narrative, facts, concepts FROM observations
    ORDER BY session_id, turn, title, id`,
  "SELECT session_id, n, at_ms, made_at, is_current, l0, fields FROM checkpoints ORDER BY session_id, n",
  "SELECT source, key, extent FROM imports ORDER BY source, key",
  "SELECT path, bytes, lines FROM transcripts ORDER BY path",
];

/** Equal for two homes with the same content; streamed, so that a large home fits. */
export function homeDigest(database: Database): string {
  const hash = createHash("sha256");
  for (const query of queries)
    for (const row of database.prepare(query).iterate()) hash.update(JSON.stringify(row));
  return hash.digest("hex");
}
