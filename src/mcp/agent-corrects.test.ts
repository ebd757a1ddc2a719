/** Changed values and corrections: what a save replaces at once, and the call that its answer gives to replace it. */
import { describe, expect, test } from "bun:test";
import { memoriesIn, openTestSession, project, type TestMcp } from "../../test/support/mcp.ts";

type Input = Readonly<Record<string, unknown>>;

/** The next turn of the session. */
function say(t: TestMcp, prompt: string): void {
  const { clock, store } = t.server.t;
  clock.advance(60_000);
  store.sessions.openTurn({ sessionId: "s1", promptId: prompt, prompt, atMs: clock.nowMs() });
}

const save = async (t: TestMcp, input: Input): Promise<string> =>
  (await t.call("memory_remember", input)).text;

/** The call that an answer gives, word for word. */
const callIn = (answer: string, field: string): Input =>
  JSON.parse(
    new RegExp(String.raw`call again with (\{"line":"#\w+","${field}".*?\})(?=[:.,] ?)`, "i").exec(
      answer,
    )?.[1] ?? "{}",
  );

const linesOf = (t: TestMcp, origin: "user" | "agent" = "user"): readonly string[] =>
  memoriesIn(t, "active")
    .filter((node) => node.origin === origin)
    .map(({ l0 }) => l0);

describe("a correction in a few words takes the place of what was saved in the session", () => {
  test.each([
    {
      said: "the demo account is called heron",
      line: "The demo account is called",
      slot: ["demo account", "name"],
      values: ["heron", "falcon"],
      correction: "no, forget that, it's falcon",
    },
    {
      said: "admin port is 9001",
      line: "The admin port is",
      slot: ["admin", "port"],
      values: ["9001", "9010"],
      correction: "sorry, typo, 9010",
    },
  ])("$correction", async ({ said, line, slot: [subject, attribute], values, correction }) => {
    await using t = await openTestSession(said);
    const [old, value] = values;
    const about = { subject, attribute, kind: "fact" };
    await save(t, { ...about, line: `${line} ${old}`, value: old, quote: said });
    say(t, correction);
    await save(t, { ...about, line: `${line} ${value}`, value, quote: correction });
    expect(linesOf(t)).toEqual([`${line} ${value} (the user: "${correction}")`]);
  });

  test("and not where the session is another one and the words name nothing", async () => {
    await using t = await openTestSession("sorry, typo, 9010");
    t.server.t.add({
      uri: "mem://user/entities/port",
      l0: "The admin port is 9001",
      slot: "admin · port",
      project,
    });
    const about = { subject: "admin", attribute: "port", value: "9010" };
    await save(t, { ...about, line: "The admin port is 9010", quote: "sorry, typo, 9010" });
    expect(linesOf(t)).toContain("The admin port is 9001");
  });
});

describe("the call that the answer gives ends an order of an earlier session", () => {
  test.each([
    [
      "we deploy on Tuesdays",
      "btw we moved the deploy day to Thursday",
      "Deploys happen on Thursday",
      "deploy",
      "day",
      "Thursday",
    ],
    [
      "the mobile app supports Android 9 and up",
      "we just raised the minimum to Android 12, adapt the gradle file please",
      "The mobile app supports Android 12 and up",
      "mobile app",
      "minimum Android version",
      "12",
    ],
    [
      "der Buildserver ist osterei",
      "der buildserver heißt jetzt pfingsten, bitte in der ci anpassen",
      "Der Buildserver heißt pfingsten",
      "Buildserver",
      "Name",
      "pfingsten",
    ],
    [
      "exports are written to /mnt/out",
      "exports go to /srv/exports since Monday",
      "Exports are written to /srv/exports",
      "exports",
      "folder",
      "/srv/exports",
    ],
    [
      "the linter is eslint",
      "we use biome now instead of eslint",
      "The linter is biome, not eslint",
      "linter",
      "tool",
      "biome",
    ],
  ])("%s / %s", async (known, quote, line, ...slot) => {
    const [subject, attribute, value] = slot;
    await using t = await openTestSession(quote);
    t.server.t.add({ uri: "mem://user/entities/known", l0: known, project });
    const answer = await save(t, { line, kind: "fact", subject, attribute, value, quote });
    if (linesOf(t).includes(known)) await save(t, callIn(answer, "replaces"));
    expect(linesOf(t)).toEqual([`${line} (the user: "${quote}")`]);
    expect(memoriesIn(t, "pending")).toEqual([]);
  });
});

test("a rule is confirmed by the call of its answer, and put in place of another by the next one", async () => {
  const quote = "I don't want the summary first any more, put it at the end";
  await using t = await openTestSession(quote);
  const l0 = "I prefer answers with a short summary first";
  t.server.t.add({ uri: "mem://user/preferences/summary", l0, category: "preferences", project });
  const line = "Put the summary at the end of answers";
  const answer = await save(t, {
    line,
    kind: "rule",
    subject: "answers",
    attribute: "summary",
    quote,
  });
  const confirmed = await save(t, callIn(answer, "kind"));
  await save(t, callIn(confirmed, "replaces"));
  const shown = `${quote} (agent: answers)`;
  expect(memoriesIn(t, "active")).toMatchObject([{ l0: shown, category: "preferences" }]);
});

test("a line that is only an id of no save of the session is refused in one line", async () => {
  await using t = await openTestSession("go on");
  t.server.t.add({ uri: "mem://user/entities/known", l0: "the queue is Kafka", project });
  const [known] = memoriesIn(t, "active");
  for (const id of [`#${known?.id.toString(36)}`, "#zz"]) {
    const { text, isError } = await t.call("memory_remember", { line: id });
    expect(isError).toBe(true);
    expect(text).toContain(`saved no memory ${id}; give \`line\` in words`);
  }
  expect(memoriesIn(t, "active", "pending")).toHaveLength(1);
});

test("empty fields are absent ones", async () => {
  await using t = await openTestSession("the queue is Kafka");
  const empty = { value: "", kind: "", subject: " ", scope: "", until: "", replaces: [""] };
  await save(t, { line: "the queue is Kafka", ...empty, quote: "the queue is Kafka" });
  expect(linesOf(t)).toEqual(["the queue is Kafka"]);
});

describe("a line may deny the old value alone", () => {
  test.each([
    ["we use biome now instead of eslint", "The linter is biome, not eslint"],
    ["use the nats queue", "Use the nats queue, not rabbit"],
  ])("%s: %s", async (quote, line) => {
    await using t = await openTestSession(quote);
    const uri = "mem://user/entities/known";
    t.server.t.add({ uri, l0: "the linter is eslint, the queue is rabbit", project });
    expect(await save(t, { line, quote, kind: "fact", replaces: [uri] })).not.toContain("noted by");
  });

  test.each([
    ["please run the tests", "Do not run the tests"],
    ["run the linter and the tests", "Run the linter, not tests"],
    ["the linter is slow these days", "The linter is not eslint"],
  ])("%s: %s is the agent's", async (quote, line) => {
    await using t = await openTestSession(quote);
    const uri = "mem://user/entities/known";
    t.server.t.add({ uri, l0: "the linter is eslint, run the tests", project });
    await save(t, { line, quote, kind: "fact", replaces: [uri] });
    expect(linesOf(t)).toEqual(["the linter is eslint, run the tests"]);
  });
});

test("a directory is replaced by nothing, and the answer says so", async () => {
  await using t = await openTestSession("Staging is on port 9090 now. The yard is in Kiel.");
  await t.call("memory_remember", { line: "Staging is on port 9090 now.", subject: "staging" });
  const line = "The yard is in Kiel.";
  const given = { line, quote: line, subject: "yard", replaces: ["mem://user"] };
  const { text, isError } = await t.call("memory_remember", given);
  expect(isError).toBe(true);
  expect(text).toContain("mem://user is a directory");
  expect(memoriesIn(t, "active")).toHaveLength(1);
});

describe("a quote that does not speak of a memory of the session ends none, whatever id is given", () => {
  const fact = "The kestrel queue holds 40 messages.";
  const rule = "Please always run the osprey linter before you commit.";
  const about = { subject: "kestrel queue", attribute: "size" };
  const isRule = (l0: string): boolean => l0.includes("osprey");

  test.each([
    ["Use 80 from now on for the header height.", "The header height is 80", "fact"],
    ["No, that is wrong. The header is now green.", "The header is green", "decision"],
    ["Don't run things before you commit the header.", "The header has no runs", "decision"],
    ["forget that", "The header is dropped", "decision"],
  ])("%s", async (quote, line, kind) => {
    await using t = await openTestSession(`${fact} ${rule}`);
    await save(t, { ...about, line: fact, kind: "fact", value: "40", quote: fact });
    await save(t, { line: rule, kind: "rule", quote: rule });
    say(t, "Paint the header.");
    say(t, quote);
    const replaces = memoriesIn(t, "active").map(({ uri }) => uri);
    await save(t, { ...about, line, kind, quote, replaces });
    expect(linesOf(t)).toContain(fact);
    expect(linesOf(t).filter(isRule)).toHaveLength(1);
  });
});

test("a rule that is said again with more courtesy is saved once", async () => {
  const rule = "Always run the linter before you commit.";
  await using t = await openTestSession(rule);
  for (const quote of [rule, `Please ${rule.toLowerCase()}`, rule]) {
    say(t, quote);
    await save(t, { line: "Always run the linter before committing", quote, kind: "rule" });
  }
  expect(linesOf(t)).toEqual([rule]);
});
