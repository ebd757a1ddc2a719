import { expect, test } from "bun:test";
import { isExchange, momentKinds } from "#domain";
import { msPerDay } from "#kit";
import { openTestWorker } from "../../../test/support/worker.ts";

const exchangesIn = (worker: ReturnType<typeof openTestWorker>) =>
  worker.store.nodes
    .list({ archive: true, projects: null }, "recent", { limit: 50 })
    .filter(({ uri }) => isExchange(uri));

const fact = "hub services are rolled by hand with hopctl, argo does not touch them";

test("a turn is kept once as an exchange: the user's words with the answer", async () => {
  using worker = openTestWorker();
  worker.submit(fact, "p1");
  worker.stop("Understood. I roll ring 1 and wait for your word.", "p1");
  await worker.settle();
  const [exchange, ...others] = exchangesIn(worker);
  expect(others).toEqual([]);
  expect(exchange?.uri).toBe("mem://sessions/s-1/exchanges/1");
  expect(exchange?.l0).toContain("hopctl");
  expect(exchange?.category).toBe("sessions");
});

test("a turn that goes on after its end is kept anew in the same place", async () => {
  using worker = openTestWorker();
  worker.submit(fact, "p1");
  worker.stop("Understood, ring 1 first.", "p1");
  await worker.settle();
  worker.send("stop", "Stop", {
    last_assistant_message: "Ring 1 took 14 minutes because of the drain timeout.",
    prompt_id: "p1",
    stop_hook_active: true,
  });
  await worker.settle();
  const exchanges = exchangesIn(worker);
  expect(exchanges).toHaveLength(1);
  expect(exchanges[0]?.l1).toContain("14 minutes");
});

test("a secret never reaches an exchange, and a private turn leaves none", async () => {
  using worker = openTestWorker();
  worker.submit(`${fact}. the password for hopctl is Thistle!Gate_4417`, "p1");
  worker.stop("Noted.", "p1");
  worker.submit("<private>the merger closes in June, tell nobody about it</private>", "p2");
  worker.stop("I keep that to myself.", "p2");
  await worker.settle();
  const text = JSON.stringify(exchangesIn(worker));
  expect(text).toContain("hopctl");
  expect(text).not.toContain("Thistle");
  expect(text).not.toContain("merger");
});

test("what was forgotten goes from the exchanges too, and is not kept again", async () => {
  using worker = openTestWorker();
  worker.submit(fact, "p1");
  worker.stop("Understood.", "p1");
  await worker.settle();
  worker.store.nodes.forget([], [fact], worker.clock.nowMs());
  expect(exchangesIn(worker)).toEqual([]);
});

test("orders and thanks leave nothing", async () => {
  using worker = openTestWorker();
  worker.submit("commit", "p1");
  worker.stop("Done.", "p1");
  worker.submit("thanks", "p2");
  worker.stop("You are welcome.", "p2");
  await worker.settle();
  expect(exchangesIn(worker)).toEqual([]);
});

test("what a turn leaves is dated by when it was said: the rule by the prompt, the rest by the answer", async () => {
  using worker = openTestWorker();
  worker.submit(
    "remember that the hub is rolled by hand with hopctl, argo does not touch it",
    "p1",
  );
  worker.send(
    "stop",
    "Stop",
    {
      last_assistant_message:
        "Decision: ring 1 goes first. Root cause: the drain timeout of 5 s was too short; fixed in drain.ts.",
      prompt_id: "p1",
    },
    { atMs: worker.startMs + 600_000 },
  );
  await worker.settle();
  const filter = { projects: null, sessionId: "s-1", kinds: momentKinds };
  const start = { atMs: 0, kind: "prompt", id: -1 } as const;
  const told = worker.store.timeline.beside(start, "later", filter, 50);
  const order = told.map(({ kind }) => kind);
  expect(order).toEqual(["prompt", "memory", "answer", "moment", "checkpoint"]);
  expect(told.find(({ kind }) => kind === "memory")?.atMs).toBe(worker.startMs + 1_000);
});

test("an exchange is given at a prompt, and found, however long ago it was", async () => {
  using app = openTestWorker();
  app.submit("the ledger replica lives on host quay-7, port 6432, behind pgbouncer", "p1");
  app.stop("Understood: the ledger replica is on quay-7:6432.", "p1");
  await app.settle();
  expect(exchangesIn(app)[0]?.tags[0]).toBe("routine");
  const ask = (id: string, days: number) =>
    app.send(
      "submit",
      "UserPromptSubmit",
      { session_id: id, prompt_id: id, prompt: "on which host and port is the ledger replica?" },
      { atMs: app.startMs + days * msPerDay },
    );
  expect(ask("s-6", 6)).toContain("quay-7");
  expect(ask("s-400", 400)).toContain("quay-7");
  const found = app.deps.finder.find({
    text: "host and port of the ledger replica",
    kinds: ["exchange"],
    projects: null,
    homeProject: null,
    limit: 5,
    sort: "relevance",
    nowMs: app.startMs + 900 * msPerDay,
  });
  expect(found.map(({ uri }) => uri)).toEqual(["mem://sessions/s-1/exchanges/1"]);
});

test("what tools did is kept with what was said: kind, files, commit, the command that failed", async () => {
  using app = openTestWorker();
  const tool = (name: string, input: object, failed = false): string =>
    app.send("tool", failed ? "PostToolUseFailure" : "PostToolUse", {
      tool_name: name,
      tool_input: input,
      ...(failed ? { error: "2 tests fail" } : { tool_response: {} }),
      tool_use_id: `t-${name}-${JSON.stringify(input)}`,
      prompt_id: "p1",
    });
  app.submit("round the tax of invoices half-even", "p1");
  tool("Edit", { file_path: "/home/dev/deskly/src/tax.ts", old_string: "a", new_string: "b" });
  tool("Bash", { command: "git commit -m 'fix(tax): round half-even'" });
  tool("Bash", { command: "bun test" }, true);
  app.stop("The rounding is half-even now.", "p1");
  await app.settle();
  expect(exchangesIn(app)).toMatchObject([
    {
      tags: ["error", "bugfix"],
      files: ["/home/dev/deskly/src/tax.ts"],
      l2: "Committed: fix(tax): round half-even\nFailed: bun test",
    },
  ]);
});

test("a recipe is found by its failure, among exchanges alone, and no start or prompt tells it", async () => {
  using app = openTestWorker();
  const run = (id: string, failure: string | null): string =>
    app.send("tool", failure === null ? "PostToolUse" : "PostToolUseFailure", {
      tool_name: "Bash",
      tool_input: { command: "bin/migrate up" },
      ...(failure === null ? { tool_response: {} } : { error: failure }),
      tool_use_id: id,
      prompt_id: "p1",
    });
  app.submit("go on", "p1");
  run("t1", "Exit code 1\nerror: relation ledger_lines is locked by pid 77");
  app.send("tool", "PostToolUse", {
    tool_name: "Bash",
    tool_input: { command: "bin/unlock ledger" },
    tool_response: {},
    tool_use_id: "t2",
    prompt_id: "p1",
  });
  run("t3", null);
  app.stop("Done.", "p1");
  await app.settle();
  const find = (kinds: readonly ("memory" | "exchange")[]) =>
    app.deps.finder.find({
      text: "relation ledger_lines is locked",
      kinds,
      projects: null,
      homeProject: null,
      limit: 5,
      sort: "relevance",
      nowMs: app.startMs,
    });
  expect(find(["exchange"])).toMatchObject([
    { node: { l0: expect.stringContaining("between: ran bin/unlock ledger") } },
  ]);
  expect(find(["memory"])).toEqual([]);
  expect(app.send("start", "SessionStart", { session_id: "s-2", source: "startup" })).not.toContain(
    "ledger_lines",
  );
  const asked = { session_id: "s-2", prompt_id: "p2", prompt: "why is ledger_lines locked?" };
  expect(app.send("submit", "UserPromptSubmit", asked)).not.toContain("bin/unlock");
});

test("a compaction leaves a checkpoint that tells the session so far", async () => {
  using app = openTestWorker();
  app.submit("round the tax of invoices half-even", "p1");
  app.send("tool", "PostToolUse", {
    tool_name: "Edit",
    tool_input: { file_path: "/home/dev/deskly/src/tax.ts", old_string: "a", new_string: "b" },
    tool_response: {},
    tool_use_id: "t-1",
    prompt_id: "p1",
  });
  app.stop("The rounding is half-even now.", "p1");
  app.send("compact", "PreCompact", { trigger: "auto" });
  await app.settle();
  expect(app.store.sessions.checkpoints("s-1")).toMatchObject([
    { trigger: "stop" },
    {
      trigger: "precompact",
      request: "Round the tax of invoices half-even",
      completed: "Edited: src/tax.ts. The rounding is half-even now.",
      currentTask: "round the tax of invoices half-even",
    },
  ]);
});
