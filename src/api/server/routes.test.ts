import { expect, test } from "bun:test";
import { createClient } from "../client/client.ts";
import { nowHeader } from "#domain";
import { openTestServer, type TestServer } from "../../../test/support/server.ts";
import { testNowMs } from "../../../test/support/service.ts";
import { httpReference } from "../../../scripts/docs/http-reference.ts";
import { routes } from "../routes.ts";

const client = (server: TestServer) =>
  createClient(async (input, init) => server.app.request(input, init, { transport: "socket" }));

const post = (server: TestServer, path: string, body: unknown): Promise<Response> =>
  server.socket(path, { method: "POST", body: JSON.stringify(body) });

const errorOf = async (response: Response): Promise<unknown> => {
  const { error } = (await response.json()) as { readonly error: { readonly type: string } };
  return [response.status, error.type];
};

test("the table names the routes of the router, all of them and no other", () => {
  using server = openTestServer();
  const served = server.app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  const named = routes.map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(served)].toSorted()).toEqual(named.toSorted());
});

test("the reference has a section and every parameter of each route", () => {
  const reference = httpReference();
  for (const { method, path } of routes) expect(reference).toContain(`\n## ${method} ${path}\n`);
  for (const name of ["min_score", "cursor", "for_ms", "importance"])
    expect(reference).toContain(`| \`${name}\` |`);
  expect(reference).not.toContain("undefined");
});

test("a memory goes in, is found, shown, and forgotten", async () => {
  using server = openTestServer();
  const api = client(server);
  const json = { text: "The staging database listens on port 5433", category: "entities" } as const;
  const { action, memory } = await (await api.memories.$post({ json })).json();
  expect(action).toBe("created");
  const found = await (await api.search.$get({ query: { q: "staging port" } })).json();
  expect(found.results.map(({ uri }) => uri)).toEqual([memory.uri]);
  const node = await (await api.nodes.$get({ query: { uri: memory.uri, use: "1" } })).json();
  expect(node.access_count).toBe(1);
  const history = await (await api.nodes.history.$get({ query: { uri: memory.uri } })).json();
  expect(history.items.map((item) => item.action)).toContain("create");
  const gone = await (await api.nodes.$delete({ query: { uri: [memory.uri] } })).json();
  expect(gone).toEqual({
    forgotten: [memory.uri],
    purged: true,
    redacted: 0,
    similar: [],
    notes: [],
  });
  expect((await (await api.memories.$get({ query: {} })).json()).total).toBe(0);
});

test("the command's own clock travels with the request", async () => {
  using server = openTestServer();
  server.t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  await server.socket("/api/nodes?uri=mem://user/entities/a&use=1", {
    headers: { [nowHeader]: "no time at all" },
  });
  expect(server.t.store.nodes.byUri("mem://user/entities/a")?.lastAccess).toBe(testNowMs);
  const headers = { [nowHeader]: "2026-10-01T00:00:00Z" };
  const response = await server.socket("/api/nodes?uri=mem://user/entities/a&use=1", { headers });
  expect(await response.json()).toMatchObject({ last_access: Date.parse("2026-10-01T00:00:00Z") });
});

test.each([
  { path: "/api/search", status: 400, type: "request.invalid" },
  { path: "/api/search?q=x&limit=0", status: 400, type: "request.invalid" },
  { path: "/api/search?q=x&limit=101", status: 400, type: "request.invalid" },
  { path: "/api/search?q=x&mode=guess", status: 400, type: "request.invalid" },
  { path: "/api/search?q=x&min_score=NaN", status: 400, type: "request.invalid" },
  { path: "/api/search?q=x&category=secrets", status: 400, type: "request.invalid" },
  { path: "/api/search?q=x&since=someday", status: 400, type: "request.invalid" },
  { path: "/api/search?q=x&colour=red", status: 400, type: "request.invalid" },
  { path: "/api/search?q=x&project=nowhere", status: 400, type: "project.unknown" },
  { path: `/api/search?q=${"x".repeat(10_001)}`, status: 400, type: "request.invalid" },
  { path: "/api/memories?cursor=p9", status: 400, type: "cursor.invalid" },
  { path: "/api/nodes?uri=mem://user/entities/none", status: 404, type: "memory.not-found" },
  { path: "/api/nodes?uri=file:///etc/passwd", status: 400, type: "memory.uri-invalid" },
  { path: "/api/nodes?uri=mem://a&uri=mem://b", status: 400, type: "request.invalid" },
  { path: "/api/sessions/none", status: 404, type: "session.not-found" },
  { path: "/api/sessions/..%2f..%2fetc", status: 400, type: "request.invalid" },
  { path: "/api/why/none", status: 404, type: "session.not-found" },
  { path: "/api/injections/9", status: 404, type: "injection.not-found" },
  { path: "/api/injections/x", status: 400, type: "request.invalid" },
  { path: "/api/injections?kind=good", status: 400, type: "request.invalid" },
  { path: "/api/injections?session=none", status: 404, type: "session.not-found" },
  { path: "/api/logs?tail=-1", status: 400, type: "request.invalid" },
  { path: "/api/nothing", status: 404, type: "route.not-found" },
  { path: "/../../etc/passwd", status: 404, type: "route.not-found" },
])("GET $path is $type", async ({ path, status, type }) => {
  using server = openTestServer();
  expect(await errorOf(await server.socket(path))).toEqual([status, type]);
});

test.each([
  { path: "/api/memories", body: "{", status: 400, type: "request.invalid" },
  { path: "/api/memories", body: "[]", status: 400, type: "request.invalid" },
  { path: "/api/memories", body: "{}", status: 400, type: "request.invalid" },
  {
    path: "/api/memories",
    body: '{"text":"x","origin":"tool"}',
    status: 400,
    type: "request.invalid",
  },
  {
    path: "/api/memories",
    body: '{"text":"<private>x</private>"}',
    status: 422,
    type: "memory.private",
  },
  { path: "/api/pause", body: '{"for_ms":0}', status: 400, type: "request.invalid" },
  { path: "/api/hooks/submit", body: "[]", status: 400, type: "request.invalid" },
  { path: "/api/hooks/submit", body: '{"v":1}', status: 400, type: "request.invalid" },
  { path: "/api/hooks/a%2Fb", body: "{}", status: 400, type: "request.invalid" },
])("POST $path with $body is $type", async ({ path, body, status, type }) => {
  using server = openTestServer();
  expect(await errorOf(await server.socket(path, { method: "POST", body }))).toEqual([
    status,
    type,
  ]);
  expect(server.t.store.nodes.count({})).toBe(0);
  expect(server.accepted).toEqual([]);
});

test("lists may be repeated or comma-separated", async () => {
  using server = openTestServer();
  server.t.add({ uri: "mem://user/entities/a", l0: "a" });
  server.t.add({ uri: "mem://user/preferences/b", l0: "b", category: "preferences" });
  server.t.add({ uri: "mem://user/profile/c", l0: "c", category: "profile" });
  for (const path of [
    "/api/memories?category=entities,profile&sort=uri",
    "/api/memories?category=entities&category=profile&sort=uri",
  ]) {
    const page = (await (await server.socket(path)).json()) as {
      readonly items: readonly { readonly l0: string }[];
    };
    expect(page.items.map(({ l0 }) => l0)).toEqual(["a", "c"]);
  }
});

test("health tells liveness and version, and no more", async () => {
  using server = openTestServer();
  const response = await server.tcp("/api/health", { headers: { host: "127.0.0.1:37777" } });
  expect(await response.json()).toEqual({ ok: true, version: "1.2.3" });
});

test("what breaks inside is told without internals", async () => {
  using server = openTestServer();
  server.t.store[Symbol.dispose]();
  const response = await server.socket("/api/stats");
  expect(response.status).toBe(500);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ error: { type: "server.internal" } });
  expect(text).not.toMatch(/sqlite|database|closed|at \/|\.ts/i);
});

const envelope = {
  v: 1,
  hook: "stop",
  clientEvent: "Stop",
  key: "0123456789abcdef",
  contentHash: "abc",
  anonymous: false,
  atMs: 1,
  replayed: false,
  gated: true,
  payload: { session_id: "s1" },
} as const;

test("a hook process's envelope is accepted as it is, and answered for it", async () => {
  using server = openTestServer();
  const response = await post(server, "/api/hooks/stop", envelope);
  expect(await response.json()).toEqual({ context: "", fresh: true });
  expect(server.accepted).toEqual([{ envelope, via: "socket" }]);
});

test("over TCP nobody's word counts that a payload is clean already", async () => {
  using server = openTestServer();
  const response = await server.tcp("/api/hooks/stop", {
    method: "POST",
    body: JSON.stringify(envelope),
    headers: {
      host: "127.0.0.1:37777",
      authorization: `Bearer ${"a1".repeat(32)}`,
      "content-type": "application/json",
    },
  });
  expect(response.status).toBe(200);
  expect(server.accepted).toMatchObject([{ envelope: { gated: false }, via: "http" }]);
});

const prompted = { session_id: "s1", prompt: "hello" };

test("a client's own payload is answered as the client reads it", async () => {
  using server = openTestServer({ accept: () => "Use pnpm." });
  const response = await post(server, "/api/hooks/UserPromptSubmit", prompted);
  expect(await response.json()).toEqual({
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "Use pnpm." },
  });
});

test("lines for the user stand in the answer as a hook process prints them", async () => {
  const message = "Remembered: use pnpm (#4)";
  using server = openTestServer({ accept: () => "", message });
  const response = await post(server, "/api/hooks/UserPromptSubmit", prompted);
  expect(await response.json()).toEqual({ systemMessage: message });
});

test("silence is an empty document, and an unknown event is accepted and ignored", async () => {
  using server = openTestServer();
  for (const event of ["UserPromptSubmit", "unknown"]) {
    const response = await post(server, `/api/hooks/${event}`, prompted);
    expect([response.status, await response.json()]).toEqual([200, {}]);
  }
  expect(server.accepted.length).toBe(1);
});

test("an event that cannot be kept is refused, so that the hook spools it", async () => {
  using server = openTestServer({
    accept: () => {
      throw new Error("disk full");
    },
  });
  const response = await post(server, "/api/hooks/stop", envelope);
  expect(await errorOf(response)).toEqual([503, "hook.unavailable"]);
});
