/** The MCP server's knowledge graph: entities, observations and relations, however its file was left. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestImport, type TestImport } from "../../test/support/import/open.ts";
import { createObjectScanner } from "./mcp-memory/objects.ts";

const all = { limit: 500, offset: 0 };
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

test("the scanner finds the same objects wherever the text is cut", () => {
  const text = `${graph.join("")}\n{"a":"\\"}{"}{"b":{"c":[{}]}}`;
  const whole = createObjectScanner().push(text);
  expect(whole).toHaveLength(5);
  for (let cut = 1; cut < text.length; cut += 1) {
    const scanner = createObjectScanner();
    expect([...scanner.push(text.slice(0, cut)), ...scanner.push(text.slice(cut))]).toEqual([
      ...whole,
    ]);
    expect(scanner.pending()).toBe(0);
  }
});
