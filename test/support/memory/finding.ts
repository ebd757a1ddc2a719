/** For tests: a real store in a temporary folder with memories in it, and a finder over it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Category,
  categoryRules,
  defaultSettings,
  type FindQuery,
  type MemoryNode,
  type NodeDraft,
  type Settings,
  type Store,
} from "#domain";
import { createVectorIndex, loadEmbeddedModel } from "#embed";
import { msPerDay, stoppedClock, systemRandom } from "#kit";
import { openNewStore } from "../new-store.ts";
import { createFinder, type Finder } from "../../../src/memory/retrieval/finder.ts";

export const nowMs = 20_600 * msPerDay;
export const home = "github.com/fjord/ferry";

const loaded = loadEmbeddedModel();
if (!loaded.ok) throw new Error(loaded.error.type);
export const embedder = loaded.value;

export interface Fixture extends Disposable {
  readonly store: Store;
  readonly finder: Finder;
  readonly add: (
    l0: string,
    extra?: Partial<NodeDraft> & { readonly daysAgo?: number },
  ) => MemoryNode;
  /** `newer` replaces `older`. */
  readonly supersede: (older: MemoryNode, newer: MemoryNode) => void;
}

export const queryFor = (text: string, extra: Partial<FindQuery> = {}): FindQuery => ({
  text,
  kinds: ["memory"],
  projects: null,
  limit: 10,
  sort: "relevance",
  homeProject: home,
  nowMs,
  ...extra,
});

export function openFixture(weights: Settings["retrieval"] = defaultSettings.retrieval): Fixture {
  const folder = mkdtempSync(join(tmpdir(), "continuity-find-"));
  const clock = stoppedClock(nowMs);
  const opened = openNewStore(join(folder, "test.db"), {
    mode: "readwrite",
    clock,
    random: systemRandom,
  });
  if (!opened.ok) throw new Error(opened.error.type);
  const store = opened.value;
  const vectors = createVectorIndex(embedder.identity.dimension);
  const { lexical, nodes, sessions } = store;
  let count = 0;
  const cause = { action: "create", by: "test", reason: "test" } as const;
  return {
    store,
    finder: createFinder({ lexical, vectors, embedder, nodes, sessions, weights }),
    add: (l0, { daysAgo = 0, ...extra } = {}) => {
      const category: Category = extra.category ?? "cases";
      count += 1;
      const node = nodes.insert(
        {
          uri: `${categoryRules[category].root}/memory-${String(count).padStart(4, "0")}`,
          project: home,
          origin: "user",
          maker: "extract",
          l0,
          ...extra,
          category,
        },
        { ...cause, atMs: nowMs - daysAgo * msPerDay },
      );
      const vector = embedder.embed(l0);
      if (vector !== null) vectors.put(node.id, vector);
      return node;
    },
    supersede: (older, newer) => {
      nodes.update(
        older.id,
        { status: "superseded" },
        { ...cause, action: "supersede", atMs: nowMs },
      );
      nodes.relate(newer.id, older.id, "supersedes", nowMs);
    },
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const subjects = [
  "the invoice export",
  "the ferry timetable",
  "the crane simulator",
  "the login page",
  "the tide sensor",
  "the cargo manifest",
  "the staging cluster",
  "the crew calendar",
  "the map tiles",
  "the fuel report",
];
const statements = [
  "is rebuilt every night from the ledger",
  "shows times in the local zone of the harbour",
  "was rewritten in Rust last spring",
  "must stay below two seconds",
  "belongs to the team of Marta",
  "reads its settings from a YAML file",
  "is covered by snapshot tests",
  "was moved to a second region",
  "prints labels in three languages",
  "caches answers for five minutes",
];

/** A hundred memories about other things. */
export const distractors: readonly string[] = subjects.flatMap((subject) =>
  statements.map((statement) => `${subject} ${statement}`),
);
