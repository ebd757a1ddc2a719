import { expect, test } from "bun:test";
import { tokensOf } from "#kit";
import { answering, remembered, sessionReply } from "../../../test/support/extracted.ts";
import { unavailable } from "../../../test/support/scripted-llm.ts";
import { openTestWorker } from "../../../test/support/worker.ts";

const turns = (app: ReturnType<typeof openTestWorker>, count: number, from = 1): void => {
  for (let n = from; n < from + count; n += 1) {
    app.submit(`look at handler number ${n} please`, `p-${n}`);
    app.stop(`Handler ${n} parses the body and answers.`, `p-${n}`);
  }
};

/** `byRules` stores what an earlier version made of the first turn by its rules. */
const byRules = (app: ReturnType<typeof openTestWorker>): void => {
  const quote = "we use Redis 7.2 for the cache";
  const evidence = { sessionId: "s-1", turn: 1, line: null, quote };
  app.remember(quote, { maker: "stop", evidence, atMs: app.startMs }, "turn:s-1:1");
};

test("without a model nothing is planned, and nothing waits", async () => {
  using app = openTestWorker();
  turns(app, 12);
  app.send("compact", "PreCompact", { trigger: "manual" });
  await app.settle();
  app.worker.runDueNow();
  await app.settle();
  expect(app.store.jobs.counts()).toMatchObject({ queued: 0, leased: 0, skipped: 0 });
  expect(app.store.admin.getMeta("model.progress:s-1")).toBeNull();
});

test("one question a session: at its end, after thirty minutes, before a compaction", async () => {
  const llm = answering({});
  using app = openTestWorker({ llm });
  turns(app, 12);
  await app.settle();
  app.clock.advance(29 * 60_000);
  await app.settle();
  expect(llm.asked).toEqual([]);
  app.clock.advance(2 * 60_000);
  await app.settle();
  expect(llm.asked.map(({ purpose }) => purpose)).toEqual(["session"]);
  turns(app, 1, 13);
  app.send("compact", "PreCompact", { trigger: "manual" });
  await app.settle();
  turns(app, 1, 14);
  app.send("end", "SessionEnd", { reason: "other" });
  await app.settle();
  app.worker.runDueNow();
  await app.settle();
  const numbers = llm.asked.map(({ prompt }) => prompt.match(/^\[\d+\]/gm)?.join(""));
  expect(numbers).toEqual([
    Array.from({ length: 12 }, (_, at) => `[${at + 1}]`).join(""),
    "[13]",
    "[14]",
  ]);
});

test("a stretch without a typed order is not asked about", async () => {
  const llm = answering({});
  using app = openTestWorker({ llm });
  app.submit("<task-notification>the build is done</task-notification>", "p-1");
  app.stop("All green.", "p-1");
  app.send("end", "SessionEnd", { reason: "other" });
  await app.settle();
  expect(llm.asked).toEqual([]);
  expect(app.worker.pendingJobs()).toBe(0);
});

const pastedError =
  'src/gauge.go:3:20: string `text` has 5 occurrences (goconst)\n    if item == "text" {';

test.each([
  ["ship it", { file_path: "/w/a.ts" }, "Edit", 1],
  [pastedError, { command: "gauge build" }, "Bash", 1],
  ["ship it", { command: "git status" }, "Bash", 0],
])("a session with work in it is asked about: %#", async (prompt, input, tool, asked) => {
  const llm = answering({});
  using app = openTestWorker({ llm });
  app.submit(prompt, "p-1");
  app.send("tool", "PostToolUse", {
    prompt_id: "p-1",
    tool_name: tool,
    tool_use_id: "t-1",
    tool_input: input,
    tool_response: {},
  });
  app.stop("Done.", "p-1");
  app.send("end", "SessionEnd", { reason: "other" });
  await app.settle();
  expect(llm.asked.length).toBe(asked);
});

test("an event puts the silence off", async () => {
  const llm = answering({});
  using app = openTestWorker({ llm });
  turns(app, 1);
  await app.settle();
  app.clock.advance(29 * 60_000);
  turns(app, 1, 2);
  app.clock.advance(29 * 60_000);
  await app.settle();
  expect(llm.asked).toEqual([]);
  app.clock.advance(60_000);
  await app.settle();
  expect(llm.asked.length).toBeGreaterThan(0);
});

test("a flush does not wait for the silence", async () => {
  const llm = answering({});
  using app = openTestWorker({ llm });
  turns(app, 1);
  await app.settle();
  app.worker.runDueNow();
  await app.settle();
  expect(llm.asked.map(({ purpose }) => purpose)).toEqual(["session"]);
  expect(app.worker.pendingJobs()).toBe(0);
});

test("turns typed while no model was chosen are never sent", async () => {
  const llm = answering({});
  let chosen = false;
  using app = openTestWorker({ llmNow: () => (chosen ? llm : null) });
  turns(app, 3);
  await app.settle();
  chosen = true;
  turns(app, 1, 4);
  await app.settle();
  app.worker.runDueNow();
  await app.settle();
  const sent = llm.asked.map(({ prompt }) => prompt).join("\n");
  expect(sent).toContain("[4] USER: look at handler number 4");
  expect(sent).not.toMatch(/^\[[123]\]/m);
});

test("what the reading does not bear out is taken back, undoably; what was asked for by name stays", async () => {
  const llm = answering({});
  using app = openTestWorker({ llm });
  app.submit("remember that invoices are numbered per tenant", "p-1");
  app.stop("Noted.", "p-1");
  byRules(app);
  await app.settle();
  const byMaker = () => app.memories().map(({ maker }) => maker);
  const stops = app.memories().filter(({ maker }) => maker === "stop");
  expect(byMaker()).toContain("signal");
  expect(stops.length).toBeGreaterThan(0);
  app.worker.runDueNow();
  await app.settle();
  expect(byMaker()).toEqual(["signal"]);
  const revisions = app.store.nodes.revisions(stops[0]?.id ?? 0);
  expect(revisions.at(-1)).toMatchObject({
    action: "retract",
    reason: "not confirmed by the session's reading",
  });
});

test("what has been used is not undone", async () => {
  const llm = answering({});
  using app = openTestWorker({ llm });
  app.submit("we use Redis 7.2 for the cache", "p-1");
  app.stop("Noted.", "p-1");
  byRules(app);
  await app.settle();
  const [node] = app.memories();
  app.store.nodes.use(node?.id ?? 0, app.startMs);
  app.worker.runDueNow();
  await app.settle();
  expect(app.memories().map(({ id }) => id)).toEqual([node?.id ?? 0]);
});

test("three failures park a question with its reason, and the local form stands", async () => {
  const llm = answering({}, { failure: () => unavailable });
  using app = openTestWorker({ llm });
  app.submit("we use Redis 7.2 for the cache", "p-1");
  app.stop("Noted.", "p-1");
  await app.settle();
  // Relevance is a cache that upkeep brings up to date whenever it is due.
  const memories = () =>
    app.memories().map(({ uri, l0, l1, l2, status, importance, evidence }) => ({
      uri,
      l0,
      l1,
      l2,
      status,
      importance,
      evidence,
    }));
  const before = memories();
  app.worker.runDueNow();
  await app.settle();
  expect(memories()).toEqual(before);
  const parked = app.store.jobs.parked(10);
  expect(parked.map(({ kind }) => kind)).toEqual(["session"]);
  expect(parked[0]?.reason).toContain("llm.unavailable");
  expect(llm.asked.length).toBe(3);
});

test("a day's budget that is spent puts a question off until the next day", async () => {
  let isSpent = true;
  const llm = answering(
    {},
    { failure: () => (isSpent ? { type: "llm.budget", scope: "day", limit: 9_000 } : null) },
  );
  using app = openTestWorker({ llm });
  turns(app, 1);
  await app.settle();
  app.worker.runDueNow();
  await app.settle();
  expect(app.store.jobs.counts()).toMatchObject({ queued: 1, leased: 0, skipped: 0 });
  expect(app.worker.pendingJobs()).toBe(0);
  isSpent = false;
  const before = llm.asked.length;
  app.clock.advance(24 * 3_600_000);
  await app.settle();
  expect(llm.asked.length).toBe(before + 1);
  expect(app.store.jobs.counts()).toMatchObject({ queued: 0, leased: 0, skipped: 0 });
});

test.each([
  { scope: "day", limit: 0 },
  { scope: "session", limit: 60_000 },
] as const)("a budget that never grows leaves the local form: %j", async (spent) => {
  const llm = answering({}, { failure: () => ({ type: "llm.budget", ...spent }) });
  using app = openTestWorker({ llm });
  turns(app, 1);
  await app.settle();
  app.worker.runDueNow();
  await app.settle();
  expect(app.store.jobs.counts()).toMatchObject({ queued: 0, leased: 0, skipped: 0 });
});

test("with an open breaker a question waits", async () => {
  let untilMs = 0;
  const broken = answering(
    {},
    { failure: () => (untilMs > 0 ? { type: "llm.breaker-open", untilMs } : null) },
  );
  using app = openTestWorker({ llm: broken });
  untilMs = app.startMs + 3_600_000;
  turns(app, 1);
  await app.settle();
  app.worker.runDueNow();
  await app.settle();
  expect(app.worker.pendingJobs()).toBe(0);
  expect(app.store.jobs.counts()).toMatchObject({ queued: 1, skipped: 0 });
  untilMs = 0;
  app.clock.advance(3_600_000);
  await app.settle();
  expect(app.store.jobs.counts()).toMatchObject({ queued: 0, skipped: 0 });
});

test("a slow model keeps no hook and no local job waiting", async () => {
  const gate = Promise.withResolvers<void>();
  const llm = answering({});
  const slow = {
    ...llm,
    structured: async (...request: Parameters<typeof llm.structured>) => {
      await gate.promise;
      return llm.structured(...request);
    },
  } as typeof llm;
  using app = openTestWorker({ llm: slow });
  turns(app, 10);
  app.send("compact", "PreCompact", { trigger: "manual" });
  while ((await app.worker.work(1_000)) === 0);
  expect(app.worker.pendingJobs()).toBe(1);
  app.submit("remember that the queue is called orders-v2", "p-11");
  app.stop("Noted.", "p-11");
  while ((await app.worker.work(1_000)) === 0);
  expect(app.memories().some(({ l0 }) => l0.includes("orders-v2"))).toBe(true);
  expect(app.store.sessions.currentCheckpoint("s-1")).not.toBeNull();
  gate.resolve();
  await app.settle();
  expect(app.worker.pendingJobs()).toBe(0);
});

test("what the agent says between its tools counts for the parts of a long session", async () => {
  const llm = answering({ session: () => sessionReply([]) });
  // The last of them lasted hours.
  const countOf = (n: number): number => (n === 4 ? 40 : 8);
  const remark = (n: number, at: number): string =>
    `${n}. Handler ${at} parses the body in src/handler-${at}.ts. ${"It is read whole here. ".repeat(9)}Next one:`;
  const read = async (_: string, { lines }: { readonly lines: number }) => ({
    turns: [1, 2, 3, 4].slice(lines).map((n) => ({
      promptId: `p-${n}`,
      prompts: [`look at handler ${n} of the importer`],
      meanwhile: [],
      refused: [],
      remarks: Array.from({ length: countOf(n) }, (_, at) => ({
        text: remark(n, at),
        beforeCall: `t-${n}`,
      })),
      line: n,
      lastText: null,
      interrupted: false,
      failed: false,
      endedAtMs: null,
    })),
    parentSession: null,
    copiedPrompts: [],
    offset: { bytes: 4, lines: 4 },
  });
  using app = openTestWorker({ llm, transcripts: { read } });
  for (let n = 1; n <= 4; n += 1) {
    const at = { transcript_path: "/t/s-1.jsonl", prompt_id: `p-${n}` };
    app.send("submit", "UserPromptSubmit", {
      ...at,
      prompt: `look at handler ${n} of the importer`,
    });
    const call = { tool_use_id: `t-${n}`, tool_name: "Bash", tool_input: { command: "make" } };
    app.send("tool", "PostToolUse", { ...at, ...call });
    app.stop("Looked.", `p-${n}`);
  }
  app.send("end", "SessionEnd", { reason: "other" });
  await app.settle();
  const turnsIn = (prompt: string) => prompt.match(/^\[\d+\]/gm)?.join("") ?? "";
  expect(llm.asked.map(({ prompt }) => turnsIn(prompt))).toEqual(["[1][2][3]", "[4]"]);
  expect(llm.asked[1]?.prompt).toContain("src/handler-39.ts");
  for (const { prompt, system } of llm.asked)
    expect(tokensOf(prompt) + tokensOf(system) + 1_530).toBeLessThanOrEqual(6_000);
});

test("paths of the folder that a session works in stand without it, in answers too", async () => {
  const llm = answering({ session: () => sessionReply([]) });
  using app = openTestWorker({ llm });
  app.submit("where does the importer keep its lock, and why there?", "p-1");
  app.stop("It lies in /home/dev/deskly/src/lock.ts, because /home/dev/other has none.", "p-1");
  app.send("end", "SessionEnd", { reason: "other" });
  await app.settle();
  expect(llm.asked[0]?.prompt).toContain(
    "AGENT: It lies in src/lock.ts, because /home/dev/other has none.",
  );
});

test("a long session is asked about in parts, in order; each with a large reply stays below its cost", async () => {
  const line = "Handlers answer in time, since the scale asks so often";
  const quote = "since the scale asks so often";
  const llm = answering({ session: () => sessionReply([remembered({ line, quote, value: "" })]) });
  using app = openTestWorker({ llm });
  for (let n = 1; n <= 40; n += 1) {
    app.submit(
      `handler ${n} has to answer within ${n} ms, since the scale asks so often`,
      `p-${n}`,
    );
    app.stop(
      `It answers in time. ${`Handler ${n} parses the body and answers. `.repeat(40)}`,
      `p-${n}`,
    );
  }
  app.send("end", "SessionEnd", { reason: "other" });
  await app.settle();
  const shown = llm.asked.map(({ prompt }) =>
    (prompt.match(/^\[\d+\]/gm) ?? []).map((n) => n.slice(1, -1)),
  );
  expect(shown.length).toBe(4);
  expect(shown.flat().map(Number)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  for (const { prompt, system } of llm.asked)
    expect(tokensOf(prompt) + tokensOf(system) + 1_530).toBeLessThanOrEqual(6_000);
  // Each later part knows what the parts before it left.
  for (const known of ["Earlier digest: ", `staging database · port: ${line}`])
    expect(llm.asked.map(({ prompt }) => prompt.includes(known))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  expect(app.memories().filter(({ l0, status }) => l0 === line && status === "active").length).toBe(
    1,
  );
});
