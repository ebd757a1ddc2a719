/** Tests the report of memory's worth on invented sessions: each figure equals a count by hand. */
import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import { msPerDay } from "#kit";

const minute = 60_000;

/** Two days before now, so that turns may follow. */
const dayMs = testNowMs - 2 * msPerDay;

interface ToldTurn {
  readonly prompt: string;
  readonly tool?: string;
  readonly answer?: string;
}

/** A session as the journal has it; each turn a minute after the one before. */
function session(t: TestService, id: string, turns: readonly ToldTurn[], atMs = dayMs): void {
  const { sessions } = t.store;
  sessions.upsert({ sessionId: id, project: "p", atMs });
  for (const [index, { prompt, tool, answer }] of turns.entries()) {
    const at = atMs + index * minute;
    const turn = sessions.openTurn({ sessionId: id, promptId: `${id}-${index}`, prompt, atMs: at });
    if (tool !== undefined)
      sessions.addToolUse({
        sessionId: id,
        turn: turn.n,
        toolUseId: `${id}-t${index}`,
        tool: "Bash",
        target: tool,
        files: [],
        outcome: "ok",
        text: null,
        atMs: at + 1_000,
        agentId: null,
      });
    sessions.updateTurn(turn.id, { status: "closed", answer: answer ?? "Done." });
  }
}

type Channel = "start" | "prompt" | "fetch" | "said";

function shown(t: TestService, sessionId: string, name: string, at: Channel | [Channel, number]) {
  const uri = `mem://user/entities/${name}`;
  const nodeId = t.store.nodes.byUri(uri)?.id ?? 0;
  const [channel, turn] = typeof at === "string" ? [at, 0] : at;
  t.store.exposure.add([{ sessionId, nodeId, uri, channel, atMs: dayMs + turn * minute }]);
}

/** Memories that were there ten days before. */
function known(t: TestService, memories: Readonly<Record<string, string>>): void {
  t.clock.advance(-10 * msPerDay);
  for (const [name, l0] of Object.entries(memories))
    t.add({ uri: `mem://user/entities/${name}`, l0, sourceSession: "s0" });
  t.clock.advance(10 * msPerDay);
}

test("a value, a file, a name or a tool that the agent shows next is use", async () => {
  using t = openTestService();
  known(t, {
    port: "The label service listens on port 7001",
    pm: "Use pnpm, not npm",
    where: "Labels are printed by cmd/labelerd",
    who: "Reviews go to Marisol",
    said: "The queue runs on port 6380",
    idle: "Deploys wait for the freeze on Fridays to end",
  });
  session(t, "s1", [
    { prompt: "call the service", tool: "curl localhost:7001/health" },
    { prompt: "install it", tool: "pnpm install" },
    { prompt: "who reads this?", answer: "I asked Marisol for a review." },
    { prompt: "connect to 6380", tool: "redis-cli -p 6380" },
  ]);
  for (const name of ["port", "pm", "where", "who", "said", "idle"]) shown(t, "s1", name, "start");
  const { start, prompt, sessions } = await t.service.worth(30);
  expect(sessions).toBe(1);
  expect(start).toMatchObject({ given: 6, used: 3, contradicted: 0 });
  expect(start.tokens_unused).toBeLessThan(start.tokens);
  expect(prompt).toMatchObject({ given: 0, used: 0 });
});

test("what the agent did before it was given, or long after, is no use of it", async () => {
  using t = openTestService();
  known(t, { a: "The api listens on port 7001", b: "The cache listens on port 7002" });
  session(t, "s1", [
    { prompt: "go", tool: "curl localhost:7001" },
    { prompt: "again", tool: "curl localhost:7001" },
    { prompt: "on" },
    { prompt: "cache", tool: "curl localhost:7002" },
  ]);
  shown(t, "s1", "a", ["prompt", 1]);
  shown(t, "s1", "b", ["prompt", 1]);
  expect((await t.service.worth(30)).prompt).toMatchObject({ given: 2, used: 0 });
});

test("a quoted exchange that was given counts, and is no memory to clear out", async () => {
  using t = openTestService();
  const uri = "mem://sessions/s0/moments/port";
  t.clock.advance(-10 * msPerDay);
  t.add({ uri, l0: "The label service listens on port 7001", sourceSession: "s0" });
  t.clock.advance(10 * msPerDay);
  const nodeId = t.store.nodes.byUri(uri)?.id ?? 0;
  for (const id of ["s1", "s2", "s3", "s4"]) {
    session(t, id, [{ prompt: "go", tool: id === "s1" ? "curl localhost:7001" : "ls" }]);
    t.store.exposure.add([{ sessionId: id, nodeId, uri, channel: "prompt", atMs: dayMs }]);
  }
  const worth = await t.service.worth(30);
  expect(worth).toMatchObject({ sessions: 4, costly: [] });
  expect(worth.prompt).toMatchObject({ given: 4, used: 1 });
});

test("npm is not shown by pnpm, nor a denied word by the one that replaced it", async () => {
  using t = openTestService();
  known(t, { pm: "Use pnpm instead of yarn" });
  session(t, "s1", [{ prompt: "install", tool: "yarn install" }]);
  shown(t, "s1", "pm", "start");
  expect((await t.service.worth(30)).start).toMatchObject({ given: 1, used: 0 });
});

test("fetched later is use; fetched without having been given was missed; one of this session was not", async () => {
  using t = openTestService();
  known(t, { a: "Alpha is slow", b: "Beta is slow", c: "Gamma is slow" });
  session(t, "s1", [{ prompt: "go" }]);
  t.add({ uri: "mem://user/entities/own", l0: "Delta is slow", sourceSession: "s1" });
  shown(t, "s1", "a", "start");
  shown(t, "s1", "a", "fetch");
  shown(t, "s1", "b", "fetch");
  shown(t, "s1", "b", ["fetch", 1]);
  shown(t, "s1", "c", "said");
  shown(t, "s1", "c", ["fetch", 1]);
  shown(t, "s1", "own", ["fetch", 1]);
  const worth = await t.service.worth(30);
  expect(worth.start).toMatchObject({ given: 1, used: 1 });
  expect(worth.missed).toBe(1);
});

test("what the user replaces in a session that was given it is contradicted, elsewhere it is not", async () => {
  using t = openTestService();
  known(t, { old: "The api listens on port 7001" });
  session(t, "s1", [{ prompt: "the api is on 7002 now", tool: "curl localhost:7001" }]);
  session(t, "s2", [{ prompt: "go" }]);
  shown(t, "s1", "old", "start");
  shown(t, "s2", "old", "start");
  const evidence = [{ sessionId: "s1", turn: 1, line: null, quote: "the api is on 7002 now" }];
  t.add({
    uri: "mem://user/entities/new",
    l0: "The api listens on port 7002",
    evidence,
    origin: "user",
  });
  const idOf = (name: string): number =>
    t.store.nodes.byUri(`mem://user/entities/${name}`)?.id ?? 0;
  t.store.nodes.update(
    idOf("old"),
    { status: "superseded" },
    { atMs: testNowMs, action: "supersede", by: "signal:s1:1", reason: "another value" },
  );
  t.store.nodes.relate(idOf("new"), idOf("old"), "supersedes", testNowMs);
  expect((await t.service.worth(30)).start).toMatchObject({ given: 2, used: 0, contradicted: 1 });
});

test("an audit names what costs and never helps, and what nobody used", async () => {
  using t = openTestService();
  known(t, {
    costly: "Please think about naming things well",
    fine: "The api listens on port 7001",
  });
  t.clock.advance(-200 * msPerDay);
  t.add({ uri: "mem://user/entities/dusty", l0: "The old printer jams" });
  t.clock.advance(200 * msPerDay);
  for (const id of ["s1", "s2", "s3"]) {
    session(t, id, [{ prompt: "go", tool: "curl localhost:7001" }]);
    shown(t, id, "costly", "start");
    shown(t, id, "fine", "start");
  }
  const worth = await t.service.worth(30);
  const names = (list: typeof worth.costly) =>
    list
      .map(({ uri }) => uri.split("/").at(-1))
      .toSorted((a, b) => (a ?? "").localeCompare(b ?? ""));
  expect(names(worth.costly)).toEqual(["costly"]);
  expect(worth.costly[0]).toMatchObject({ given: 3, used: 0 });
  expect(names(worth.stale)).toEqual(["dusty"]);
});

test("nothing given, nothing known: every figure is 0", async () => {
  using t = openTestService();
  expect(await t.service.worth(90)).toMatchObject({
    sessions: 0,
    start: { given: 0, used: 0, contradicted: 0, tokens: 0, tokens_unused: 0 },
    missed: 0,
    costly: [],
  });
});
