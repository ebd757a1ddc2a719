/** What becomes of a candidate beside one known memory. */
import { describe, expect, test } from "bun:test";
import type { Candidate, MemoryNode } from "#domain";
import { candidateOf, knownNode } from "./plan-fixtures.ts";
import { planCandidate } from "./plan.ts";
import type { MergePlan } from "./plan.ts";

const thresholds = { duplicateSimilarity: 0.85, duplicateWords: 0.75 };

const planOf = (
  candidate: Candidate,
  node: MemoryNode,
  similarity: number | null = 0.9,
): MergePlan =>
  planCandidate(candidate, [{ node, lexical: 0.5, similarity, fused: 0.5 }], thresholds);

const pipeline = "the nightly import runs at 02:00";

describe("known already", () => {
  test("the same words from another session strengthen what is there", () => {
    expect(planOf(candidateOf({ l0: pipeline }), knownNode(pipeline))).toMatchObject({
      type: "skip",
      reinforce: true,
    });
  });

  test("the same words of the same turn change nothing", () => {
    const evidence = { sessionId: "s1", turn: 1, line: null, quote: pipeline };
    expect(
      planOf(candidateOf({ l0: `web: ${pipeline} — done`, evidence }), knownNode(pipeline)),
    ).toMatchObject({ type: "skip", reinforce: false });
  });

  test("a superseded memory does not stand in the way of saying it anew", () => {
    const old = knownNode(pipeline, {}, { status: "superseded" });
    expect(planOf(candidateOf({ l0: pipeline }), old).type).toBe("create");
  });

  test("a global rule covers the project that repeats it", () => {
    const rule = knownNode("User: never use emoji in commits", { project: null });
    expect(planOf(candidateOf({ l0: "web: never use emoji in commits" }), rule).type).toBe("skip");
  });
});

describe("the more words two texts share, the less alike their vectors need to be", () => {
  const known = knownNode("Greta needs the settlement report before noon");
  const reworded = "Before noon the settlement report has to reach Greta";
  test.each([
    ["shared words and some likeness", reworded, 0.8, "skip"],
    ["shared words alone", reworded, 0.3, "create"],
    ["likeness with hardly a word", "The figures for accounting are due at midday", 0.84, "create"],
    [
      "another name, however alike",
      "Before noon the settlement report has to reach Tom",
      0.95,
      "create",
    ],
  ] as const)("%s", (_, l0, similarity, type) => {
    expect(planOf(candidateOf({ l0 }), known, similarity).type).toBe(type);
  });
});

describe("another project", () => {
  test("is never the same memory", () => {
    const other = knownNode(pipeline, { project: "q" });
    expect(planOf(candidateOf({ l0: pipeline }), other).type).toBe("create");
  });

  test("is never superseded, whatever the words", () => {
    const other = knownNode("tests run on jest", { project: "q" });
    const candidate = candidateOf({ l0: "jest is gone, tests run on vitest", replaces: true });
    expect(planOf(candidate, other).type).toBe("create");
  });

  test("a project's exception leaves the global preference alone", () => {
    const global = knownNode("User: I prefer tabs over spaces", { project: null });
    const candidate = candidateOf({ l0: "web: in this repo spaces over tabs", replaces: true });
    expect(planOf(candidate, global).type).toBe("create");
  });
});

describe("replaced", () => {
  test("a mergeable memory is rewritten in place, its evidence adds up", () => {
    const old = knownNode("the import runs on pip", { category: "preferences" });
    const plan = planOf(
      candidateOf({ l0: "the import runs on uv, no longer pip", replaces: true, importance: 4 }),
      old,
    );
    expect(plan).toMatchObject({
      type: "merge",
      patch: { l0: "the import runs on uv, no longer pip", evidenceCount: 2, importance: 4 },
    });
  });

  test("an immutable memory is superseded", () => {
    const old = knownNode("pool max is 25", { category: "events" });
    const candidate = candidateOf({ l0: "pool max is 15 now", category: "events", replaces: true });
    expect(planOf(candidate, old).type).toBe("supersede");
  });

  test("an event can end a preference of the same subject", () => {
    const old = knownNode("tests: jest with testing library", { category: "preferences" });
    const candidate = candidateOf({
      l0: "we standardise on vitest, jest is gone",
      category: "events",
      replaces: true,
    });
    expect(planOf(candidate, old).type).toBe("supersede");
  });

  test("a merge keeps the less trusted origin", () => {
    const old = knownNode("the import runs on pip", { origin: "agent" });
    const plan = planOf(
      candidateOf({ l0: "the import runs on uv, no longer pip", replaces: true }),
      old,
    );
    expect(plan).toMatchObject({ type: "merge", patch: { origin: "agent" } });
  });

  test.each([
    ["words of a tool", { origin: "tool" as const }, {}, {}],
    ["words of the agent against the user's", { origin: "agent" as const }, {}, {}],
    ["older words against newer ones", { atMs: 500 }, {}, {}],
    ["a case, which stays true", {}, { category: "cases" as const }, {}],
    ["a retracted memory", {}, {}, { status: "retracted" as const }],
  ])("never by %s", (_, candidate, known, node) => {
    const old = knownNode("pool max is 25", { category: "events", ...known }, node);
    const newer = candidateOf({
      l0: "pool max is 15",
      category: "events",
      replaces: true,
      ...candidate,
    });
    expect(planOf(newer, old).type).toBe("create");
  });

  test("a pinned memory is never rewritten, only superseded", () => {
    const old = knownNode("the import runs on pip", {}, { pinned: true });
    const candidate = candidateOf({ l0: "the import runs on uv, no longer pip", replaces: true });
    expect(planOf(candidate, old).type).toBe("supersede");
  });

  test("the nearest subject is taken among several", () => {
    const api = { ...knownNode("the api pool is 25", { category: "events" }), id: 1 };
    const worker = { ...knownNode("the worker pool is 5", { category: "events" }), id: 2 };
    const plan = planCandidate(
      candidateOf({ l0: "the worker pool is 8 now", category: "events", replaces: true }),
      [api, worker].map((node) => ({ node, lexical: 0.5, similarity: 0.9, fused: 0.5 })),
      thresholds,
    );
    expect(plan).toMatchObject({ type: "supersede", node: { id: 2 } });
  });
});

describe("neither known nor replaced", () => {
  test.each([
    ["we moved the import to polars, it needs less memory", "the import runs at 03:15"],
    ["the queue failed over, async replication is unsafe now", "keep the queue lock for now"],
    ["the timeout is 10s now", "the http client timeout is 5s"],
    ["no merges on mondays any more", "the bundle budget is 200 kB"],
    ["we dropped the legacy admin page", "we support chrome, firefox and safari"],
  ])("not even by words of change: %s / %s", (newer, older) => {
    const candidate = candidateOf({ l0: newer, category: "events", replaces: true });
    expect(planOf(candidate, knownNode(older, { category: "entities" })).type).toBe("create");
  });

  test.each([
    ["staging redis is on port 6380", "staging postgres is on port 5433"],
    ["production is at https://app.corp.example", "staging is at https://stage.corp.example"],
    ["the mobile sdk retries 6 times", "the webhook worker retries 8 times"],
    ["audit logs are kept 13 months", "debug logs are kept 7 days"],
    ["Jonas owns the search service", "Marta owns the billing service"],
    ["standup is at 9:30", "the retro is at 15:00"],
    ["images stay under 150 kB", "the bundle budget is 200 kB"],
    ["never force push to main", "never merge on a weekend"],
  ])("%s / %s", (newer, older) => {
    expect(planOf(candidateOf({ l0: newer }), knownNode(older)).type).toBe("create");
    expect(planOf(candidateOf({ l0: older }), knownNode(newer)).type).toBe("create");
  });
});

describe("a correction by pronoun", () => {
  const window = (turn: number): MemoryNode =>
    knownNode("couriers can cancel within 15 minutes", {
      evidence: {
        sessionId: "s2",
        turn,
        line: null,
        quote: "couriers can cancel within 15 minutes",
      },
    });
  const shorter = (quote: string) =>
    candidateOf({
      l0: "The cancel window is 10 minutes now",
      evidence: { sessionId: "s2", turn: 5, line: null, quote },
      replaces: true,
    });
  const planFor = (quote: string, turn: number) => planOf(shorter(quote), window(turn), null).type;

  test("is about what the turn before gave a value", () => {
    expect(planFor("hmm make it 10, couriers complain", 4)).not.toBe("create");
  });

  test("is not about an earlier turn, nor any sentence that has a pronoun", () => {
    expect(planFor("hmm make it 10, couriers complain", 3)).toBe("create");
    expect(planFor("labels print in 10 minutes, that's the law", 4)).toBe("create");
  });
});
