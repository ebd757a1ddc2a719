/** A home as it looks after years: memories that were used and shown, sessions with answers, figures of every day. */
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync } from "node:fs";
import { homePaths } from "#domain";
import { loadEmbeddedModel } from "#embed";
import { createCorpus } from "../scale/corpus.ts";
import { fillDatabase } from "../scale/fill.ts";

const sessionsTotal = 2_000;
const msPerDay = 86_400_000;
/** Figures of the recent past are kept for so long. */
const keptDays = 90;

/** Fills the database of a home, unless there is one. */
export function fillHome(home: string, memories: number, nowMs: number): void {
  const { database } = homePaths(home);
  if (existsSync(database)) return;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const embedder = loadEmbeddedModel();
  if (!embedder.ok) throw new Error(embedder.error.type);
  fillDatabase(database, memories, { corpus: createCorpus(), embedder: embedder.value });
  const db = new Database(database);
  db.run("PRAGMA foreign_keys = OFF");
  db.transaction(() => {
    spreadOverTime(db, memories, nowMs);
    addSessions(db, nowMs);
    addFigures(db, memories, nowMs);
    addLinks(db, memories);
  })();
  db.run("ANALYZE");
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

/** One memory every few minutes of two years; every fifth was used, some are pinned or wait. */
function spreadOverTime(db: Database, memories: number, nowMs: number): void {
  const stepMs = Math.floor((730 * msPerDay) / memories);
  db.run(
    `UPDATE mem_nodes SET created_at = ?1 - (SELECT max(id) FROM mem_nodes) * ?2 + id * ?2,
                          updated_at = ?1 - (SELECT max(id) FROM mem_nodes) * ?2 + id * ?2,
                          access_count = iif(id % 5 = 0, id % 7 + 1, 0),
                          last_access = iif(id % 5 = 0, ?1 - (id * 7919 % 300) * ${msPerDay}, NULL),
                          source_session = 's' || (id % ${sessionsTotal}),
                          pinned = id % 997 = 0,
                          status = iif(id % 1009 = 0, 'pending', iif(id % 41 = 0, 'superseded', 'active')),
                          origin = CASE id % 4 WHEN 0 THEN 'user' WHEN 1 THEN 'tool' ELSE 'agent' END,
                          tags = '["ops"]', l1_overview = l0_abstract || ' ' || l0_abstract,
                          evidence = json_array(json_object('sessionId', 's' || (id % ${sessionsTotal}), 'turn', 1,
                                                            'line', NULL, 'quote', l0_abstract))
      WHERE node_type = 'leaf'`,
    [nowMs, stepMs],
  );
  db.run(
    "UPDATE mem_revisions SET at_ms = (SELECT updated_at FROM mem_nodes n WHERE n.id = node_id)",
  );
}

function addSessions(db: Database, nowMs: number): void {
  const stepMs = Math.floor((730 * msPerDay) / sessionsTotal);
  for (let n = 0; n < sessionsTotal; n += 1)
    db.run(
      `INSERT INTO sessions (session_id, project, project_name, title, status, started_at, last_event_at)
       VALUES ('s' || ?1, 'github.com/acme/service-' || (?1 % 20), 'service-' || (?1 % 20), 'Session ' || ?1, 'completed', ?2, ?2)
       ON CONFLICT DO UPDATE SET started_at = ?2, last_event_at = ?2, title = 'Session ' || ?1`,
      [n, nowMs - (sessionsTotal - n) * stepMs],
    );
  db.run(
    `UPDATE turns SET started_at = (SELECT started_at FROM sessions s WHERE s.session_id = turns.session_id) + n * 60000,
                      ended_at = (SELECT started_at FROM sessions s WHERE s.session_id = turns.session_id) + n * 60000 + 30000,
                      answer = 'Done: ' || prompt`,
  );
  db.run(
    `INSERT INTO projects (key, name, first_seen) SELECT DISTINCT project, project_name, 0 FROM sessions WHERE TRUE
     ON CONFLICT DO NOTHING`,
  );
}

function addFigures(db: Database, memories: number, nowMs: number): void {
  const rows = Math.min(200_000, memories * 2);
  const counted = `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${rows})`;
  const spread = Math.floor((keptDays * msPerDay) / rows);
  db.run(
    `${counted} INSERT INTO events (key, hook, session_id, content_hash, anonymous, at_ms, received_at_ms, via, latency_ms)
     SELECT 'k' || n, CASE n % 4 WHEN 0 THEN 'submit' WHEN 1 THEN 'stop' ELSE 'tool' END, 's' || (n % ${sessionsTotal}),
            'h' || n, 0, ?1 - n * ?2, ?1 - n * ?2 + 3, 'socket', n % 40 FROM c`,
    [nowMs, spread],
  );
  db.run(
    `${counted} INSERT INTO exposures (session_id, node_id, uri, channel, at_ms, is_seen)
     SELECT 's' || (n % ${sessionsTotal}), n % ?3 + 10, 'mem://', CASE n % 3 WHEN 0 THEN 'start' WHEN 1 THEN 'prompt' ELSE 'search' END,
            ?1 - n * ?2, 0 FROM c`,
    [nowMs, spread, memories],
  );
  db.run(
    `${counted} INSERT INTO injections (session_id, at_ms, channel, cause, tokens, text, reasons)
     SELECT 's' || (n % ${sessionsTotal}), ?1 - n * ?2, 'prompt', 'vocabulary', n % 300, 'text', '[]' FROM c WHERE n % 10 = 0`,
    [nowMs, spread],
  );
  db.run(
    `${counted} INSERT INTO llm_calls (at_ms, purpose, provider, model, tokens_in, tokens_out, latency_ms, outcome)
     SELECT ?1 - n * ?2, 'gate', 'anthropic', 'small', 500, 50, 300, 'ok' FROM c WHERE n % 20 = 0`,
    [nowMs, spread],
  );
}

/** Every memory hangs together with the next, and with one further off. */
function addLinks(db: Database, memories: number): void {
  for (const step of [1, 17])
    db.run(
      `INSERT OR IGNORE INTO mem_links (from_id, to_id, relation, weight, created_at)
       SELECT id, id + ?1, 'related', 0.2, 0 FROM mem_nodes WHERE node_type = 'leaf' AND id + ?1 <= ?2`,
      [step, memories],
    );
}
