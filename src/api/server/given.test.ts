/** Tests of what prompts were given, as the worker recorded it, and of what one would be given now. */
import { expect, test } from "bun:test";
import type {
  ConsideredJson,
  InjectionDetailJson,
  InjectionListJson,
  PreviewJson,
  TodayJson,
} from "../forms-given.ts";
import type { WhyJson } from "../forms-session.ts";
import { forms } from "../forms.ts";
import { openTestServer, type TestServer } from "../../../test/support/server.ts";
import { testNowMs } from "../../../test/support/service.ts";

const fact = "The staging database of the harbour listens on port 6544";
const ask = "which port does the staging database of the harbour listen on?";
const uri = "mem://user/entities/staging-database";

/** A server with a memory and a session in which it was asked for, and then something that nothing is known of. */
async function opened(): Promise<TestServer> {
  const server = openTestServer({ isWorking: true });
  server.t.add({ uri, l0: fact, category: "entities", origin: "user" });
  await say(server, ask, 1);
  await say(server, "thanks, go on", 2);
  return server;
}

const say = async (server: TestServer, user: string, minute: number): Promise<void> => {
  const at = testNowMs + minute * 60_000;
  const turn = { session: "s1", cwd: "/home/dev/harbour", user, assistant: "Done.", tools: [], at };
  const reply = await post(server, "/api/turns", turn);
  expect(reply.status).toBe(200);
};

const post = (server: TestServer, path: string, body: unknown): Promise<Response> =>
  server.socket(path, { method: "POST", body: JSON.stringify(body) });

const get = async <Answer>(server: TestServer, path: string): Promise<Answer> =>
  (await (await server.socket(path)).json()) as Answer;

const listed = (server: TestServer, query = ""): Promise<InjectionListJson> =>
  get(server, `/api/injections?${query}`);

test("every prompt is told, with what it had to reach, the latest first", async () => {
  using server = await opened();
  const { items, total } = await listed(server);
  expect(total).toBe(2);
  expect(items.map(({ turn, prompt, tokens }) => [turn, prompt, tokens > 0])).toEqual([
    [2, "thanks, go on", false],
    [1, ask, true],
  ]);
  const [silent, given] = items;
  expect(silent).toMatchObject({ cause: "nothing-found", probability: 0, feedback: null });
  expect(given?.probability ?? 0).toBeGreaterThanOrEqual(given?.threshold ?? 1);
  const byKind = async (kind: string) =>
    (await listed(server, `kind=${kind}`)).items.map(({ turn }) => turn);
  expect(await byKind("given")).toEqual([1]);
  expect(await byKind("silent")).toEqual([2]);
  expect((await listed(server, "session=s1&limit=1")).next_cursor).toBe("o1");
});

test("one is told line by line, each with the memory that it says", async () => {
  using server = await opened();
  const id = (await listed(server, "kind=given")).items[0]?.id ?? 0;
  const told = await get<InjectionDetailJson>(server, `/api/injections/${id}`);
  expect(told.prompt).toBe(ask);
  expect(told.decision).toMatchObject({ verdict: "inject", cause: "wanted" });
  const line = told.lines.find(({ text }) => text.includes("6544"));
  expect(line?.uri).toBe(uri);
  // The frame of the block says nothing to a person.
  expect(told.lines.some(({ text }) => text.startsWith("<"))).toBe(false);
  const taken = told.considered.filter((one: ConsideredJson) => one.taken);
  expect(taken).toMatchObject([{ uri, l0: fact, why: "near" }]);
  expect(taken[0]?.score ?? 0).toBeGreaterThan(0);
});

test("a person's word stays with the injection, and can be taken back", async () => {
  using server = await opened();
  const id = (await listed(server, "kind=silent")).items[0]?.id ?? 0;
  const judged = await post(server, `/api/injections/${id}`, { feedback: "missing" });
  expect(await judged.json()).toMatchObject({ injection: { id, feedback: "missing" } });
  expect((await listed(server, "kind=missing")).items.map((one) => one.id)).toEqual([id]);
  const why = await get<WhyJson>(server, "/api/why/s1");
  expect(why.injections.map(({ feedback }) => feedback)).toEqual([null, "missing"]);
  await post(server, `/api/injections/${id}`, { feedback: null });
  expect((await listed(server, "kind=missing")).total).toBe(0);
  expect((await post(server, "/api/injections/99", { feedback: "wrong" })).status).toBe(404);
  expect((await post(server, `/api/injections/${id}`, { feedback: "bad" })).status).toBe(400);
});

test("a memory tells every time it was given, and whether it was used afterwards", async () => {
  using server = await opened();
  const times = () => listed(server, `uri=${encodeURIComponent(uri)}`);
  expect((await times()).items).toMatchObject([{ turn: 1, used: false }]);
  const node = server.t.store.nodes.byUri(uri);
  server.t.store.exposure.add([
    {
      sessionId: "s1",
      nodeId: node?.id ?? 0,
      uri,
      channel: "fetch",
      atMs: testNowMs + 5 * 60_000,
    },
  ]);
  expect((await times()).items).toMatchObject([{ turn: 1, used: true }]);
  server.t.add({ uri: "mem://user/entities/other", l0: "Another" });
  expect((await listed(server, "uri=mem://user/entities/other")).total).toBe(0);
});

test("what was forgotten is told without its words, and without an error", async () => {
  using server = await opened();
  const id = (await listed(server, "kind=given")).items[0]?.id ?? 0;
  await server.socket(`/api/nodes?uri=${encodeURIComponent(uri)}`, { method: "DELETE" });
  const told = await get<InjectionDetailJson>(server, `/api/injections/${id}`);
  expect(JSON.stringify(told)).not.toContain("6544");
  expect(told.considered.every(({ l0 }) => l0 === null)).toBe(true);
});

test("a record of an older form, or one that cannot be read, is told as far as it goes", async () => {
  using server = openTestServer();
  const { exposure } = server.t.store;
  for (const [at, reasons] of ["", "{", "7", "null", '["x"]', '{"memories":[null,{}]}'].entries())
    exposure.addInjection({
      sessionId: "s",
      atMs: at,
      channel: "prompt",
      cause: "wanted",
      text: "- x",
      tokens: 2,
      reasons,
    });
  for (const { id } of (await listed(server)).items) {
    const told = await get<InjectionDetailJson>(server, `/api/injections/${id}`);
    expect(told).toMatchObject({ decision: null, considered: [], lines: [{ text: "- x" }] });
  }
});

test("a preview gives a prompt what the prompt itself is given, and records nothing", async () => {
  using server = await opened();
  const given = (await listed(server, "kind=given")).items[0]?.id ?? 0;
  const real = await get<InjectionDetailJson>(server, `/api/injections/${given}`);
  const body = await (await post(server, "/api/preview", { prompt: ask })).json();
  expect(forms.PreviewJson.safeParse(body).error?.issues ?? []).toEqual([]);
  const preview = body as PreviewJson;
  expect(preview.prompt?.text).toBe(real.text);
  expect(preview.prompt?.lines).toEqual(real.lines);
  expect(preview.start.text).toContain("hello");
  expect((await listed(server)).total).toBe(2);
  const empty = (await (await post(server, "/api/preview", {})).json()) as PreviewJson;
  expect(empty.prompt).toBeNull();
  expect((await post(server, "/api/preview", { project: "nowhere" })).status).toBe(400);
});

test("a day tells what was learnt, replaced and given by project, and what is left to do", async () => {
  using server = await opened();
  const { store } = server.t;
  const cause = { atMs: testNowMs, by: "test", reason: "" };
  server.t.add({ uri: "mem://user/entities/old", l0: "The ferry leaves at six", project: "p" });
  server.t.add({ uri: "mem://user/entities/new", l0: "The ferry leaves at seven", project: "p" });
  server.t.add({ uri: "mem://user/entities/wait", l0: "Perhaps at eight", status: "pending" });
  const [old, now] = ["old", "new"].map((name) => store.nodes.byUri(`mem://user/entities/${name}`));
  store.nodes.update(old?.id ?? 0, { status: "superseded" }, { ...cause, action: "supersede" });
  store.nodes.relate(now?.id ?? 0, old?.id ?? 0, "supersedes", testNowMs);
  const fields = {
    request: "",
    investigated: "",
    learned: "",
    completed: "",
    filesRead: [],
    filesEdited: [],
    notes: "",
    currentTask: "",
    filesInHand: [],
    uncommitted: [],
    thrash: [],
  };
  for (const [sessionId, nextSteps, minute] of [
    ["a", "An older end", 1],
    ["b", "Paint the hull", 2],
  ] as const) {
    const atMs = testNowMs + minute * 60_000;
    store.sessions.upsert({ sessionId, project: "p", atMs });
    const end = { sessionId, project: "p", atMs, trigger: "end", l0: "x" } as const;
    store.sessions.addCheckpoint({ ...end, fields: { ...fields, nextSteps } });
  }
  const hint = {
    sessionId: "s1",
    atMs: testNowMs + 180_000,
    channel: "hint",
    reasons: "[]",
  } as const;
  store.exposure.addInjection({ ...hint, cause: "changed", text: "Save it", tokens: 3 });
  const day = (since: string, until: string): Promise<TodayJson> =>
    get(server, `/api/today?since=${since}&until=${until}`);
  const today = await day("2026-09-15T00:00:00Z", "2026-09-16T00:00:00Z");
  const own = today.projects.find(({ project }) => project === "p");
  expect(own).toMatchObject({ learnt: 2, replaced: 1, given: 0 });
  // Each figure is the length of the list that it leads to; a hint to save was sent too.
  for (const [kind, figure] of [
    ["given", 2],
    ["silent", 1],
  ] as const) {
    expect(today.projects.reduce((sum, row) => sum + row[kind], 0)).toBe(figure);
    expect((await listed(server, `kind=${kind}`)).total).toBe(figure);
  }
  // Waiting items belong to today, whenever they came; the rest belongs to its day.
  const before = await day("2026-09-01T00:00:00Z", "2026-09-02T00:00:00Z");
  expect(before.projects).toMatchObject([{ project: null, learnt: 0, waiting: 1 }]);
  expect((await server.socket("/api/today?since=yesterday&until=0")).status).toBe(400);
});
