/** OpenCode's plugin with the built program: what it captures and gives, and that nothing is lost when all goes wrong. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, eventually, openProgram, type Program } from "../support/program.ts";

setDefaultTimeout(60_000);

type Json = Readonly<Record<string, unknown>>;

/** OpenCode's plugin as OpenCode would load it, in this process. */
async function plugin(program: Program, at: string) {
  mkdirSync(join(program.folder, ".config/opencode"), { recursive: true });
  await program.run(["install", "--agent", "opencode"]);
  const path = join(program.folder, ".config/opencode/plugins/continuity.js");
  const copy = join(program.folder, `plugin-${Bun.hash(at)}.mjs`);
  const home = JSON.stringify(program.paths.root);
  const text = readFileSync(path, "utf8").replace(
    "const { env } = process;",
    `const env = { CONTINUITY_HOME: ${home} };`,
  );
  // The process that it starts is in the same home as it is.
  const own = text.replace(
    "detached: true,",
    `detached: true, env: ${JSON.stringify(program.env)},`,
  );
  writeFileSync(copy, at === "" ? own : own.replace(binary, at));
  const { Continuity } = (await import(copy)) as {
    Continuity: (
      context: object,
    ) => Promise<Record<string, (...given: unknown[]) => Promise<void>>>;
  };
  return Continuity({ directory: program.project("shop") });
}

/** A daemon's first prompts load what later ones find there: on a slow machine they would go on without an answer. */
async function warmUp(program: Program): Promise<void> {
  for (const prompt of ["what is the depot called?", "and which port does the quay use?"])
    await program.run(["hook", "submit"], {
      input: JSON.stringify({
        hook_event_name: "UserPromptSubmit",
        session_id: "warm",
        cwd: program.folder,
        prompt,
      }),
    });
}

test("OpenCode's plugin captures a turn and adds what is remembered", async () => {
  await using program = openProgram();
  await program.up();
  await warmUp(program);
  const hooks = await plugin(program, "");
  const turn = async (id: string, text: string) => {
    const parts: { type: string; text: string; id?: string }[] = [{ type: "text", text }];
    const message = { id: `msg_${id}`, model: { modelID: "m" } };
    await hooks["chat.message"]?.({ sessionID: id }, { message, parts });
    const answer = { type: "text", text: "Noted.", sessionID: id, messageID: `a_${id}` };
    const events = [
      {
        type: "message.updated",
        properties: { sessionID: id, info: { role: "assistant", id: `a_${id}` } },
      },
      { type: "message.part.updated", properties: { sessionID: id, part: answer } },
      { type: "session.idle", properties: { sessionID: id } },
    ];
    for (const event of events) await hooks["event"]?.({ event });
    return parts;
  };
  await turn("ses_1", '"remember that the self-test is called quillfeather"');
  await hooks["dispose"]?.();
  await program.flush();
  const parts = await turn("ses_2", "what is the self-test called?");
  const systemFor = async (model: string): Promise<readonly string[]> => {
    const system: string[] = [];
    await hooks["experimental.chat.system.transform"]?.(
      { sessionID: "ses_2", model: { id: model } },
      { system },
    );
    return system;
  };
  // With the prompt; on a busy machine, with one of the requests behind it.
  await eventually("what is remembered", async () =>
    JSON.stringify([await systemFor("m"), parts.slice(1)]).includes("quillfeather"),
  );
  expect(await systemFor("small")).toEqual([]);
  await hooks["dispose"]?.();
  for (const part of parts.slice(1)) expect(part.id).toStartWith("prt");
  using db = program.database();
  expect(
    db
      .query(
        "SELECT session_id, prompt, answer, status FROM turns WHERE session_id LIKE 'opencode-%' ORDER BY id",
      )
      .all(),
  ).toEqual([
    {
      session_id: "opencode-ses_1",
      prompt: "remember that the self-test is called quillfeather",
      answer: "Noted.",
      status: "closed",
    },
    {
      session_id: "opencode-ses_2",
      prompt: "what is the self-test called?",
      answer: "Noted.",
      status: "closed",
    },
  ]);
});

test.each(["before", "behind"])(
  "OpenCode's plugin: a prompt that is typed before the turn is told to be over, %s the end of its answer",
  async (when) => {
    await using program = openProgram();
    await program.up();
    const hooks = await plugin(program, "");
    const event = async (type: string, more: Json = {}): Promise<void> =>
      hooks["event"]?.({ event: { type, properties: { sessionID: "s", ...more } } });
    const ask = async (id: string): Promise<void> => {
      const parts = [{ type: "text", text: `ask ${id}` }];
      await hooks["chat.message"]?.({ sessionID: "s" }, { message: { id }, parts });
    };
    const speaker = async (id: string, parentID: string, more: Json = {}): Promise<void> =>
      event("message.updated", { info: { role: "assistant", id, parentID, ...more } });
    const ended = async (): Promise<void> =>
      speaker("a1", "p1", { finish: "stop", time: { created: 1, completed: 2 } });
    await ask("p1");
    await speaker("a1", "p1");
    const part = { type: "text", text: "Understood.", sessionID: "s", messageID: "a1" };
    await event("message.part.updated", { part });
    if (when === "behind") await ended();
    await ask("p2");
    if (when === "before") await ended();
    await event("session.idle");
    await speaker("a2", "p2");
    await event("session.error", { error: { name: "MessageAbortedError" } });
    await event("session.idle");
    await event("session.idle");
    await ask("p3");
    await event("session.idle");
    await hooks["dispose"]?.();
    await program.flush();
    expect(turnsIn(program)).toMatchObject([
      { prompt: "ask p1", answer: "Understood.", status: "closed" },
      { prompt: "ask p2", answer: null, status: "interrupted" },
      { prompt: "ask p3", answer: null },
    ]);
  },
);

test("OpenCode's plugin never throws: with odd events, without a daemon and without the program", async () => {
  await using program = openProgram();
  const hooks = await plugin(program, "/gone/continuity");
  for (const odd of [
    undefined,
    null,
    7,
    "x",
    {},
    { sessionID: "s" },
    { event: {} },
    { event: null },
  ])
    for (const name of Object.keys(hooks))
      for (const more of [undefined, null, {}, { parts: [], message: null }, { system: null }])
        expect(await hooks[name]?.(odd, more)).toBeUndefined();
  const parts = [{ type: "text", text: "hello there" }];
  await hooks["chat.message"]?.({ sessionID: "s" }, { message: { id: "m" }, parts });
  expect(parts).toHaveLength(1);
  await hooks["dispose"]?.();
});

/** The values that may come instead: nothing, another type, far too much, what is no text. */
const instead: readonly unknown[] = [
  undefined,
  null,
  7,
  [],
  {},
  "",
  "x".repeat(100_000),
  "\u0000\ud800",
];

test("OpenCode's plugin takes every recorded payload and mutations of them without a throw", async () => {
  await using program = openProgram();
  await program.up();
  const hooks = await plugin(program, "");
  const recorded = JSON.parse(readFileSync("test/support/agents/opencode.json", "utf8")) as Record<
    string,
    { input?: Json; output?: Json } & Json
  >;
  const call = async (name: string, payload: Json): Promise<void> => {
    const hook = Object.keys(hooks).find((one) => name.startsWith(one)) ?? "";
    const given =
      hook === "event"
        ? [payload["event"] === undefined ? { event: payload } : payload]
        : [payload["input"], payload["output"]];
    expect(await hooks[hook]?.(...structuredClone(given))).toBeUndefined();
  };
  for (const [name, payload] of Object.entries(recorded)) {
    await call(name, payload);
    for (const part of ["input", "output", "properties"] as const)
      for (const field of Object.keys(payload[part] ?? {}))
        for (const value of instead)
          await call(name, { ...payload, [part]: { ...(payload[part] as Json), [field]: value } });
  }
  await hooks["dispose"]?.();
});

interface Kept {
  readonly prompt: string;
  readonly answer: string | null;
  readonly status: string;
  readonly tool_count: number;
}

const turnsIn = (program: Program): readonly Kept[] => {
  using db = program.database();
  return db
    .query<Kept, []>("SELECT prompt, answer, status, tool_count FROM turns ORDER BY id")
    .all();
};

/** Two turns in a process of its own, which ends as soon as the plugin lets it. */
const session = (plugin: string): string => `
  import { Continuity } from ${JSON.stringify(plugin)};
  const hooks = await Continuity({ directory: process.cwd() });
  const event = (type, properties) => hooks.event({ event: { type, properties: { sessionID: "s", ...properties } } });
  await event("session.created", { info: { id: "s" } });
  for (const at of [1, 2]) {
    const started = performance.now();
    await hooks["chat.message"]({ sessionID: "s" }, { message: { id: "m" + at }, parts: [{ type: "text", text: "prompt " + at }] });
    const waited = performance.now() - started;
    await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s", callID: "c" + at, args: { command: "ls" } }, { output: "x", metadata: { exit: 0 } });
    await event("message.updated", { info: { role: "assistant", id: "a" + at } });
    await event("message.part.updated", { part: { type: "text", text: "answer " + at, sessionID: "s", messageID: "a" + at } });
    await event("session.idle");
    console.log(waited);
    if (at === 1) await new Promise((done) => process.stdin.once("data", done).resume());
  }
  await hooks.dispose();
  process.exit(0);
`;

async function installed(program: Program): Promise<string> {
  mkdirSync(join(program.folder, ".config/opencode"), { recursive: true });
  await program.run(["install", "--agent", "opencode"]);
  const path = join(program.folder, ".config/opencode/plugins/continuity.js");
  // A program that takes its time to start, as on a busy machine.
  const slow = join(program.folder, "slow.sh");
  writeFileSync(slow, `#!/bin/sh\nsleep 0.4\nexec ${binary} "$@"\n`);
  chmodSync(slow, 0o755);
  const copy = join(program.folder, "plugin.mjs");
  writeFileSync(copy, readFileSync(path, "utf8").replace(binary, slow));
  return copy;
}

const whole: readonly Kept[] = [1, 2].map((at) => ({
  prompt: `prompt ${at}`,
  answer: `answer ${at}`,
  status: "closed",
  tool_count: 1,
}));

test.each(["hung at first", "hung to the end", "away"])(
  "OpenCode's plugin loses nothing and changes no order when the daemon is %s and the program slow",
  async (how) => {
    await using program = openProgram();
    const cwd = program.project("shop");
    const plugin = await installed(program);
    if (how !== "away") await program.up();
    const [daemon = 0] = program.daemons();
    if (daemon !== 0) process.kill(daemon, "SIGSTOP");
    await using child = Bun.spawn([process.execPath, "-e", session(plugin)], {
      cwd,
      env: program.env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    // Less than a daemon that lives is waited for; the figure is `npm run bench -- agents`.
    const waitsLittle = async (): Promise<void> =>
      expect(Number((await lines.read()).value)).toBeLessThan(250);
    await waitsLittle();
    // Then the second turn goes to a daemon that lives again, while the first one is still on its way.
    if (how === "hung at first") process.kill(daemon, "SIGCONT");
    void child.stdin.write("go on\n");
    void child.stdin.flush();
    if (how !== "hung at first") await waitsLittle();
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
    if (how === "hung to the end") process.kill(daemon, "SIGCONT");
    const isWhole = (): boolean => JSON.stringify(turnsIn(program)) === JSON.stringify(whole);
    await eventually("both turns", async () => {
      await program.flush();
      return isWhole();
    }).catch(() => undefined);
    expect(turnsIn(program)).toEqual(whole as Kept[]);
  },
);
