/** Language models as a user of the built program meets them: none unasked, and each one chosen, followed and paid for. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { remembered, sessionReply } from "../support/extracted.ts";
import { makeFakeClaude, printing } from "../support/fake-claude.ts";
import { startModel, type ModelServer } from "../support/model-server.ts";
import { openProgram, type Program } from "../support/program.ts";
import { openSession } from "../support/session.ts";
import { nothingToSay } from "../support/scripted-llm.ts";

const startMs = Date.parse("2026-03-02T09:00:00Z");

const memory = remembered({ aliases: ["pgbouncer"] });

const answering = (): ModelServer =>
  startModel((purpose) => (purpose === "session" ? sessionReply([memory]) : nothingToSay[purpose]));

/** One session with something worth remembering, and everything processed. */
async function talk(program: Program, id: string): Promise<void> {
  const session = openSession(program, { id, cwd: program.project("deskly"), startMs });
  await session.start();
  await session.submit("remember that the staging database listens on port 6432");
  await session.stop("Noted.");
  await program.flush();
}

async function choose(program: Program, { url }: Pick<ModelServer, "url">): Promise<void> {
  for (const [key, value] of [
    ["llm.openrouter.base_url", url],
    ["llm.provider", "openrouter"],
  ] as const)
    expect(await program.run(["config", "set", key, value])).toMatchObject({ status: 0 });
}

const json = async <Value>(program: Program, ...args: string[]): Promise<Value> =>
  JSON.parse((await program.run([...args, "--json"])).out) as Value;

const memories = async (program: Program): Promise<readonly string[]> =>
  (await program.run(["list", "--json"])).out
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { readonly l0: string }).l0);

interface Status {
  readonly model: { readonly provider: string; readonly tokens_today: number };
  readonly jobs: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

test("nobody is asked unless a model is chosen, whatever is installed and set", async () => {
  await using program = openProgram({ ANTHROPIC_API_KEY: "k", OPENROUTER_API_KEY: "k" });
  const claude = makeFakeClaude(join(program.folder, "bin"), [printing("{}")]);
  const env = { PATH: `${join(program.folder, "bin")}:${process.env["PATH"] ?? ""}` };
  const session = openSession(program, {
    id: "s-1",
    cwd: program.project("deskly"),
    startMs,
    env,
  });
  await session.start();
  await session.submit("remember that the staging database listens on port 6432");
  await session.stop("Noted.");
  await session.compact("ports");
  await session.end();
  await program.flush();
  expect(claude.calls()).toEqual([]);
  expect(await json(program, "usage")).toMatchObject({ items: [], total: { calls: 0 } });
  expect(await json<Status>(program, "status")).toMatchObject({ model: { provider: "none" } });
  expect((await program.run(["llm", "test"])).err).toContain(
    "no language model is configured; choose one with",
  );
  expect(program.log()).not.toContain("llm.");
});

test("a chosen model refines what was remembered; status, usage and llm test tell of it", async () => {
  await using program = openProgram();
  using model = answering();
  await choose(program, model);
  await talk(program, "s-1");
  expect(await memories(program)).toEqual([String(memory["line"])]);
  const status = await json<Status>(program, "status");
  expect(status).toMatchObject({ model: { provider: "openrouter" }, warnings: [] });
  expect(status.model.tokens_today).toBeGreaterThan(0);
  const usage = await program.run(["usage"]);
  expect(usage.out).toContain("session");
  expect(usage.out).not.toContain("evaluate");
  const trial = await program.run(["llm", "test"]);
  expect(trial.out).toContain("session");
  expect(trial.out).toContain("openrouter");
});

test("a running daemon follows the settings: another model, and none", async () => {
  await using program = openProgram();
  using first = answering();
  using second = answering();
  await choose(program, first);
  await talk(program, "s-1");
  await choose(program, second);
  await talk(program, "s-2");
  expect(first.asked.some(({ purpose }) => purpose === "session")).toBe(true);
  const askedFirst = first.asked.length;
  expect(second.asked.some(({ purpose }) => purpose === "session")).toBe(true);
  await program.run(["config", "set", "llm.provider", "none"]);
  const asked = second.asked.length;
  await talk(program, "s-3");
  expect([first.asked.length, second.asked.length]).toEqual([askedFirst, asked]);
});

test("a model that is down parks its questions; retried by hand they are answered", async () => {
  await using program = openProgram();
  using model = answering();
  model.down = true;
  await choose(program, model);
  await talk(program, "s-1");
  const [local] = await memories(program);
  expect(local).toContain("6432");
  const parked = await program.run(["jobs"]);
  expect(parked.out).toContain("failed");
  expect(parked.out).toMatch(/TASK .*\n *\d+ +ask the model/);
  const { warnings } = await json<Status>(program, "status");
  expect(warnings.join()).toContain(
    "openrouter fails; run `continuity status --test-model`; until then only orders and the agent's saves are kept",
  );
  const doctor = await program.run(["doctor", "--no-self-test"]);
  expect(doctor.out).toContain("the last call (");
  model.down = false;
  // The breaker is open after three failures; a new process tries again.
  await program.stopDaemon();
  await program.run(["jobs", "retry"]);
  await program.flush();
  expect(await memories(program)).toEqual([String(memory["line"])]);
  expect((await program.run(["jobs"])).out).toBe("No pending or failed jobs.\n");
  expect((await json<Status>(program, "status")).warnings).toEqual([]);
});

test("a daemon killed while a model thinks leaves the same memories as one that lived", async () => {
  await using program = openProgram();
  using model = answering();
  const thinking = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  model.delay = async () => {
    asked.resolve();
    await thinking.promise;
  };
  await choose(program, model);
  const talked = talk(program, "s-1").catch(() => undefined);
  await asked.promise;
  for (const pid of program.daemons()) process.kill(pid, "SIGKILL");
  await talked;
  model.delay = async () => undefined;
  thinking.resolve();
  await program.flush();
  expect(await memories(program)).toEqual([String(memory["line"])]);
  expect((await json<Status>(program, "status")).jobs).toMatchObject({ queued: 0, leased: 0 });
});

test("a provider that cannot be opened is named in status, and capture goes on", async () => {
  await using program = openProgram();
  await program.run(["config", "set", "llm.provider", "anthropic"]);
  await talk(program, "s-1");
  expect((await memories(program)).join()).toContain("6432");
  const status = await json<Status>(program, "status");
  expect(status.model.provider).toBe("none");
  expect(status.warnings.join()).toContain("ANTHROPIC_API_KEY");
});

test("the relational profile grows with the sessions, dates what it says, and is edited as memories", async () => {
  await using program = openProgram();
  const rule = (line: string, more: Parameters<typeof remembered>[0] = {}) =>
    remembered({
      kind: "rule",
      subject: "answers",
      attribute: "length",
      scope: "everywhere",
      line,
      quote: line,
      ...more,
    });
  let memories = [rule("answer me in two sentences")];
  using model = startModel(() => sessionReply(memories));
  await choose(program, model);
  const say = async (id: string, words: string): Promise<void> => {
    const session = openSession(program, { id, cwd: program.project("deskly"), startMs });
    await session.start();
    await session.submit(words);
    await session.stop("Understood.");
    await program.flush();
  };
  const uri = "mem://user/profile/communication";
  const profile = async (): Promise<string> => (await program.run(["show", uri])).out;
  expect(await profile()).toBe("");
  await say("s-1", "answer me in two sentences, in all my projects");
  expect(await profile()).toContain("- answer me in two sentences (since 2026-03-02)");
  memories = [rule("answer me in one sentence", { value: "one", replaces: [1] })];
  await say("s-2", "answer me in one sentence from now on");
  expect(await profile()).toContain(
    "- answer me in one sentence (since 2026-03-02; before: answer me in two sentences (2026-03-02))",
  );
});
