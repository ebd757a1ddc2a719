/** A running turn that is taken off the record: what it left goes, and what was known before stands as it did. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";

/** The event by which the daemon is told that a turn is off the record. */
const takeBack = (t: TestWorker, turn: number, id = `p-${turn}`): string =>
  t.send("submit", "UserPromptSubmit", {
    prompt_id: id,
    off_the_record: true,
    running_turn: turn,
  });

/** Saves a memory as the agent of a turn does. */
function save({ store: { nodes, sessions } }: TestWorker, l0: string, turn: number): void {
  const atMs = sessions.turn("s-1", turn)?.startedAt ?? 0;
  nodes.insert(
    {
      uri: `mem://user/entities/${l0.toLowerCase().replaceAll(/[^a-z]+/gu, "-")}`,
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
}

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
  });
  takeBack(t, 2);
  expect(t.store.nodes.byId(ended?.id ?? 0)?.status).toBe("retracted");
  expect(JSON.stringify(t.store.nodes.revisions(ended?.id ?? 0))).not.toMatch(/zwrbanolk/iu);
});

test("words of a retraction never reach a file, where an index would keep them", () => {
  using t = openTestWorker();
  t.submit("fix the winch", "p-1");
  t.send("submit", "UserPromptSubmit", {
    prompt_id: "p-2",
    prompt: "olvida lo que te acabo de contar de Fuensaldaña, no lo almacenes",
    retracts: true,
  });
  const stored = readdirSync(t.folder)
    .map((name) => join(t.folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
  expect(stored).toContain("winch");
  expect(stored).not.toMatch(/fuensalda|olvid|almacen/iu);
  expect(t.store.sessions.turns("s-1")).toHaveLength(1);
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
  save(t, "the client is Zwrbanolk", 1);
  t.submit("the winch is slow", "p-2");
  save(t, "the winch is slow", 2);
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

test("records and replaced memories that tell the same as a save of the turn stay", async () => {
  using t = openTestWorker();
  const line = "The billing service runs on port 9090 behind nginx.";
  const other = { session_id: "s-0", prompt_id: "q-1" };
  t.send("submit", "UserPromptSubmit", { ...other, prompt: `Why is it slow? ${line}` });
  t.send("stop", "Stop", { ...other, last_assistant_message: `${line} Its cache is cold.` });
  t.submit(`remember that ${line}`, "p-1");
  t.stop("Noted.", "p-1");
  t.submit("remember that the billing service runs on port 7777 behind nginx, not on 9090", "p-2");
  t.stop("Noted.", "p-2");
  await t.settle();
  const stored = () => [
    t.store.sessions.turns("s-0"),
    t.store.sessions.turns("s-1"),
    t.store.nodes.byUri("mem://sessions/s-0/exchanges/1")?.l1,
    t.memories().map(({ l0 }) => l0),
    t.store.nodes
      .list({ projects: null, statuses: ["superseded"] }, "recent", { limit: 9 })
      .map(({ l0 }) => l0),
  ];
  const before = stored();
  t.submit("Whatever I say stays in this room.", "p-3");
  save(t, line, 3);
  takeBack(t, 3);
  await t.settle();
  expect(stored()).toEqual(before);
});

test("what the agent of another session made of a memory meanwhile stays", () => {
  using t = openTestWorker();
  for (const [n, text] of ["staging is on port 9090", "the yard is in Kiel"].entries()) {
    t.submit(`remember that ${text}`, `p-${n}`);
    t.stop("Noted.", `p-${n}`);
  }
  const [staging, yard] = t.memories().toSorted((a, b) => a.id - b.id);
  t.submit("look at the winch", "p-3");
  const atMs = t.store.sessions.turn("s-1", 3)?.startedAt ?? 0;
  const cause = { atMs, by: "agent", reason: "said anew" } as const;
  const quote = { sessionId: "s-2", turn: null, line: null, quote: "the yard in Kiel is closed" };
  t.store.nodes.update(
    yard?.id ?? 0,
    { l1: "It is closed.", evidence: [...(yard?.evidence ?? []), quote] },
    { ...cause, action: "merge" },
  );
  t.store.nodes.update(
    staging?.id ?? 0,
    { status: "superseded" },
    { ...cause, action: "supersede" },
  );
  takeBack(t, 3);
  expect(t.store.nodes.byId(yard?.id ?? 0)?.l1).toBe("It is closed.");
  expect(t.store.nodes.byId(staging?.id ?? 0)?.status).toBe("superseded");
});
