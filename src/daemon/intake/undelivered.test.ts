/** Delivered and undelivered injections are kept apart: only what was delivered counts as given. */
import { expect, test } from "bun:test";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";

const fact = "The crane inspector of the harbour is called Odile";
const question = "who is the crane inspector of our harbour? what is the name?";

const ask = (app: TestWorker, n: number, via: "socket" | "spool" = "socket"): string =>
  app.send(
    "submit",
    "UserPromptSubmit",
    { prompt: question, prompt_id: `p-${n}` },
    { key: `p-${n}`, atMs: app.startMs + n * 60_000, via, confirms: true },
  );

const start = (app: TestWorker, over: object = {}, via: "socket" | "spool" = "socket"): string =>
  app.send(
    "start",
    "SessionStart",
    { source: "startup", ...over },
    { key: "start-1", atMs: app.startMs, via, confirms: true },
  );

const causes = ({ store }: TestWorker) =>
  store.exposure
    .injections("s-1", 10)
    .map(({ channel, cause, tokens }) => ({
      channel,
      isLate: cause === "late",
      isGiven: tokens > 0,
    }))
    .toReversed();

test.each(["gave up", "was killed"])(
  "a prompt whose hook %s is late, and may be given again",
  (how) => {
    using app = openTestWorker();
    app.remember(fact);
    expect(ask(app, 1)).toContain("Odile");
    if (how === "gave up") expect(ask(app, 1, "spool")).toBe("");
    expect(causes(app)).toEqual([{ channel: "prompt", isLate: true, isGiven: false }]);
    const { exposure } = app.store;
    expect([exposure.seen("s-1").size, exposure.shownCount("s-1")]).toEqual([0, 0]);
    expect(exposure.countInjections({ projects: null, kind: "given" })).toBe(0);
    expect(exposure.countInjections({ projects: null, kind: "silent" })).toBe(0);
    expect(exposure.countInjections({ projects: null, kind: "late" })).toBe(1);
    expect(ask(app, 2)).toContain("Odile");
    app.worker.delivered(["p-2"]);
    expect([exposure.seen("s-1").size, exposure.shownCount("s-1")]).toEqual([1, 1]);
    expect(exposure.countInjections({ projects: null, kind: "given" })).toBe(1);
    // Too late: the session went on.
    app.worker.delivered(["p-1"]);
    expect(exposure.countInjections({ projects: null, kind: "given" })).toBe(1);
  },
);

test("what was delivered is not given again, whoever confirms twice", () => {
  using app = openTestWorker();
  app.remember(fact);
  ask(app, 1);
  for (let times = 0; times < 2; times += 1) app.worker.delivered(["p-1", "p-unknown"]);
  expect(causes(app)).toMatchObject([{ isLate: false, isGiven: true }]);
  expect(app.store.exposure.shownCount("s-1")).toBe(1);
  expect(ask(app, 2)).not.toContain("Odile");
});

test("a start whose hook was killed comes with the first prompt, and once only", () => {
  using app = openTestWorker();
  app.remember(fact, { category: "preferences" });
  expect(start(app)).toContain("Odile");
  expect(app.submit("go on with the crane", "p-8")).toContain('for="start"');
  expect(app.submit("go on with the crane", "p-9")).not.toContain('for="start"');
});

test("a start that was delivered does not come again", () => {
  using app = openTestWorker();
  app.remember(fact);
  start(app);
  app.worker.delivered(["start-1"]);
  expect(app.submit("go on with the crane", "p-9")).not.toContain('for="start"');
});

test("what was delivered stays delivered when its file is read from the spool twice", () => {
  using app = openTestWorker();
  app.remember(fact);
  for (let times = 0; times < 2; times += 1) start(app, {}, "spool");
  expect(causes(app)).toEqual([{ channel: "start", isLate: false, isGiven: true }]);
});

test("a start text that came too late comes with the first prompt", () => {
  using app = openTestWorker();
  app.remember(fact, { category: "preferences" });
  expect(start(app)).toContain("Odile");
  start(app, { start_context: "first-prompt" }, "spool");
  expect(causes(app)).toEqual([{ channel: "start", isLate: true, isGiven: false }]);
  expect(app.submit("go on with the crane", "p-9")).toContain('for="start"');
});

test("a start that its hook read by itself after all is delivered", () => {
  using app = openTestWorker();
  app.remember(fact);
  start(app);
  start(app, {}, "spool");
  expect(causes(app)).toEqual([{ channel: "start", isLate: false, isGiven: true }]);
});

test("a prompt that the daemon read after its hook had left is late, not silent", () => {
  using app = openTestWorker();
  app.remember(fact);
  expect(ask(app, 1, "spool")).toBe("");
  expect(causes(app)).toEqual([{ channel: "prompt", isLate: true, isGiven: false }]);
});
