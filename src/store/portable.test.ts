import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import type { PortableRecord, Store } from "#domain";
import { assert } from "#kit";
import { portableKinds } from "./portable-kinds.ts";
import { cause, draft, noonMs, openOk, tempFolder, tempStore } from "../../test/support/store.ts";

const linesOf = (store: Store): readonly string[] =>
  [...store.portable.records()].map((record) => JSON.stringify(record));

const outcomes = (store: Store, records: readonly unknown[]): readonly string[] =>
  store.transaction(() => records.map((record) => store.portable.put(record).outcome));

/** A store with a record of every kind, and ids that are not those of a fresh import. */
function filled(store: Store): void {
  store.nodes.insert(draft({ uri: "mem://user/entities/gone", l0: "Soon gone" }), cause());
  const billing = store.nodes.insert(
    draft({
      aliases: ["invoices"],
      slot: "invoices · sender",
      tags: ["port"],
      files: ["src/billing.ts"],
      l1: "On port 7070",
      l2: "The whole story",
      evidence: [{ sessionId: "s-1", turn: 1, line: 3, quote: "it listens on 7070" }],
      project: "github.com/acme/shop",
      expiresAt: noonMs + 5,
    }),
    cause(),
  );
  const merged = store.nodes.insert(
    draft({ uri: "mem://user/preferences/pnpm", category: "preferences", l0: "pnpm, not npm" }),
    cause(),
  );
  store.nodes.update(
    merged.id,
    { mergedFrom: [billing.id, 999], importance: 5 },
    cause({ action: "merge" }),
  );
  store.nodes.update(billing.id, { status: "retracted" }, cause({ action: "retract" }));
  store.nodes.link({
    fromId: merged.id,
    toId: billing.id,
    relation: "related",
    weight: 0.5,
    createdAt: noonMs,
  });
  const gone = store.nodes.byUri("mem://user/entities/gone");
  assert(gone !== null, "it is there");
  store.nodes.forget([gone.id], [gone.l0], noonMs);
  store.nodes.use(merged.id, noonMs + 1);
  store.sessions.upsert({
    sessionId: "s-1",
    project: "github.com/acme/shop",
    projectName: "shop",
    atMs: noonMs,
    firstPrompt: "Fix the port",
  });
  const turn = store.sessions.openTurn({
    sessionId: "s-1",
    promptId: "p-1",
    prompt: "Fix the port",
    atMs: noonMs,
  });
  store.sessions.updateTurn(turn.id, {
    answer: "Fixed",
    filesRead: ["a.ts"],
    status: "closed",
    endedAt: noonMs + 9,
  });
  store.sessions.addToolUse({
    sessionId: "s-1",
    turn: 1,
    toolUseId: "t-1",
    tool: "Bash",
    target: "ls",
    files: [],
    outcome: "ok",
    text: "a.ts",
    atMs: noonMs,
    agentId: null,
  });
  const empty = {
    request: "Fix the port",
    investigated: "",
    learned: "",
    completed: "Done",
    nextSteps: "",
    filesRead: [],
    filesEdited: [],
    notes: "",
    currentTask: "",
    filesInHand: [],
    uncommitted: [],
    thrash: [],
  };
  for (const l0 of ["First", "Second"])
    store.sessions.addCheckpoint({
      sessionId: "s-1",
      project: null,
      atMs: noonMs,
      trigger: "stop",
      l0,
      fields: empty,
    });
  store.exposure.add([
    { sessionId: "s-1", nodeId: merged.id, uri: merged.uri, channel: "start", atMs: noonMs },
  ]);
  store.exposure.addInjection({
    sessionId: "s-1",
    atMs: noonMs,
    channel: "start",
    cause: "startup",
    text: "pnpm",
    tokens: 1,
    reasons: "{}",
  });
}

test("an export brought into an empty store is exported again as the same lines", () => {
  using store = tempStore();
  filled(store);
  const lines = linesOf(store);
  using other = tempStore();
  const records = lines.map((line): unknown => JSON.parse(line));
  expect(new Set(outcomes(other, records))).toEqual(new Set(["created"]));
  expect(linesOf(other)).toEqual(lines);
  const kinds = records.map((record) => (record as PortableRecord).kind);
  expect([...new Set(kinds)]).toEqual(
    "project node merged revision link session turn toolUse checkpoint exposure injection salts forgotten".split(
      " ",
    ),
  );
});

test("an observation of an earlier version's export is taken, for upkeep to make a leaf of it", () => {
  using store = tempStore();
  store.sessions.upsert({ sessionId: "s-1", atMs: noonMs });
  const record = {
    kind: "observation",
    sessionId: "s-1",
    turn: 1,
    project: null,
    type: "bugfix",
    atMs: noonMs,
    title: "Port fixed",
    subtitle: "",
    narrative: "It was 7071",
    facts: ["7070"],
    concepts: [],
    filesRead: [],
    filesModified: ["a.ts"],
  };
  expect(outcomes(store, [record, record])).toEqual(["created", "there"]);
  expect(store.sessions.formerObservations(9)).toMatchObject([
    { title: "Port fixed", text: "It was 7071", facts: ["7070"], files: ["a.ts"] },
  ]);
});

test("bringing the same export in again changes nothing", () => {
  using store = tempStore();
  filled(store);
  const lines = linesOf(store);
  const records = lines.map((line): unknown => JSON.parse(line));
  expect(new Set(outcomes(store, records))).toEqual(new Set(["there"]));
  expect(linesOf(store)).toEqual(lines);
});

test("what was brought in is found by its words, and what was forgotten stays so", () => {
  using store = tempStore();
  filled(store);
  using other = tempStore();
  outcomes(other, [...store.portable.records()]);
  const found = (kind: "memory" | "prompt" | "checkpoint", term: string): number =>
    other.lexical.match(kind, [term], null, 10).length;
  expect([found("memory", "pnpm"), found("prompt", "port")]).toEqual([1, 1]);
  // A retracted memory and a checkpoint that is not current are in no index.
  expect([
    found("memory", "billing"),
    found("checkpoint", "second"),
    found("checkpoint", "first"),
  ]).toEqual([0, 1, 0]);
  expect(other.nodes.isForgotten("soon GONE!")).toBe(true);
  other.nodes.unforget("Soon gone");
  expect(other.nodes.isForgotten("Soon gone")).toBe(false);
});

test("a memory that is there keeps its own text and its own history", () => {
  using store = tempStore();
  filled(store);
  using other = tempStore();
  const own = other.nodes.insert(
    draft({ uri: "mem://user/preferences/pnpm", category: "preferences", l0: "npm, as ever" }),
    cause({ atMs: noonMs - 7 }),
  );
  outcomes(other, [...store.portable.records()]);
  expect(other.nodes.byUri("mem://user/preferences/pnpm")?.l0).toBe("npm, as ever");
  expect(other.nodes.revisions(own.id)).toHaveLength(1);
});

test("reading holds one moment and leaves nothing open when it is broken off", () => {
  using folder = tempFolder();
  using store = openOk(folder.database);
  filled(store);
  using reader = openOk(folder.database, { mode: "readonly" });
  const before = linesOf(reader).length;
  let count = 0;
  for (const record of reader.portable.records()) {
    if (count === 0) store.nodes.insert(draft({ uri: "mem://user/entities/late" }), cause());
    count += record.kind === "" ? 0 : 1;
  }
  expect(count).toBe(before);
  for (const _ of reader.portable.records()) break;
  expect(linesOf(reader).length).toBe(before + 2);
});

const node = {
  kind: "node",
  uri: "mem://user",
  parentUri: "mem://",
  nodeType: "dir",
  category: null,
  project: null,
  branch: null,
  scope: "user",
  status: "active",
  origin: "agent",
  maker: "manual",
  sourceSession: null,
  createdAt: 1,
  updatedAt: 1,
  validFrom: null,
  validTo: null,
  expiresAt: null,
  lastAccess: null,
  accessCount: 0,
  importance: 3,
  evidenceCount: 0,
  pinned: false,
  mergeable: false,
  l0: "user",
  l1: null,
  l2: null,
  tags: [],
  files: [],
  aliases: [],
  anchors: [],
  evidence: [],
};

describe("a record that makes no sense is refused with a reason, and changes nothing", () => {
  test.each([
    ["no record", 7, /not a record/],
    ["a list", [node], /not a record/],
    ["a missing key", { kind: "forgotten", fingerprint: "aa" }, /atMs is missing/],
    [
      "a wrong type",
      { kind: "forgotten", fingerprint: "aa", atMs: "now" },
      /atMs is not a whole number/,
    ],
    ["a null where there is none", { ...node, l0: null }, /l0 is not a text/],
    ["a list of other things", { ...node, tags: [1] }, /tags is not a list/],
    ["a state that does not exist", { ...node, status: "loved" }, /CHECK constraint/],
    ["a parent that does not exist", { ...node, parentUri: "mem://" }, /FOREIGN KEY/],
    ["a parent that is not above", { ...node, parentUri: "mem://agent" }, /not a place/],
    ["a place outside the tree", { ...node, uri: "mem://../etc" }, /not a place/],
    ["a place spelt otherwise", { ...node, uri: "mem://User" }, /not a place/],
    [
      "a revision of nothing",
      {
        kind: "revision",
        uri: "mem://user/x",
        atMs: 1,
        action: "create",
        madeBy: "user",
        reason: "",
        status: "active",
        l0: "x",
        l1: null,
        l2: null,
        fields: {},
      },
      /uri: no such node/,
    ],
    ["salts that are none", { kind: "salts", salts: ["x y"] }, /salts/],
    ["a text without end", { ...node, l2: "x".repeat(1_000_001) }, /l2 is not a text/],
  ] as const)("%s", (_, record, says) => {
    using store = tempStore();
    const outcome = store.portable.put(record);
    assert(outcome.outcome === "refused", JSON.stringify(outcome));
    expect(outcome.reason).toMatch(says);
    expect(linesOf(store)).toEqual([]);
  });

  test("a memory of a version without slots is taken, and has none", () => {
    using store = tempStore();
    store.nodes.insert(
      {
        uri: "mem://user/entities/a",
        category: "entities",
        project: null,
        l0: "a",
        origin: "user",
        maker: "manual",
      },
      { atMs: 1, action: "create", by: "user", reason: "x" },
    );
    expect(store.portable.put({ ...node, parentUri: "mem://user", uri: "mem://user/b" })).toEqual({
      outcome: "created",
    });
    expect(store.nodes.byUri("mem://user/b")?.slot).toBeNull();
  });

  test("an unknown kind is named as such", () => {
    using store = tempStore();
    expect(store.portable.put({ kind: "dream" })).toEqual({ outcome: "unknown-kind" });
  });
});

describe("a new table or column is exported, or named here with its reason", () => {
  /** Tables of this machine, or computed again. */
  const localTables = [
    "meta",
    "mem_vectors",
    "jobs",
    "events",
    "transcripts",
    "imports",
    // Folders of this machine, and how their clones are known.
    "project_places",
    "project_commits",
    // The gifts of colleagues, the trust in a repository, and what is shared from here: each machine is told anew.
    "team_items",
    "team_muted",
    "team_rules",
    "team_shares",
    "team_trusted",
    // A guard acts where a person has approved it: an import approves nothing.
    "tool_guards",
    // No build ever wrote a row of it.
    "mem_guards",
    // Changes travel between machines in segments of their own.
    "sync_log",
    "sync_due",
    "sync_gone",
    "sync_heads",
    "sync_links",
    "sync_marks",
    "sync_subjects",
    "sync_wordings",
  ];
  const localColumns: Readonly<Record<string, readonly string[]>> = {
    // Ids are local; relevance is a function of node and now; what a node was made of is the kind `merged`.
    mem_nodes: ["id", "relevance", "merged_from"],
    mem_revisions: ["id"],
    turns: ["id"],
    tool_uses: ["id"],
    observations: ["id"],
    checkpoints: ["id"],
    // The URI is the node's.
    exposures: ["id", "uri"],
    injections: ["id"],
    llm_calls: ["id"],
  };

  test("tables", () => {
    using folder = tempFolder();
    openOk(folder.database)[Symbol.dispose]();
    using db = new Database(folder.database, { readonly: true });
    const tables = db
      .query<{ name: string }, []>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT GLOB '*_fts*'`,
      )
      .all()
      .map(({ name }) => name);
    const known = [...new Set(portableKinds.map(({ table }) => table)), ...localTables];
    expect(tables.toSorted()).toEqual(known.toSorted());
  });

  test.each([...new Set(portableKinds.map(({ table }) => table))])("columns of %s", (table) => {
    using folder = tempFolder();
    openOk(folder.database)[Symbol.dispose]();
    using db = new Database(folder.database, { readonly: true });
    const columns = db
      .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name);
    const kind = portableKinds.find((one) => one.table === table);
    const known = [
      ...(kind?.columns.map(({ column }) => column) ?? []),
      ...(localColumns[table] ?? []),
    ];
    expect(columns.toSorted()).toEqual(known.toSorted());
  });
});
