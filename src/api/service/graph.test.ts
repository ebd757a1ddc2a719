import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";

const at = (name: string): string => `mem://user/entities/${name}`;

function chain(t: TestService, ...names: readonly string[]): void {
  for (const name of names) t.add({ uri: at(name), l0: `${name} is a service` });
  const id = (name: string): number => t.store.nodes.byUri(at(name))?.id ?? 0;
  names
    .slice(1)
    .forEach((name, i) => t.store.nodes.relate(id(names[i] ?? ""), id(name), "related", testNowMs));
}

test("links are told one step away, or two, with the steps", () => {
  using t = openTestService();
  chain(t, "a", "b", "c", "d");
  expect(t.service.links(at("a"), 1)).toMatchObject({
    ok: true,
    value: {
      nodes: [
        { uri: at("a"), depth: 0 },
        { uri: at("b"), depth: 1 },
      ],
      edges: [{ from: at("a"), to: at("b"), relation: "related" }],
      truncated: false,
    },
  });
  const two = t.service.links(at("b"), 2);
  expect(two.ok && two.value.nodes.map(({ uri, depth }) => [uri, depth])).toEqual([
    [at("b"), 0],
    [at("a"), 1],
    [at("c"), 1],
    [at("d"), 2],
  ]);
});

test("a circle ends, and a memory without links stands alone", () => {
  using t = openTestService();
  chain(t, "a", "b", "a2");
  t.store.nodes.relate(
    t.store.nodes.byUri(at("a2"))?.id ?? 0,
    t.store.nodes.byUri(at("a"))?.id ?? 0,
    "contradicts",
    testNowMs,
  );
  const circle = t.service.links(at("a"), 2);
  expect(circle.ok && [circle.value.nodes.length, circle.value.edges.length]).toEqual([3, 3]);
  t.add({ uri: at("alone"), l0: "Alone" });
  expect(t.service.links(at("alone"), 2)).toMatchObject({ value: { edges: [] } });
  expect(t.service.links(at("none"), 1)).toMatchObject({ error: { type: "memory.not-found" } });
});

test("a memory linked to very many shows some, and says so", () => {
  using t = openTestService();
  t.add({ uri: at("hub"), l0: "Hub" });
  const hub = t.store.nodes.byUri(at("hub"))?.id ?? 0;
  t.store.transaction(() => {
    for (let n = 0; n < 150; n += 1) {
      const spoke = t.store.nodes.insert(
        {
          uri: at(`s${n}`),
          category: "entities",
          project: null,
          origin: "user",
          maker: "manual",
          l0: `s${n}`,
        },
        { atMs: testNowMs, action: "create", by: "test", reason: "given" },
      );
      t.store.nodes.relate(hub, spoke.id, "related", testNowMs);
    }
  });
  const graph = t.service.links(at("hub"), 1);
  expect(graph.ok && [graph.value.nodes.length, graph.value.truncated]).toEqual([100, true]);
});

const prompt =
  "First the ports.\nThe billing service\n  listens on 5433. Please fix the health check.";

function withEvidence(t: TestService, quote: string, turn: number | null = 1): void {
  t.store.sessions.upsert({ sessionId: "s1", title: "Ports", atMs: testNowMs });
  const opened = t.store.sessions.openTurn({
    sessionId: "s1",
    promptId: "p",
    prompt,
    atMs: testNowMs,
  });
  t.store.sessions.updateTurn(opened.id, {
    answer: "Done: the health check asks port 5433 now.",
    filesEdited: ["health.ts"],
    line: 7,
  });
  t.add({
    uri: at("billing"),
    l0: "Billing listens on 5433",
    evidence: [{ sessionId: "s1", turn, line: null, quote }],
  });
}

test("evidence is told with what stands around it, and who said it", () => {
  using t = openTestService();
  withEvidence(t, "The billing service listens on 5433.");
  expect(t.service.evidence(at("billing"))).toEqual({
    ok: true,
    value: {
      uri: at("billing"),
      items: [
        {
          session_id: "s1",
          turn: 1,
          line: 7,
          quote: "The billing service listens on 5433.",
          at: testNowMs,
          title: "Ports",
          speaker: "user",
          excerpt: {
            before: "First the ports.\n",
            text: "The billing service\n  listens on 5433.",
            after: " Please fix the health check.",
          },
          prompt,
          answer: "Done: the health check asks port 5433 now.",
          files: ["health.ts"],
        },
      ],
    },
  });
});

test.each([
  { quote: "health check asks port 5433", speaker: "assistant" },
  { quote: "HEALTH CHECK asks…", speaker: "assistant" },
  { quote: "never said (or was it?) [x", speaker: null },
  { quote: "", speaker: null },
])("the quote $quote is told to be of $speaker", ({ quote, speaker }) => {
  using t = openTestService();
  withEvidence(t, quote);
  const found = t.service.evidence(at("billing"));
  expect(found.ok && found.value.items[0]?.speaker).toBe(speaker);
});

test("evidence without a turn, or of a turn that was private, shows the quote and no more", () => {
  using t = openTestService();
  withEvidence(t, "something", null);
  expect(t.service.evidence(at("billing"))).toMatchObject({
    value: { items: [{ quote: "something", prompt: null, answer: null, at: null, excerpt: null }] },
  });
});

test("a quote of words that could be a slow pattern is looked for quickly", () => {
  using t = openTestService();
  withEvidence(t, `${"a ".repeat(140)}(.*)+$`);
  const startMs = cpuMs();
  t.service.evidence(at("billing"));
  expect(cpuMs() - startMs).toBeLessThan(200);
});

test("a quote is found whatever signs it holds", () => {
  using t = openTestService();
  const signs = Array.from({ length: 94 }, (_, at) => String.fromCodePoint(33 + at)).join("");
  for (const [n, quote] of ["never add a co-author trailer", signs, ...signs.split("")].entries()) {
    const sessionId = `s${n}`;
    t.store.sessions.upsert({ sessionId, project: null, atMs: testNowMs });
    const prompt = `well, ${quote} it is`;
    t.store.sessions.openTurn({ sessionId, promptId: "p", prompt, atMs: testNowMs });
    const uri = at(`quote-${n}`);
    t.add({ uri, l0: "x", evidence: [{ sessionId, turn: 1, line: null, quote }] });
    const found = t.service.evidence(uri);
    const item = found.ok ? found.value.items[0] : null;
    expect([quote, item?.speaker, item?.excerpt?.text.toLowerCase()]).toEqual([
      quote,
      "user",
      quote.toLowerCase(),
    ]);
  }
});
