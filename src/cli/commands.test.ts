import { expect, test } from "bun:test";
import { openTestCli, type TestCli } from "../../test/support/cli.ts";
import { testNowMs } from "../../test/support/service.ts";
import { OutputFailure } from "./failure.ts";
import { emptyCheckpoint, nowHeader, shortIdOf } from "#domain";
import { msPerDay } from "#kit";

const withMemories = (cli: TestCli): void => {
  const { t } = cli.server;
  t.add({
    uri: "mem://user/entities/db",
    l0: "The staging database listens on port 5433",
    l1: "Staging database: db.internal:5433",
    project: "github.com/acme/api",
  });
  t.add({ uri: "mem://user/preferences/pm", l0: "Use pnpm, not npm", category: "preferences" });
};

const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");
const jsonLines = (text: string): readonly Record<string, unknown>[] =>
  lines(text).map((line) => JSON.parse(line) as Record<string, unknown>);

test("list --json is one memory a line with the documented fields, without the archive", async () => {
  using cli = openTestCli();
  withMemories(cli);
  cli.server.t.add({
    uri: "mem://sessions/s1/moments/1",
    l0: "Found the cause",
    category: "sessions",
    maker: "stop",
  });
  const ran = await cli.run(["list", "--json", "--sort", "uri"]);
  expect([ran.status, ran.err, ran.needs]).toEqual([0, "", ["read"]]);
  const memories = jsonLines(ran.out);
  expect(memories.map(({ uri }) => uri)).toEqual([
    "mem://user/entities/db",
    "mem://user/preferences/pm",
  ]);
  expect(memories[0]).toMatchObject({
    category: "entities",
    project: "github.com/acme/api",
    l0: "The staging database listens on port 5433",
    l1: "Staging database: db.internal:5433",
    importance: 3,
    status: "active",
    origin: "user",
    maker: "manual",
    created_at: testNowMs,
    updated_at: testNowMs,
  });
  const archive = await cli.run(["list", "--json", "--archive"]);
  expect(jsonLines(archive.out).map(({ uri }) => uri)).toEqual(["mem://sessions/s1/moments/1"]);
});

test("list --json gives every memory, whatever the size of a page", async () => {
  using cli = openTestCli();
  for (let n = 0; n < 503; n += 1)
    cli.server.t.store.nodes.insert(
      {
        uri: `mem://user/entities/e${n}`,
        l0: `Entity ${n}`,
        category: "entities",
        project: null,
        origin: "user",
        maker: "manual",
      },
      { atMs: testNowMs, action: "create", by: "test", reason: "given" },
    );
  const ran = await cli.run(["list", "--json", "--sort", "uri"]);
  const uris = jsonLines(ran.out).map(({ uri }) => uri);
  expect(new Set(uris).size).toBe(503);
  const some = await cli.run(["list", "--json", "--limit", "7"]);
  expect(lines(some.out).length).toBe(7);
});

test("list for people fits the terminal and says when there is more", async () => {
  using cli = openTestCli();
  withMemories(cli);
  const ran = await cli.run(["list", "--limit", "1"], { columns: 60 });
  expect(lines(ran.out)[0]).toMatch(/^ID +MEMORY +PROJECT +CATEGORY +UPDATED$/);
  for (const line of lines(ran.out)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(60);
  expect(ran.out).toContain("1 of 2");
});

test("list says of the older one of two values which one is newer", async () => {
  using cli = openTestCli();
  const { t } = cli.server;
  const [older = 0, newer = 0] = ["mars", "venus"].map((name) => {
    const uri = `mem://user/entities/${name}`;
    t.add({ uri, l0: `The CI runner is called ${name}` });
    return t.store.nodes.byUri(uri)?.id;
  });
  t.store.nodes.link({
    fromId: newer,
    toId: older,
    relation: "contradicts",
    weight: 1,
    createdAt: testNowMs,
  });
  const [head, mars, venus] = lines((await cli.run(["list", "--sort", "uri"])).out);
  expect(head).toMatch(/ NEWER +UPDATED$/);
  expect(mars).toContain(` ${shortIdOf(newer)} `);
  expect(venus).not.toContain(shortIdOf(older));
  const listed = jsonLines((await cli.run(["list", "--json", "--sort", "uri"])).out);
  const uri = "mem://user/entities/venus";
  expect(listed.map((one) => one["superseded_by"])).toEqual([uri, null]);
  expect((await cli.run(["find", "CI runner"])).out).toContain(`earlier than ${uri}`);
});

test("what tables and search print is accepted where it is typed back, on a narrow terminal too", async () => {
  using cli = openTestCli();
  withMemories(cli);
  const { store } = cli.server.t;
  for (const sessionId of ["aaaaaaaa-1111-7000-8000-000000000001", "aaaaaaaa-2222-7000"]) {
    store.sessions.upsert({ sessionId, atMs: testNowMs, firstPrompt: "x", title: "Mend the kiln" });
    store.sessions.openTurn({
      sessionId,
      promptId: null,
      prompt: "Mend the kiln",
      atMs: testNowMs,
    });
  }
  const listed = await cli.run(["list"], { columns: 80 });
  const ids = lines(listed.out)
    .slice(1)
    .map((line) => line.split(" ")[0] ?? "");
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(await cli.run(["show", id])).toMatchObject({ status: 0, err: "" });
  const sessions = await cli.run(["sessions"], { columns: 80 });
  const shorts = lines(sessions.out)
    .slice(1)
    .map((line) => line.split(" ")[0] ?? "");
  expect(new Set(shorts).size).toBe(2);
  for (const id of shorts)
    for (const command of ["sessions", "why", "context", "timeline"])
      expect(await cli.run([command, id])).toMatchObject({ status: 0, err: "" });
});

test("the id of another agent's session is cut behind the agent's name, not in it", async () => {
  using cli = openTestCli();
  const { store } = cli.server.t;
  for (const sessionId of [
    "copilot-aaaaaaaa-1111-7000",
    "opencode-ses_3f1b22c7",
    "5b1f8a1e-0c1d-4a0e",
  ])
    store.sessions.upsert({ sessionId, atMs: testNowMs, firstPrompt: "x", title: "Mend the kiln" });
  const { out } = await cli.run(["sessions"], { columns: 80 });
  const shorts = lines(out)
    .slice(1)
    .map((line) => line.split(" ")[0] ?? "");
  expect(shorts.toSorted()).toEqual(["5b1f8a1e", "copilot-aaaaaaaa", "opencode-ses_3f1b"]);
  for (const id of shorts)
    expect(await cli.run(["sessions", id])).toMatchObject({ status: 0, err: "" });
});

test("every address of a record is shown, and one without a record is an error", async () => {
  using cli = openTestCli();
  const { store } = cli.server.t;
  store.sessions.upsert({
    sessionId: "s-12345678",
    project: "github.com/acme/api",
    atMs: testNowMs,
  });
  store.sessions.openTurn({
    sessionId: "s-12345678",
    promptId: null,
    prompt: "Mend the kiln",
    atMs: testNowMs,
  });
  store.sessions.addCheckpoint({
    sessionId: "s-12345678",
    project: null,
    atMs: testNowMs,
    trigger: "stop",
    l0: "The kiln is mended",
    fields: { ...emptyCheckpoint, completed: "Put in new bricks" },
  });
  const found = await cli.run(["find", "--json", "--all-projects", "kiln"]);
  const { results } = JSON.parse(found.out) as { readonly results: readonly { uri: string }[] };
  const uris = [...results.map(({ uri }) => uri), "mem://sessions/s-12345678/summary"];
  expect(uris).toContain("mem://sessions/s-12345678/turns/1");
  for (const uri of uris) {
    const shown = await cli.run(["show", uri]);
    expect(shown).toMatchObject({ status: 0, err: "" });
    expect(shown.out).toContain("kiln");
  }
  const json = await cli.run(["show", "--json", "sessions/s-12345/turns/1"]);
  expect(JSON.parse(json.out)).toMatchObject({
    uri: "mem://sessions/s-12345678/turns/1",
    kind: "turn",
    l0: "Mend the kiln",
  });
  const none = await cli.run(["show", "mem://sessions/s-12345678/turns/7"]);
  expect(none).toMatchObject({ status: 1, out: "" });
  expect(none.err).toContain("there is no record at mem://sessions/s-12345678/turns/7");
});

test("a memory is found by a unique beginning, and several are named", async () => {
  using cli = openTestCli();
  const { t } = cli.server;
  t.add({ uri: "mem://user/entities/log-retention-14-days-a0bd6a9e", l0: "Logs stay 14 days" });
  t.add({ uri: "mem://user/entities/kiln/log-retention", l0: "The kiln keeps no logs" });
  t.add({ uri: "mem://user/entities/log-level", l0: "The log level is info" });
  const shown = async (uri: string) => cli.run(["show", uri]);
  expect((await shown("log-level")).out).toContain("level is info");
  expect((await shown("log-retention-14")).out).toContain("14 days");
  // A whole name before the beginning of a longer one.
  expect((await shown("log-retention")).out).toContain("keeps no logs");
  expect((await shown("mem://user/entities/log-ret")).out).toContain("14 days");
  const several = await shown("log-");
  expect(several).toMatchObject({ status: 1, out: "" });
  const many = await shown("mem://user/entities/log");
  expect(many.err).toContain("mem://user/entities/log is ambiguous: mem://");
  expect((await shown("nothing-like-it")).err).toContain("No memory at nothing-like-it");
});

test("context of a session that is not known is an error", async () => {
  using cli = openTestCli();
  const ran = await cli.run(["context", "nope"]);
  expect(ran).toMatchObject({ status: 1, out: "" });
  expect(ran.err).toContain("No session nope; see `continuity sessions`");
  expect((await cli.run(["context"])).status).toBe(0);
});

test("a command that is not known is answered with a near one, or with none", async () => {
  using cli = openTestCli();
  expect((await cli.run(["bogus"])).err).toBe(
    "error: unknown command 'bogus'; see `continuity help`\n",
  );
  expect((await cli.run(["sesions", "x"])).err).toBe(
    "error: unknown command 'sesions'; did you mean `continuity sessions`?\n",
  );
  const near = [
    ["instal", "did you mean `continuity install`?"],
    ["--verison", "did you mean `continuity --version`?"],
    ["restart", "the daemon starts by itself"],
    ["stop", "`continuity pause` stops recording"],
    ["delete", "`continuity forget` deletes"],
    ["upgrade", "npm install -g continuity@latest"],
    ["disable", "`continuity uninstall`"],
  ];
  for (const [word = "", next = ""] of near) {
    const ran = await cli.run([word]);
    expect(ran.err).toContain(next);
    expect([ran.status, ran.err.split("\n").length]).toEqual([2, 2]);
  }
  expect((await cli.run(["help", "instal"])).err).toBe(
    "error: unknown command 'instal'; did you mean `continuity install`?\n",
  );
  expect((await cli.run(["-v"])).out).toBe("1.2.3\n");
  const action = await cli.run(["archive", "bogus"]);
  expect(action.err).not.toContain("command-argument");
  expect(action.status).toBe(2);
});

test("what a command lacks is said with its own help, its choices, and where text begins with a dash", async () => {
  using cli = openTestCli();
  expect((await cli.run(["remember"])).err).toBe(
    "error: missing required argument 'text'; see `continuity help remember`\n",
  );
  expect((await cli.run(["project"])).err).toBe(
    "error: missing required argument 'action' (trust, move); see `continuity help project`\n",
  );
  expect((await cli.run(["remember", "--dry-run writes nothing"])).err).toBe(
    "error: unknown option '--dry-run writes nothing'; see `continuity help remember`; " +
      "put `--` before text that begins with a dash\n",
  );
  expect((await cli.run(["list", "--colour"])).err).not.toContain("put `--`");
  expect((await cli.run(["remember", "--", "--dry-run writes nothing"])).status).toBe(0);
});

test("an empty memory says what to do, and prints nothing for programs", async () => {
  using cli = openTestCli();
  expect((await cli.run(["list"])).out).toContain("continuity remember");
  expect((await cli.run(["list", "--json"])).out).toBe("");
});

test("find looks in this project and global, search asks for overviews", async () => {
  using cli = openTestCli();
  withMemories(cli);
  cli.server.t.add({
    uri: "mem://user/entities/other",
    l0: "The other staging database listens on port 1",
    project: "github.com/acme/web",
  });
  const here = await cli.run(["find", "--json", "staging", "port"], {
    project: "github.com/acme/api",
  });
  const found = JSON.parse(here.out) as {
    readonly projects: unknown;
    readonly results: readonly Record<string, unknown>[];
  };
  expect(found.projects).toEqual(["github.com/acme/api"]);
  expect(found.results[0]).toMatchObject({ uri: "mem://user/entities/db", kind: "memory" });
  expect(found.results[0]).not.toHaveProperty("l1");
  const all = await cli.run(["search", "--json", "--all-projects", "staging port"], {
    project: "github.com/acme/api",
  });
  expect(JSON.parse(all.out)).toMatchObject({ mode: "search", format: "overview", projects: null });
  expect(all.out).toContain("mem://user/entities/other");
});

test("inside a session of the client, what is found counts as seen by it", async () => {
  using cli = openTestCli();
  withMemories(cli);
  const seen = (): number => cli.server.t.store.exposure.seen("s9").size;
  await cli.run(["find", "staging port"], { env: { CLAUDE_CODE_SESSION_ID: "s9" } });
  expect(seen()).toBe(0);
  await cli.run(["find", "staging port"], {
    env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s9" },
  });
  expect(seen()).toBeGreaterThan(0);
});

test("find for people explains itself on demand and admits when nothing fits", async () => {
  using cli = openTestCli();
  withMemories(cli);
  const ran = await cli.run(["find", "--explain", "staging port"], { columns: 80 });
  expect(ran.out).toMatch(/^ {3}1\. The staging database .*\n {6}#4 · memory · just now/);
  expect(ran.out).toMatch(/by query, words #1/);
  const none = await cli.run(["find", "--min-score", "2", "zebra"], { project: "x" });
  expect(none.out).toContain("Nothing found");
});

test("memory text cannot command the terminal, but programs get it as it is", async () => {
  using cli = openTestCli();
  const text = "port \u001b]0;owned\u0007\u001b[2J\u202e5433";
  cli.server.t.add({ uri: "mem://user/entities/evil", l0: text, l1: text, l2: text });
  for (const argv of [
    ["list"],
    ["find", "port"],
    ["search", "--format", "full", "port"],
    ["show", "mem://user/entities/evil"],
    ["tree", "--depth", "8"],
    ["history", "mem://user/entities/evil"],
  ]) {
    const ran = await cli.run(argv, { isTerminal: true, columns: 80, env: { NO_COLOR: "1" } });
    expect(ran.status, argv[0]).toBe(0);
    expect(ran.out, argv[0]).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(ran.out, argv[0]).toContain("5433");
  }
  const json = await cli.run(["show", "--json", "mem://user/entities/evil"]);
  expect(JSON.parse(json.out)).toMatchObject({ l0: text });
});

test("show counts as use unless told not to, and still reads when no daemon can be had", async () => {
  using cli = openTestCli();
  withMemories(cli);
  const uri = "mem://user/entities/db";
  const uses = (): number => cli.server.t.store.nodes.byUri(uri)?.accessCount ?? -1;
  const looked = await cli.run(["show", "--no-use", uri]);
  expect([uses(), new Set(looked.needs)]).toEqual([0, new Set(["read"])]);
  await cli.run(["show", uri]);
  expect(uses()).toBe(1);
  const missing = await cli.run(["show", "mem://user/entities/none"]);
  expect([missing.status, missing.out]).toEqual([1, ""]);
  expect(missing.err).toMatch(/^error: No memory at mem:.*; look for it with .*\n$/);
});

test("show, profile and guards name a project as people do, not by its key", async () => {
  using cli = openTestCli();
  const { t } = cli.server;
  const key = "dir:a32ad3fb2ba55a9ed98867d13a4e7c0b";
  t.store.sessions.upsert({ sessionId: "s1", project: key, projectName: "shop", atMs: testNowMs });
  t.add({
    uri: "mem://user/preferences/pm",
    l0: "Use pnpm",
    category: "preferences",
    project: key,
  });
  await cli.run(["guards", "add", "never push to main"], { project: key });
  const nameless = "dir:bbbb3fb2ba55a9ed98867d13a4e7c0bb";
  t.add({
    uri: "mem://user/preferences/tab",
    l0: "Tabs",
    category: "preferences",
    project: nameless,
  });
  const shown = (await cli.run(["show", "mem://user/preferences/pm"])).out;
  expect(shown).toContain("preferences · shop · active");
  expect(
    await Promise.all([["profile"], ["guards"]].map(async (args) => (await cli.run(args)).out)),
  ).toEqual([expect.stringMatching(/Use pnpm .*shop/), expect.stringMatching(/; shop\n/)]);
  const all = [["list"], ["show", "mem://user/preferences/tab"], ["profile"], ["guards"]];
  for (const args of all) expect((await cli.run(args)).out).not.toMatch(/dir:|[0-9a-f]{32}/);
});

test("remember stores in the user's name for the folder's project", async () => {
  using cli = openTestCli();
  const ran = await cli.run(["remember", "We", "deploy", "on", "Tuesdays"], {
    project: "github.com/acme/api",
  });
  expect([ran.status, ran.needs]).toEqual([0, ["write"]]);
  expect(ran.out).toContain("Remembered: We deploy on Tuesdays");
  const long = await cli.run(["remember", "harbour ".repeat(6_000)]);
  expect(long.out).toMatch(/\nToo long for one memory: the last \d+ characters were cut\.\n$/);
  const global = await cli.run(["remember", "--global", "--json", "-"], {
    project: "github.com/acme/api",
    input: "Use tabs in Makefiles\n",
  });
  expect(JSON.parse(global.out)).toMatchObject({
    action: "created",
    memory: { l0: "Use tabs in Makefiles", project: null, origin: "user" },
  });
  const listed = jsonLines(
    (await cli.run(["list", "--json", "--project", "github.com/acme/api"])).out,
  );
  expect(listed.map(({ project }) => project)).toContain("github.com/acme/api");
});

test("remember --until holds through the day that it names, or for a span", async () => {
  using cli = openTestCli();
  const endOf = async (until: string, line: string): Promise<number> => {
    const { out } = await cli.run(["remember", "--json", "--until", until, line]);
    return JSON.parse(out).memory.expires_at;
  };
  expect(await endOf("2099-03-28", "The freeze holds")).toBe(Date.parse("2099-03-29T00:00"));
  expect(await endOf("2099-09-01T10:30", "The canary stays")).toBe(Date.parse("2099-09-01T10:30"));
  expect(await endOf("7d", "Kim reviews")).toBe(testNowMs + 7 * msPerDay);
  const dayAfter = new Date(testNowMs).setHours(48, 0, 0, 0);
  expect(await endOf("tomorrow", "The lift is broken")).toBe(dayAfter);
  const weekday = (ms: number): string =>
    new Date(ms).toLocaleDateString("en", { weekday: "long" }).toLowerCase();
  expect(await endOf(weekday(testNowMs + msPerDay), "The gate is shut")).toBe(dayAfter);
  // The name of today's weekday may mean today or in a week.
  for (const until of ["2019-01-01", "someday", "2099-02-30", weekday(testNowMs)]) {
    const { status, err } = await cli.run(["remember", "--until", until, "x holds"]);
    expect([status, err]).toEqual([2, expect.stringContaining("is not a time in the future")]);
  }
  const { out } = await cli.run(["remember", "--until", "2099-03-28", "The demo tenant is frozen"]);
  expect(out).toContain("\nIt holds until 2099-03-28 23:59.\n");
  const shown = await cli.run(["show", "mem://user/entities/demo-tenant-frozen"]);
  expect(shown.out).toContain("\nholds until 2099-03-28 23:59\n");
  const listed = (await cli.run(["list"])).out.split("\n");
  expect(listed.find((line) => line.includes("tenant"))).toMatch(/ until 28 Mar 2099 /);
});

test.each([
  { argv: ["remember", "-"], message: "there is no text to remember" },
  { argv: ["remember", "--global", "--project", "api", "x"], message: "exclude each other" },
  { argv: ["remember", "--category", "sessions", "x"], message: "Allowed choices" },
  { argv: ["remember", "--importance", "6", "x"], message: "from 1 to 5" },
  { argv: ["remember"], message: "missing required argument" },
  { argv: ["find", ""], message: "<query> is empty" },
  { argv: ["show", " "], message: "<uri> is empty" },
  { argv: ["show"], message: "<uri> is missing" },
  { argv: ["list", "word"], message: "goes with --tree" },
  { argv: ["list", "--since", "someday"], message: "is not a time" },
  { argv: ["list", "--sort", "colour"], message: "Allowed choices" },
  { argv: ["list", "--category", "a,b"], message: "Allowed choices" },
  { argv: ["list", "--project", "nowhere"], message: "No project named nowhere" },
  { argv: ["find", "--limit", "101", "x"], message: "from 1 to 100" },
  { argv: ["find", "--min-score", "high", "x"], message: "must be a number" },
  { argv: ["tree", "--depth", "0"], message: "from 1 to 8" },
  { argv: ["pause", "soon"], message: "is not a duration" },
  { argv: ["serve", "--port", "70000"], message: "from 0 to 65535" },
  { argv: ["flush", "--timeout", "soon"], message: "is not a duration" },
  { argv: ["config", "set", "server.port"], message: "a key and a value" },
  { argv: ["config", "burn"], message: "Allowed choices" },
  { argv: ["exprt", "x"], message: "did you mean `continuity export`?" },
  { argv: ["list", "--colour"], message: "unknown option" },
  { argv: ["version", "extra"], message: "too many arguments" },
])("$argv is misuse: status 2, one line on standard error", async ({ argv, message }) => {
  using cli = openTestCli();
  const ran = await cli.run(argv);
  expect(ran.status).toBe(2);
  expect(ran.out).toBe("");
  expect(ran.err).toContain(message);
  expect(ran.err).toMatch(/^error: [^\n]+\n$/);
});

test.each([
  { name: "a reader that has left is no failure", isReaderGone: true, status: 0, told: "" },
  {
    name: "a disk that is full is",
    isReaderGone: false,
    status: 1,
    told: "error: standard output cannot be written: no room\n",
  },
])("$name", async ({ isReaderGone, status, told }) => {
  using cli = openTestCli();
  withMemories(cli);
  for (const argv of [["list", "--json"], ["help"], []]) {
    let err = "";
    const ran = await cli.run(argv, {
      io: {
        out: () => {
          throw new OutputFailure("no room", isReaderGone);
        },
        err: (text) => void (err += text),
      },
    });
    expect([ran.status, err]).toEqual([status, told]);
  }
});

test("without a daemon the failure names what to do, with status 1", async () => {
  using cli = openTestCli();
  const ran = await cli.run(["remember", "x"], { offline: true });
  expect([ran.status, ran.out, ran.err]).toEqual([
    1,
    "",
    "error: no daemon answers; run continuity serve\n",
  ]);
});

test("CONTINUITY_NOW travels in the header that the server reads", async () => {
  using cli = openTestCli();
  withMemories(cli);
  expect(nowHeader).toBe("continuity-now");
  const env = { CONTINUITY_NOW: "2026-11-01T00:00:00Z" };
  await cli.run(["show", "mem://user/entities/db"], { env });
  expect(cli.server.t.store.nodes.byUri("mem://user/entities/db")?.lastAccess).toBe(
    Date.parse("2026-11-01T00:00:00Z"),
  );
});
