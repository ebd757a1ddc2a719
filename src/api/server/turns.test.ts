import { expect, test } from "bun:test";
import { openTestServer, type TestServer } from "../../../test/support/server.ts";
import { testNowMs } from "../../../test/support/service.ts";

const turn = {
  session: "bridge-1",
  cwd: "/home/dev/api",
  user: "Remember that the billing service listens on port 5433",
  assistant: "Noted.",
  tools: [
    { name: "Bash", input: { command: "ss -ltn" }, output: "5433" },
    { name: "Edit", input: { file_path: "/home/dev/api/a.ts" }, error: "no such file" },
  ],
};

/** A server whose events go to a real worker. */
const opened = (): TestServer => openTestServer({ isWorking: true });

const post = async (server: TestServer, body: unknown): Promise<Response> =>
  server.socket("/api/turns", { method: "POST", body: JSON.stringify(body) });

test("a turn is kept like one of the client's own", async () => {
  using server = opened();
  const response = await post(server, turn);
  expect(await response.json()).toEqual({ session_id: "bridge-1", turn: 1, fresh: true });
  const [kept] = server.t.store.sessions.turns("bridge-1");
  expect(kept).toMatchObject({
    status: "closed",
    prompt: turn.user,
    answer: "Noted.",
    startedAt: testNowMs,
  });
  const uses = server.t.store.sessions.toolUses("bridge-1", 1);
  expect(uses.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ["Bash", "ok"],
    ["Edit", "error"],
  ]);
  expect(server.t.store.nodes.list({}, "recent", { limit: 5 }).map(({ maker }) => maker)).toEqual([
    "signal",
  ]);
});

test("the same turn counts once; another id or time makes it another", async () => {
  using server = opened();
  await post(server, turn);
  expect(await (await post(server, turn)).json()).toEqual({
    session_id: "bridge-1",
    turn: 1,
    fresh: false,
  });
  expect(await (await post(server, { ...turn, at: testNowMs + 60_000 })).json()).toMatchObject({
    turn: 2,
    fresh: true,
  });
  const named = { ...turn, id: "t7", at: testNowMs + 120_000 };
  expect(await (await post(server, named)).json()).toMatchObject({ turn: 3, fresh: true });
  expect(await (await post(server, { ...named, assistant: "Noted again." })).json()).toMatchObject({
    turn: 3,
  });
  expect(server.t.store.sessions.turns("bridge-1").length).toBe(3);
});

test("a turn has its own time", async () => {
  using server = opened();
  await post(server, { ...turn, at: "2026-09-01T08:00:00Z" });
  expect(server.t.store.sessions.turn("bridge-1", 1)?.startedAt).toBe(
    Date.parse("2026-09-01T08:00:00Z"),
  );
});

test("secrets and private parts never reach the store, and a private turn leaves nothing", async () => {
  using server = opened();
  const key = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
  await post(server, {
    ...turn,
    user: `Use ${key} <private>for the vault</private> today`,
    assistant: key,
  });
  const kept = JSON.stringify(server.t.store.sessions.turns("bridge-1"));
  expect(kept).not.toContain("ghp_");
  expect(kept).not.toContain("vault");
  const secret = { ...turn, session: "bridge-2", user: "<private>all of it</private>" };
  expect(await (await post(server, secret)).json()).toMatchObject({ turn: null });
  expect(server.t.store.sessions.turn("bridge-2", 1)?.answer ?? null).toBeNull();
});

test.each([
  { name: "no session", body: { ...turn, session: "" } },
  { name: "a session that is a path", body: { ...turn, session: "../../etc" } },
  { name: "no folder", body: { ...turn, cwd: "" } },
  { name: "a folder that is no full path", body: { ...turn, cwd: "api" } },
  { name: "a time that is none", body: { ...turn, at: "soon" } },
  { name: "nobody's words", body: { ...turn, user: " " } },
  { name: "another field", body: { ...turn, origin: "user" } },
  { name: "no document", body: "turn" },
])("$name is refused, and nothing is kept", async ({ body }) => {
  using server = opened();
  expect((await post(server, body)).status).toBe(400);
  expect(server.t.store.sessions.count()).toBe(0);
});
