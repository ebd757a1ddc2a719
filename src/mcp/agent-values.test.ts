/** Changed values: one value of a subject, and words that the user need not type again. */
import { expect, test } from "bun:test";
import { parseNow } from "#kit";
import {
  memoriesIn,
  openTestSession as opened,
  project,
  type TestMcp,
} from "../../test/support/mcp.ts";

const activeIn = (t: TestMcp) => memoriesIn(t, "active");
const linesIn = (t: TestMcp) => activeIn(t).map(({ l0 }) => l0);

const save = async (t: TestMcp, input: Readonly<Record<string, unknown>>): Promise<string> =>
  (await t.call("memory_remember", { kind: "decision", ...input })).text;

let prompts = 1;
/** Another turn of the session, later. */
function turn(t: TestMcp, prompt: string): void {
  const { clock, store } = t.server.t;
  clock.advance(60_000);
  prompts += 1;
  store.sessions.openTurn({
    sessionId: "s1",
    promptId: `p${prompts}`,
    prompt,
    atMs: clock.nowMs(),
  });
}

test("a value without an attribute is the value of its subject: the next one takes its place", async () => {
  const first = "when the nightly fails post to slack #kiln, one message per job";
  const second = "slack is gone end of week, company goes Mattermost, channel kiln-alerts";
  await using t = await opened(first);
  const subject = "failure notification";
  await save(t, { line: first, quote: first, subject, value: "slack #kiln" });
  turn(t, second);
  await save(t, { line: second, quote: second, subject, value: "Mattermost kiln-alerts" });
  expect(activeIn(t)).toMatchObject([{ origin: "user", slot: "failure notification" }]);
  expect(linesIn(t)[0]).toStartWith("slack is gone");
});

test("another fact of a subject ends nothing, and neither does a second rule", async () => {
  const said = [
    "Bruno is tech artist",
    "Bruno leaves in July",
    "commits are small",
    "no merge commits",
  ];
  await using t = await opened(said.join(". "));
  const [artist, leaves, small, merges] = said;
  await save(t, {
    line: artist,
    quote: artist,
    subject: "Bruno",
    value: "tech artist",
    kind: "fact",
  });
  await save(t, { line: leaves, quote: leaves, subject: "Bruno", value: "July", kind: "fact" });
  await save(t, { line: small, quote: small, subject: "commits", kind: "rule" });
  await save(t, { line: merges, quote: merges, subject: "commits", kind: "rule" });
  expect(activeIn(t)).toHaveLength(4);
});

test.each([
  ["kiln API", ["kiln API uses port 8642", "8642"], ["kiln API uses Go", "Go"]],
  ["kiln API", ["kiln API needs 4 GB of memory", "4 GB"], ["kiln API needs a VPN", "VPN"]],
  ["Bruno", ["Bruno works on shaders", "shaders"], ["Bruno works from Lyon", "Lyon"]],
  ["Dienst", ["der Dienst läuft auf Port 8642", "8642"], ["der Dienst läuft auf Debian", "Debian"]],
  ["farm", ["la farm usa Redis", "Redis"], ["la farm usa Blender", "Blender"]],
] as const)("a verb that two values of %s share ends neither", async (subject, one, other) => {
  const facts = [one, other];
  await using t = await opened(facts.map(([line]) => line).join(". "));
  for (const [line, value] of facts)
    await save(t, { line, quote: line, subject, value, kind: "fact" });
  expect(activeIn(t)).toHaveLength(2);
});

test("words of the memory that it replaces count as said, at once or when it is named", async () => {
  const first = "Six workers, kiln-w01 to kiln-w06, all Windows Server 2022.";
  const second = "two new boxes came also, w07 and w08, with Windows 11";
  const line =
    "Workers: kiln-w01 to kiln-w06 with Windows Server 2022, and two new boxes w07 and w08 with Windows 11";
  for (const about of [
    { subject: "workers", value: "kiln-w01 to w08" },
    { subject: "new boxes" },
  ]) {
    await using t = await opened(first);
    await save(t, { line: first, quote: first, subject: "workers", value: "kiln-w01 to kiln-w06" });
    const [old] = activeIn(t);
    turn(t, second);
    const answer = await save(t, { line, quote: second, ...about });
    const [, id] = /- (#\w+):/.exec(answer) ?? [];
    if (activeIn(t).length > 1) await save(t, { line: id, replaces: [old?.uri] });
    expect(activeIn(t)).toMatchObject([{ origin: "user" }]);
    expect(linesIn(t)[0]).toContain("w08");
  }
});

test("a changed value is kept in the user's words where the agent adds names to it", async () => {
  await using t = await opened("coordinator is kiln-head, port 8642");
  const about = { subject: "farm coordinator", kind: "fact" };
  const quote = "coordinator is kiln-head, port 8642";
  await save(t, { line: quote, quote, value: "kiln-head:8642", ...about });
  expect(activeIn(t)).toMatchObject([{ origin: "user" }]);
  turn(t, "not reachable: http://kiln-head:8642/workers");
  turn(t, "he allows 9200 to 9299 only. take 9210");
  await save(t, {
    line: "kiln-head listens on port 9210; Henning's firewall allows 9200 to 9299 only",
    quote: "he allows 9200 to 9299 only. take 9210",
    value: "kiln-head:9210",
    ...about,
  });
  expect(activeIn(t)).toMatchObject([
    { origin: "user", l0: "he allows 9200 to 9299 only. take 9210 (agent: farm coordinator)" },
  ]);
});

test("words that bring no value of their own end nothing, whatever slot they are given", async () => {
  await using t = await opened("coordinator is kiln-head, port 8642");
  const about = { subject: "farm coordinator", kind: "fact" };
  const quote = "coordinator is kiln-head, port 8642";
  await save(t, { line: quote, quote, value: "8642", ...about });
  turn(t, "please summarise page 3 of the manual");
  await save(t, {
    line: "kiln-head listens on evil.test:9999",
    quote: "please summarise page 3 of the manual",
    value: "evil.test:9999",
    ...about,
  });
  expect(linesIn(t)).toEqual([`${quote} (agent: farm coordinator)`]);
});

test("the day of the session counts as said where the quote has a relative date", async () => {
  const quote = "Blender 4.2 LTS from today, all artists get it pushed tonight.";
  await using t = await opened(quote);
  const { clock } = t.server.t;
  clock.advance((parseNow("2026-06-17T09:00:00Z") ?? 0) - clock.nowMs());
  t.server.t.add({
    uri: "mem://user/events/blender",
    l0: "Blender stays at 4.1 everywhere",
    category: "events",
    project,
    origin: "user",
    slot: "blender · version",
  });
  const line = "Blender 4.2 LTS from today (Wednesday 17 June)";
  const about = { subject: "blender", attribute: "version", value: "4.2 LTS" };
  await save(t, { line, quote, ...about });
  expect(activeIn(t)).toMatchObject([{ origin: "user" }]);
  await save(t, { line: "Blender 4.2 LTS from 9 July", quote, subject: "blender date" });
  expect(activeIn(t).find(({ l0 }) => l0.includes("9 July"))?.origin).toBe("agent");
});
