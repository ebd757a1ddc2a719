/** Tests when an agent is reminded to save, and above all when it is not. */
import { expect, test } from "bun:test";
import { defaultSettings, type Settings } from "#domain";
import { tokensOf } from "#kit";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";

const remember = "mcp__continuity__memory_remember";

/** Turns of a project before, so that a hint may be given. */
function used(t: TestWorker, turns = 7): void {
  for (let n = 0; n < turns; n += 1) {
    t.submit(`please look at file number ${n} of the plotter`, `u-${n}`);
    t.stop("Done.", `u-${n}`);
  }
}

const begin = (t: TestWorker): string =>
  t.send("start", "SessionStart", { source: "startup", transcript_path: "/home/dev/s-1.jsonl" });

const tool = (t: TestWorker, name: string, over: object = {}): string =>
  t.send("tool", "PostToolUse", {
    tool_name: name,
    tool_use_id: `${name}-${Math.random()}`,
    tool_input: {},
    ...over,
  });

const answered = (t: TestWorker, answer = "Kafka, we run it already"): string =>
  tool(t, "AskUserQuestion", {
    tool_input: { questions: [{ question: "Which queue?", header: "Queue", options: [] }] },
    tool_response: { answers: { "Which queue?": answer } },
  });

const hints = (t: TestWorker) =>
  t.store.exposure.injections(null, 100).filter(({ channel }) => channel === "hint");

test("a prompt after an interrupt is given one line that names the tool, and no second one", () => {
  using t = openTestWorker();
  begin(t);
  used(t);
  t.submit("deploy the plotter to production", "p-1");
  t.clock.advance(1_000);
  const text = t.submit("no, production deploys are done by Hana alone", "p-2");
  expect(text).toBe(
    '<continuity-memory for="hint">\nUser stopped you: if the reason lasts, save it: ' +
      `${remember}.\n</continuity-memory>`,
  );
  expect(tokensOf(text)).toBeLessThanOrEqual(45);
  expect(hints(t)).toMatchObject([{ cause: "stopped", text, tokens: tokensOf(text) }]);
  t.clock.advance(1_000);
  used(t, 14);
  t.submit("deploy the plotter again", "p-3");
  t.clock.advance(1_000);
  expect(t.submit("stop, what did I tell you about Hana", "p-4")).toBe("");
});

test("an answered question and an accepted plan are met with a line beside the tool", () => {
  using t = openTestWorker();
  used(t, 12);
  t.submit("add a queue to the plotter", "p-1");
  expect(answered(t)).toContain(`User chose: if it lasts, save it with why: ${remember}.`);
  expect(answered(t)).toBe("");
  t.stop("The queue is there.", "p-1");
  used(t, 7);
  t.submit("plan the move", "p-2");
  expect(tool(t, "ExitPlanMode")).toContain("Plan accepted: save decisions that last:");
  expect(tool(t, "Bash", { tool_input: { command: "ls" } })).toBe("");
});

test("an answer that asks back has chosen nothing", () => {
  using t = openTestWorker();
  used(t, 12);
  t.submit("add a queue to the plotter", "p-1");
  expect(answered(t, "Do we run one of them already?")).toBe("");
  expect(answered(t)).toContain("User chose");
});

test("words of a change come with a line where the changed memory is known, and it is named", () => {
  using t = openTestWorker();
  const node = t.remember("The staging database listens on port 6432");
  used(t);
  const text = t.submit("the staging database listens on 7432 now, please adapt the tests", "p-1");
  expect(text).toContain("Changed value? Save it, old one in replaces:");
  expect(text).toContain(`Known: #${(node?.id ?? 0).toString(36)} "The staging`);
  const [hint] = hints(t);
  expect(hint?.tokens).toBeLessThanOrEqual(45);
});

test("an order that was kept asks nobody to save it again", () => {
  using t = openTestWorker();
  t.remember("The CI runner is called mars");
  used(t);
  t.clock.advance(1_000);
  t.submit("remember: the CI runner is called venus now, mars is gone", "p-1");
  expect(hints(t)).toEqual([]);
});

test.each([
  ["remember that the design lead is Fenella", "keep in mind that the design lead is Rupert"],
  ["merk dir: die Sitzung endet nach 30 Minuten", "merk dir: die Sitzung endet nach 45 Minuten"],
  [
    "remember: the trial lasts two weeks",
    "note: the trial doesn't last two weeks anymore but three",
  ],
])("an order beside an older one asks whether that is over: %s, %s", (older, newer) => {
  using t = openTestWorker();
  t.submit(older, "p-0");
  t.clock.advance(1_000);
  const text = t.submit(newer, "p-1");
  const ids = t.store.nodes
    .list({ projects: null, statuses: ["active"] }, "recent", { limit: 9 })
    .filter(({ category }) => category !== "sessions")
    .map(({ id }) => id);
  const [by, old] = [Math.max(...ids), Math.min(...ids)].map((id) => `#${id.toString(36)}`);
  expect(text).toContain(`Over by this order: ${old} "`);
  expect(text).toContain(`Then ${remember} line "${by}", replaces ["${old}"].`);
  expect(hints(t).at(-1)?.tokens).toBeLessThanOrEqual(45);
});

test("an order beside what it says nothing of asks nothing", () => {
  using t = openTestWorker();
  t.submit("remember that the design lead is Fenella", "p-0");
  t.clock.advance(1_000);
  t.submit("remember that the printer stands on floor two", "p-1");
  expect(hints(t)).toEqual([]);
});

test.each([
  "the printer is now on floor two, please move the label",
  "please look at the staging database and its port",
  "is the staging database the one that listens on 7432 now?",
  "now run the tests",
  "/compact",
])("%s comes without a line", (prompt) => {
  using t = openTestWorker();
  t.remember("The staging database listens on port 6432");
  used(t);
  t.submit(prompt, "p-1");
  expect(hints(t)).toEqual([]);
});

test("hints stay within 120 tokens a session and in one of seven turns of a project", () => {
  using t = openTestWorker();
  for (let n = 0; n < 70; n += 1) {
    t.submit(`deploy version ${n} of the plotter`, `a-${n}`);
    t.clock.advance(1_000);
    const sessionId = `s-${n}`;
    t.send("submit", "UserPromptSubmit", {
      session_id: sessionId,
      transcript_path: `/home/dev/${sessionId}.jsonl`,
      prompt: `build part ${n} of the report`,
      prompt_id: `b-${n}`,
    });
    t.clock.advance(1_000);
    t.send("submit", "UserPromptSubmit", {
      session_id: sessionId,
      prompt: `no, part ${n} is not built by hand here`,
      prompt_id: `c-${n}`,
    });
  }
  expect(hints(t).length).toBeGreaterThan(10);
  expect(hints(t).length).toBeLessThanOrEqual(210 * 0.15);
  const bySession = Map.groupBy(hints(t), (one) => one.sessionId);
  for (const own of bySession.values())
    expect(own.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(120);
});

const quiet: Partial<Settings> = { inject: { ...defaultSettings.inject, hints: false } };

test("a setting switches them off, and a private prompt is given none", () => {
  using off = openTestWorker({ settings: { ...defaultSettings, ...quiet } });
  begin(off);
  used(off);
  off.submit("deploy the plotter to production", "p-1");
  off.clock.advance(1_000);
  expect(off.submit("no, deploys are done by Hana alone", "p-2")).toBe("");
  using t = openTestWorker();
  begin(t);
  used(t);
  t.submit("deploy the plotter to production", "p-1");
  t.clock.advance(1_000);
  t.submit("no, deploys are done by Hana alone <private>she is ill</private>", "p-2");
  expect(hints(t)).toEqual([]);
});

test("a headless run is given none", () => {
  using t = openTestWorker();
  begin(t);
  used(t);
  t.submit("deploy the plotter to production", "p-1");
  t.clock.advance(1_000);
  const prompt = "no, deploys are done by Hana alone";
  t.send("submit", "UserPromptSubmit", { prompt, prompt_id: "p-2", headless: true });
  expect(hints(t)).toEqual([]);
});

test("an order in a place of doubt is not stored, and the agent is told of it, in a new project too", () => {
  using t = openTestWorker();
  begin(t);
  const minutes =
    "minutes below, list the tasks\n\n- Kim: fine\n- Rule: from now on we plot in red";
  const text = t.submit(minutes, "p-1");
  expect(text).toContain("If the user meant it, save it: mcp__continuity__memory_remember.");
  expect(tokensOf(text)).toBeLessThanOrEqual(45);
  expect(hints(t)).toMatchObject([{ cause: "doubtful" }]);
  expect(t.store.nodes.list({ statuses: ["active"] }, "recent", { limit: 5, offset: 0 })).toEqual(
    [],
  );
});

test.each([
  "Fix the typos.\n\nRemember that the pool opens at nine.",
  "Never leave the gate open.\n\nto Italian",
  "nach Englisch\n\nAb sofort schließt das Bad um neun.",
])("the agent is told of an order beside a request of a word or two: %s", (prompt) => {
  using t = openTestWorker();
  begin(t);
  expect(t.submit(prompt, "p-1")).toContain("If the user meant it, save it");
  expect(t.store.nodes.list({ statuses: ["active"] }, "recent", { limit: 5, offset: 0 })).toEqual(
    [],
  );
});

test("no number of orders in doubt leaves one untold", () => {
  using t = openTestWorker();
  begin(t);
  for (let n = 0; n < 6; n += 1)
    expect(
      t.submit(`Fix the typos.\n\nRemember that gate ${n} opens at nine.`, `p-${n}`),
    ).toContain("If the user meant it, save it");
});
