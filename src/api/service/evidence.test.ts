import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";

const at = (name: string): string => `mem://user/entities/${name}`;

test.each(["a", "b", "c"])("seen from %s the value that holds comes first", (name) => {
  using t = openTestService();
  for (const one of ["a", "b"]) t.add({ uri: at(one), l0: `Value ${one}`, status: "superseded" });
  for (const one of ["c", "beside"]) t.add({ uri: at(one), l0: `Value ${one}` });
  const id = (one: string): number => t.store.nodes.byUri(at(one))?.id ?? 0;
  t.store.nodes.relate(id("c"), id("b"), "supersedes", testNowMs);
  t.store.nodes.relate(id("b"), id("a"), "supersedes", testNowMs);
  t.store.nodes.relate(id("c"), id("beside"), "related", testNowMs);
  const node = t.service.read(at(name), { use: false, reader: null, nowMs: testNowMs });
  expect(node.ok && node.value.values.map(({ l0 }) => l0)).toEqual([
    "Value c",
    "Value b",
    "Value a",
  ]);
});

test("values that replaced each other end where they began", () => {
  using t = openTestService();
  for (const one of ["a", "b"]) t.add({ uri: at(one), l0: `Value ${one}`, status: "superseded" });
  const id = (one: string): number => t.store.nodes.byUri(at(one))?.id ?? 0;
  t.store.nodes.relate(id("a"), id("b"), "supersedes", testNowMs);
  t.store.nodes.relate(id("b"), id("a"), "supersedes", testNowMs);
  const node = t.service.read(at("a"), { use: false, reader: null, nowMs: testNowMs });
  expect(node.ok && node.value.values).toHaveLength(2);
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
