/** Imported sessions are read when a person says so: newest first, behind today's, and within the day's budget. */
import { expect, test } from "bun:test";
import { backfillState, defaultSettings } from "#domain";
import { msPerDay, msPerHour } from "#kit";
import { answering } from "../../../test/support/extracted.ts";
import { addImported } from "../../../test/support/imported.ts";
import { openTestWorker } from "../../../test/support/worker.ts";

const settings = { ...defaultSettings, llm: { ...defaultSettings.llm, tokensPerDay: 1_000 } };

type App = ReturnType<typeof openTestWorker>;

const addOld = (app: App): void => {
  for (const n of [1, 2, 3])
    addImported(
      app.store,
      `old-${n}`,
      app.startMs - (10 - n) * msPerDay,
      `which port has stage ${n}?`,
    );
};

const read = (llm: ReturnType<typeof answering>): readonly string[] =>
  llm.asked.map(({ sessionId }) => sessionId ?? "");

test("an import asks nothing by itself; when asked to, the newest first, each once", async () => {
  const llm = answering({});
  using app = openTestWorker({ llm });
  addOld(app);
  await app.settle();
  expect(read(llm)).toEqual([]);
  expect(app.worker.backfill(1_000)).toEqual({ queued: 3, isOver: true });
  expect(backfillState(app.store)).toMatchObject({ total: 3, left: 3 });
  app.submit("which handler parses the body?", "p-1");
  app.stop("The third one.", "p-1");
  app.send("end", "SessionEnd", { reason: "other" });
  await app.settle();
  expect(read(llm).toSorted()).toEqual(["old-1", "old-2", "old-3", "s-1"]);
  expect(read(llm).filter((id) => id !== "s-1")).toEqual(["old-3", "old-2", "old-1"]);
  expect(backfillState(app.store)).toBeNull();
  expect(app.worker.backfill(1_000)).toEqual({ queued: 0, isOver: true });
});

test("a stop takes back what was not asked yet, and it can be read later", async () => {
  const llm = answering({});
  using app = openTestWorker({ llm });
  addOld(app);
  app.worker.backfill(1_000);
  const under = app.store.jobs.lease(app.startMs, 1_000, "model");
  expect(under?.sessionId).toBe("old-3");
  expect(app.store.jobs.dropBackfill()).toBe(2);
  expect(backfillState(app.store)).toMatchObject({ left: 1 });
  if (under !== null) app.store.jobs.complete(under.id);
  await app.settle();
  expect(read(llm)).toEqual([]);
  expect(app.worker.backfill(1_000)).toEqual({ queued: 2, isOver: true });
  await app.settle();
  expect(read(llm)).toEqual(["old-2", "old-1"]);
});

test("of those that are due a session of today comes before imported ones", () => {
  using app = openTestWorker({ llm: answering({}) });
  addOld(app);
  app.worker.backfill(1_000);
  addImported(app.store, "today", app.startMs);
  app.store.jobs.enqueue({
    key: "session:today:1-1",
    kind: "session",
    sessionId: "today",
    payload: { from: 1, to: 1 },
    runAfterMs: 0,
  });
  const leased = [];
  for (let job = app.store.jobs.lease(app.startMs, 1, "model"); job !== null;) {
    leased.push(job.sessionId);
    app.store.jobs.complete(job.id);
    job = app.store.jobs.lease(app.startMs, 1, "model");
  }
  expect(leased).toEqual(["today", "old-3", "old-2", "old-1"]);
});

test("at its part of the day's budget the rest waits for the next day, in the same process or another", async () => {
  const llm = answering({});
  using app = openTestWorker({ llm, settings });
  addOld(app);
  const spend = (): void =>
    app.store.ledger.add({
      atMs: app.clock.nowMs(),
      purpose: "session",
      provider: "ollama",
      model: "m",
      sessionId: null,
      inputTokens: 700,
      outputTokens: 0,
      isEstimate: false,
      costUsd: null,
      latencyMs: 1,
      outcome: "ok",
    });
  spend();
  app.worker.backfill(1_000);
  await app.settle();
  expect(read(llm)).toEqual([]);
  expect(backfillState(app.store)).toMatchObject({ total: 3, left: 3 });
  app.submit("which handler parses the body?", "p-1");
  app.stop("The third one.", "p-1");
  app.send("end", "SessionEnd", { reason: "other" });
  await app.settle();
  // A session of today still has its room.
  expect(read(llm)).toEqual(["s-1"]);
  app.clock.advance(24 * msPerHour);
  await app.settle();
  expect(read(llm)).toEqual(["s-1", "old-3", "old-2", "old-1"]);
});

test("what was private, or holds nothing but errands, is not queued", () => {
  using app = openTestWorker({ llm: answering({}) });
  addImported(app.store, "errand", app.startMs - msPerDay, "go on");
  expect(app.worker.backfill(1_000)).toEqual({ queued: 0, isOver: true });
  expect(app.store.imports.unread()).toEqual([]);
});
