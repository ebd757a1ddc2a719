/** "Forget that", said to an agent: what its user's words end, and what waits for review. */
import { expect, test } from "bun:test";
import { memoriesIn, openTestSession, project, type TestMcp } from "../../test/support/mcp.ts";

const port = "mem://user/entities/staging-port";

async function opened(prompt: string): Promise<TestMcp> {
  const t = await openTestSession(prompt);
  t.server.t.add({ uri: port, l0: "The staging database listens on port 6432", project });
  return t;
}

const statusOf = (t: TestMcp, uri: string) => t.server.t.store.nodes.byUri(uri)?.status;

const waiting = (t: TestMcp) => memoriesIn(t, "pending");

test.each([
  ["Forget the staging database, we dropped it.", "Forget the staging database, we dropped it."],
  ["thanks! port 6432 is history. what is next?", "port 6432 is history."],
  ["/forget the port 6432 of staging", "the port 6432 of staging"],
  ["Vergiss den Port 6432 bitte.", "Vergiss den Port 6432 bitte."],
])("the user's words end what they name, undoably: %s", async (prompt, quote) => {
  await using t = await opened(prompt);
  const { text } = await t.call("memory_forget", { ids: [port], quote });
  expect(text).toContain("Ended; `continuity undo` brings back");
  expect(text).toContain("The staging database listens on port 6432");
  expect(text).toContain("`continuity forget '#4'");
  expect(statusOf(t, port)).toBe("retracted");
  t.server.t.service.undo(t.server.t.clock.nowMs());
  expect(statusOf(t, port)).toBe("active");
});

test.each([
  ["a question", "Did port 6432 ever work?", "Did port 6432 ever work?"],
  ["a clause", "I do not want you to forget port 6432 of staging", "forget port 6432 of staging"],
  ["words of a paste", "summarise this\n\n> forget port 6432", "forget port 6432"],
  ["words of nobody", "go on", "forget port 6432 of staging"],
  ["words of another thing", "Please summarise this page.", "Please summarise this page."],
  ["an order that points at nothing of this session", "forget that", "forget that"],
])("%s ends nothing, and its end waits for review", async (_, prompt, quote) => {
  await using t = await opened(prompt);
  const { text } = await t.call("memory_forget", { ids: [port], quote });
  expect(text).toStartWith("Not ended, it waits in `continuity review` (");
  expect(statusOf(t, port)).toBe("active");
  const [proposal, ...others] = waiting(t);
  expect(others).toEqual([]);
  expect(proposal?.l0).toBe("Forget: The staging database listens on port 6432");
  await t.call("memory_forget", { ids: [port], quote });
  expect(waiting(t)).toHaveLength(1);
  const { clock, service } = t.server.t;
  service.review({ id: proposal?.id ?? 0, action: "accept", nowMs: clock.nowMs() });
  expect(statusOf(t, port)).toBe("retracted");
  expect(waiting(t)).toEqual([]);
  service.undo(clock.nowMs());
  expect(statusOf(t, port)).toBe("active");
});

test.each([
  ["forget that, it's falcon", "retracted"],
  ["nein, vergiss das wieder", "retracted"],
  ["now run the tests please", "active"],
])("what was said in this session is taken back without a name: %s", async (prompt, status) => {
  await using t = await opened("the demo account is called heron");
  const quote = "the demo account is called heron";
  await t.call("memory_remember", { line: quote, quote });
  const saved = t.server.t.store.nodes
    .list({ projects: null }, "recent", { limit: 5 })
    .find(({ l0 }) => l0 === quote);
  const atMs = t.server.t.clock.nowMs();
  t.server.t.store.sessions.openTurn({ sessionId: "s1", promptId: "p2", prompt, atMs });
  await t.call("memory_forget", { ids: [saved?.uri ?? ""], quote: prompt });
  expect(statusOf(t, saved?.uri ?? "")).toBe(status as "active");
});

test("the words of one turn end at most three memories", async () => {
  const prompt = "forget everything about the Baltic cluster";
  await using t = await opened(prompt);
  const uris = ["a", "b", "c", "d"].map((name) => `mem://user/entities/${name}`);
  for (const [n, uri] of uris.entries())
    t.server.t.add({ uri, l0: `The Baltic cluster has node number ${n}`, project });
  const { text } = await t.call("memory_forget", { ids: uris, quote: prompt });
  expect(text).toContain("the words of one turn end at most 3 memories");
  expect(uris.map((uri) => statusOf(t, uri))).toEqual([
    "retracted",
    "retracted",
    "retracted",
    "active",
  ]);
  expect(waiting(t)).toHaveLength(1);
});

test("a memory of another project is not ended, and one that is not there is named", async () => {
  await using t = await opened("forget port 6432 of the web shop");
  const uri = "mem://user/entities/web";
  t.server.t.add({ uri, l0: "The web shop listens on port 6432", project: "github.com/acme/web" });
  const quote = "forget port 6432 of the web shop";
  expect((await t.call("memory_forget", { ids: [uri], quote })).text).toContain("another project");
  expect(statusOf(t, uri)).toBe("active");
  const none = await t.call("memory_forget", { ids: [port, "mem://user/entities/x"], quote });
  expect(none).toMatchObject({ isError: true });
  expect(statusOf(t, port)).toBe("active");
});

test("rare words that records still hold are offered", async () => {
  await using t = await opened("forget the Schwarzwaldlinie port 6432");
  const { store, clock } = t.server.t;
  const uri = "mem://user/entities/line";
  t.server.t.add({ uri, l0: "The Schwarzwaldlinie listens on port 6432", project });
  store.sessions.openTurn({
    sessionId: "s1",
    promptId: "p0",
    prompt: "where is the Schwarzwaldlinie",
    atMs: clock.nowMs() - 1,
  });
  store.sessions.openTurn({
    sessionId: "s1",
    promptId: "p9",
    prompt: "forget the Schwarzwaldlinie port 6432",
    atMs: clock.nowMs(),
  });
  const quote = "forget the Schwarzwaldlinie port 6432";
  const { text } = await t.call("memory_forget", { ids: [uri], quote });
  expect(text).toContain('rare words of it: "schwarzwaldlinie"');
  expect(text).toContain("mem://words/schwarzwaldlinie");
});

test("the short id of a search result is taken by what fetches and what ends a memory", async () => {
  const prompt = "Forget the staging database on port 6432, we dropped it.";
  await using t = await opened(prompt);
  const found = await t.call("memory_search", { query: "staging port" });
  const id = /^- \S+ (#\w+) ~/mu.exec(found.text)?.[1] ?? "";
  expect((await t.call("memory_get", { uris: [id] })).text).toContain("port 6432");
  const ended = await t.call("memory_forget", { ids: [id], quote: prompt });
  expect(ended.text).toContain(`continuity forget '${id}'`);
  expect(statusOf(t, port)).toBe("retracted");
});

test("`replaces` takes the short id of a search result", async () => {
  const prompt = "The staging database listens on port 7000 now.";
  await using t = await opened(prompt);
  const found = await t.call("memory_search", { query: "staging port" });
  const id = /^- \S+ (#\w+) ~/mu.exec(found.text)?.[1] ?? "";
  await t.call("memory_remember", { line: prompt, quote: prompt, replaces: [id] });
  expect(statusOf(t, port)).toBe("superseded");
});
