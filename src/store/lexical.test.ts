import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { DocumentKind, NodeDraft, Store } from "#domain";
import { matchAny } from "./counts.ts";
import { cause, draft, noonMs, tempStore } from "../../test/support/store.ts";

const anywhere = { projects: null };
const kinds: readonly DocumentKind[] = ["memory", "moment", "prompt", "checkpoint"];

const put = (store: Store, name: string, over: Partial<NodeDraft> = {}): number =>
  store.nodes.insert(draft({ uri: `mem://user/entities/${name}`, l0: name, ...over }), cause()).id;

const ids = (store: Store, terms: readonly string[], filters: object = {}): readonly number[] =>
  store.lexical.match("memory", terms, { projects: null, ...filters }, 10).map(({ id }) => id);

test("any Unicode string is a safe term, alone or among others", () => {
  using store = tempStore();
  put(store, "needle");
  for (const kind of kinds)
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 6 }),
        (terms) => {
          store.lexical.match(kind, terms, anywhere, 5);
          store.lexical.match(kind, terms, null, 5);
          store.lexical.newest(kind, [terms, terms], null, 5);
          store.lexical.newest(kind, [terms], anywhere, 5);
          store.lexical.frequencies(kind, terms, null);
          store.lexical.frequencies(kind, terms, ["p"]);
          if (kind === "memory") expect(ids(store, [...terms, "needle"])).toHaveLength(1);
        },
      ),
      { numRuns: 200 },
    );
});

test.each([
  'a" OR "needle',
  "needle*",
  "NEAR(needle hay)",
  "l0:needle",
  "needle\0",
  "\0",
  '"',
  "",
  "-",
  "AND",
  "NOT needle",
  "\ud800",
  "x".repeat(100_000),
  "'; DROP TABLE mem_nodes; --",
])("%j is words to look for, never an operator", (term) => {
  using store = tempStore();
  put(store, "haystack");
  expect(ids(store, [term])).toEqual([]);
  expect(ids(store, [term, "haystack"])).toHaveLength(1);
});

test("an enormous number of terms is cut, not refused", () => {
  using store = tempStore();
  put(store, "needle");
  expect(ids(store, ["needle", ...Array.from({ length: 5_000 }, (_, i) => `t${i}`)])).toHaveLength(
    1,
  );
  expect(matchAny([])).toBeNull();
});

test("terms are OR-ed, a term of several words is a phrase", () => {
  using store = tempStore();
  const a = put(store, "a", { l0: "the deploy script of the api" });
  const b = put(store, "b", { l0: "a script that can deploy" });
  expect([...ids(store, ["deploy", "missing"])].toSorted((x, y) => x - y)).toEqual([a, b]);
  expect(ids(store, ["deploy script"])).toEqual([a]);
});

test.each([
  { name: "inflected words", text: "deploying the services", term: "service" },
  { name: "accents", text: "café Zürich", term: "zurich" },
  { name: "camel case by its parts", text: "see parseConfigFile", term: "config" },
  { name: "camel case by a phrase", text: "see parseConfigFile", term: "parse config" },
  { name: "snake case by camel case", text: "see parse_config_file", term: "parseConfigFile" },
  { name: "camel case by snake case", text: "see parseConfigFile", term: "parse_config_file" },
  { name: "a flag by camel case", text: "use --no-verify", term: "noVerify" },
  { name: "a path", text: "in src/store/open.ts", term: "store/open.ts" },
  { name: "a file name of a path", text: "in src/store/open.ts", term: "open.ts" },
  { name: "an error code", text: "fails with TS2345", term: "ts2345" },
  { name: "the number of an error code", text: "fails with TS2345", term: "2345" },
  { name: "a word inside text without spaces", text: "请检查配置文件", term: "配置" },
])("$name are found", ({ text, term }) => {
  using store = tempStore();
  put(store, "hay", { l0: "something else entirely" });
  const id = put(store, "x", { l0: text });
  expect(ids(store, [term])).toEqual([id]);
  expect(store.lexical.frequencies("memory", [term], null).byTerm.get(term)).toBe(1);
});

test("every field of a memory is searched, its abstract counts most", () => {
  using store = tempStore();
  const fields: readonly Partial<NodeDraft>[] = [
    { l0: "zebra" },
    { aliases: ["zebra"] },
    { tags: ["zebra"] },
    { l1: "zebra" },
    { files: ["zebra"] },
    { l2: "zebra" },
  ];
  const expected = fields.map((over, i) => put(store, `n${i}`, { l0: "other", ...over }));
  for (let i = 0; i < 100; i += 1) put(store, `filler${i}`, { l0: "other" });
  expect(ids(store, ["zebra"])[0]).toBe(expected[0]);
  expect(new Set(ids(store, ["zebra"]))).toEqual(new Set(expected));
});

test("scores are positive and fall, in a store of one memory as in a store of many", () => {
  using store = tempStore();
  put(store, "only", { l0: "The staging bucket is in Frankfurt" });
  const alone = store.lexical.match("memory", ["staging", "bucket"], anywhere, 5);
  // Retrieval divides by 1.3 times the floor of a term's weight, per term.
  expect(alone[0]!.score / (1.3 * 0.2)).toBeGreaterThan(0.5);
  for (let i = 0; i < 200; i += 1)
    put(store, `n${i}`, {
      l0: `note ${i} ${i % 3 === 0 ? "staging" : "local"} ${i % 50 === 0 ? "bucket" : ""}`,
    });
  const hits = store.lexical.match("memory", ["staging", "bucket"], anywhere, 50);
  const scores = hits.map(({ score }) => score);
  expect(hits).toHaveLength(50);
  expect(Math.min(...scores)).toBeGreaterThan(0);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test("updating a memory again and again does not bend the scores", () => {
  using store = tempStore();
  for (let i = 0; i < 100; i += 1) put(store, `n${i}`, { l0: `note number${i}` });
  const before = store.lexical.match("memory", ["number7"], anywhere, 5);
  for (let i = 0; i < 50; i += 1)
    store.nodes.update(before[0]!.id, { importance: (i % 5) + 1 }, cause({ action: "reinforce" }));
  expect(store.lexical.match("memory", ["number7"], anywhere, 5)).toEqual(before);
});

test("memories and the archive's moments are searched apart", () => {
  using store = tempStore();
  const memory = put(store, "m", { l0: "zebra" });
  const moment = store.nodes.insert(
    draft({ uri: "mem://sessions/s/moments/1", category: "sessions", l0: "zebra" }),
    cause(),
  ).id;
  expect(store.lexical.match("memory", ["zebra"], anywhere, 5).map(({ id }) => id)).toEqual([
    memory,
  ]);
  expect(store.lexical.match("moment", ["zebra"], anywhere, 5).map(({ id }) => id)).toEqual([
    moment,
  ]);
  expect(store.lexical.frequencies("moment", ["zebra"], null)).toEqual({
    documents: 1,
    byTerm: new Map([["zebra", 1]]),
  });
});

test("filters apply before the limit", () => {
  using store = tempStore();
  for (let i = 0; i < 150; i += 1) put(store, `noise${i}`, { l0: "zebra", project: "noise" });
  const wanted = put(store, "wanted", {
    l0: `zebra ${"and a long tail of other words ".repeat(20)}`,
    project: "quiet",
  });
  const hits = store.lexical.match("memory", ["zebra"], { projects: ["quiet"] }, 1);
  expect(hits.map(({ id }) => id)).toEqual([wanted]);
});

test.each([
  { name: "what holds and what held by default", filters: {}, expected: ["active", "superseded"] },
  {
    name: "what waits only when asked for",
    filters: { statuses: ["pending"] as const },
    expected: ["pending"],
  },
  {
    name: "not what had expired by then",
    filters: { nowMs: noonMs + 5, categories: ["events"] as const },
    expected: [],
  },
  { name: "a category", filters: { categories: ["events"] as const }, expected: ["superseded"] },
])("match takes $name", ({ filters, expected }) => {
  using store = tempStore();
  const statuses = ["active", "superseded", "pending", "retracted"] as const;
  for (const status of statuses)
    put(store, status, {
      l0: `zebra ${status}`,
      status,
      category: status === "superseded" ? "events" : "entities",
      ...(status === "superseded" ? { expiresAt: noonMs + 5 } : {}),
    });
  const found = store.nodes
    .byIds(ids(store, ["zebra"], filters))
    .map(({ status }) => status as string);
  expect(found.sort()).toEqual([...expected]);
});

test.each([
  { filters: { maker: "signal" as const }, expected: 0 },
  { filters: { origin: "agent" as const }, expected: 0 },
  { filters: { origin: "user" as const }, expected: 1 },
  { filters: { categories: ["events"] as const }, expected: 0 },
  { filters: { categories: ["sessions"] as const }, expected: 1 },
  { filters: { statuses: ["pending"] as const }, expected: 0 },
  { filters: { tags: ["x"] }, expected: 0 },
  { filters: { session: "s" }, expected: 1 },
  { filters: { session: "t" }, expected: 0 },
  { filters: { file: "a.ts" }, expected: 1 },
  { filters: { untilMs: noonMs - 1 }, expected: 0 },
])("a prompt passes %j as far as it has such a property", ({ filters, expected }) => {
  using store = tempStore();
  const turn = store.sessions.openTurn({
    sessionId: "s",
    promptId: null,
    prompt: "zebra",
    atMs: noonMs,
  });
  store.sessions.updateTurn(turn.id, { filesRead: ["src/a.ts"] });
  expect(store.lexical.match("prompt", ["zebra"], { ...anywhere, ...filters }, 5)).toHaveLength(
    expected,
  );
});

test("frequencies count documents of some projects and the global ones", () => {
  using store = tempStore();
  put(store, "a", { l0: "zebra zebra", project: "p" });
  put(store, "b", { l0: "zebras", project: "q" });
  put(store, "c", { l0: "zebra", project: null });
  put(store, "d", { l0: "horse", project: "p" });
  const count = (projects: readonly string[] | null) => {
    const { documents, byTerm } = store.lexical.frequencies(
      "memory",
      ["zebra", "unicorn"],
      projects,
    );
    return [documents, byTerm.get("zebra"), byTerm.get("unicorn")];
  };
  expect(count(null)).toEqual([4, 3, 0]);
  expect(count(["p"])).toEqual([3, 2, 0]);
  expect(count([])).toEqual([1, 1, 0]);
});

test("a word that just became known is known at once, in a large store too", () => {
  using store = tempStore();
  store.transaction(() => {
    for (let i = 0; i < 2_200; i += 1) put(store, `n${i}`, { l0: `note ${i}` });
  });
  const zebra = (): number | undefined =>
    store.lexical.frequencies("memory", ["zebra", "note"], null).byTerm.get("zebra");
  expect(zebra()).toBe(0);
  put(store, "new", { l0: "zebra" });
  expect(zebra()).toBe(1);
});

test("a transaction that is undone leaves the index as it was", () => {
  using store = tempStore();
  expect(() =>
    store.transaction(() => {
      put(store, "x", { l0: "zebra" });
      throw new Error("stop");
    }),
  ).toThrow();
  expect(ids(store, ["zebra"])).toEqual([]);
  expect(store.lexical.frequencies("memory", ["zebra"], null)).toEqual({
    documents: 0,
    byTerm: new Map([["zebra", 0]]),
  });
});

test("without filters the same documents stand in the same order, and retracted ones are gone all the same", () => {
  using store = tempStore();
  store.transaction(() => {
    for (let n = 0; n < 300; n += 1)
      put(store, `n${n}`, {
        l0: `crane ${"rope ".repeat(n % 7)} ${n % 3 === 0 ? "hook" : "pulley"}`,
      });
  });
  const gone = put(store, "gone", { l0: "crane hook" });
  store.nodes.retract(gone, cause({ action: "retract" }));
  const terms = ["rope", "hook", "crane"];
  const plain = store.lexical.match("memory", terms, null, 40);
  expect(plain).toHaveLength(40);
  expect(plain).toEqual([...store.lexical.match("memory", terms, anywhere, 40)]);
  expect(store.lexical.match("memory", terms, null, 1_000).map(({ id }) => id)).not.toContain(gone);
});

test("newest are those with a term of each group, the latest first", () => {
  using store = tempStore();
  const a = put(store, "a", { l0: "crane hook" });
  put(store, "b", { l0: "crane rope", project: "p" });
  const c = put(store, "c", { l0: "crane pulley" });
  const groups = [["crane"], ["hook", "pulley"]];
  expect(store.lexical.newest("memory", groups, null, 10)).toEqual([c, a]);
  expect(store.lexical.newest("memory", groups, null, 1)).toEqual([c]);
  expect(store.lexical.newest("memory", [["crane"]], { projects: ["other"] }, 10)).toEqual([c, a]);
  expect(store.lexical.newest("memory", [["crane"], []], null, 10)).toEqual([]);
});

test("of very many hits the newest tell how many lie in some projects", () => {
  using store = tempStore();
  store.transaction(() => {
    for (let n = 0; n < 800; n += 1)
      put(store, `n${n}`, { l0: "crane", project: n % 4 === 0 ? "home" : "away" });
  });
  const { byTerm } = store.lexical.frequencies("memory", ["crane"], ["home"]);
  expect(byTerm.get("crane")).toBe(200);
});

test("a word that nothing held is counted as soon as something holds it", () => {
  using store = tempStore();
  put(store, "haystack");
  const count = (term: string): number =>
    store.lexical.frequencies("memory", [term], null).byTerm.get(term) ?? 0;
  expect([count("needle"), count("thimble")]).toEqual([0, 0]);
  const id = put(store, "needle");
  expect([count("needles"), count("needle"), count("thimble")]).toEqual([1, 1, 0]);
  store.nodes.update(id, { l0: "thimble" }, cause());
  expect(count("thimble")).toBe(1);
});

test("what was only gone for a moment counts again", () => {
  using store = tempStore();
  const id = put(store, "haystack", { l0: "needle" });
  const count = (): number =>
    store.lexical.frequencies("memory", ["needle"], null).byTerm.get("needle") ?? 0;
  const undone = (): void =>
    store.transaction(() => {
      store.nodes.update(id, { l0: "thimble" }, cause());
      expect(count()).toBe(0);
      throw new Error("undone");
    });
  expect(undone).toThrow("undone");
  expect(count()).toBe(1);
});
