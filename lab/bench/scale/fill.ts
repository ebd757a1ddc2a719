/**
 * Fills a database with invented memories as fast as SQLite takes rows, past the store's own write path: a million in
 * under a minute. What it leaves is what the store would have left: rows, revisions, index rows, vectors.
 */
import { Database } from "bun:sqlite";
import { categories, categoryRules, type Embedder, type RevisionFields } from "#domain";
import { msPerMinute, stoppedClock, systemRandom } from "#kit";
import { openStore } from "#store";
import { identifiersOf } from "../../../src/store/indexes.ts";
import { quantised } from "../../../src/store/admin.ts";
import { projectOf, type Corpus } from "./corpus.ts";

/** One prompt for so many memories, and one session for so many prompts. */
const memoriesPerPrompt = 4;
const promptsPerSession = 20;
const transactionRows = 50_000;

export const startedAtMs = Date.UTC(2026, 0, 1);

export function fillDatabase(
  path: string,
  memories: number,
  using: { readonly corpus: Corpus; readonly embedder: Embedder },
): void {
  createEmpty(path);
  const db = new Database(path);
  for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"])
    db.run(`PRAGMA ${pragma}`);
  addMemories(db, memories, using);
  addPrompts(db, Math.floor(memories / memoriesPerPrompt), using.corpus);
  db.run("PRAGMA journal_mode = WAL");
  db.close();
}

/** The schema and the directories, by the store itself. */
function createEmpty(path: string): void {
  const clock = stoppedClock(startedAtMs);
  const opened = openStore(path, { mode: "readwrite", clock, random: systemRandom });
  if (!opened.ok) throw new Error(opened.error.type);
  using store = opened.value;
  for (const category of categories) {
    const { root } = categoryRules[category];
    const draft = { category, project: null, origin: "user", maker: "manual" } as const;
    store.nodes.insert(
      { ...draft, uri: `${root}/first`, l0: "first" },
      { atMs: startedAtMs, action: "create", by: "bench", reason: "first of its folder" },
    );
  }
}

function addMemories(
  db: Database,
  memories: number,
  { corpus, embedder }: { readonly corpus: Corpus; readonly embedder: Embedder },
): void {
  const node = db.prepare(
    `INSERT INTO mem_nodes (uri, parent_uri, node_type, category, project, status, origin, maker, created_at, updated_at,
                            importance, l0_abstract)
     VALUES (?, ?, 'leaf', ?, ?, 'active', 'user', 'extract', ?, ?, ?, ?)`,
  );
  const revision = db.prepare(
    `INSERT INTO mem_revisions (node_id, at_ms, action, made_by, reason, status, l0_abstract, fields)
     VALUES (?, ?, 'create', 'bench', 'invented', 'active', ?, ?)`,
  );
  const words = db.prepare(
    "INSERT INTO mem_fts (rowid, l0, l1, l2, aliases, tags, files, idents) VALUES (?, ?, '', '', '', '', '', ?)",
  );
  const vector = db.prepare(
    "INSERT INTO mem_vectors (node_id, identity, scale, vector) VALUES (?, ?, ?, ?)",
  );
  inTransactions(db, memories, (n) => {
    const { l0, category, project, importance } = corpus.memory(n);
    const { root } = categoryRules[category];
    const atMs = startedAtMs + n * msPerMinute;
    const uri = `${root}/memory-${n}`;
    const id = Number(
      node.run(uri, root, category, project, atMs, atMs, importance, l0).lastInsertRowid,
    );
    revision.run(id, atMs, l0, fieldsOf({ uri, category, project, importance }));
    words.run(id, l0, identifiersOf(l0).join("\n"));
    const own = embedder.embed(l0);
    if (own === null) return;
    const { scale, bytes } = quantised(own);
    vector.run(id, embedder.identity.id, scale, bytes);
  });
}

/** `fieldsOf` gives the fields of a revision: what an undo brings back. */
const fieldsOf = (
  known: Pick<RevisionFields, "uri" | "category" | "project" | "importance">,
): string =>
  JSON.stringify({
    ...known,
    aliases: [],
    evidenceCount: 1,
    tags: [],
    files: [],
    anchors: [],
    pinned: false,
    origin: "user",
    validFrom: null,
    validTo: null,
    expiresAt: null,
    evidence: [],
    mergedFrom: [],
    slot: null,
  } satisfies RevisionFields);

function addPrompts(db: Database, prompts: number, corpus: Corpus): void {
  const session = db.prepare(
    `INSERT INTO sessions (session_id, project, project_name, status, started_at, last_event_at)
     VALUES (?, ?, ?, 'completed', ?, ?)`,
  );
  const turn = db.prepare(
    "INSERT INTO turns (session_id, n, status, started_at, prompt) VALUES (?, ?, 'closed', ?, ?)",
  );
  const words = db.prepare("INSERT INTO prompt_fts (rowid, prompt, idents) VALUES (?, ?, ?)");
  inTransactions(db, prompts, (n) => {
    const number = Math.floor(n / promptsPerSession);
    const atMs = startedAtMs + n * memoriesPerPrompt * msPerMinute;
    if (n % promptsPerSession === 0)
      session.run(`s${number}`, projectOf(number % 20), `service-${number % 20}`, atMs, atMs);
    const prompt = corpus.prompt(n);
    const at = turn.run(`s${number}`, (n % promptsPerSession) + 1, atMs, prompt);
    words.run(Number(at.lastInsertRowid), prompt, identifiersOf(prompt).join("\n"));
  });
}

function inTransactions(db: Database, rows: number, work: (n: number) => void): void {
  for (let first = 0; first < rows; first += transactionRows)
    db.transaction(() => {
      for (let n = first; n < Math.min(rows, first + transactionRows); n += 1) work(n);
    })();
}
