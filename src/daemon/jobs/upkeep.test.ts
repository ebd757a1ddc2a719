import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../../../test/support/store.ts";
import type { JobDraft } from "#domain";
import { openTestWorker } from "../../../test/support/worker.ts";
import { createTurnWatch } from "./upkeep.ts";
import { upkeepState } from "./upkeep-schedule.ts";

type App = ReturnType<typeof openTestWorker>;

const drain = async (app: App): Promise<void> => {
  while ((await app.worker.work(1_000)) === 0);
};

const noteOf = (app: App, task: string): string => upkeepState(app.store)[task]?.note ?? "";

test("every task runs at the first start, and a day later again", async () => {
  using app = openTestWorker();
  await drain(app);
  const tasks = [
    "consolidation",
    "decay",
    "expiry",
    "observations",
    "plans",
    "records",
    "sessions",
    "space",
  ];
  expect(Object.keys(upkeepState(app.store)).toSorted()).toEqual(tasks);
  const firstMs = app.clock.nowMs();
  app.clock.advance(86_400_000 - 1);
  await drain(app);
  expect(upkeepState(app.store)["decay"]?.atMs).toBe(firstMs);
  app.clock.advance(1);
  await drain(app);
  expect(upkeepState(app.store)["decay"]?.atMs).toBe(firstMs + 86_400_000);
});

test("nothing runs within seconds of a hook, nor during a flush", async () => {
  using app = openTestWorker();
  app.submit("hello there", "p-1");
  await drain(app);
  expect(upkeepState(app.store)).toEqual({});
  app.clock.advance(3_000);
  app.worker.runDueNow();
  await drain(app);
  expect(upkeepState(app.store)).toEqual({});
  app.clock.advance(3_000);
  await drain(app);
  expect(noteOf(app, "decay")).toContain("changed");
});

test("consolidation looks at what came since, against all", async () => {
  using app = openTestWorker();
  app.remember("The staging database of deskly listens on port 5544");
  await drain(app);
  expect(noteOf(app, "consolidation")).toBe("0 made one, 1 memories");
  const first = app.store.admin.getMeta("upkeep.consolidated");
  app.clock.advance(86_400_000);
  await drain(app);
  expect(app.store.admin.getMeta("upkeep.consolidated")).toBe(first);
  expect(first).toMatch(/^[1-9]\d* 1$/);
});

test("the words of a turn that left no record are in no file a minute after it", async () => {
  using folder = tempFolder();
  using app = openTestWorker({ folder: folder.path });
  const holdsWord = (): boolean =>
    readdirSync(folder.path).some(
      (name) =>
        name.startsWith("continuity.db") &&
        readFileSync(join(folder.path, name)).includes("Zwrbanolk"),
    );
  await drain(app);
  app.submit("the yard is called Zwrbanolk, list its cranes", "p-1");
  await app.settle();
  const again = { prompt_id: "p-1", off_the_record: true };
  app.send("submit", "UserPromptSubmit", again);
  expect(holdsWord()).toBe(true);
  app.clock.advance(60_000);
  await drain(app);
  expect(holdsWord()).toBe(false);
});

test("turns that stay open are looked for once a minute, however many events come", () => {
  using app = openTestWorker();
  app.submit("hello there", "p-1");
  app.clock.advance(3 * 60_000);
  const pending = (): number => app.store.jobs.pending(app.clock.nowMs());
  const before = pending();
  let looks = 0;
  const sessions = {
    ...app.store.sessions,
    quietSince: (beforeMs: number, limit: number) => {
      looks += 1;
      return app.store.sessions.quietSince(beforeMs, limit);
    },
  };
  const watch = createTurnWatch({ ...app.deps, store: { ...app.store, sessions } });
  for (let event = 0; event < 5; event += 1) watch();
  expect(looks).toBe(1);
  expect(pending()).toBe(before + 1);
  app.clock.advance(60_000);
  watch();
  expect(looks).toBe(2);
});

test("a turn that goes quiet is looked at, however many others stay open", () => {
  using app = openTestWorker();
  for (let n = 0; n < 60; n += 1)
    app.store.sessions.openTurn({
      sessionId: `open-${n}`,
      promptId: null,
      prompt: "wait for me",
      atMs: app.clock.nowMs(),
    });
  app.clock.advance(60_000);
  app.store.sessions.openTurn({
    sessionId: "newest",
    promptId: null,
    prompt: "hello there",
    atMs: app.clock.nowMs(),
  });
  app.clock.advance(3 * 60_000);
  const keys: string[] = [];
  const jobs = {
    ...app.store.jobs,
    enqueue: (draft: JobDraft) => {
      keys.push(draft.key);
      return app.store.jobs.enqueue(draft);
    },
  };
  createTurnWatch({ ...app.deps, store: { ...app.store, jobs } })();
  expect(keys).toContain("transcript:newest:idle:1");
});
