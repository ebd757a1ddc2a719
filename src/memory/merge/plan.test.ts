/** What becomes of a candidate beside one known memory. */
import { describe, expect, test } from "bun:test";
import type { Candidate, MemoryNode } from "#domain";
import { candidateOf, knownNode, means, nodeOf } from "./plan-fixtures.ts";
import { planCandidate } from "./plan.ts";
import type { MergePlan } from "./plan.ts";

const planOf = (
  candidate: Candidate,
  node: MemoryNode,
  similarity: number | null = 0.9,
): MergePlan => planCandidate(candidate, [{ node, lexical: 0.5, similarity, fused: 0.5 }], means);

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

const database = "staging database listens on 6432";
const moved = "staging moved: its database is on 7432 now, not 6432";

describe("another project", () => {
  test("is never the same memory", () => {
    const other = knownNode(pipeline, { project: "q" });
    expect(planOf(candidateOf({ l0: pipeline }), other).type).toBe("create");
  });

  test.each(["q", null])("(%p) is never superseded, whatever the words or the slot", (project) => {
    const slot = "staging database · port";
    for (const own of [{}, { slot }]) {
      const other = knownNode(database, { project, ...own });
      expect(planOf(candidateOf({ l0: moved, ...own }), other).type).toBe("create");
    }
  });

  test("a project's exception leaves the global preference alone", () => {
    const global = knownNode("User: I prefer tabs over spaces", { project: null });
    const candidate = candidateOf({ l0: "web: in this repo spaces over tabs" });
    expect(planOf(candidate, global).type).toBe("create");
  });
});

describe("replaced", () => {
  test.each([
    [database, moved],
    ["the label printer is at 192.168.1.5", "the label printer moved to 192.168.1.9"],
    [
      "Die Staging-Datenbank läuft auf Port 6432",
      "Die Staging-Datenbank läuft jetzt auf Port 7432, nicht mehr auf 6432",
    ],
  ])("%s / %s", (older, newer) => {
    const old = knownNode(older, { category: "events" });
    expect(planOf(candidateOf({ l0: newer, category: "events" }), old).type).toBe("supersede");
  });

  const slot = "orders queue · name";
  const queue = (over: Partial<Candidate> = {}, node: Partial<MemoryNode> = {}): MemoryNode =>
    knownNode("orders go through orders-v1", { slot, ...over }, node);
  const newer = (over: Partial<Candidate> = {}): Candidate =>
    candidateOf({ l0: "the queue of orders is called kestrel", slot, ...over });

  test("another value of the same slot ends the one before, however it is worded", () => {
    const old = queue({ category: "events" });
    expect(planOf(newer({ category: "events" }), old, 0.1).type).toBe("supersede");
  });

  test("a mergeable memory is rewritten in place, its evidence adds up", () => {
    expect(planOf(newer({ importance: 4 }), queue())).toMatchObject({
      type: "merge",
      patch: { l0: "the queue of orders is called kestrel", evidenceCount: 2, importance: 4 },
    });
  });

  test("a merge keeps the less trusted origin", () => {
    expect(planOf(newer(), queue({ origin: "agent" }))).toMatchObject({
      type: "merge",
      patch: { origin: "agent" },
    });
  });

  test("a pinned memory is never rewritten, only superseded", () => {
    expect(planOf(newer(), queue({}, { pinned: true })).type).toBe("supersede");
  });

  test.each([
    ["words of a tool", { origin: "tool" as const }, {}, {}],
    ["words of the agent against the user's", { origin: "agent" as const }, {}, {}],
    ["older words against newer ones", { atMs: 500 }, {}, {}],
    ["a case, which stays true", {}, { category: "cases" as const }, {}],
    ["a retracted memory", {}, {}, { status: "retracted" as const }],
    ["another attribute", { slot: "orders queue · region" }, {}, {}],
    ["another subject", { slot: "billing queue · name" }, {}, {}],
  ])("never by %s", (_, candidate, known, node) => {
    expect(planOf(newer(candidate), queue(known, node)).type).toBe("create");
  });

  test("two things that were named are two, whatever the words", () => {
    const old = knownNode(database, { slot: "staging database · port" });
    const other = candidateOf({ l0: moved, slot: "staging replica · port" });
    expect(planOf(other, old).type).toBe("create");
  });

  test("the surest is taken among several", () => {
    const [worded, slotted] = [
      { ...knownNode(database, { category: "events" }), id: 1 },
      { ...knownNode("the port is 6432", { category: "events", slot }), id: 2 },
    ];
    const plan = planCandidate(
      candidateOf({ l0: moved, category: "events", slot }),
      [worded, slotted].map((node) => ({ node, lexical: 0.5, similarity: 0.9, fused: 0.5 })),
      means,
    );
    expect(plan).toMatchObject({ type: "supersede", node: { id: 2 } });
  });
});

describe("neither known nor replaced", () => {
  test.each([
    ["printer B at .6", "printer A at .5"],
    ["printer B is at 192.168.1.6 now", "printer A is at 192.168.1.5"],
    ["a second printer is at 192.168.1.6 now", "the office printer is at 192.168.1.5"],
    ["the new printer is also on port 9101 now", "the printer is on port 9100"],
    ["Der zweite Drucker ist jetzt auf 192.168.1.6", "Der Drucker ist auf 192.168.1.5"],
    ["prod moved: its database is on 7432 now, not 6432", "Marta owns the database on 5432"],
    ["the atlas db replica listens on 5433 now", "the atlas db listens on 5432"],
    ["the timeout of borealis moved to 40 seconds now", "the timeout of atlas is 30 seconds"],
    ["端末Bのタイムアウトは今から30秒、20秒ではない", "端末Aのタイムアウトは20秒"],
    ["we moved the import to polars, it needs less memory", "the import runs at 03:15"],
    ["the queue failed over, async replication is unsafe now", "keep the queue lock for now"],
    ["the timeout is 10s now", "the http client timeout is 5s"],
    ["no merges on mondays any more", "the bundle budget is 200 kB"],
    ["we dropped the legacy admin page", "we support chrome, firefox and safari"],
  ])("not even by words of change: %s / %s", (newer, older) => {
    const candidate = candidateOf({ l0: newer, category: "events" });
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

describe("a thousand sentences of one form with different subjects all stand", () => {
  const words =
    "amber birch cedar delta ember fjord grove heron inlet jetty knoll larch maple north otter piper quail raven sable tern umber viola willow yarrow acorn basil clover dahlia elm fern ginger hazel iris juniper lotus moss nettle olive poppy quince rowan sage thistle tulip vetch walnut yew".split(
      " ",
    );
  const subjects = words.flatMap((a, n) => words.slice(n + 1).map((b) => `${a} ${b}`));
  const forms: readonly ((subject: string, n: number) => string)[] = [
    (subject, n) => `the timeout of ${subject} moved to ${10 + (n % 50)} seconds now`,
    (subject) => `from this week the timeout of ${subject} is 30 seconds now, not 60`,
    (subject, n) => `${subject} listens on port ${4_000 + n} now`,
    (subject) => `Sally took over ${subject}, it was Conor's until now`,
  ];
  test.each(forms.map((form) => [form(subjects[0] ?? "", 0), form] as const))("%s", (_, form) => {
    let nodes: readonly MemoryNode[] = [];
    const lost: string[] = [];
    subjects.slice(0, 1_000).forEach((subject, n) => {
      const candidate = candidateOf({
        l0: form(subject, n),
        category: "events",
        atMs: n + 1,
        evidence: { sessionId: "s", turn: n, line: null, quote: form(subject, n) },
      });
      // The nearest that a search would give: the latest and those that share a word of the name.
      const near = nodes
        .filter(({ l0 }, at) => at > nodes.length - 4 || l0.includes(subject.slice(0, 8)))
        .slice(-12)
        .map((node) => ({ node, lexical: 0.9, similarity: 0.9, fused: 0.9 }));
      const plan = planCandidate(candidate, near, means);
      if (plan.type !== "create") lost.push(`${plan.type}: ${candidate.l0} | ${plan.node.l0}`);
      nodes = [...nodes, nodeOf(candidate, n)];
    });
    expect(lost).toEqual([]);
  });
});
