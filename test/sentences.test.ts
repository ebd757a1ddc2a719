/** Memories that earlier versions had guessed go to the archive, once, and come back with one command. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveSentences, sentencesState, type HookEnvelope, type Store } from "#domain";
import { createSentencesApi } from "../src/service/sentences.ts";
import { archiveSentences } from "../src/worker/sentences.ts";
import { buildOldDatabase, type OldMemory } from "./support/old-database.ts";
import { openTestWorker } from "./support/worker.ts";

const moving: readonly OldMemory[] = [
  { l0: "deskly: The staging database listens on port 5544", tags: ["fact"] },
  { l0: "deskly: the build was slow this morning", tags: ["note"], status: "superseded" },
  { l0: "deskly: the queue is called hermes", tags: ["naming"], session: "s-gone" },
  { l0: "deskly: now on Valkey 7.4", tags: ["change"], session: null },
  { l0: "deskly: tests retry twice", tags: ["state"], maker: "import", by: ["import:claude-code"] },
  {
    l0: "deskly: Gangway sensors speak UTC",
    tags: ["discovery", "how-it-works"],
    maker: "import",
    by: ["import:claude-mem"],
  },
  { l0: "deskly: we go with Postgres, the port is 5432", tags: ["decision", "fact"] },
  {
    l0: "[Image 1] Still not transparent anymore",
    tags: ["rule"],
    maker: "signal",
    by: ["signal:s-old:1"],
  },
  {
    l0: "no, the second one please, use that",
    tags: ["decision"],
    maker: "import",
    by: ["import:claude-code"],
  },
  {
    l0: "deskly: the export hung again",
    l1: "Came up 3 times:\n- 2026-02-01: the export hung",
    tags: ["error"],
    maker: "extract",
    by: ["consolidate:2026-02-20"],
  },
];

const staying: readonly OldMemory[] = [
  { l0: "deskly: never push on Fridays", tags: ["rule"] },
  { l0: "deskly: we decided to go with Postgres on port 5432", tags: ["decision", "fact"] },
  { l0: "always run the linter before committing", tags: ["rule"], maker: "signal" },
  { l0: "deskly: a model said so", tags: ["fact"], maker: "extract", by: ["session:s-old:1-8"] },
  { l0: "User: remember the badge number 7", tags: ["remember"], maker: "signal" },
  { l0: "deskly: port 1 is taken", tags: ["fact"], maker: "manual", by: ["user"] },
  { l0: "deskly: port 2 is taken", tags: ["fact"], pinned: true },
  { l0: "deskly: port 3 is taken", tags: ["fact"], uses: 2 },
  { l0: "deskly: port 4 is taken", tags: ["fact"], by: ["turn:s-old:1", "user"] },
  { l0: "deskly: port 5 waits", tags: ["fact"], status: "pending" },
  {
    l0: "deskly: Tom leads the team",
    tags: ["person"],
    maker: "import",
    by: ["import:mcp-memory"],
  },
  {
    l0: "deskly: the crash was a race",
    tags: ["bugfix", "pattern"],
    maker: "import",
    by: ["import:claude-mem"],
  },
];

interface Home extends Disposable {
  readonly open: () => ReturnType<typeof openTestWorker>;
}

function oldHome(memories: readonly OldMemory[]): Home {
  const folder = mkdtempSync(join(tmpdir(), "continuity-old-"));
  buildOldDatabase(join(folder, "continuity.db"), memories);
  return {
    open: () => openTestWorker({ folder }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const all = { limit: 500, offset: 0 };
const both = ["active", "superseded", "pending"] as const;

const linesOf = (store: Store, archive: boolean): readonly string[] =>
  store.nodes
    .list({ projects: null, archive, statuses: both }, "uri", all)
    .map(({ l0 }) => l0)
    .toSorted();

const lines = (memories: readonly OldMemory[]): readonly string[] =>
  memories.map(({ l0 }) => l0).toSorted();

const startOf = (id: string, atMs: number): HookEnvelope => ({
  v: 1,
  hook: "start",
  clientEvent: "SessionStart",
  key: `key-of-${id}`,
  contentHash: id,
  anonymous: false,
  atMs,
  replayed: true,
  gated: false,
  payload: { session_id: id, cwd: "/home/dev/deskly", source: "startup" },
});

/** All of it, as the daemon does it between hooks. */
function finish({ deps }: ReturnType<typeof openTestWorker>): void {
  for (const _ of archiveSentences(deps));
}

test("what was guessed goes to the archive; what was ordered, or touched, stays", async () => {
  using home = oldHome([...moving, ...staying]);
  using app = home.open();
  await app.settle();
  expect(linesOf(app.store, true)).toEqual(lines(moving));
  expect(linesOf(app.store, false)).toEqual(lines(staying));
  expect(sentencesState(app.store)).toMatchObject({
    moved: 10,
    captured: 5,
    isDone: true,
    isTold: false,
  });
});

test("a sentence keeps its status, its age and its history, and stands with its session", () => {
  using home = oldHome(moving);
  using app = home.open();
  finish(app);
  const at = (id: number) => app.store.nodes.byId(id);
  expect(at(4)).toMatchObject({ uri: "mem://sessions/s-old/sentences/4", status: "active" });
  expect(at(5)).toMatchObject({ uri: "mem://sessions/s-old/sentences/5", status: "superseded" });
  expect(at(6)?.uri).toBe("mem://sessions/sentences/6");
  expect(at(4)?.updatedAt).toBe(Date.parse("2026-02-20T09:00:00Z"));
  expect(app.store.nodes.revisions(4).map(({ action, by }) => [action, by])).toEqual([
    ["create", "turn:s-old:0"],
    ["archive", "system"],
  ]);
});

test("it is found in the archive, and by nobody who looks for memories", () => {
  using home = oldHome(moving);
  using app = home.open();
  finish(app);
  const find = (kind: "memory" | "moment") =>
    app.deps.finder.find({
      text: "staging database port",
      projects: null,
      homeProject: null,
      kinds: [kind],
      sort: "relevance",
      limit: 5,
      nowMs: app.clock.nowMs(),
    });
  expect(find("memory")).toEqual([]);
  expect(find("moment").map(({ l0 }) => l0)).toContain(moving[0]?.l0 ?? "");
});

test("cut off in the middle it goes on, and never counts twice", () => {
  const many = Array.from({ length: 250 }, (_, n): OldMemory => ({
    l0: `port ${n} is open`,
    tags: ["fact"],
  }));
  using home = oldHome(many);
  {
    using app = home.open();
    const slices = archiveSentences(app.deps);
    slices.next();
    const { moved } = sentencesState(app.store) ?? { moved: 0 };
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(many.length);
    expect(linesOf(app.store, true)).toHaveLength(moved);
  }
  using app = home.open();
  finish(app);
  expect(sentencesState(app.store)).toMatchObject({ moved: 250, isDone: true });
  expect(linesOf(app.store, true)).toHaveLength(250);
});

test("what is learnt from now on is not looked at, and a new home has nothing to tell", () => {
  using app = openTestWorker();
  app.remember("The port is 5544", { tags: ["fact"], maker: "stop" });
  finish(app);
  expect(linesOf(app.store, false)).toHaveLength(1);
  expect(sentencesState(app.store)).toMatchObject({ moved: 0, isTold: true });
});

/** All that comes back, slice after slice: a slow machine needs more of them. */
function restoredBy({ restoreSentences }: ReturnType<typeof createSentencesApi>): number {
  let restored = 0;
  for (let next: number | null = 0; next !== null;) {
    const slice = restoreSentences(next);
    if (!slice.ok) throw new Error("not restored");
    restored += slice.value.restored;
    ({ next } = slice.value);
  }
  return restored;
}

test("one command brings all of them back to where they were, for good", () => {
  using home = oldHome([...moving, ...staying]);
  using app = home.open();
  finish(app);
  app.store.nodes.insert(
    {
      uri: "mem://user/entities/memory-0",
      category: "entities",
      project: null,
      l0: "in its place",
      origin: "user",
      maker: "manual",
    },
    { atMs: app.clock.nowMs(), action: "create", by: "user", reason: "" },
  );
  const api = createSentencesApi({ ...app.deps, writable: true });
  expect(restoredBy(api)).toBe(10);
  expect(linesOf(app.store, true)).toEqual([]);
  expect(linesOf(app.store, false)).toEqual(
    [...lines([...moving, ...staying]), "in its place"].toSorted(),
  );
  expect(app.store.nodes.byId(5)).toMatchObject({
    uri: "mem://user/entities/memory-1",
    status: "superseded",
  });
  expect(app.store.nodes.byId(4)?.uri).toMatch(/^mem:\/\/user\/entities\/memory-0-/);
  finish(app);
  expect(linesOf(app.store, true)).toEqual([]);
  expect(restoredBy(api)).toBe(0);
});

test("whoever wants them back while they are still moving gets all, and no more go", () => {
  const many = Array.from({ length: 250 }, (_, n): OldMemory => ({
    l0: `port ${n} is open`,
    tags: ["fact"],
  }));
  using home = oldHome(many);
  using app = home.open();
  const slices = archiveSentences(app.deps);
  slices.next();
  createSentencesApi({ ...app.deps, writable: true }).restoreSentences(0);
  while (slices.next().done !== true);
  expect(linesOf(app.store, true)).toEqual([]);
});

test("a wish that stood among the rules is filed as the fact that it is", () => {
  using home = oldHome([
    { l0: "I prefer short answers", tags: ["rule"], maker: "signal", category: "preferences" },
  ]);
  using app = home.open();
  finish(app);
  expect(app.store.nodes.byId(4)).toMatchObject({
    uri: "mem://user/entities/memory-0-deskly",
    category: "entities",
    tags: [],
  });
  expect(sentencesState(app.store)).toMatchObject({ moved: 0, isTold: true });
});

test("a home whose first sentences moved long ago is looked at once more", () => {
  using home = oldHome(moving);
  {
    using app = home.open();
    saveSentences(app.store, {
      upTo: 1,
      moved: 2,
      captured: 2,
      isDone: true,
      isTold: true,
      round: 1,
    });
  }
  using app = home.open();
  finish(app);
  expect(sentencesState(app.store)).toMatchObject({ moved: 12, isDone: true, isTold: false });
  expect(linesOf(app.store, false)).toEqual([]);
});

test("the next start tells it, once, with the command that brings all back", () => {
  using home = oldHome(moving);
  using app = home.open();
  const start = (id: string) =>
    app.worker.accept([startOf(id, app.startMs)], "socket")[0]?.message ?? "";
  expect(start("s-1")).not.toContain("archive");
  finish(app);
  expect(start("s-2")).toBe(
    "Continuity: 10 sentences that earlier versions had taken for memories moved to the archive; " +
      "`/opt/continuity revert --sentences` brings all of them back.",
  );
  expect(start("s-3")).not.toContain("archive");
  expect(sentencesState(app.store)?.isTold).toBe(true);
});
