/** A running turn that is taken off the record: what it left goes, and what was known before stands as it did. */
import { expect, test } from "bun:test";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";

/** The event by which the daemon is told that a turn is off the record. */
const takeBack = (t: TestWorker, turn: number, id = `p-${turn}`): string =>
  t.send("submit", "UserPromptSubmit", {
    prompt_id: id,
    off_the_record: true,
    running_turn: turn,
  });

const everything = (t: TestWorker): string =>
  JSON.stringify([
    t.store.sessions.byId("s-1"),
    t.store.sessions.turns("s-1"),
    t.store.sessions.toolUses("s-1", null),
    t.store.sessions.checkpoints("s-1"),
    t.store.sessions.compactSummary("s-1"),
    t.store.guards.list(),
    t.store.exposure.injections("s-1", 99),
    t.memories(),
    t.memories().flatMap(({ id }) => t.store.nodes.revisions(id)),
  ]);

test("prompt, tools, memories, guards, summaries and the session's title go", async () => {
  using t = openTestWorker();
  t.submit("remember that the yard is called Zwrbanolk. never run `zwrbanolk push`", "p-1");
  t.send("tool", "PostToolUse", {
    prompt_id: "p-1",
    tool_name: "Bash",
    tool_use_id: "u-1",
    tool_input: { command: "cat zwrbanolk.txt" },
    tool_response: { stdout: "error: zwrbanolk not found" },
  });
  t.send("compact", "PreCompact", { trigger: "auto" });
  t.send("compact", "PostCompact", { trigger: "auto", compact_summary: "Zwrbanolk, the yard" });
  await t.settle();
  expect(everything(t)).toMatch(/zwrbanolk/iu);
  takeBack(t, 1);
  await t.settle();
  expect(everything(t)).not.toMatch(/zwrbanolk/iu);
  expect(t.store.sessions.byId("s-1")).toMatchObject({ title: null, firstPrompt: null });
  for (const kind of ["memory", "prompt", "checkpoint"] as const)
    expect(t.store.lexical.match(kind, ["zwrbanolk"], { projects: null }, 5)).toEqual([]);
  // It may be said anew, in the open.
  t.submit("remember that the yard is called Zwrbanolk", "p-2");
  expect(t.memories()).toHaveLength(1);
});

test("a memory that the turn replaced holds again", () => {
  using t = openTestWorker();
  t.submit("remember that staging runs on port 9090", "p-1");
  t.stop("Noted.", "p-1");
  t.submit("remember that staging runs on port 7777, not on 9090", "p-2");
  takeBack(t, 2);
  const [only, ...others] = t.memories();
  expect(others).toEqual([]);
  expect(only).toMatchObject({ l0: "staging runs on port 9090", status: "active" });
  expect(everything(t)).not.toContain("7777");
});

test("a memory that the turn confirmed in other words is as it was before", () => {
  using t = openTestWorker();
  t.submit("remember that staging runs on port 9090", "p-1");
  t.stop("Noted.", "p-1");
  const before = t.memories();
  t.submit("for Zwrbanolk, remember that staging runs on port 9090", "p-2");
  takeBack(t, 2);
  expect(t.memories().map(({ evidence, l0 }) => ({ evidence, l0 }))).toEqual(
    before.map(({ evidence, l0 }) => ({ evidence, l0 })),
  );
  expect(everything(t)).not.toMatch(/zwrbanolk/iu);
});

test("what the turn ended by an order stays ended, without its words", () => {
  using t = openTestWorker();
  t.submit("remember that the demo account is called heron", "p-1");
  t.stop("Noted.", "p-1");
  t.submit("forget that the demo account is called heron, Zwrbanolk took it", "p-2");
  const [ended] = t.store.nodes.list({ projects: null, statuses: ["retracted"] }, "recent", {
    limit: 2,
    offset: 0,
  });
  takeBack(t, 2);
  expect(t.store.nodes.byId(ended?.id ?? 0)?.status).toBe("retracted");
  expect(JSON.stringify(t.store.nodes.revisions(ended?.id ?? 0))).not.toMatch(/zwrbanolk/iu);
});

test("turns before it stay, also where the client gives no ids", () => {
  using t = openTestWorker();
  t.send("submit", "UserPromptSubmit", { prompt: "fix the winch" });
  t.send("stop", "Stop", { last_assistant_message: "Fixed." });
  t.send("submit", "UserPromptSubmit", { prompt: "the client is Zwrbanolk" });
  t.send("submit", "UserPromptSubmit", { off_the_record: true, running_turn: 2 });
  expect(t.store.sessions.turns("s-1")).toMatchObject([
    { prompt: "fix the winch", answer: "Fixed." },
  ]);
  expect(everything(t)).not.toMatch(/zwrbanolk/iu);
});

test("of an earlier turn whose order is found late, what an agent saved in later turns stays", () => {
  using t = openTestWorker();
  t.submit("the client is Zwrbanolk", "p-1");
  const save = (l0: string, atMs: number): void =>
    void t.store.nodes.insert(
      {
        uri: `mem://user/entities/${l0.split(" ")[1]}`,
        category: "entities",
        project: null,
        l0,
        origin: "agent",
        maker: "manual",
        validFrom: atMs,
        sourceSession: "s-1",
        evidence: [{ sessionId: "s-1", turn: null, line: null, quote: l0 }],
      },
      { atMs, action: "create", by: "agent", reason: "new" },
    );
  save("the client is Zwrbanolk", t.store.sessions.turn("s-1", 1)?.startedAt ?? 0);
  t.submit("the winch is slow", "p-2");
  save("the winch is slow", t.store.sessions.turn("s-1", 2)?.startedAt ?? 0);
  t.send("submit", "UserPromptSubmit", { prompt_id: "p-1", off_the_record: true });
  expect(t.memories().map(({ l0 }) => l0)).toEqual(["the winch is slow"]);
  expect(t.store.sessions.turns("s-1")).toMatchObject([{ prompt: "the winch is slow" }]);
});

test("the next turn, which takes its number, is kept and summarised", async () => {
  using t = openTestWorker();
  t.submit("the client is Zwrbanolk", "p-1");
  t.stop("Zwrbanolk it is.", "p-1");
  await t.settle();
  takeBack(t, 1);
  t.submit("why does the winch stall at low tide?", "p-2");
  t.stop("The winch stalls at low tide since its cable is too long for the drum.", "p-2");
  await t.settle();
  expect(t.store.sessions.currentCheckpoint("s-1")?.request).toContain("winch");
  expect(everything(t)).not.toMatch(/zwrbanolk/iu);
  const uri = "mem://sessions/s-1/exchanges/1";
  expect(t.store.nodes.byUri(uri)?.l1 ?? "").toContain("cable");
});
