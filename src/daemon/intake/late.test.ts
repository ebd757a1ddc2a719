/** Jobs that run late, events that come late, and clocks that disagree: the same is left as when all was in time. */
import { expect, test } from "bun:test";
import { msPerDay, msPerHour } from "#kit";
import { openTestWorker } from "../../../test/support/worker.ts";

const beforeCompaction = ({ store }: ReturnType<typeof openTestWorker>) =>
  store.sessions.checkpoints("s-1").filter(({ trigger }) => trigger === "precompact");

test.each(["at once", "late"] as const)(
  "what a compaction is told when its jobs run %s holds nothing of what came after",
  async (when) => {
    using app = openTestWorker();
    app.submit("we decided to keep bookings in UTC", "p-1");
    app.stop("Agreed: bookings are kept in UTC.", "p-1");
    app.submit("why does the exporter hang?", "p-2");
    app.send("compact", "PreCompact", { trigger: "auto" });
    if (when === "at once") await app.settle();
    app.stop("Root cause: the exporter waited for a lock that nobody held.", "p-2");
    app.submit("we decided to drop the fax gateway", "p-3");
    app.stop("Agreed: the fax gateway goes.", "p-3");
    await app.settle();
    const told = beforeCompaction(app);
    expect(told).toMatchObject([{ currentTask: "why does the exporter hang?" }]);
    expect(JSON.stringify(told)).not.toMatch(/fax|lock that nobody/);
  },
);

test.each(["at once", "late"] as const)(
  "an order that denies the older value ends it, and nothing else, when its turn is judged %s",
  async (when) => {
    using app = openTestWorker();
    app.submit("remember that the staging database listens on port 5433", "p-1");
    app.stop("Noted: the staging database listens on port 5433.", "p-1");
    app.submit("remember that the mail relay listens on port 2525 of the bastion", "p-2");
    app.stop("Noted.", "p-2");
    if (when === "at once") await app.settle();
    app.submit("remember that the staging database listens on port 6000 now, not on 5433", "p-3");
    app.stop("Noted.", "p-3");
    app.submit("remember that the mail queue listens on port 2626 of the bastion now", "p-4");
    app.stop("Noted.", "p-4");
    await app.settle();
    expect(
      app
        .memories()
        .map(({ l0, status }) => `${status}: ${l0}`)
        .toSorted(),
    ).toEqual([
      "active: the mail queue listens on port 2626 of the bastion now",
      "active: the mail relay listens on port 2525 of the bastion",
      "active: the staging database listens on port 6000 now, not on 5433",
      "superseded: the staging database listens on port 5433",
    ]);
    expect(app.store.nodes.doubts(10)).toEqual([]);
  },
);

test("a turn that was given up and ends after all is judged with its answer, once", async () => {
  using app = openTestWorker();
  app.submit("find out why the nightly import fails", "p-1");
  app.clock.advance(25 * msPerHour);
  await app.settle();
  expect(app.store.sessions.turns("s-1")).toMatchObject([{ status: "interrupted", answer: null }]);
  for (let times = 0; times < 2; times += 1)
    app.send(
      "stop",
      "Stop",
      {
        last_assistant_message: "Root cause: the import opened a file for every row.",
        prompt_id: "p-1",
        stop_hook_active: false,
      },
      { atMs: app.startMs + 26 * msPerHour },
    );
  await app.settle();
  expect(app.store.sessions.turns("s-1")).toMatchObject([{ status: "closed" }]);
  expect(app.memories()).toEqual([]);
  expect(app.exchanges().map(({ uri }) => uri)).toEqual(["mem://sessions/s-1/exchanges/1"]);
  expect(app.exchanges()[0]?.l0).toContain("file for every row");
});

test("a turn that another tool's Stop hook keeps going is kept once, with what it did", async () => {
  using app = openTestWorker();
  const answer = "Fixed by capping the retries at five.";
  app.submit("the importer never ends, please have a look", "p-1");
  app.send("tool", "PostToolUse", {
    tool_name: "Edit",
    tool_use_id: "t-1",
    prompt_id: "p-1",
    tool_input: { file_path: "/home/dev/deskly/src/importer.ts", old_string: "a", new_string: "b" },
    tool_response: { filePath: "/home/dev/deskly/src/importer.ts" },
  });
  app.stop(answer, "p-1");
  await app.settle();
  const before = app.exchanges().map(({ l0, tags, files }) => ({ l0, tags, files }));
  expect(before).toMatchObject([{ tags: ["iteration", "change"] }]);
  app.send("stop", "Stop", {
    last_assistant_message: answer,
    prompt_id: "p-1",
    stop_hook_active: true,
  });
  await app.settle();
  expect(app.exchanges().map(({ l0, tags, files }) => ({ l0, tags, files }))).toEqual(before);
});

test("replaying an old history interrupts nothing that is not silent in it", async () => {
  using app = openTestWorker();
  app.clock.advance(400 * msPerDay);
  app.submit("look around", "p-1");
  await app.settle();
  expect(app.store.sessions.byId("s-1")?.status).toBe("active");
  expect(app.store.sessions.turns("s-1")).toMatchObject([{ status: "open" }]);
  app.clock.advance(25 * msPerHour);
  await app.settle();
  expect(app.store.sessions.byId("s-1")?.status).toBe("interrupted");
});

test.each(["p", null])(
  "a Stop that lands behind the next prompt is of its own turn (ids: %p)",
  async (id) => {
    const carried = new Set<string>();
    using app = openTestWorker({ isStopCarried: (session) => carried.has(session) });
    const idOf = (n: number) => (id === null ? {} : { prompt_id: `${id}-${n}` });
    const submit = (n: number, prompt: string, atMs: number) =>
      app.send("submit", "UserPromptSubmit", { prompt, ...idOf(n) }, { atMs });
    submit(1, "why does the crane stop?", app.startMs + 1_000);
    carried.add("s-1");
    submit(2, "and the winch?", app.startMs + 9_000);
    const turns = () =>
      app.store.sessions.turns("s-1").map(({ status, answer }) => [status, answer]);
    expect(turns()).toEqual([
      ["closed", null],
      ["open", null],
    ]);
    const answer = "The crane stops at 40 km/h of wind.";
    app.send(
      "stop",
      "Stop",
      { last_assistant_message: answer, ...idOf(1) },
      { atMs: app.startMs + 8_000 },
    );
    await app.settle();
    expect(turns()).toEqual([
      ["closed", answer],
      ["open", null],
    ]);
  },
);
