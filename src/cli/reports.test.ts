/** Status, logs, sessions, injections, set-up and plumbing, from the person's side. */
import { expect, test } from "bun:test";
import { openTestCli, type TestCli } from "../../test/support/cli.ts";
import { testNowMs } from "../../test/support/service.ts";
import * as forms from "#api/forms";
import { cliReference } from "../../scripts/docs/cli-reference.ts";
import { commands } from "./commands/index.ts";
import { jsonFields } from "./spec.ts";

const uri = "mem://user/entities/flaky-test";

const withSession = ({ server: { t } }: TestCli): void => {
  t.store.sessions.upsert({
    sessionId: "s1",
    project: "github.com/acme/api",
    projectName: "api",
    title: "Fix the flaky test",
    atMs: testNowMs - 7_200_000,
  });
  t.store.sessions.openTurn({
    sessionId: "s1",
    promptId: "p1",
    prompt: "Fix the flaky test",
    atMs: testNowMs,
  });
  t.store.nodes.insert(
    {
      uri,
      category: "entities",
      project: null,
      l0: "The flaky test is in checkout",
      origin: "user",
      maker: "manual",
    },
    { atMs: testNowMs, action: "create", by: "test", reason: "given" },
  );
  t.store.exposure.addInjection({
    sessionId: "s1",
    atMs: testNowMs,
    channel: "prompt",
    cause: "wanted",
    text: "- Use pnpm",
    tokens: 3,
    reasons: JSON.stringify({
      decision: { verdict: "inject", cause: "wanted", probability: 0.8, threshold: 0.53 },
      memories: [
        { uri, taken: true, why: "near", fused: 0.885 },
        { uri: "mem://user/preferences/gone", taken: false, why: "seen" },
      ],
    }),
  });
};

test("status says what runs, how much there is and what is wrong", async () => {
  using cli = openTestCli();
  const ran = await cli.run(["status"]);
  expect(ran.needs).toEqual(["read"]);
  expect(ran.out).toContain("running for 1 min\n");
  expect(ran.out).toContain(
    "recording  on; nothing seen yet: restart Claude Code and send a prompt",
  );
  expect(ran.out.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
  expect(JSON.parse((await cli.run(["status", "--json"])).out)).toMatchObject({
    daemon: { pid: 77 },
    counts: { memories: 0 },
  });
});

test("stats names every figure that is not zero", async () => {
  using cli = openTestCli();
  withSession(cli);
  const ran = await cli.run(["stats"]);
  for (const title of [
    "Recorded",
    "Memories by category",
    "Memories by state",
    "Memories by who said them",
    "Memories by how they came",
    "Projects",
  ])
    expect(ran.out).toContain(title);
  expect(ran.out).not.toMatch(/ 0$/m);
  expect(ran.out).toContain("api  github.com/acme/api, 1 session");
});

test("sessions are listed, and one is told with its turns", async () => {
  using cli = openTestCli();
  withSession(cli);
  const listed = await cli.run(["sessions"], { columns: 100 });
  expect(listed.out).toContain("2 h ago");
  expect(listed.out).toContain("Fix the flaky test");
  const json = await cli.run(["sessions", "--json"]);
  expect(JSON.parse(json.out)).toMatchObject({ session_id: "s1", project_name: "api" });
  const shown = await cli.run(["sessions", "s1"]);
  expect(shown.out).toContain("1. Fix the flaky test");
  expect((await cli.run(["sessions", "none"])).status).toBe(1);
});

test("why says in words why a line was sent or left out, and the JSON has the figures", async () => {
  using cli = openTestCli();
  expect((await cli.run(["why"])).out).toBe("Nothing sent.\n");
  withSession(cli);
  const ran = await cli.run(["why"]);
  expect(ran.out).toBe(
    "session s1\n" +
      "2026-09-15 10:00  prompt  3 tokens\n" +
      "  - Use pnpm\n" +
      "  Sent: relevant (likely to help: 80 %, needed: 53 %)\n" +
      "  - The flaky test is in checkout\n" +
      "    sent: named in your prompt: flaky, test; ranked 1 of 2 by search\n" +
      "  - (no longer there)\n" +
      "    left out: already sent in this session; ranked 2 of 2 by search\n",
  );
  const { out } = await cli.run(["why", "--json"]);
  expect(JSON.parse(out)).toMatchObject({
    injections: [{ reasons: { memories: [{ fused: 0.885 }, {}] } }],
  });
});

test("context previews the folder one stands in", async () => {
  using cli = openTestCli();
  const ran = await cli.run(["context"], { project: "github.com/acme/api" });
  expect(ran.out).toBe("hello github.com/acme/api\npreview, 3 tokens\n");
});

test("logs shows the last lines and follows until interrupted", async () => {
  using cli = openTestCli();
  const { logLines } = cli.server.t;
  logLines.push('{"event":"one"}', '{"event":"two"}');
  const last = await cli.run(["logs", "--tail", "1"]);
  expect(last.out).toBe('{"event":"two"}\n');
  const followed = await cli.run(["logs", "-f", "--tail", "1"], {
    rounds: 2,
    sleep: () => void logLines.push(`{"event":"${logLines.length + 1}"}`),
  });
  expect(followed.out).toBe('{"event":"two"}\n{"event":"3"}\n{"event":"4"}\n');
});

test("logs --json is one record a line", async () => {
  using cli = openTestCli();
  cli.server.t.logLines.push('2026-09-15T10:00:00.000Z warn spool.set-aside file="a b.json"');
  const ran = await cli.run(["logs", "--json"]);
  expect(JSON.parse(ran.out)).toEqual({
    file: "a b.json",
    time: "2026-09-15T10:00:00.000Z",
    level: "warn",
    event: "spool.set-aside",
  });
});

test("pause takes a duration or none, and resume ends it", async () => {
  using cli = openTestCli();
  const paused = await cli.run(["pause", "1h"]);
  expect([paused.out, paused.needs]).toEqual([
    "Capture is paused until 2026-09-15 11:00.\n",
    ["write"],
  ]);
  expect((await cli.run(["pause"])).out).toContain("until `continuity pause --off`");
  expect((await cli.run(["resume"])).out).toBe("Capture is on.\n");
});

test("config reads, writes and names its file", async () => {
  using cli = openTestCli();
  expect((await cli.run(["config", "get", "server.port"])).out).toBe("37777\n");
  expect((await cli.run(["config", "set", "server.port", "4000"])).out).toBe(
    "server.port = 4000\n",
  );
  expect((await cli.run(["config", "path"])).out).toBe("/home/dev/.continuity/config.toml\n");
  expect(await cli.run(["config", "get", "server.prot"])).toMatchObject({
    status: 1,
    err: "error: no setting is called server.prot; see config get\n",
  });
});

test("hook gets its arguments untouched, whatever they are", async () => {
  using cli = openTestCli();
  const seen: unknown[] = [];
  const hook = async (args: readonly string[]) => {
    seen.push(args);
    return 0;
  };
  await cli.run(["hook", "stop", "--transcript", "/t.jsonl", "--unknown"], { deps: { hook } });
  await cli.run(["hook"], { deps: { hook } });
  expect(seen).toEqual([["stop", "--transcript", "/t.jsonl", "--unknown"], []]);
});

test("serve passes on port and patience", async () => {
  using cli = openTestCli();
  const seen: unknown[] = [];
  const serve = async (options: unknown) => {
    seen.push(options);
    return 0;
  };
  await cli.run(["serve"], { deps: { serve } });
  await cli.run(["serve", "--port", "0", "--idle-exit", "2h"], { deps: { serve } });
  await cli.run(["serve", "--idle-exit", "never"], { deps: { serve } });
  expect(seen).toEqual([
    { port: null, idleExitMinutes: null },
    { port: 0, idleExitMinutes: 120 },
    { port: null, idleExitMinutes: "never" },
  ]);
});

test("flush fails with what is left when the time is up", async () => {
  using cli = openTestCli();
  expect(await cli.run(["flush"])).toMatchObject({ status: 0, out: "", err: "" });
  const timeouts: number[] = [];
  const flush = async (timeoutMs: number) => {
    timeouts.push(timeoutMs);
    return { done: false, left: 3 };
  };
  const late = await cli.run(["flush", "--timeout", "5s"], { deps: { flush } });
  expect(timeouts).toEqual([5_000]);
  expect(late.status).toBe(1);
  expect(late.err).toContain("3 jobs or events are left");
});

test("help is help: status 0, on standard output", async () => {
  using cli = openTestCli();
  for (const argv of [[], ["--help"], ["help"], ["help", "find"], ["find", "--help"]]) {
    const ran = await cli.run(argv);
    expect([ran.status, ran.err], argv.join(" ")).toEqual([0, ""]);
    expect(ran.out).toContain("Usage: continuity");
  }
  expect((await cli.run(["--version"])).out).toBe("1.2.3\n");
  expect((await cli.run(["version"])).out).toBe("1.2.3\n");
});

test.each(commands.map(({ name }) => name))("the help of %s has examples", async (name) => {
  using cli = openTestCli();
  const { out } = await cli.run([name, "--help"]);
  expect(out).toContain(`Examples:\n  $ continuity ${name}`);
  expect(cliReference()).toContain(`\n## continuity ${name}\n`);
});

test("every command that reads can speak to programs", () => {
  const silent = commands.filter(({ json }) => json === undefined).map(({ name }) => name);
  // The commands whose output other programs take as it is, and those that only programs call.
  expect(silent.toSorted()).toEqual(
    ["complete", "completion", "demo", "hook", "mcp", "serve", "statusline"].toSorted(),
  );
});

test("documented fields are the fields that are printed", async () => {
  using cli = openTestCli();
  withSession(cli);
  cli.server.t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  const asked: Readonly<Record<string, readonly string[]>> = {
    list: [],
    show: ["mem://user/entities/a"],
    history: ["mem://user/entities/a"],
    find: ["service"],
    sessions: [],
    why: [],
    context: [],
    status: [],
    stats: [],
    pause: [],
    version: [],
    flush: [],
    remember: ["B is a service as well"],
    forget: ["--yes", "mem://user/entities/a"],
  };
  for (const [name, args] of Object.entries(asked)) {
    const { out } = await cli.run([name, "--json", ...args]);
    const printed = Object.keys(JSON.parse(out.split("\n")[0] ?? "") as object).toSorted();
    const documented = commands
      .filter((spec) => spec.name === name)
      .flatMap((spec) => jsonFields(spec, forms));
    const names = new Set(documented.map((field) => field.name.replace(/[[.].*$/, "")));
    expect(printed, name).toEqual([...names].toSorted());
  }
});
