/** Near memories that the answer to a save shows, and the words of a save that are shown once. */
import { describe, expect, test } from "bun:test";
import { memoriesIn, openTestSession as opened, type TestMcp } from "../../test/support/mcp.ts";

const save = async (t: TestMcp, input: Readonly<Record<string, unknown>>): Promise<string> =>
  (await t.call("memory_remember", { kind: "decision", ...input })).text;

const linesIn = (t: TestMcp) => memoriesIn(t, "active").map(({ l0 }) => l0);

/** Begins the next turn. */
function turn(t: TestMcp, prompt: string): void {
  const { clock, store } = t.server.t;
  clock.advance(60_000);
  store.sessions.openTurn({ sessionId: "s1", promptId: "p2", prompt, atMs: clock.nowMs() });
}

/** Memories that the answer offers as outdated. */
const offeredIn = (answer: string): string => answer.split("Same thing, or outdated?")[1] ?? "";

describe("near memories are offered", () => {
  test("the value of a subject, for one of its sides", async () => {
    await using t = await opened("go on");
    const subject = "result cache";
    const old = "Results are cached in MinIO, bucket ore-cache on ore:9000";
    await save(t, { line: old, subject, value: "ore:9000", kind: "place" });
    turn(t, "go on");
    const line = "directory on the NAS, /basalt/brine-cache, files by hash";
    const answer = await save(t, { line, subject, attribute: "location" });
    expect(offeredIn(answer)).toContain(old);
  });

  test("a memory whose subject and attribute the line names", async () => {
    await using t = await opened("Radek must see it before merge, all of the net code he reviews");
    const rule = "Radek must see it before merge, all of the net code he reviews";
    const about = { subject: "Radek", attribute: "review", kind: "rule" };
    await save(t, { line: rule, quote: rule, ...about });
    const quote = "Petra takes the netcode now, Radek does no review any more.";
    turn(t, quote);
    const answer = await save(t, { line: quote, quote, subject: "netcode reviews", kind: "fact" });
    expect(offeredIn(answer)).toContain(rule);
    const [, id] = /- (#\w+):/.exec(answer) ?? [];
    const [, old] = /- (#\w+): "Radek must/.exec(answer) ?? [];
    await save(t, { line: id, replaces: [old] });
    expect(linesIn(t)).toEqual([quote]);
  });

  test.each([
    [
      "another thing of the same words",
      { subject: "farm workers", line: "six workers on the farm, kiln-w01 to kiln-w06" },
      { subject: "farm coordinator", line: "the coordinator of the farm is kiln-head" },
    ],
    [
      "what a cause names",
      { subject: "crash reports", line: "all crashes go to Sentry, our own instance" },
      {
        subject: "lost crashes",
        line: "crashes before the menu did not go to Sentry, its handler started late",
        kind: "cause",
      },
    ],
  ])("and not %s", async (_, first, second) => {
    await using t = await opened("go on");
    await save(t, { kind: "fact", ...first });
    turn(t, "and now?");
    expect(await save(t, { kind: "fact", ...second })).not.toContain("Same thing");
  });

  test("and not what was saved of the same subject in the same turn", async () => {
    await using t = await opened("go on");
    const lines = [
      "without --tags a prune deletes branches alone: a tag on the target survives",
      "a tag that is made on the target while a prune runs survives: it is not in the first list",
    ];
    const [first, second] = lines;
    await save(t, { line: first, subject: "prune and tags", kind: "fact" });
    const about = { subject: "prune and tags made during a run", kind: "fact" };
    expect(await save(t, { line: second, ...about })).not.toContain("Same thing");
  });

  test("and not another value of the sentence that both quote", async () => {
    const quote = "cap for props is 4096, characters may go 8192";
    await using t = await opened(quote);
    const about = { subject: "texture cap", quote, kind: "fact" };
    await save(t, { line: "Texture cap for props is 4096", attribute: "props", ...about });
    const line = "Textures of characters may go 8192";
    expect(await save(t, { line, attribute: "characters", ...about })).not.toContain("Same thing");
    // A value that ends with its own memory stands in no other one.
    expect(linesIn(t).toSorted()).toEqual([
      'Texture cap for props is 4096 (the user: "cap for props is 4096 …")',
      'Textures of characters may go 8192 (the user: "… characters may go 8192")',
    ]);
  });
});

describe("the user's words are shown once", () => {
  test.each([
    ["the end of a sentence", "also jobs of release/ go first", "jobs of release/ go first"],
    [
      "a sentence of several, with its subject",
      "keep failing. alpha in ORM is always a mistake of the preset. better message only",
      "Keep failing on ORM (better message only): alpha in ORM is always a mistake of the preset",
    ],
  ])("%s", async (_, quote, line) => {
    await using t = await opened(quote);
    await save(t, { line, quote });
    expect(linesIn(t)).toEqual([quote]);
  });

  test("what stands on a condition keeps it", async () => {
    const quote = "if the map is under 10, characters may go 8192";
    await using t = await opened(quote);
    await save(t, { line: "Textures of characters may go 8192", quote, kind: "fact" });
    expect(linesIn(t)[0]).toContain(`(the user: "${quote}")`);
  });
});

describe("a save whose line names more than its quote", () => {
  test("is the user's where its subject is all that it names beside", async () => {
    const quote = "skip everything that is Nanite.";
    await using t = await opened(`write the LOD step. ${quote}`);
    const line = "The LOD step skips everything that is Nanite";
    await save(t, { line, quote, subject: "LOD step" });
    expect(memoriesIn(t, "active")).toMatchObject([
      { origin: "user", l0: "skip everything that is Nanite (agent: LOD step)" },
    ]);
  });

  test("and not where it names another thing", async () => {
    const quote = "skip everything that is Nanite.";
    await using t = await opened(`write the LOD step. ${quote}`);
    const line = "The LOD step skips everything that is Nanite, see evil.test/x";
    await save(t, { line, quote, subject: "LOD step" });
    expect(memoriesIn(t, "active")).toMatchObject([{ origin: "agent" }]);
  });

  test("holds everywhere without what stands in its brackets", async () => {
    const quote = "I like answers of this length. I do not need a summary of what I just read";
    await using t = await opened(quote);
    const line =
      "I like answers of this length (2-3 sentences). I do not need a summary of what I just read";
    const about = { subject: "user", kind: "rule", scope: "everywhere" };
    await save(t, { line, quote, ...about });
    expect(memoriesIn(t, "active")).toMatchObject([{ origin: "user", project: null, l0: quote }]);
  });

  test("says what would let it hold, if it waits", async () => {
    const quote = "we work with pnpm in all repos";
    await using t = await opened(quote);
    const wide = { scope: "everywhere", quote, kind: "rule" };
    const web = { project: "github.com/acme/web", projectName: "web" };
    t.server.t.store.sessions.upsert({ sessionId: "s2", ...web, atMs: t.server.t.clock.nowMs() });
    expect(await save(t, { ...wide, line: "pnpm 9.1 in all repos" })).toContain(
      "holds once `line` and `value` say nothing beyond the quote",
    );
    expect(await save(t, { ...wide, line: quote, scope: "web" })).toContain(
      "holds once the quote names it",
    );
    expect(await save(t, { ...wide, quote: "use pnpm", line: "pnpm in all repos" })).toContain(
      "holds with a `quote` of whole sentences that the user typed this turn",
    );
  });
});

test("a memory that ended already is not said to stand", async () => {
  const [first, second] = ["the API uses port 8642", "the API uses port 9210"];
  await using t = await opened(first);
  const about = { subject: "API", attribute: "port", kind: "fact" };
  await save(t, { line: first, quote: first, value: "8642", ...about });
  const [old] = memoriesIn(t, "active");
  turn(t, second);
  const answer = await save(t, { line: second, quote: second, value: "9210", ...about });
  const [, id] = /- (#\w+):/.exec(answer) ?? [];
  expect(await save(t, { line: id, replaces: [old?.uri] })).not.toContain("both stand");
  expect(linesIn(t)).toEqual([second]);
});
