import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { msPerDay, stoppedClock } from "#kit";
import { cause, draft, noonMs, openOk, tempFolder, tempStore } from "../../test/support/store.ts";

test("small facts are kept by name, and null removes them", () => {
  using store = tempStore();
  expect(store.admin.getMeta("upkeep.first")).toBeNull();
  store.admin.setMeta("upkeep.first", "5");
  store.admin.setMeta("upkeep.first", "6");
  expect(store.admin.getMeta("upkeep.first")).toBe("6");
  store.admin.setMeta("upkeep.first", null);
  expect(store.admin.getMeta("upkeep.first")).toBeNull();
});

/** One of each of what is kept for a while, at a time. */
function recordAt(store: ReturnType<typeof tempStore>, name: string, atMs: number): void {
  store.sessions.addToolUse({
    sessionId: "s",
    turn: 1,
    toolUseId: name,
    tool: "Bash",
    target: null,
    files: [],
    outcome: "ok",
    text: null,
    atMs,
    agentId: null,
  });
  store.events.accept({
    key: name,
    contentHash: name,
    anonymous: false,
    hook: "tool",
    sessionId: "s",
    atMs,
    receivedAtMs: atMs,
    via: "socket",
  });
  store.exposure.add([{ sessionId: "s", nodeId: 1, uri: "mem://x", channel: "start", atMs }]);
  store.exposure.addInjection({
    sessionId: "s",
    atMs,
    channel: "start",
    cause: "startup",
    text: "",
    tokens: 0,
    reasons: "[]",
  });
}

test("housekeeping drops what is older than ninety days, and keeps memories and prompts", () => {
  using store = tempStore();
  recordAt(store, "old", noonMs - 91 * msPerDay);
  recordAt(store, "new", noonMs - 89 * msPerDay);
  store.nodes.insert(draft(), cause({ atMs: noonMs - 900 * msPerDay }));
  store.sessions.openTurn({ sessionId: "s", promptId: null, prompt: "x", atMs: 1 });
  expect(store.admin.housekeep(noonMs)).toBe(4);
  expect(store.admin.housekeep(noonMs)).toBe(0);
  expect(store.sessions.toolUses("s", null).map(({ toolUseId }) => toolUseId)).toEqual(["new"]);
  expect(store.nodes.count({})).toBe(1);
  expect(store.sessions.turns("s")).toHaveLength(1);
});

test("a clock set forward by the caller drops nothing that the system's clock would keep", () => {
  using store = tempStore();
  recordAt(store, "new", noonMs);
  expect(store.admin.housekeep(noonMs + 9_000 * msPerDay)).toBe(0);
});

test("finished jobs go after ninety days, parked ones stay until a person looks", () => {
  using folder = tempFolder();
  const clock = stoppedClock(noonMs);
  using store = openOk(folder.database, { clock });
  const job = { kind: "turn" as const, sessionId: null, payload: {}, runAfterMs: 0 };
  store.jobs.enqueue({ ...job, key: "done" });
  store.jobs.complete(store.jobs.lease(noonMs, 1)!.id);
  store.jobs.enqueue({ ...job, key: "parked" });
  const { id } = store.jobs.lease(noonMs, 1)!;
  for (let i = 0; i < 3; i += 1) store.jobs.fail(id, "no", noonMs);
  clock.advance(91 * msPerDay);
  expect(store.admin.housekeep(clock.nowMs())).toBe(1);
  expect(store.jobs.counts()).toEqual({ queued: 0, leased: 0, done: 0, skipped: 1 });
});

test("what tools printed goes a day after it was compressed; that they ran stays", () => {
  using store = tempStore();
  const use = {
    turn: 1,
    tool: "Bash",
    target: "make",
    files: [],
    outcome: "ok" as const,
    text: "compiled 12 files",
    agentId: null,
  };
  const job = { kind: "turn" as const, payload: {}, runAfterMs: 0 };
  store.jobs.enqueue({ ...job, key: "waits", sessionId: "busy" });
  for (const [sessionId, toolUseId, daysAgo] of [
    ["done", "old", 2],
    ["done", "new", 0],
    ["busy", "waits", 2],
  ] as const)
    store.sessions.addToolUse({
      ...use,
      sessionId,
      toolUseId,
      atMs: noonMs - daysAgo * msPerDay,
    });
  expect(store.admin.housekeep(noonMs)).toBe(1);
  const left = [...store.sessions.toolUses("done", null), ...store.sessions.toolUses("busy", null)];
  expect(left.map(({ toolUseId, target, text }) => [toolUseId, target, text])).toEqual([
    ["old", "make", null],
    ["new", "make", use.text],
    ["waits", "make", use.text],
  ]);
});

test("a purge that a reader holds up says so soon, and is finished when the reader is gone", () => {
  using folder = tempFolder();
  using store = openOk(folder.database);
  store.nodes.insert(draft(), cause());
  const reader = new Database(folder.database, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM mem_nodes").get();
  const startedMs = performance.now();
  expect(() => store.admin.purge()).toThrow("a reader keeps the write-ahead log open");
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  expect(store.admin.finishPurge()).toBe(false);
  reader.close();
  expect(store.admin.finishPurge()).toBe(true);
  expect(statSync(`${folder.database}-wal`).size).toBe(0);
  expect(store.admin.finishPurge()).toBe(true);
});
