/** Delivered and undelivered injections are kept apart: only what was delivered counts as given. */
import { expect, test } from "bun:test";
import { openTestWorker, type TestWorker } from "../../test/support/worker.ts";

const fact = "The crane inspector of the harbour is called Odile";
const question = "who is the crane inspector of our harbour? what is the name?";

const ask = (app: TestWorker, n: number, via: "socket" | "spool" = "socket"): string =>
  app.send(
    "submit",
    "UserPromptSubmit",
    { prompt: question, prompt_id: `p-${n}` },
    { key: `p-${n}`, atMs: app.startMs + n * 60_000, via },
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

test("a prompt whose hook gave up is late, counts nowhere as given, and may be given again", () => {
  using app = openTestWorker();
  app.remember(fact);
  expect(ask(app, 1)).toContain("Odile");
  expect(ask(app, 1, "spool")).toBe("");
  expect(causes(app)).toEqual([{ channel: "prompt", isLate: true, isGiven: false }]);
  const { exposure, figures } = app.store;
  expect([exposure.seen("s-1").size, exposure.shownCount("s-1")]).toEqual([0, 0]);
  expect(exposure.countInjections({ projects: null, kind: "given" })).toBe(0);
  expect(exposure.countInjections({ projects: null, kind: "silent" })).toBe(0);
  expect(exposure.countInjections({ projects: null, kind: "late" })).toBe(1);
  expect(figures.injectedByDay(0)).toEqual([]);
  expect(ask(app, 2)).toContain("Odile");
});

test("what was delivered stays delivered when its file is read from the spool twice", () => {
  using app = openTestWorker();
  app.remember(fact);
  const start = { source: "startup" };
  const key = { key: "start-1", atMs: app.startMs, via: "spool" } as const;
  for (let times = 0; times < 2; times += 1) app.send("start", "SessionStart", start, key);
  expect(causes(app)).toEqual([{ channel: "start", isLate: false, isGiven: true }]);
});

test("a start text that came too late comes with the first prompt", () => {
  using app = openTestWorker();
  app.remember(fact);
  const start = (via: "socket" | "spool", over: object) =>
    app.send(
      "start",
      "SessionStart",
      { source: "startup", ...over },
      { key: "start-1", atMs: app.startMs, via },
    );
  expect(start("socket", {})).toContain("Odile");
  start("spool", { start_context: "first-prompt" });
  expect(causes(app)).toEqual([{ channel: "start", isLate: true, isGiven: false }]);
  expect(app.submit("go on with the crane", "p-9")).toContain('for="start"');
});

test("a prompt that the daemon read after its hook had left is late, not silent", () => {
  using app = openTestWorker();
  app.remember(fact);
  expect(ask(app, 1, "spool")).toBe("");
  expect(causes(app)).toEqual([{ channel: "prompt", isLate: true, isGiven: false }]);
});
