/** A habit that the model sees in several sessions waits for its user, and does nothing before. */
import { expect, test } from "bun:test";
import {
  answering,
  knownNumber,
  remembered,
  sessionReply,
} from "../../../test/support/extracted.ts";
import type { AskedQuestion } from "../../../test/support/scripted-llm.ts";
import { openTestWorker } from "../../../test/support/worker.ts";

type App = ReturnType<typeof openTestWorker>;
type Fields = Readonly<Record<string, unknown>>;

async function talk(app: App, id: string, prompt: string): Promise<void> {
  const common = { session_id: id, prompt_id: `${id}-1` };
  app.send("submit", "UserPromptSubmit", { ...common, prompt });
  const last_assistant_message = "The ticket is open.";
  app.send("stop", "Stop", { ...common, last_assistant_message, stop_hook_active: false });
  app.send("end", "SessionEnd", { ...common, reason: "other" });
  await app.settle();
  app.clock.advance(86_400_000);
}

const ticket = {
  subject: "tickets",
  attribute: "screenshots",
  quote: "open a ticket with screenshots",
};

const decision = remembered({
  ...ticket,
  kind: "decision",
  line: "The leak at pier two has a ticket with screenshots",
});

const habit = remembered({
  ...ticket,
  kind: "rule",
  valid: "again: K1",
  line: "Each leak gets a ticket with screenshots",
});

const opened = (replies: readonly ((prompt: string) => readonly Fields[])[]) => {
  const left = [...replies];
  return openTestWorker({
    llm: answering({
      session: ({ prompt }: AskedQuestion) => sessionReply(left.shift()?.(prompt) ?? []),
    }),
  });
};

const prompt = "open a ticket with screenshots for this leak please";

const allOf = (app: App) =>
  app.store.nodes.list({ projects: null, statuses: ["active", "pending"] }, "uri", {
    limit: 9,
  });
const statesOf = (app: App) => allOf(app).map(({ l0, status }) => `${status}: ${l0}`);

test("a habit ends nothing while it waits, and names what it would replace for whoever accepts it", async () => {
  const replacing = (shown: string): Fields => ({
    ...habit,
    replaces: [{ number: knownNumber(shown, "pier two"), still: "" }],
  });
  using app = opened([() => [decision], (shown) => [replacing(shown)]]);
  await talk(app, "s-1", prompt);
  await talk(app, "s-2", `${prompt}, at the north quay`);
  expect(statesOf(app).toSorted()).toEqual([
    "active: The leak at pier two has a ticket with screenshots",
    "pending: Each leak gets a ticket with screenshots",
  ]);
  const [old, held] = allOf(app).toSorted((a, b) => a.id - b.id);
  expect(held).toMatchObject({ origin: "user", category: "patterns" });
  expect(app.store.history.latest(held?.id ?? 0)?.reason).toBe(
    `a rule that several tasks suggest; it holds once you accept it; would replace ${old?.uri}`,
  );
});

test("a habit that words anew a rule that its user's agent saved takes its place", async () => {
  const line = "Open a ticket with screenshots";
  const wordedAnew = (shown: string): Fields => ({
    ...habit,
    replaces: [{ number: knownNumber(shown, line), still: "" }],
  });
  using app = opened([(shown) => [wordedAnew(shown)]]);
  app.remember(line, { category: "preferences", tags: [], slot: "tickets · form" });
  await talk(app, "s-1", prompt);
  expect(statesOf(app)).toEqual(["active: Each leak gets a ticket with screenshots"]);
});

test("a habit that is seen again in a third session waits once, with both as its evidence", async () => {
  using app = opened([
    () => [],
    () => [habit],
    () => [{ ...habit, line: `${habit["line"] as string} too` }],
  ]);
  for (const id of ["s-1", "s-2", "s-3"]) await talk(app, id, `${prompt} (${id})`);
  expect(statesOf(app)).toEqual(["pending: Each leak gets a ticket with screenshots"]);
  expect(allOf(app)[0]?.evidence.map(({ sessionId }) => sessionId)).toEqual(["s-2", "s-3"]);
});

test("a habit that refusals alone suggested is told in the user's words once they gave some", async () => {
  const silent = { ...habit, quote: "nobody typed this", line: "The user refuses the slow tests" };
  const words = "don't run the slow tests, they take an hour";
  const said = { ...habit, quote: words, line: "Don't run the slow tests, they take an hour" };
  using app = opened([() => [silent], () => [said]]);
  await talk(app, "s-1", prompt);
  await talk(app, "s-2", words);
  expect(allOf(app)).toMatchObject([
    { status: "pending", origin: "user", l0: "Don't run the slow tests, they take an hour" },
  ]);
});

test("a habit that a rule in force says already does not wait", async () => {
  const line = "Never open a ticket without screenshots";
  using app = opened([() => [{ ...habit, quote: line, line }]]);
  const rule = app.remember(line, { category: "patterns", tags: ["rule"] });
  await talk(app, "s-1", `${line}, please`);
  const saying = allOf(app).filter(({ l0 }) => l0 === line);
  expect(saying.map(({ id, status }) => [id, status])).toEqual([[rule?.id ?? 0, "active"]]);
});

test("a habit is given at a start as the user's rule once it is accepted, and not before", async () => {
  using app = opened([() => [habit]]);
  await talk(app, "s-1", prompt);
  const [held] = allOf(app);
  const startOf = (id: string): string =>
    app.send("start", "SessionStart", { session_id: id, source: "startup" });
  expect(startOf("s-2")).not.toContain("Each leak gets a ticket");
  const cause = {
    atMs: app.clock.nowMs(),
    action: "accept",
    by: "user",
    reason: "accepted",
  } as const;
  app.store.nodes.update(held?.id ?? 0, { status: "active" }, cause);
  expect(startOf("s-3")).toMatch(
    /rules for this project[^]*- Each leak gets a ticket with screenshots/u,
  );
});
