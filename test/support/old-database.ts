/** A database as version 0.1 left it: its schema, and memories with their directories, revisions and index rows. */
import { Database } from "bun:sqlite";
import firstSchema from "../../src/store/migrations/0001.sql" with { type: "text" };

export interface OldMemory {
  readonly l0: string;
  readonly l1?: string;
  readonly tags: readonly string[];
  readonly category?: string;
  readonly maker?: string;
  readonly status?: string;
  readonly pinned?: boolean;
  readonly uses?: number;
  readonly session?: string | null;
  /** Who wrote the revisions, the oldest first. */
  readonly by?: readonly string[];
}

const atMs = Date.parse("2026-02-20T09:00:00Z");
const directories = ["mem://", "mem://user", "mem://user/entities"];

/** Writes the file; ids count from 4, in the order of the memories. One session, `s-old`, is known. */
export function buildOldDatabase(path: string, memories: readonly OldMemory[]): void {
  using db = new Database(path, { create: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA auto_vacuum = INCREMENTAL");
  db.run(firstSchema);
  db.run("PRAGMA user_version = 1");
  db.transaction(() => {
    db.run(
      `INSERT INTO sessions (session_id, project, status, started_at, last_event_at)
       VALUES ('s-old', 'github.com/deskly/deskly', 'completed', ?, ?)`,
      [atMs, atMs],
    );
    for (const [n, uri] of directories.entries())
      db.run(
        `INSERT INTO mem_nodes (uri, parent_uri, node_type, category, status, origin, maker, created_at, updated_at,
           evidence_count, l0_abstract) VALUES (?, ?, 'dir', NULL, 'active', 'agent', 'manual', ?, ?, 0, ?)`,
        [uri, directories[n - 1] ?? null, atMs, atMs, uri],
      );
    for (const [n, memory] of memories.entries()) addMemory(db, n, memory);
  })();
}

function addMemory(db: Database, n: number, memory: OldMemory): void {
  const { l0, tags, category = "entities", maker = "stop", status = "active" } = memory;
  const { pinned = false, uses = 0, session = "s-old", by = [`turn:s-old:${n}`] } = memory;
  const uri = `mem://user/entities/memory-${n}`;
  const evidence = [{ sessionId: session ?? "s-lost", turn: 1, line: null, quote: l0 }];
  const { lastInsertRowid: id } = db.run(
    `INSERT INTO mem_nodes (uri, parent_uri, node_type, category, project, status, origin, maker, source_session,
       created_at, updated_at, valid_from, access_count, last_access, pinned, l0_abstract, l1_overview, tags, evidence)
     VALUES (?, 'mem://user/entities', 'leaf', ?, 'github.com/deskly/deskly', ?, 'user', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      uri,
      category,
      status,
      maker,
      session,
      atMs + n,
      atMs + n,
      atMs + n,
      uses,
      uses === 0 ? null : atMs,
      pinned ? 1 : 0,
      l0,
      memory.l1 ?? null,
      JSON.stringify(tags),
      JSON.stringify(evidence),
    ],
  );
  db.run(
    "INSERT INTO mem_fts (rowid, l0, l1, l2, aliases, tags, files, idents) VALUES (?, ?, '', '', '', ?, '', '')",
    [id, l0, tags.join("\n")],
  );
  const fields = {
    uri,
    category,
    aliases: [],
    importance: 3,
    evidenceCount: 1,
    tags,
    files: [],
    anchors: [],
    pinned,
    origin: "user",
    validFrom: atMs + n,
    validTo: null,
    expiresAt: null,
    evidence,
    mergedFrom: [],
  };
  for (const [at, maker] of by.entries())
    db.run(
      `INSERT INTO mem_revisions (node_id, at_ms, action, made_by, reason, status, l0_abstract, fields)
       VALUES (?, ?, ?, ?, 'new', ?, ?, ?)`,
      [id, atMs + n + at, at === 0 ? "create" : "edit", maker, status, l0, JSON.stringify(fields)],
    );
}
