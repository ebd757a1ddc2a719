import { expect, test } from "bun:test";
import { openTestServer } from "../../test/support/server.ts";
import { testNowMs } from "../../test/support/service.ts";
import { forms } from "./forms.ts";
import { openApi } from "./openapi.ts";
import { routes } from "./routes.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: unknown;
}

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const operations = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test("every route of the router is in the document, and nothing else is", async () => {
  using server = openTestServer();
  const served = server.app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  const document = (await (await server.socket("/api/openapi.json")).json()) as Document;
  const told = operations(document).map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  expect(told.toSorted()).toEqual([...new Set(served)].toSorted());
});

test("every operation has a name of its own, every parameter of its route, and says when it is open", async () => {
  const document = (await openApi("1.2.3")) as unknown as Document;
  const all = operations(document);
  const names = all.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { path, method, operation } of all) {
    const route = routes.find(
      (one) =>
        one.method === method.toUpperCase() && one.path.replaceAll(/:(\w+)/g, "{$1}") === path,
    );
    expect(operation.summary, path).toBe(route?.summary ?? "");
    expect(operation.security !== undefined, path).toBe(route?.isOpen === true);
    expect(operation.requestBody !== undefined, path).toBe(route?.body !== undefined);
    const inPath = operation.parameters.filter((one) => one.in === "path");
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
});

test("bounds and choices of a request are told as they are enforced", async () => {
  const text = JSON.stringify(await openApi("1.2.3"));
  for (const part of ['"accept"', '"reject"', '"most-used"', '"maxLength":10000', '"maximum":5'])
    expect(text).toContain(part);
  expect(text).not.toContain("$schema");
});

test("of a form that promises some fields, the document tells those and leaves the others open", async () => {
  const { components } = (await openApi("1.2.3")) as {
    readonly components: { readonly schemas: Readonly<Record<string, object>> };
  };
  const { shape } = forms.StatusLineJson;
  expect(Object.keys(shape)).toEqual(["surfaced", "tokens", "trouble"]);
  expect(components.schemas["StatusLineJson"]).toMatchObject({
    properties: { surfaced: { type: "number" }, trouble: {} },
    required: ["surfaced", "trouble"],
    additionalProperties: {},
  });
  expect(JSON.stringify(components.schemas["StatusLineJson"])).not.toContain("tokens");
});

test("what fields mean is not part of the document", async () => {
  expect(JSON.stringify(await openApi("1.2.3"))).not.toContain("how often it was learnt");
});

const uri = "mem://user/entities/a";

/** A server with one of everything that is answered. */
function filled() {
  const server = openTestServer({ isWorking: true });
  const { t } = server;
  t.store.sessions.upsert({ sessionId: "s1", project: "github.com/acme/api", atMs: testNowMs });
  const prompt = "Remember that A listens on 5433";
  t.store.sessions.openTurn({ sessionId: "s1", promptId: "p", prompt, atMs: testNowMs });
  const evidence = [{ sessionId: "s1", turn: 1, line: null, quote: "A listens on 5433" }];
  t.add({ uri, l0: "A listens on 5433", evidence, sourceSession: "s1" });
  t.add({ uri: "mem://user/entities/b", l0: "B listens on 5434", status: "pending", evidence });
  t.store.exposure.addInjection({
    sessionId: "s1",
    atMs: testNowMs,
    channel: "start",
    cause: "startup",
    text: "x",
    tokens: 3,
    reasons: '[{"uri":"mem://user/entities/a"}]',
  });
  t.service.edit({ uri, expected: null, pinned: true, l1: "more", nowMs: testNowMs });
  return server;
}

test.each([
  ["NodeJson", `/api/nodes?uri=${uri}`],
  ["HistoryJson", `/api/nodes/history?uri=${uri}`],
  ["DiffJson", `/api/nodes/diff?uri=${uri}`],
  ["EvidenceJson", `/api/nodes/evidence?uri=${uri}`],
  ["MemoryPageJson", "/api/memories"],
  ["TreeJson", "/api/tree?uri=mem://user/entities"],
  ["SearchJson", "/api/search?q=listens&format=full"],
  ["ReviewPageJson", "/api/review"],
  ["SessionPageJson", "/api/sessions"],
  ["SessionDetailJson", "/api/sessions/s1"],
  ["TimelineJson", "/api/timeline"],
  ["ProfileJson", "/api/profile"],
  ["ContextJson", "/api/context/s1"],
  ["WhyJson", "/api/why/s1"],
  ["TodayJson", "/api/today?since=0&until=2026-12-01T00:00:00Z"],
  ["OpenJson", "/api/open?project=p&branch=main"],
  ["InjectionListJson", "/api/injections"],
  ["InjectionDetailJson", "/api/injections/1"],
  ["StatsJson", "/api/stats"],
  ["WorthJson", "/api/stats/memory"],
  ["UsageJson", "/api/usage"],
  ["StatusJson", "/api/status"],
  ["ConfigJson", "/api/config"],
  ["JobsJson", "/api/jobs"],
  ["LogsJson", "/api/logs"],
  ["HealthJson", "/api/health"],
] as const)("%s is what %s answers, field for field", async (name, path) => {
  using server = filled();
  const response = await server.socket(path);
  expect(response.status).toBe(200);
  const read = forms[name].safeParse(await response.json());
  expect(read.error?.issues ?? []).toEqual([]);
});

test("every JSON answer that has a name has a form", () => {
  const named = routes
    .filter(({ type, answer }) => type === undefined && /^[A-Z]\w+Json$/.test(answer))
    .map(({ answer }) => answer);
  expect(named.filter((answer) => !Object.hasOwn(forms, answer))).toEqual([]);
});
