/** A store of one collection, asked as the daemon asks it, and the same texts in plain FTS5 to compare with. */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings, type Embedder, type FindQuery, type Settings, type Store } from "#domain";
import { createVectorIndex } from "#embed";
import { stoppedClock, systemRandom } from "#kit";
import { createFinder, type Finder } from "#memory";
import { openStore } from "#store";
import { stopWords } from "../../../src/language/query-words.ts";
import type { BenchDocument, BenchQuestion } from "./question-set.ts";

export interface Workspace extends Disposable {
  readonly store: Store;
  readonly finder: Finder;
  readonly lexical: Store["lexical"];
  /** Ids of the documents a way of asking finds, best first. */
  readonly ask: (
    way: "find" | "search",
    question: BenchQuestion,
    limit: number,
  ) => readonly string[];
}

export function openWorkspace(
  embedder: Embedder,
  documents: readonly BenchDocument[],
  weights: Settings["retrieval"] = defaultSettings.retrieval,
): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "continuity-retrieval-"));
  const opened = openStore(join(folder, "bench.db"), {
    mode: "readwrite",
    clock: stoppedClock(1),
    random: systemRandom,
  });
  if (!opened.ok) throw new Error(opened.error.type);
  const store = opened.value;
  const vectors = createVectorIndex(embedder.identity.dimension);
  const nodeIds = store.transaction(() => addAll(store, documents));
  for (const { id, text } of documents) {
    const vector = embedder.embed(text);
    if (vector !== null) vectors.put(nodeIds.get(id) ?? -1, vector);
  }
  const idByUri = new Map(documents.map(({ id, uri }) => [uri, id]));
  const { lexical, nodes, sessions } = store;
  const deps = { lexical, vectors, embedder, nodes, sessions, weights };
  const finder = createFinder(deps);
  return {
    store,
    finder,
    lexical: store.lexical,
    ask: (way, { text, nowMs }, limit) => {
      const query: FindQuery = {
        text,
        kinds: ["memory", "moment"],
        projects: null,
        limit,
        sort: "relevance",
        homeProject: null,
        nowMs,
      };
      const found =
        way === "find"
          ? finder.find(query)
          : finder.search(query).hits.map(({ document }) => document);
      return found.map(({ uri }) => idByUri.get(uri) ?? uri);
    },
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function addAll(store: Store, documents: readonly BenchDocument[]): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  const cause = { by: "bench", reason: "given" } as const;
  for (const { id, uri, category, text, atMs, project = null, aliases = [] } of documents) {
    const draft = { uri, category, project, l0: text, aliases } as const;
    const node = store.nodes.insert(
      { ...draft, origin: "user", maker: "extract" },
      { ...cause, atMs, action: "create" },
    );
    ids.set(id, node.id);
  }
  for (const { id, supersedes, atMs } of documents) {
    const old = supersedes === undefined ? undefined : ids.get(supersedes);
    if (old === undefined) continue;
    store.nodes.update(old, { status: "superseded" }, { ...cause, atMs, action: "supersede" });
    store.nodes.relate(ids.get(id) ?? 0, old, "supersedes", atMs);
  }
  return ids;
}

/** FTS5 as it comes: porter, BM25, the question's words without stop words, nothing else. */
export function openPlainFts(documents: readonly BenchDocument[]): Disposable & {
  readonly ask: (question: BenchQuestion, limit: number) => readonly string[];
} {
  const db = new Database(":memory:");
  db.run("CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61')");
  const insert = db.prepare("INSERT INTO plain (rowid, text) VALUES (?, ?)");
  documents.forEach(({ text }, i) => insert.run(i, text));
  const match = db.prepare<{ readonly rowid: number }, [string, number]>(
    "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank, rowid LIMIT ?",
  );
  return {
    ask: ({ text }, limit) => {
      const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      const terms = words.filter((word) => !stopWords.has(word)).map((word) => `"${word}"`);
      if (terms.length === 0) return [];
      return match.all(terms.join(" OR "), limit).map(({ rowid }) => documents[rowid]?.id ?? "");
    },
    [Symbol.dispose]: () => db.close(),
  };
}
