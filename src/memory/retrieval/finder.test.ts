import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { defaultSettings } from "#domain";
import { msPerDay } from "#kit";
import {
  embedder,
  distractors,
  home,
  nowMs,
  openFixture,
  queryFor,
} from "../../../test/support/memory/finding.ts";

const l0s = (found: readonly { readonly l0: string }[]): readonly string[] =>
  found.map(({ l0 }) => l0);

test("a memory is found by other words than its own among a hundred others", () => {
  using fixture = openFixture();
  for (const l0 of distractors) fixture.add(l0);
  const wanted =
    "Network configuration issue on the office router fixed by changing the wireless channel";
  fixture.add(wanted);
  expect(l0s(fixture.finder.find(queryFor("WiFi problem", { limit: 3 })))).toContain(wanted);
});

test.each([
  { ask: "which test runner do we use?", wanted: "Unit tests run on vitest since the summer" },
  { ask: "renderRowCount", wanted: "The helper render_row_count is memoised per frame" },
  { ask: "BIL-204", wanted: "BIL-204 was caused by a missing rounding mode" },
  { ask: "src/harbour/tides.ts", wanted: "Tide tables live in src/harbour/tides.ts" },
  {
    ask: "what was decided about the k8s upgrade",
    wanted: "The Kubernetes upgrade waits for the mesh",
  },
])("$ask finds: $wanted", ({ ask, wanted }) => {
  using fixture = openFixture();
  for (const l0 of distractors) fixture.add(l0);
  fixture.add(wanted);
  expect(fixture.finder.find(queryFor(ask))[0]?.l0).toBe(wanted);
});

test("any string is a valid query and the answer is bounded", () => {
  using fixture = openFixture();
  for (const l0 of distractors.slice(0, 30)) fixture.add(l0);
  const kinds = ["memory", "moment", "prompt", "checkpoint"] as const;
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.integer({ min: -5, max: 500 }),
      (text, limit) => {
        const found = fixture.finder.find(queryFor(text, { limit, kinds }));
        expect(found.length).toBeLessThanOrEqual(Math.max(0, Math.min(limit, 100)));
        for (const { score } of found) expect(score).toBeGreaterThan(0);
      },
    ),
    { numRuns: 150 },
  );
});

test.each([
  '"',
  "NEAR(a b)",
  "l0:x OR",
  "a* AND -b",
  "'; DROP TABLE mem_nodes; --",
  "\0",
  "%",
  "(",
  "🛥️",
])("query syntax is only text: %s", (text) => {
  using fixture = openFixture();
  fixture.add(`about ${text} and more`);
  expect(() => fixture.finder.find(queryFor(text))).not.toThrow();
});

test("searching changes nothing: the same question has the same answer, and nothing is written", () => {
  using fixture = openFixture();
  for (const l0 of distractors) fixture.add(l0);
  const ask = (): string =>
    JSON.stringify(fixture.finder.find(queryFor("who owns the fuel report?")));
  const first = ask();
  const before = fixture.store.nodes.list({}, "uri", { limit: 200 });
  for (let i = 0; i < 5; i += 1) expect(ask()).toBe(first);
  expect(fixture.store.nodes.list({}, "uri", { limit: 200 })).toEqual([...before]);
});

test("the order does not depend on the order of writing", () => {
  const ask = (l0Order: readonly string[]): readonly string[] => {
    using fixture = openFixture();
    for (const l0 of l0Order)
      fixture.add(l0, { uri: `mem://agent/cases/${l0.replaceAll(" ", "-")}` });
    return fixture.finder.find(queryFor("fuel report region")).map(({ uri }) => uri);
  };
  const some = distractors.slice(0, 40);
  expect(ask(some.toReversed())).toEqual([...ask(some)]);
});

test("ties are settled by URI", () => {
  using fixture = openFixture();
  fixture.add("the anchor is heavy", { uri: "mem://agent/cases/b" });
  fixture.add("the anchor is heavy", { uri: "mem://agent/cases/a" });
  const uris = fixture.finder.find(queryFor("heavy anchor")).map(({ uri }) => uri);
  expect(uris).toEqual(["mem://agent/cases/a", "mem://agent/cases/b"]);
});

test("every result says why it stands where it stands", () => {
  using fixture = openFixture();
  fixture.add("the anchor chain is checked in March", { importance: 5 });
  const [found] = fixture.finder.find(queryFor("anchor chain"));
  expect(found?.explanation.lexicalRank).toBe(1);
  expect(found?.explanation.lexical).toBeGreaterThan(0);
  expect(found?.explanation.similarity).toBeGreaterThan(0.5);
  const closeness = found?.explanation.nudges["closeness"] ?? 0;
  expect(found?.explanation.nudges).toEqual({ project: 1.1, importance: 1.05, closeness });
  expect(found?.score).toBeCloseTo((found?.explanation.fused ?? 0) * 1.1 * 1.05 * closeness, 10);
});

test("what was superseded ranks below what replaced it, and says so", () => {
  using fixture = openFixture();
  const old = fixture.add("the harbour radio uses channel 12");
  const current = fixture.add("VHF traffic moved, the harbour answers on 74 now");
  fixture.supersede(old, current);
  const found = fixture.finder.find(queryFor("harbour radio channel 12"));
  expect(found.map(({ uri }) => uri)).toEqual([current.uri, old.uri]);
  expect(found[1]?.supersededBy).toBe(current.uri);
  expect(found[0]?.supersededBy).toBeNull();
});

test("of a chain of replacements the last stands highest", () => {
  using fixture = openFixture();
  const chain = ["pier one", "pier two", "pier three"].map((pier) =>
    fixture.add(`the ferry leaves from ${pier}`),
  );
  const [first, second, third] = chain;
  if (first === undefined || second === undefined || third === undefined) throw new Error("three");
  fixture.supersede(first, second);
  fixture.supersede(second, third);
  const found = fixture.finder.find(queryFor("does the ferry leave from pier one?"));
  expect(found[0]?.uri).toBe(third.uri);
  expect(found.find(({ uri }) => uri === first.uri)?.supersededBy).toBe(third.uri);
});

test("pending, retracted and expired memories are not found unless asked for", () => {
  using fixture = openFixture();
  fixture.add("lighthouse rule pending", { status: "pending" });
  fixture.add("lighthouse rule expired", { expiresAt: nowMs - 1 });
  const gone = fixture.add("lighthouse rule retracted");
  fixture.store.nodes.retract(gone.id, {
    atMs: nowMs,
    action: "retract",
    by: "test",
    reason: "test",
  });
  expect(fixture.finder.find(queryFor("lighthouse rule"))).toEqual([]);
  const pending = fixture.finder.find(queryFor("lighthouse rule", { statuses: ["pending"] }));
  expect(l0s(pending)).toEqual(["lighthouse rule pending"]);
});

test.each([
  { name: "category", filter: { categories: ["events"] as const }, finds: "buoy event" },
  { name: "tag", filter: { tags: ["red"] }, finds: "buoy tagged" },
  { name: "file", filter: { file: "buoy.ts" }, finds: "buoy file" },
  { name: "session", filter: { session: "s-1" }, finds: "buoy session" },
  { name: "maker", filter: { maker: "manual" as const }, finds: "buoy manual" },
  { name: "origin", filter: { origin: "tool" as const }, finds: "buoy tool" },
  { name: "since", filter: { sinceMs: nowMs - msPerDay }, finds: "buoy fresh" },
])("$name filters, on both sources", ({ filter, finds }) => {
  using fixture = openFixture();
  const old = { daysAgo: 50 };
  fixture.add("buoy plain", old);
  fixture.add("buoy event", { ...old, category: "events" });
  fixture.add("buoy tagged", { ...old, tags: ["red"] });
  fixture.add("buoy file", { ...old, files: ["src/map/buoy.ts"] });
  fixture.add("buoy session", { ...old, sourceSession: "s-1" });
  fixture.add("buoy manual", { ...old, maker: "manual" });
  fixture.add("buoy tool", { ...old, origin: "tool" });
  fixture.add("buoy fresh");
  expect(l0s(fixture.finder.find(queryFor("buoy", filter)))).toEqual([finds]);
});

test("a project sees itself and what is global; others only when asked", () => {
  using fixture = openFixture();
  fixture.add("mast height at home");
  fixture.add("mast height everywhere", { project: null });
  fixture.add("mast height abroad", { project: "github.com/fjord/other" });
  const here = l0s(fixture.finder.find(queryFor("mast height", { projects: [home] })));
  expect(here.toSorted()).toEqual(["mast height at home", "mast height everywhere"]);
  const all = l0s(fixture.finder.find(queryFor("mast height")));
  expect(all[0]).toBe("mast height at home");
  expect(all).toHaveLength(3);
});

test("a project of few memories is searched by meaning, however many others there are", () => {
  using fixture = openFixture();
  fixture.store.transaction(() => {
    for (let i = 0; i < 1_300; i += 1)
      fixture.add(`router wireless network note ${i}`, { project: "github.com/fjord/big" });
  });
  fixture.add("changing the wireless channel of the office router fixed the connection");
  const found = fixture.finder.find(queryFor("wlan unreliable upstairs", { projects: [home] }));
  expect(found).toHaveLength(1);
});

test("nudges move a score by at most a tenth each and never beat a clearly better match", () => {
  using fixture = openFixture();
  fixture.add("the gangway alarm rings at 2 metres of tide", { project: "other", importance: 1 });
  fixture.add("the alarm clock of the crew cabin", { importance: 5 });
  const found = fixture.finder.find(queryFor("gangway alarm tide"));
  expect(found[0]?.l0).toContain("gangway");
  for (const { explanation } of found)
    for (const [name, factor] of Object.entries(explanation.nudges))
      if (name !== "closeness") expect(Math.abs(factor - 1)).toBeLessThanOrEqual(0.1 + 1e-9);
});

test("a memory whose words meet the question's stands above one that is of the same matter", () => {
  using fixture = openFixture();
  fixture.add("Sentry collects the crash reports of the app");
  fixture.add("the mobile app is written in Kotlin");
  const found = fixture.finder.find(queryFor("where do mobile exceptions go?"));
  expect(found[0]?.l0).toContain("Sentry");
  for (const { explanation } of found) {
    expect(explanation.nudges["closeness"]).toBeGreaterThanOrEqual(0.25);
    expect(explanation.nudges["closeness"]).toBeLessThanOrEqual(2);
  }
});

test("with relevance_weight = 1 the score is similarity × relevance and nothing else", () => {
  using fixture = openFixture({ ...defaultSettings.retrieval, relevanceWeight: 1 });
  const node = fixture.add("the pilot boards at buoy nine", { importance: 5 });
  fixture.store.nodes.refreshRelevanceAfter(0, 10, () => 0.4);
  const [found] = fixture.finder.find(queryFor("where does the pilot board?"));
  expect(found?.uri).toBe(node.uri);
  expect(found?.explanation.nudges).toEqual({ relevance: 0.4 });
  expect(found?.score).toBeCloseTo((found?.explanation.fused ?? 0) * 0.4, 10);
});

test("words about time lift what is of that time", () => {
  using fixture = openFixture();
  fixture.add("the engine of the ferry was serviced in dock two", { daysAgo: 300 });
  fixture.add("the engine of the ferry was serviced in dock one", { daysAgo: 3 });
  const [first] = fixture.finder.find(queryFor("which ferry engine service happened last week?"));
  expect(first?.l0).toContain("dock one");
  expect(first?.explanation.nudges["time"]).toBeCloseTo(1.1);
});

test("sorted by date, only what truly matches is listed, newest first", () => {
  using fixture = openFixture();
  for (const l0 of distractors.slice(0, 20)) fixture.add(l0, { daysAgo: 1 });
  fixture.add("rope order from March", { daysAgo: 90 });
  fixture.add("rope order from May", { daysAgo: 30 });
  const found = l0s(fixture.finder.find(queryFor("rope order", { sort: "date" })));
  expect(found).toEqual(["rope order from May", "rope order from March"]);
});

test("min_score cuts the tail", () => {
  using fixture = openFixture();
  for (const l0 of distractors) fixture.add(l0);
  fixture.add("the compass deviates by two degrees");
  const all = fixture.finder.find(queryFor("compass deviates degrees"));
  const some = fixture.finder.find(queryFor("compass deviates degrees", { minScore: 0.5 }));
  expect(all.length).toBeGreaterThan(some.length);
  expect(some).toHaveLength(1);
});

test("prompts and checkpoints are found beside memories", () => {
  using fixture = openFixture();
  const { sessions } = fixture.store;
  sessions.upsert({ sessionId: "S-9", project: home, atMs: nowMs });
  sessions.openTurn({
    sessionId: "S-9",
    promptId: "p",
    prompt: "why does the winch stall?",
    atMs: nowMs,
  });
  fixture.add("the winch relay is active low");
  const found = fixture.finder.find(
    queryFor("winch stall", { kinds: ["memory", "prompt", "checkpoint"] }),
  );
  expect(found.map(({ kind }) => kind).toSorted()).toEqual(["memory", "prompt"]);
  expect(found.find(({ kind }) => kind === "prompt")?.uri).toBe("mem://sessions/s-9/turns/1");
  const memories = fixture.finder.find(queryFor("winch stall"));
  expect(memories.map(({ kind }) => kind)).toEqual(["memory"]);
});

test("neighbours are current memories of the same scope, without nudges", () => {
  using fixture = openFixture();
  const same = fixture.add("deck lights switch off at sunrise", { importance: 5 });
  const old = fixture.add("deck lights switch off at six");
  fixture.supersede(old, same);
  fixture.add("deck lights switch off at sunrise", { project: "github.com/fjord/other" });
  const found = fixture.finder.neighbours("deck lights go off at sunrise", {
    projects: [home],
    nowMs,
    limit: 5,
  });
  expect(found.map(({ node }) => node.id)).toEqual([same.id]);
  expect(found[0]?.similarity).toBeGreaterThan(0.85);
  const { lexicalWeight } = embedder.identity;
  expect(found[0]?.fused).toBeCloseTo(
    (1 - lexicalWeight) * (found[0]?.similarity ?? 0) + lexicalWeight * (found[0]?.lexical ?? 0),
    10,
  );
});

test("of two orders of which the newer may replace the older, the newer is first and the older marked", () => {
  using fixture = openFixture();
  const older = fixture.add("The CI runner is called mars", { daysAgo: 9 });
  const newer = fixture.add("CI jobs run on venus from now on");
  fixture.store.nodes.relate(newer.id, older.id, "contradicts", nowMs);
  const rankOf = (limit: number): readonly (readonly [string, string | null])[] =>
    fixture.finder
      .find(queryFor("CI runner", { limit }))
      .map(({ uri, supersededBy }) => [uri, supersededBy] as const);
  expect(rankOf(5).slice(0, 2)).toEqual([
    [newer.uri, null],
    [older.uri, newer.uri],
  ]);
  // Also where only one is wanted, and in a search.
  expect(rankOf(1)).toEqual([[newer.uri, null]]);
  const { hits } = fixture.finder.search(queryFor("CI runner"));
  expect(hits.map(({ document }) => document.uri).slice(0, 2)).toEqual([newer.uri, older.uri]);
  fixture.store.nodes.link({
    fromId: newer.id,
    toId: older.id,
    relation: "contradicts",
    weight: 0,
    createdAt: nowMs,
  });
  expect(rankOf(5)[0]).toEqual([older.uri, null]);
});

test.each([
  ["C++", "C++ code lives in native", "C# code lives in dotnet"],
  ["кот", "кот стережёт склад", "код стережёт склад"],
  ["cafe", "the cafe build runs at noon", "the café build runs at night"],
  ["👩‍💻", "the 👩‍💻 icon marks developers", "the 👩 icon marks guests"],
])(
  "a question of one word finds %s first, also beside a newer one that is like it",
  (word, exact, like) => {
    using fixture = openFixture();
    const older = fixture.add(exact, { daysAgo: 9 });
    const newer = fixture.add(like);
    fixture.store.nodes.relate(newer.id, older.id, "contradicts", nowMs);
    expect(fixture.finder.find(queryFor(word))[0]?.uri).toBe(older.uri);
  },
);

test("a list of what has no word of the question and is not near in meaning is empty", () => {
  using fixture = openFixture();
  for (const line of distractors) fixture.add(line);
  const wifi = fixture.add("Root cause: a network configuration issue on the Lisbon office router");
  const { list } = fixture.finder;
  expect(list(queryFor("applied at another company"))).toEqual([]);
  // Weak, without a word in common, and right.
  expect(list(queryFor("WiFi problem"))[0]?.uri).toBe(wifi.uri);
});
