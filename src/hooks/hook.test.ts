import { expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { type Json, stoppedClock, type LogFields } from "#kit";
import { defaultSettings, type HookEnvelope, type HookReply } from "#domain";
import { createAwayHook, type AwayDeps } from "./away.ts";
import { envelopesOf, readSent, sentHeader } from "./envelope.ts";
import { runHook, type HookContext } from "./hook.ts";
import { findSocket, versionHeader } from "./socket.ts";
import { endPause, startPause } from "./pause.ts";
import { spooledNames, readSpooled } from "./spool.ts";
import { plainGate, testHome, type TestHome } from "../../test/support/hooks.ts";

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  readonly log: readonly { readonly event: string; readonly fields: LogFields }[];
  readonly ms: number;
}

async function run(
  home: TestHome,
  stdin: string,
  change: Partial<HookContext & AwayDeps> = {},
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const log: Ran["log"][number][] = [];
  const started = performance.now();
  const away = createAwayHook({
    command: ["/bin/true"],
    openLog: async () => ({ write: (_, event, fields = {}) => void log.push({ event, fields }) }),
    loadGate: async () => plainGate,
    loadSettings: async () => ({
      ...defaultSettings,
      server: { ...defaultSettings.server, autostart: false },
    }),
    readStartContext: async () => "",
    loadOrders: async () => () => false,
    ...change,
  });
  const status = await runHook({
    argv: [],
    clock: stoppedClock(1_700_000_000_000),
    invocation: "abcd",
    elapsedMs: () => performance.now() - started,
    version: "1.2.3",
    startedAtMs: 1_699_999_999_993.5,
    readStdin: async () => ({ type: "text", text: stdin }),
    print: async (text) => out.push(text) > 0,
    complain: async (text) => void err.push(text),
    loadAway: async () => away,
    loadAgent: async () => null,
    ...change,
    env: { CONTINUITY_HOME: home.paths.root, ...change.env },
  });
  return { status, out: out.join(""), err: err.join(""), log, ms: performance.now() - started };
}

const prompt = JSON.stringify({
  session_id: "s-1",
  cwd: "/nowhere",
  prompt_id: "p-1",
  hook_event_name: "UserPromptSubmit",
  prompt: "rename the cart",
});
const start = JSON.stringify({
  session_id: "s-1",
  cwd: "/nowhere",
  hook_event_name: "SessionStart",
  source: "startup",
});

/** A daemon that answers every hook with `reply`; what it was sent, as the envelope that it makes of it. */
const daemon = (home: TestHome, reply: HookReply, version = "1.2.3") => {
  const seen: { readonly path: string; readonly body: HookEnvelope }[] = [];
  const confirmed: unknown[] = [];
  const server = Bun.serve({
    unix: home.paths.socket,
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      if (path === "/api/hooks/delivered") {
        confirmed.push(await request.json());
        return new Response(null, { status: 204 });
      }
      const sent = readSent(request.headers.get(sentHeader));
      if (sent === null) throw new Error("a short payload comes as it is");
      const envelopes = envelopesOf((await request.json()) as Json, sent);
      seen.push(...envelopes.map((body) => ({ path, body })));
      const headers = { [versionHeader]: version };
      if (reply.context === "" && reply.message === undefined)
        return new Response(null, { status: 204, headers });
      return Response.json({ ...reply, keys: envelopes.map(({ key }) => key) }, { headers });
    },
  });
  return { seen, confirmed, [Symbol.dispose]: () => void server.stop(true) };
};

/** Listens and treats connections as it is told. */
async function listener(home: TestHome, onConnect: (write: (text: string) => void) => void) {
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    onConnect((text) => socket.end(text));
  });
  await new Promise<void>((ready) => {
    server.listen(home.paths.socket, ready);
  });
  return { [Symbol.dispose]: () => void server.close() };
}

test("the daemon gets the raw event and its answer is printed as one document", async () => {
  using home = testHome();
  using there = daemon(home, { context: "you decided on ports", fresh: true });
  const ran = await run(home, prompt);
  expect(JSON.parse(ran.out)).toEqual({
    hookSpecificOutput: {
      hookEventName: "UserPromptSubmit",
      additionalContext: "you decided on ports",
    },
  });
  expect(there.seen).toMatchObject([
    { path: "/api/hooks/submit", body: { hook: "submit", gated: false, atMs: 1_700_000_000_000 } },
  ]);
  expect(ran.status).toBe(0);
  expect(ran.log).toEqual([]);
  expect(existsSync(home.paths.spool)).toBe(false);
});

/** Methods that the runtime parses at a process's first call. */
const slowAtFirst = ["every", "filter", "find", "flatMap", "forEach", "map", "some"] as const;

test.each([
  ["a prompt", prompt],
  [
    "a tool",
    JSON.stringify({
      session_id: "s-1",
      tool_use_id: "t-1",
      hook_event_name: "PostToolUse",
      tool_name: "Edit",
      tool_input: { file_path: "/a.ts", edits: [{ old_string: "a", new_string: "b" }] },
    }),
  ],
])("%s whose daemon is up calls no array method with a callback", async (_, payload) => {
  using home = testHome();
  let printed = "";
  const reply = { context: "you decided on ports", fresh: true, keys: ["k-1"] };
  const headers = { [versionHeader]: "1.2.3" };
  const server = Bun.serve({
    unix: home.paths.socket,
    fetch: () => Response.json(reply, { headers }),
  });
  const methods = Array.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  const called: string[] = [];
  const originals = slowAtFirst.map((name) => [name, methods[name]] as const);
  for (const [name, original] of originals)
    methods[name] = function (this: unknown, ...given) {
      called.push(name);
      return original?.apply(this, given);
    };
  try {
    ({ out: printed } = await run(home, payload));
  } finally {
    for (const [name, original] of originals) if (original) methods[name] = original;
    await server.stop(true);
  }
  expect(printed).toContain("you decided on ports");
  expect(called).toEqual([]);
});

test("an answer is confirmed once it was written, and only then", async () => {
  using home = testHome();
  using there = daemon(home, { context: "you decided on ports", fresh: true });
  await run(home, prompt);
  expect(there.seen[0]?.body.confirms).toBe(true);
  expect(there.confirmed).toEqual([[there.seen[0]?.body.key]]);
  // The reader has gone.
  await run(home, prompt, { print: async () => false });
  expect(there.confirmed).toHaveLength(1);
});

test("the confirmation has what is left of the hook's time, for a daemon that is busy", async () => {
  using home = testHome();
  const seen: boolean[] = [];
  const server = Bun.serve({
    unix: home.paths.socket,
    fetch: async (request) => {
      if (!request.url.endsWith("/delivered"))
        return Response.json({ context: "you decided on ports", fresh: true });
      await Bun.sleep(100);
      seen.push(request.signal.aborted);
      return new Response(null, { status: 204 });
    },
  });
  await run(home, prompt);
  expect(seen).toEqual([false]);
  await server.stop(true);
});

test("an answer with nothing to print is not confirmed", async () => {
  using home = testHome();
  using there = daemon(home, { context: "", fresh: true });
  await run(home, prompt);
  expect(there.confirmed).toEqual([]);
});

test("the event says when its process began, so that its receiver can tell how long that was", async () => {
  using home = testHome();
  using there = daemon(home, { context: "", fresh: true });
  await run(home, prompt);
  expect(there.seen[0]?.body).toMatchObject({ startedAtMs: 1_699_999_999_993.5 });
});

test("an event in the spool says how long its hook took", async () => {
  using home = testHome();
  await run(home, prompt);
  const [name = ""] = spooledNames(home.paths);
  expect(readSpooled(home.paths, name)).toMatchObject({ tookMs: 6.5 });
});

test("a message for the user is shown by the client and not given to the model", async () => {
  using home = testHome();
  using _there = daemon(home, { context: "", fresh: true, message: "Stored: iteration (0.6)" });
  expect(JSON.parse((await run(home, prompt)).out)).toEqual({
    systemMessage: "Stored: iteration (0.6)",
  });
});

test("of two processes with one key the second prints nothing", async () => {
  using home = testHome();
  using _there = daemon(home, { context: "again", fresh: false });
  expect((await run(home, prompt)).out).toBe("");
});

test.each(["stop", "end", "compact"])(
  "%s prints nothing, even when the daemon says something",
  async (event) => {
    using home = testHome();
    using _there = daemon(home, { context: "hello", fresh: true });
    const ran = await run(home, '{"session_id":"s-1"}', { argv: [event] });
    expect(ran.out).toBe("");
  },
);

test.each([
  ["sdk-ts", true],
  ["cli", undefined],
])(
  "an event of a client that was entered by %s says headless: %p",
  async (entrypoint, headless) => {
    using home = testHome();
    using fake = daemon(home, { context: "", fresh: true });
    await run(home, prompt, { env: { CLAUDE_CODE_ENTRYPOINT: entrypoint } });
    expect(fake.seen[0]?.body.payload["headless"]).toBe(headless);
  },
);

test("with the daemon away nothing of a headless run is spooled where such runs are off", async () => {
  using home = testHome();
  const capture = { ...defaultSettings.capture, headless: "off" } as const;
  const loadSettings = async () => ({ ...defaultSettings, capture });
  const env = { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
  expect(await run(home, prompt, { env, loadSettings })).toMatchObject({ status: 0, out: "" });
  expect(spooledNames(home.paths)).toEqual([]);
});

test.each([
  ["Europe/Berlin", "Europe/Berlin"],
  ["Zürich\n☃", undefined],
])("an event of a shell in zone %p says %p", async (zone, told) => {
  using home = testHome();
  using there = daemon(home, { context: "", fresh: true });
  const ran = await run(home, prompt, { env: { TZ: zone } });
  expect(there.seen.map(({ body }) => body.zone)).toEqual([told]);
  expect(ran.log).toEqual([]);
});

test.each([
  ["with an id", prompt],
  ["without one", start],
])("an event %s has one key, whether its daemon makes it or the spool", async (_, payload) => {
  using home = testHome();
  const keys: unknown[] = [];
  {
    using there = daemon(home, { context: "", fresh: true });
    await run(home, payload);
    keys.push(there.seen[0]?.body.key);
  }
  await run(home, payload);
  const [name = ""] = spooledNames(home.paths);
  keys.push(readSpooled(home.paths, name)?.key);
  expect(keys[0]).toBeString();
  expect(keys[1]).toBe(keys[0]);
});

test("a long payload is slimmed before it is sent", async () => {
  using home = testHome();
  const bodies: unknown[] = [];
  const server = Bun.serve({
    unix: home.paths.socket,
    fetch: async (request) => {
      bodies.push(await request.json());
      return Response.json({ context: "", fresh: true });
    },
  });
  const edit = { tool_name: "Edit", tool_use_id: "t-1", tool_input: { file_path: "/a.ts" } };
  const response = { originalFile: "x".repeat(100_000) };
  const event = { session_id: "s-1", hook_event_name: "PostToolUse", ...edit };
  await run(home, JSON.stringify({ ...event, tool_response: response }));
  expect(bodies).toMatchObject([{ v: 1, payload: { ...edit, tool_response: {} } }]);
  expect(JSON.stringify(bodies)).not.toContain("xxx");
  await server.stop(true);
});

test("CONTINUITY_NOW sets the event's time and says so", async () => {
  using home = testHome();
  using there = daemon(home, { context: "", fresh: true });
  await run(home, prompt, { env: { CONTINUITY_NOW: "2026-09-01T08:00:00Z" } });
  expect(there.seen[0]?.body).toMatchObject({ atMs: Date.UTC(2026, 8, 1, 8), replayed: true });
});

test("--transcript overrides the payload's", async () => {
  using home = testHome();
  using there = daemon(home, { context: "", fresh: true });
  await run(home, prompt, { argv: ["--transcript", "/elsewhere.jsonl"] });
  expect(there.seen[0]?.body.payload["transcript_path"]).toBe("/elsewhere.jsonl");
});

test.each([
  { name: "empty stdin", stdin: "", event: "hook.empty" },
  { name: "white space", stdin: " \n", event: "hook.empty" },
  { name: "an empty object", stdin: "{}", event: "", argv: [] },
  {
    name: "an empty object with a named event",
    stdin: "{}",
    event: "hook.without-session",
    argv: ["stop"],
  },
  { name: "ten megabytes of garbage", stdin: "{[".repeat(5_000_000), event: "hook.unreadable" },
  { name: "binary", stdin: "\u0000\u0001\ufffd\u0007", event: "hook.unreadable" },
  { name: "a list", stdin: "[1]", event: "hook.unreadable" },
])("$name is no event: silence, status 0, at most one log line", async ({ stdin, event, argv }) => {
  using home = testHome();
  const ran = await run(home, stdin, { argv: argv ?? ["submit"] });
  expect(ran).toMatchObject({ status: 0, out: "", err: "" });
  expect(ran.log.map((line) => line.event)).toEqual(event === "" ? [] : [event]);
  expect(existsSync(home.paths.spool)).toBe(false);
});

test("a stdin that never ends is given up", async () => {
  using home = testHome();
  const ran = await run(home, "", {
    readStdin: async () => ({ type: "endless" }),
  });
  expect(ran).toMatchObject({ status: 0, out: "" });
  expect(ran.log.map(({ event }) => event)).toEqual(["hook.endless-input"]);
});

test.each([{ CONTINUITY_INTERNAL: "1" }, { CONTINUITY_OFF: "1" }])(
  "%p: exits at once, without reading or writing anything",
  async (env) => {
    using home = testHome();
    const readStdin = async (): Promise<never> => {
      throw new Error("was read");
    };
    const ran = await run(home, prompt, { env, readStdin });
    expect(ran).toMatchObject({ status: 0, out: "", log: [] });
    expect(readdirSync(home.paths.root)).toEqual([]);
  },
);

test("without any home nothing is read, written or asked", async () => {
  using home = testHome();
  const env = { CONTINUITY_HOME: undefined };
  const readStdin = async (): Promise<never> => {
    throw new Error("was read");
  };
  expect(await run(home, prompt, { env, readStdin })).toMatchObject({ status: 0, log: [] });
});

test.each([
  { until: "", out: 0 },
  { until: "1700000000001", out: 0 },
  { until: "1700000000000", out: 1 },
])("paused until %p: $out events spooled", async ({ until, out }) => {
  using home = testHome();
  writeFileSync(`${home.paths.root}/paused`, until);
  await run(home, prompt);
  expect(spooledNames(home.paths)).toHaveLength(out);
});

test("of a turn that began in a pause nothing is spooled after it", async () => {
  using home = testHome();
  const nowMs = 1_700_000_000_000;
  startPause(home.paths, nowMs, null);
  await run(home, prompt);
  endPause(home.paths, nowMs);
  const stop = { hook_event_name: "Stop", last_assistant_message: "renamed" };
  await run(home, JSON.stringify({ ...JSON.parse(prompt), ...stop }));
  expect(spooledNames(home.paths)).toEqual([]);
});

test("an answer to words that were typed in a pause is not spooled, the one before it is", async () => {
  using home = testHome();
  const nowMs = 1_700_000_000_000;
  startPause(home.paths, nowMs - 100_000, null);
  endPause(home.paths, nowMs - 40_000);
  const transcript = `${home.paths.root}/session.jsonl`;
  const lines = [
    { type: "user", promptId: "p-run", message: { role: "user", content: "build it" } },
    {
      type: "queue-operation",
      operation: "enqueue",
      timestamp: new Date(nowMs - 70_000).toISOString(),
      content: "the code name is heron",
    },
  ];
  const write = (): void =>
    writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const stop = async (answer: string): Promise<unknown> =>
    run(
      home,
      JSON.stringify({
        ...JSON.parse(prompt),
        hook_event_name: "Stop",
        prompt_id: "p-run",
        transcript_path: transcript,
        last_assistant_message: answer,
      }),
    );
  write();
  await stop("Built.");
  expect(spooledNames(home.paths)).toHaveLength(1);
  lines.push({ type: "queue-operation", operation: "remove", timestamp: "", content: "" });
  write();
  await stop("Heron is built.");
  expect(spooledNames(home.paths)).toHaveLength(1);
});

test.each([
  { typedAt: -60_000, out: 1 },
  { typedAt: 30_000, out: 0 },
  { typedAt: 90_000, out: 1 },
])("typed $typedAt ms after a pause of a minute began: $out spooled", async ({ typedAt, out }) => {
  using home = testHome();
  const nowMs = 1_700_000_000_000;
  startPause(home.paths, nowMs - 100_000, null);
  endPause(home.paths, nowMs - 40_000);
  const transcript = `${home.paths.root}/session.jsonl`;
  const queued = (at: number, content: string): string =>
    JSON.stringify({
      type: "queue-operation",
      operation: "enqueue",
      timestamp: new Date(nowMs - 100_000 + at).toISOString(),
      content,
    });
  writeFileSync(
    transcript,
    `${queued(typedAt, "the code name is heron")}\n${queued(31_000, "go")}\n`,
  );
  const sent = { prompt: "the code name is heron", transcript_path: transcript };
  await run(home, JSON.stringify({ ...JSON.parse(prompt), ...sent }));
  expect(spooledNames(home.paths)).toHaveLength(out);
  // A word of a prompt is no message that waited.
  const next = { prompt: "go on with heron", prompt_id: "p-next", transcript_path: transcript };
  await run(home, JSON.stringify({ ...JSON.parse(prompt), ...next }));
  expect(spooledNames(home.paths)).toHaveLength(out + 1);
});

test("a person at a terminal gets one line on stderr and status 1", async () => {
  using home = testHome();
  const ran = await run(home, "", { readStdin: async () => ({ type: "terminal" }) });
  expect(ran).toMatchObject({ status: 1, out: "" });
  expect(ran.err.split("\n")).toHaveLength(1);
});

test("with the daemon away the event is spooled and the daemon is started", async () => {
  using home = testHome();
  const ran = await run(home, prompt, { loadSettings: async () => defaultSettings });
  expect(ran).toMatchObject({ status: 0, out: "", log: [] });
  expect(spooledNames(home.paths)).toHaveLength(1);
  expect(existsSync(`${home.paths.root}/daemon.starting`)).toBe(true);
});

test("autostart off starts nothing", async () => {
  using home = testHome();
  await run(home, prompt);
  expect(existsSync(`${home.paths.root}/daemon.starting`)).toBe(false);
});

test("start with the daemon away spools, then reads for itself", async () => {
  using home = testHome();
  const ran = await run(home, start, {
    readStartContext: async (paths, envelope) =>
      `${spooledNames(paths).length} spooled, ${envelope.project?.name}`,
  });
  expect(ran.out).toContain("1 spooled, nowhere");
});

test("of two starts with the daemon away one answers", async () => {
  using home = testHome();
  const change = { readStartContext: async () => "hello" };
  const first = await run(home, start, { ...change, invocation: "aaaa" });
  const second = await run(home, start, { ...change, invocation: "bbbb" });
  expect([first.out !== "", second.out !== ""]).toEqual([true, false]);
});

test("a start that cannot read says nothing", async () => {
  using home = testHome();
  const ran = await run(home, start, {
    readStartContext: async () => Promise.reject(new Error("corrupt")),
  });
  expect(ran).toMatchObject({ status: 0, out: "" });
});

test("a hung socket costs the deadline and not more; the event is spooled and no second daemon started", async () => {
  using home = testHome();
  using _hung = await listener(home, () => undefined);
  const ran = await run(home, prompt, { loadSettings: async () => defaultSettings });
  expect(ran.ms).toBeGreaterThan(240);
  expect(ran.ms).toBeLessThan(400);
  expect(spooledNames(home.paths)).toHaveLength(1);
  expect(ran.log).toMatchObject([{ event: "hook.daemon-unusable", fields: { why: "slow" } }]);
  expect(existsSync(`${home.paths.root}/daemon.starting`)).toBe(false);
});

test.each([
  { name: "garbage", answer: "hello\r\n\r\n" },
  { name: "an error", answer: "HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n" },
  {
    name: "another program's JSON",
    answer: 'HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"ok":true}',
  },
  { name: "nothing", answer: "" },
])("a socket that answers $name: the event is spooled, nothing printed", async ({ answer }) => {
  using home = testHome();
  using _there = await listener(home, (write) => write(answer));
  const ran = await run(home, prompt);
  expect(ran).toMatchObject({ status: 0, out: "" });
  expect(spooledNames(home.paths)).toHaveLength(1);
});

test("a file in the socket's place is never talked to", async () => {
  using home = testHome();
  writeFileSync(home.paths.socket, "");
  const ran = await run(home, prompt);
  expect(ran.log).toMatchObject([{ fields: { why: "foreign" } }]);
  expect(spooledNames(home.paths)).toHaveLength(1);
});

test("a socket of another user is never talked to", async () => {
  using home = testHome();
  using there = daemon(home, { context: "mine now", fresh: true });
  // Only root can give a file away; to other users the socket looks foreign through the user id that is asked.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(home.paths.socket, 12_345, 12_345);
  const getuid = process.getuid;
  if (!isRoot) process.getuid = () => 12_345;
  try {
    const { type } = await findSocket(home.paths);
    expect(type).toBe("foreign");
    if (isRoot) await run(home, prompt);
    expect(there.seen).toEqual([]);
  } finally {
    if (getuid !== undefined) process.getuid = getuid;
  }
});

test("an older daemon answers, and a newer one is started to replace it", async () => {
  using home = testHome();
  using _there = daemon(home, { context: "hello", fresh: true }, "1.2.2");
  const ran = await run(home, prompt);
  expect(ran.out).toContain("hello");
  expect(existsSync(`${home.paths.root}/daemon.starting`)).toBe(true);
});

test("a newer daemon is left alone", async () => {
  using home = testHome();
  using _there = daemon(home, { context: "", fresh: true }, "2.0.0");
  await run(home, prompt);
  expect(existsSync(`${home.paths.root}/daemon.starting`)).toBe(false);
});

test("a batch is handed over at once, an event for each call", async () => {
  using home = testHome();
  using there = daemon(home, { context: "", fresh: true });
  const calls = ["t1", "t2"].map((id) => ({ tool_name: "Bash", tool_use_id: id }));
  const ran = await run(
    home,
    JSON.stringify({ session_id: "s-1", hook_event_name: "PostToolBatch", tool_calls: calls }),
  );
  expect(there.seen.map(({ body }) => body.payload["tool_use_id"])).toEqual(["t1", "t2"]);
  expect(ran.log).toEqual([]);
  expect(existsSync(home.paths.spool)).toBe(false);
});

test("a home under a file: silence, status 0, one log line", async () => {
  using home = testHome();
  const ran = await run(home, prompt, { env: { CONTINUITY_HOME: "/dev/null/home" } });
  expect(ran).toMatchObject({ status: 0, out: "" });
  expect(ran.log).toMatchObject([{ event: "hook.not-spooled", fields: { why: "ENOTDIR" } }]);
});

test("with the daemon up, nothing is loaded that only its absence calls for", async () => {
  using home = testHome();
  using _there = daemon(home, { context: "hello", fresh: true });
  let loads = 0;
  const loadAway = async (): Promise<never> => {
    loads += 1;
    throw new Error("was loaded");
  };
  expect(await run(home, prompt, { loadAway })).toMatchObject({ status: 0, log: [] });
  expect(loads).toBe(0);
});

test("a daemon whose record was lost is found all the same", async () => {
  using home = testHome();
  using there = daemon(home, { context: "hello", fresh: true });
  expect((await run(home, prompt)).out).toContain("hello");
  expect(there.seen).toHaveLength(1);
});

test("a log that cannot be opened disturbs nothing", async () => {
  using home = testHome();
  const ran = await run(home, "", {
    openLog: () => {
      throw new Error("no");
    },
  });
  expect(ran.status).toBe(0);
});

test("a gate that cannot be loaded lets nothing through to the disk", async () => {
  using home = testHome();
  const ran = await run(home, prompt, { loadGate: async () => Promise.reject(new Error("no")) });
  expect(ran.log.map(({ event }) => event)).toEqual(["hook.failed"]);
  expect(existsSync(home.paths.spool)).toBe(false);
});

test("a home behind a link works as the folder itself", async () => {
  using home = testHome();
  mkdirSync(`${home.paths.root}/real`);
  symlinkSync(`${home.paths.root}/real`, `${home.paths.root}/link`);
  await run(home, prompt, { env: { CONTINUITY_HOME: `${home.paths.root}/link` } });
  expect(readdirSync(`${home.paths.root}/real/spool`).some((name) => name.endsWith(".json"))).toBe(
    true,
  );
});
