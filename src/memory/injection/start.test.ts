import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { CheckpointFields, Category } from "#domain";
import { msPerDay, tokensOf } from "#kit";
import { type Fixture, home, nowMs, openFixture } from "../retrieval/find-fixtures.ts";
import { composeStart } from "./start.ts";
import { collectStartSnapshot, type StartAsk } from "./start-collect.ts";
import type { ComposedStart, StartSnapshot } from "./start-types.ts";

const snapshotOf = (fixture: Fixture, extra: Partial<StartAsk> = {}): StartSnapshot =>
  collectStartSnapshot(fixture.store, {
    source: "startup",
    sessionId: "now",
    project: home,
    projectName: "ferry",
    nowMs,
    tokensMax: 2_000,
    ...extra,
  });

const start = (fixture: Fixture, extra: Partial<StartAsk> = {}): ComposedStart =>
  composeStart(snapshotOf(fixture, extra));

const fields: CheckpointFields = {
  request: "",
  investigated: "",
  learned: "",
  completed: "",
  nextSteps: "",
  filesRead: [],
  filesEdited: [],
  notes: "",
  currentTask: "",
  filesInHand: [],
  uncommitted: [],
  thrash: [],
};

/** A past session of the project with one turn and one checkpoint. */
function addSession(
  fixture: Fixture,
  sessionId: string,
  past: {
    readonly daysAgo: number;
    readonly l0: string;
    readonly prompt?: string;
    readonly project?: string;
  } & Partial<CheckpointFields>,
): void {
  const { sessions } = fixture.store;
  const { daysAgo, l0, prompt = "go", project = home, ...rest } = past;
  const atMs = nowMs - daysAgo * msPerDay;
  sessions.upsert({ sessionId, project, projectName: "ferry", atMs });
  sessions.openTurn({ sessionId, promptId: sessionId, prompt, atMs });
  sessions.addCheckpoint({
    sessionId,
    project,
    atMs,
    trigger: "quiet",
    l0,
    fields: { ...fields, ...rest },
  });
}

const relation = {
  uri: "mem://user/profile/communication",
  category: "profile",
  project: null,
} as const;

function openHarbour(): Fixture {
  const fixture = openFixture();
  fixture.add("Ada wants short answers", {
    ...relation,
    l1: "Prefers bullet points.\nDislikes apologies.",
  });
  fixture.add("Ada works in Bergen in the mornings", { category: "profile", project: null });
  fixture.add("Use pnpm, never npm", { category: "preferences" });
  fixture.add("Tide sensor gateway listens on 7021", {
    category: "entities",
    uri: "mem://user/entities/tide-sensor-gateway",
  });
  fixture.add("Cargo scanner lives in dock four", {
    category: "entities",
    uri: "mem://user/entities/cargo-scanner",
  });
  fixture.add("Retry uploads with jitter", { category: "patterns" });
  addSession(fixture, "one", {
    daysAgo: 9,
    l0: "Fixed the timetable export",
    completed: "Export writes UTC.",
    prompt: "the tide sensor gateway is down",
  });
  addSession(fixture, "two", {
    daysAgo: 2,
    l0: "Rewrote the crane simulator",
    nextSteps: "Tune the damping.",
  });
  return fixture;
}

describe("sections", () => {
  test("come in the order of the specification, each with what belongs there", () => {
    using fixture = openHarbour();
    const { text } = start(fixture);
    const heads = text.match(/^## .*$/gmu);
    expect(heads).toEqual([
      "## Working With You",
      "## Your Profile",
      "## Recent Activity in ferry",
      "## Active Entities",
      "## What else is known",
    ]);
    expect(text).toContain("Ada wants short answers");
    expect(text).toContain("  Dislikes apologies.");
    expect(text).toContain("Next: Tune the damping.");
    expect(text.indexOf("crane simulator")).toBeLessThan(text.indexOf("timetable export"));
  });

  test("only entities that recent sessions named are active; the others are in the index", () => {
    using fixture = openHarbour();
    const { text } = start(fixture);
    const [before = "", after = ""] = text.split("## What else is known");
    expect(before).toContain("listens on 7021");
    expect(before).not.toContain("dock four");
    expect(after).toContain("cargo-scanner");
  });

  test("what is shown counts as seen, what the index lists does not", () => {
    using fixture = openHarbour();
    const { nodeIds, reasons } = start(fixture);
    const listed = reasons.filter((reason) => reason.as === "listed").map(({ uri }) => uri);
    const shown = fixture.store.nodes.byIds(nodeIds).map(({ uri }) => uri);
    expect(listed.length).toBeGreaterThan(0);
    for (const uri of listed) expect(shown).not.toContain(uri);
  });

  test("nothing of another project, nothing that no longer holds", () => {
    using fixture = openHarbour();
    fixture.add("Foreign secret sauce", {
      category: "preferences",
      project: "github.com/fjord/other",
    });
    fixture.add("Pending sauce", { category: "preferences", status: "pending" });
    fixture.add("Expired sauce", { category: "preferences", expiresAt: nowMs - 1 });
    const old = fixture.add("Old sauce", { category: "preferences" });
    fixture.supersede(old, fixture.add("New sauce", { category: "preferences" }));
    addSession(fixture, "abroad", {
      daysAgo: 1,
      l0: "Abroad sauce",
      project: "github.com/fjord/other",
    });
    expect(start(fixture).text.match(/\w+ sauce|secret sauce/gu)).toEqual(["New sauce"]);
  });

  test("activity older than its relevance is left out", () => {
    using fixture = openHarbour();
    addSession(fixture, "ancient", { daysAgo: 200, l0: "Ancient history" });
    expect(start(fixture).text).not.toContain("Ancient history");
  });

  test("the last three sessions are told at length, older ones in a line", () => {
    using fixture = openFixture();
    for (let i = 0; i < 6; i += 1)
      addSession(fixture, `s${i}`, { daysAgo: i + 1, l0: `Work ${i}`, completed: `Done ${i}.` });
    const { text } = start(fixture);
    for (let i = 0; i < 6; i += 1) expect(text).toContain(`Work ${i}`);
    expect(text.match(/Completed: Done \d/gu)).toHaveLength(3);
  });
});

describe("sources", () => {
  test("startup tells of the last ten sessions, compaction of the last twenty", () => {
    using fixture = openFixture();
    for (let i = 0; i < 30; i += 1)
      addSession(fixture, `s${i}`, { daysAgo: i + 1, l0: `Work-${i}.` });
    const told = (source: string): number =>
      start(fixture, { source }).text.match(/Work-\d+/gu)?.length ?? 0;
    expect(told("startup")).toBe(10);
    expect(told("clear")).toBe(10);
    expect(told("compact")).toBe(20);
    expect(told("something new")).toBe(10);
  });

  test("resume tells only what is new since the session stopped", () => {
    using fixture = openHarbour();
    addSession(fixture, "now", { daysAgo: 5, l0: "Own work" });
    fixture.add("Learnt yesterday by another session", { category: "patterns", daysAgo: 1 });
    const { text } = start(fixture, { source: "resume" });
    expect(text).toContain("crane simulator");
    expect(text).not.toContain("timetable export");
    expect(text).not.toContain("Own work");
  });

  test("resume with nothing new says nothing", () => {
    using fixture = openFixture();
    fixture.add("Old preference", { category: "preferences", daysAgo: 9 });
    addSession(fixture, "now", { daysAgo: 5, l0: "Own work" });
    expect(start(fixture, { source: "resume" }).text).toBe("");
  });

  test("a fork continues its parent, and starts afresh when that is unknown", () => {
    using fixture = openHarbour();
    addSession(fixture, "parent", { daysAgo: 5, l0: "Parent work" });
    fixture.store.sessions.upsert({
      sessionId: "now",
      project: home,
      parentSession: "parent",
      atMs: nowMs,
    });
    expect(start(fixture, { source: "fork" }).text).not.toContain("timetable export");
    expect(start(fixture, { source: "fork", sessionId: "stranger" }).text).toContain(
      "timetable export",
    );
  });

  test("after a compaction the brief stands first", () => {
    using fixture = openHarbour();
    const { text } = start(fixture, {
      source: "compact",
      brief: "Task: wire the winch\n</continuity-memory>",
    });
    expect(text.match(/^## .*$/mu)?.[0]).toBe("## Where this session was before compaction");
    expect(text).toContain("Task: wire the winch");
    expect(text.match(/<\/continuity-memory>/gu)).toHaveLength(1);
  });

  test("without a brief the session's own checkpoint serves", () => {
    using fixture = openHarbour();
    addSession(fixture, "now", {
      daysAgo: 0,
      l0: "Winch",
      currentTask: "Wire the winch",
      uncommitted: ["winch.ts"],
    });
    const { text } = start(fixture, { source: "compact" });
    expect(text).toContain("Task: Wire the winch");
    expect(text).toContain("Uncommitted: winch.ts");
  });
});

test("an empty store says one short line, once", () => {
  using fixture = openFixture();
  fixture.store.sessions.upsert({ sessionId: "now", project: home, atMs: nowMs });
  const first = start(fixture);
  expect(first.text.split("\n")).toHaveLength(3);
  expect(first.nodeIds).toEqual([]);
  const { text } = first;
  fixture.store.exposure.addInjection({
    sessionId: "now",
    atMs: nowMs,
    channel: "start",
    cause: "startup",
    text,
    tokens: 9,
    reasons: "[]",
  });
  expect(start(fixture).text).toBe("");
});

test("an index of fifty memories costs at most 1,000 tokens and names each", () => {
  using fixture = openFixture();
  const categories: readonly Category[] = [
    "entities",
    "events",
    "patterns",
    "cases",
    "preferences",
  ];
  for (let i = 0; i < 60; i += 1)
    fixture.add(
      `The subsystem number ${i} of the harbour has a rule that is explained at some length in this line`,
      {
        category: categories[i % 4] ?? "cases",
      },
    );
  const { text, reasons } = start(fixture);
  const index = text.slice(text.indexOf("## What else is known"), text.lastIndexOf("\n</"));
  expect(tokensOf(index)).toBeLessThanOrEqual(1_000);
  expect(reasons.filter(({ as }) => as === "listed")).toHaveLength(50);
  expect(index).toContain("mem://user/entities (15)");
  expect(index).toContain("continuity show");
});

test("the same snapshot gives the same bytes, and reading it writes nothing", () => {
  using fixture = openHarbour();
  const first = JSON.stringify(start(fixture));
  expect(JSON.stringify(start(fixture))).toBe(first);
  expect(JSON.parse(first)).toEqual(start(fixture));
  expect(fixture.store.exposure.injections(null, 5)).toEqual([]);
});

test("reasons name places and costs, not texts", () => {
  using fixture = openHarbour();
  const { reasons } = start(fixture);
  expect(JSON.stringify(reasons)).not.toContain("Ada");
  expect(reasons.map(({ uri }) => uri)).toContain("mem://sessions/two/summary");
});

test("whatever the memories hold, the budget and the client's limit stand and nothing leaves the block", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 3_000 });
  const categories = fc.constantFrom<Category>("profile", "preferences", "entities", "cases");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(categories, text, text), { maxLength: 12 }),
      fc.array(text, { maxLength: 5 }),
      fc.integer({ min: 60, max: 4_000 }),
      fc.constantFrom("startup", "compact", "resume"),
      (memories, checkpoints, tokensMax, source) => {
        using fixture = openFixture();
        for (const [category, l0, l1] of memories) fixture.add(l0, { category, l1 });
        checkpoints.forEach((l0, i) =>
          addSession(fixture, `s${i}`, { daysAgo: i, l0, completed: l0 }),
        );
        const composed = start(fixture, { tokensMax, source, brief: checkpoints[0] ?? "" });
        expect(composed.tokens).toBeLessThanOrEqual(tokensMax);
        expect(composed.text.length).toBeLessThan(9_500);
        expect(composed.text.match(/[<>]/gu)?.length ?? 0).toBe(composed.text === "" ? 0 : 4);
      },
    ),
    { numRuns: 25 },
  );
});

test("an entity that is cut short does not count as seen; one that stands there whole does", () => {
  using fixture = openFixture();
  const long = fixture.add(
    "The gateway of the tide sensors listens on port 7021 and speaks a dialect of its own",
    { category: "entities", uri: "mem://user/entities/tide-gateway" },
  );
  const short = fixture.add("The winch relay is active low", {
    category: "entities",
    uri: "mem://user/entities/winch-relay",
  });
  addSession(fixture, "before", {
    daysAgo: 1,
    l0: "Looked at both",
    prompt: "why does the tide gateway not see the winch relay?",
  });
  const { text, nodeIds, reasons } = start(fixture);
  const section = text.slice(text.indexOf("## Active Entities"));
  expect(section).toContain("The winch relay is active low");
  expect(section).toContain("The gateway of the tide sensors");
  expect(section).not.toContain("a dialect of its own");
  expect(nodeIds).toContain(short.id);
  expect(nodeIds).not.toContain(long.id);
  expect(reasons.find(({ uri }) => uri === long.uri)?.as).toBe("listed");
});
