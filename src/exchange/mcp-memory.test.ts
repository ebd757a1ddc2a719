/** The MCP server's knowledge graph: entities, observations and relations, however its file was left. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { valuesIn } from "./mcp-memory/graph.ts";
import { openTestImport, type TestImport } from "../../test/support/import/open.ts";

const all = { limit: 500 };
const entity = (name: string, entityType: string, ...observations: readonly string[]): string =>
  JSON.stringify({ type: "entity", name, entityType, observations });
const relation = (from: string, relationType: string, to: string): string =>
  JSON.stringify({ type: "relation", from, to, relationType });

const graph = [
  relation("Mara_Lind", "works_at", "Quayside"),
  entity("Mara_Lind", "person", "Speaks Danish", "Mara Lind owns the tide service"),
  entity("Quayside", "company", 'Keeps ferries in "dock {4}"'),
];

const put = (t: TestImport, text: string | Uint8Array): string => {
  const path = join(t.folder, "memory.jsonl");
  writeFileSync(path, text);
  return path;
};
const lines = (t: TestImport): readonly string[] =>
  t.store.nodes
    .list({ projects: null }, "uri", all)
    .map(({ l0 }) => l0)
    .toSorted();

const expected = [
  "Mara Lind (person)",
  "Mara Lind owns the tide service",
  "Mara Lind works at Quayside",
  "Mara Lind: Speaks Danish",
  "Quayside (company)",
  'Quayside: Keeps ferries in "dock {4}"',
];

describe("a graph", () => {
  test.each([
    ["one object a line", `${graph.join("\n")}\n`],
    ["without a line end behind the last", graph.join("\n")],
    ["objects one behind the other", graph.join("")],
    ["with a byte order mark and Windows line ends", `\uFEFF${graph.join("\r\n")}\r\n`],
    ["pretty-printed", graph.map((one) => JSON.stringify(JSON.parse(one), null, 2)).join("\n")],
    ["as one list", `[${graph.join(",")}]`],
  ])("%s becomes a memory for each fact", async (_, text) => {
    using t = openTestImport();
    const report = await t.run("mcp-memory", put(t, text));
    expect(report).toMatchObject({ read: 6, created: 6, refused: 0 });
    expect(lines(t)).toEqual(expected);
  });

  test("creates nothing the second time, and only what is new the third", async () => {
    using t = openTestImport();
    await t.run("mcp-memory", put(t, graph.join("\n")));
    expect(await t.run("mcp-memory", put(t, graph.join("\n")))).toMatchObject({
      created: 0,
      skipped: 6,
    });
    const grown = [...graph, entity("Quayside", "company", "Opens at six")].join("\n");
    expect(await t.run("mcp-memory", put(t, grown))).toMatchObject({ created: 1 });
  });

  test("links notes to their entity and relations to both ends", async () => {
    using t = openTestImport();
    await t.run("mcp-memory", put(t, graph.join("\n")));
    const nodes = t.store.nodes.list({ projects: null }, "uri", all);
    const id = (l0: string): number => nodes.find((node) => node.l0 === l0)?.id ?? 0;
    expect(t.store.nodes.links(id("Mara Lind: Speaks Danish"))).toMatchObject([
      { relation: "elaborates", toId: id("Mara Lind (person)") },
    ]);
    expect(
      new Set(t.store.nodes.links(id("Mara Lind works at Quayside")).map(({ toId }) => toId)),
    ).toEqual(new Set([id("Mara Lind (person)"), id("Quayside (company)")]));
  });

  test("whose last line is cut off gives the rest", async () => {
    using t = openTestImport();
    const report = await t.run(
      "mcp-memory",
      put(t, `${graph.join("\n")}\n{"type":"entity","name":"Cut`),
    );
    expect(report).toMatchObject({
      created: 6,
      refused: 1,
      reasons: { "the last line is cut off": 1 },
    });
  });

  test("names what is no entity and no relation", async () => {
    using t = openTestImport();
    const strange = [
      "{}",
      '{"type":"entity"}',
      '{"type":"relation","from":"a"}',
      '{"type":"hologram"}',
      "{broken}",
    ];
    const report = await t.run("mcp-memory", put(t, [...graph, ...strange].join("\n")));
    expect(report).toMatchObject({ created: 6, refused: 5 });
    expect(report.reasons).toMatchObject({ "not JSON": 1, "an entity without a name": 1 });
  });

  test("passes the gate", async () => {
    using t = openTestImport();
    await t.run(
      "mcp-memory",
      put(
        t,
        entity(
          "Bank",
          "service",
          "Login <private>hunter22</private> works",
          "Key is AKIAIOSFODNN7REALKEY",
        ),
      ),
    );
    expect(JSON.stringify(lines(t))).not.toContain("hunter22");
  });
});

const documentLines = [
  "Mara Lind (person)",
  "Mara Lind works at Quayside",
  "Mara Lind: Speaks Danish",
  "Quayside (company)",
];

describe("a dialect", () => {
  const document = (space?: number): string =>
    JSON.stringify(
      {
        entities: [
          { name: "Mara_Lind", entityType: "person", observations: ["Speaks Danish"] },
          { name: "Quayside", entityType: "company", observations: [] },
        ],
        relations: [{ from: "Mara_Lind", to: "Quayside", relationType: "works_at" }],
      },
      null,
      space,
    );
  test.each([
    [
      "observations that are objects",
      [
        '{"type":"entity","name":"Gauge","observations":[{"text":"reads 14 bar"},{"content":"is old"}]}',
      ],
      ["Gauge", "Gauge: is old", "Gauge: reads 14 bar"],
    ],
    [
      "observations of numbers, of lists and of one text",
      [
        '{"name":"A","entityType":"x","observations":[42,true,{"value":3},{"contents":["c","d"]}]}',
        '{"name":"Barge","entityType":"x","observations":"one text"}',
      ],
      ["A (x)", "A: 3", "A: 42", "A: c", "A: d", "A: true", "Barge (x)", "Barge: one text"],
    ],
    [
      "relations without a type, and with other names for their ends",
      [
        '{"name":"A","entityType":"x"}',
        '{"from":"A","to":"B","relationType":"shows"}',
        '{"type":"relation","from_entity":"A","to_entity":"C","relation_type":"feeds"}',
        '{"source":"A","target":"D"}',
      ],
      ["A (x)", "A feeds C", "A is related to D", "A shows B"],
    ],
    [
      "a type that is the entity's own, and names that are numbers",
      ['{"type":"person","name":"Ada","observations":["paints"]}', '{"_type":"entity","name":7}'],
      ["7", "Ada (person)", "Ada: paints"],
    ],
    [
      "notes apart from their entity",
      ['{"name":"A","entityType":"x"}', '{"entityName":"A","contents":["sings"]}'],
      ["A (x)", "A: sings"],
    ],
    ["one document", [document()], documentLines],
    ["one document over many lines", [document(2)], documentLines],
    ["a document inside another", [`{"result":${document()}}`], documentLines],
    [
      "a document of records on lines of their own",
      ['{"entities":[', entity("A", "x", "sings"), '],"relations":[', "]}"],
      ["A (x)", "A: sings"],
    ],
    [
      "entities under their names",
      ['{"entities":{"A":{"entityType":"x","observations":["sings"]}}}'],
      ["A (x)", "A: sings"],
    ],
  ] as const)("with %s loses nothing", async (_, text, wanted) => {
    using t = openTestImport();
    const report = await t.run("mcp-memory", put(t, text.join("\n")));
    expect(lines(t)).toEqual([...wanted]);
    expect(report).toMatchObject({ read: wanted.length, created: wanted.length });
  });

  test("with its own dates keeps them", async () => {
    using t = openTestImport();
    const note = { text: "reads 14 bar", timestamp: "2026-01-02T10:00:00Z" };
    await t.run(
      "mcp-memory",
      put(t, JSON.stringify({ type: "entity", name: "Gauge", observations: [note] })),
    );
    const nodes = t.store.nodes.list({ projects: null }, "uri", all);
    expect(nodes.find(({ l0 }) => l0.includes("14"))?.validFrom).toBe(
      Date.parse("2026-01-02T10:00:00Z"),
    );
  });

  test("with observations that say nothing counts each of them", async () => {
    using t = openTestImport();
    const report = await t.run(
      "mcp-memory",
      put(t, '{"type":"entity","name":"A","observations":[null,{},{"score":{}},"  ","kept"]}'),
    );
    expect(report).toMatchObject({ read: 6, created: 2, skipped: 1, refused: 3 });
    expect(report.reasons).toMatchObject({ "an observation without text": 3 });
  });
});

test("a line of many objects is read once, not once for each of them", () => {
  const count = 20_000;
  const line = graph[1]?.repeat(count) ?? "";
  expect([...valuesIn(line)].filter((one) => "value" in one)).toHaveLength(count);
});

describe("one bad line", () => {
  const good = [
    entity("A", "x", "sings"),
    relation("A", "likes", "Barge"),
    entity("Barge", "ship"),
  ];
  test.each([
    ["cut inside a text", '{"type":"entity","name":"Cu'],
    ["cut between texts", '{"type":"entity","name":"Cut","observations":["a"'],
    ["of words", "Error: disk full"],
    ["of another kind", '{"type":"hologram"}'],
    ["of bytes that are not text", Buffer.from([0x7b, 0x22, 0xff, 0xfe])],
    ["that is a number", "42"],
  ])("%s costs itself only, wherever it stands", async (_, bad) => {
    for (const at of [0, 1, 3]) {
      using t = openTestImport();
      const all = good.map((one) => Buffer.from(one)).toSpliced(at, 0, Buffer.from(bad));
      const text = Buffer.concat(all.flatMap((line) => [line, Buffer.from("\n")]));
      const report = await t.run("mcp-memory", put(t, text));
      expect(lines(t)).toEqual(["A (x)", "A likes Barge", "A: sings", "Barge (ship)"]);
      expect(report).toMatchObject({ read: 5, created: 4, refused: 1 });
    }
  });
});
