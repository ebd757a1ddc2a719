/** An agent's word beside the user's: the user's stays in force, and `review` shows both. */
import { describe, expect, test } from "bun:test";
import { memoriesIn, openTestSession, project, type TestMcp } from "../../test/support/mcp.ts";

const uri = "mem://user/entities/known";

/** A session whose user had ordered `known` before, in another one. */
async function opened(known: string, prompt = "go on"): Promise<TestMcp> {
  const t = await openTestSession(prompt);
  t.server.t.add({ uri, l0: known, project });
  return t;
}

const linesOf = (t: TestMcp, status: "active" | "pending" | "superseded"): readonly string[] =>
  memoriesIn(t, status).map(({ l0 }) => l0);

/** Memories that wait, each with the reason, which names the memory of the user. */
function inboxOf(t: TestMcp): readonly string[] {
  const page = t.server.t.service.inbox({ limit: 9, nowMs: 0 });
  return page.ok ? page.value.items.map(({ l0, reason }) => `${l0} | ${reason}`) : [];
}

describe("an agent's own word against the user's, without `replaces`", () => {
  test.each([
    ["Alice is the owner", "Bob is the owner"],
    ["Alice is the owner of the repo", "The owner of the repo is Bob"],
    ["the demo account is called heron", "the demo account is called falcon"],
    ["staging listens on port 5432", "staging listens on port 6432"],
    ["the port is 5432", "the port is 6432"],
    ["use tabs for indentation", "use spaces for indentation"],
    ["deploys go out on Fridays", "deploys go out on Mondays"],
    ["deploy on Fridays", "deploy on Mondays"],
    ["der Besitzer ist Anna", "der Besitzer ist Bernd"],
    ["Alice est la propriétaire", "Bob est la propriétaire"],
    ["测试数据库在端口5432", "测试数据库在端口6432"],
    ["デモアカウントはheronです", "デモアカウントはfalconです"],
  ])("%s / %s: waits", async (known, line) => {
    await using t = await opened(known);
    const { text } = await t.call("memory_remember", { line });
    expect(text).toContain("review");
    expect(linesOf(t, "active")).toEqual([known]);
    const reason = `an agent's word does not stand against the user's; would replace ${uri}`;
    expect(inboxOf(t)).toEqual([`${line} | ${reason}`]);
  });

  test.each([
    ["Alice is the owner", "Bob reviews the migrations"],
    ["we use pnpm", "we use Docker"],
    ["staging listens on port 5432", "staging runs Postgres 16"],
    ["never push to main", "the release job pushes tags"],
    ["printer A is on floor 3", "printer B is on floor 2"],
    ["the owner is Alice", "the deadline is Friday"],
    [
      "the notice tells the user that we found another session",
      'Instead of "Another sessions..." the session notice prints: You are in a session',
    ],
    [
      "sessions at .git/old and no shadow branches",
      "We can have sessions at .git/old and no shadow branches; reset must clear those too",
    ],
  ])("%s / %s: of another thing holds", async (known, line) => {
    await using t = await opened(known);
    await t.call("memory_remember", { line });
    expect(linesOf(t, "active").toSorted()).toEqual([known, line].toSorted());
  });

  test("accepted, it takes the place of the user's", async () => {
    await using t = await opened("Alice is the owner");
    await t.call("memory_remember", { line: "Bob is the owner" });
    const [waiting] = t.server.t.store.nodes.list(
      { projects: null, statuses: ["pending"] },
      "uri",
      {
        limit: 1,
      },
    );
    t.server.t.service.review({ id: waiting?.id ?? 0, action: "accept", nowMs: 9 });
    expect(linesOf(t, "active")).toEqual(["Bob is the owner"]);
    expect(linesOf(t, "superseded")).toEqual(["Alice is the owner"]);
  });
});

describe("words of the user that leave it open end nothing", () => {
  const known = "the request timeout is 30 seconds";

  test("saved as they were typed, they stand beside what they leave open", async () => {
    const typed =
      "60 fails, 45 works, so I guess we should stick to a request timeout of 45 seconds";
    await using t = await opened(known, typed);
    await t.call("memory_remember", { line: typed, quote: typed, replaces: [uri] });
    expect(linesOf(t, "active").toSorted()).toEqual([known, typed].toSorted());
  });

  test.each([
    ["perhaps the request timeout is 60 seconds", "the request timeout is 60 seconds"],
    ["could be 60, not sure", "the request timeout is 60 seconds"],
    ["hm, the request timeout could be 60 seconds now, not sure", "request timeout: 60 seconds"],
    ["I think the timeout moved to 60.", "the request timeout is 60 seconds"],
    ["The timeout moved. It might be 60 seconds.", "the request timeout is 60 seconds"],
    ["vielleicht ist das request timeout jetzt 60", "request timeout ist 60"],
    ["le timeout est peut-être passé à 60", "timeout à 60"],
    ["creo que el timeout ahora es 60", "timeout es 60"],
    ["acho que o timeout agora é 60", "timeout é 60"],
    ["timeout 可能改成 60 了", "timeout 改成 60"],
    ["timeout は 60 かもしれない", "timeout は 60"],
  ])("%s", async (prompt, line) => {
    await using t = await opened(known, prompt);
    await t.call("memory_remember", { line, quote: prompt, replaces: [uri] });
    expect(linesOf(t, "active")).toEqual([known]);
    expect(inboxOf(t).join()).toContain(`would replace ${uri}`);
  });

  test.each([
    ["the request timeout is 60 seconds", "the request timeout is 60 seconds"],
    ["The timeout moved to 60. I'm not sure about the retries.", "the request timeout is 60"],
    ["we raised the request timeout to 60", "the request timeout is 60"],
  ])("%s: ends it", async (prompt, line) => {
    await using t = await opened(known, prompt);
    await t.call("memory_remember", { line, quote: prompt, replaces: [uri] });
    expect(linesOf(t, "superseded")).toEqual([known]);
  });
});

describe("an agent names a memory of its own and one of the user's", () => {
  const own = "deploys stall because the proxy closes idle connections";
  const line = "deploys stall because the pack is built before the first byte is sent";

  test("its own ends, the user's stands, and the answer says so", async () => {
    await using t = await opened("yeah it works, the connection stays open now");
    t.server.t.add({ uri: "mem://agent/cases/own", l0: own, project, origin: "agent" });
    const replaces = ["mem://agent/cases/own", uri];
    const { text } = await t.call("memory_remember", { line, kind: "cause", replaces });
    expect(text).toContain("Remembered, replacing an older memory, noted by the agent");
    expect(text).toContain(`not in place of ${uri}, the user's own`);
    expect(text).toContain("Replaced: mem://agent/cases/own.");
    expect(linesOf(t, "active")).toContain("yeah it works, the connection stays open now");
    expect(linesOf(t, "superseded")).toEqual([own]);
  });

  test("what says the contrary of the user's waits all the same", async () => {
    await using t = await opened("Alice is the owner");
    t.server.t.add({ uri: "mem://agent/cases/own", l0: own, project, origin: "agent" });
    const replaces = ["mem://agent/cases/own", uri];
    await t.call("memory_remember", { line: "Bob is the owner", replaces });
    expect(linesOf(t, "active").toSorted()).toEqual(["Alice is the owner", own].toSorted());
    expect(linesOf(t, "pending")).toEqual(["Bob is the owner"]);
  });

  test("what the user only guessed stands beside what was measured", async () => {
    const guess = "I think the target takes packs of 2 GB";
    await using t = await opened(guess);
    const measured = "the target refuses pushes: body exceeded size limit 2147483648";
    const { text } = await t.call("memory_remember", { line: measured, replaces: [uri] });
    expect(text).toContain(`not in place of ${uri}, the user's own`);
    expect(linesOf(t, "active").toSorted()).toEqual([guess, measured].toSorted());
  });

  test("the user's alone: it waits", async () => {
    await using t = await opened("yeah it works, the connection stays open now");
    const { text } = await t.call("memory_remember", { line, kind: "cause", replaces: [uri] });
    expect(text).toContain("Not in force");
  });
});
