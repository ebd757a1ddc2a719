/** The hook as the client runs it: whole processes of the built program, in friendly and in hostile places. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { handOverMs } from "../../src/hooks/limits.ts";
import { connectDaemon, type DaemonClient, isAlive, readLock, stopDaemon } from "#daemon";
import { homePaths, type HomePaths } from "#domain";

const root = realpathSync(mkdtempSync(join(tmpdir(), "hooks-e2e-")));
const binary = join(root, "continuity");
/** Far beyond what load adds to a hook's own limits, which the benchmark measures; a hung hook never ends. */
const slackMs = 5_000;

beforeAll(() => {
  const script = join(import.meta.dir, "../../scripts/build.ts");
  const built = Bun.spawnSync([process.execPath, script, "--outfile", binary]);
  if (built.exitCode !== 0) throw new Error(built.stderr.toString());
});

const homes: HomePaths[] = [];
afterAll(async () => {
  await Promise.all(homes.map((paths) => stopDaemon(paths)));
  rmSync(root, { recursive: true, force: true });
});

function newHome(): HomePaths {
  const paths = homePaths(join(root, `home-${homes.length}`));
  homes.push(paths);
  return paths;
}

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

async function hook(
  home: string,
  stdin: string | Uint8Array,
  options: RunOptions = {},
): Promise<Ran> {
  const started = performance.now();
  const child = Bun.spawn([binary, "hook", ...(options.args ?? [])], {
    cwd: options.cwd ?? root,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: root,
      CONTINUITY_HOME: home,
      CONTINUITY_PORT: "0",
      CONTINUITY_AUTOSTART: "0",
      ...options.env,
    },
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, out, err, ms: performance.now() - started };
}

let events = 0;
const event = (name: string, fields: Record<string, unknown> = {}): string => {
  events += 1;
  return JSON.stringify({
    session_id: "session-1",
    cwd: join(root, "shop"),
    prompt_id: `prompt-${events}`,
    hook_event_name: name,
    ...fields,
  });
};
const prompt = (n: number, fields: Record<string, unknown> = {}): string =>
  event("UserPromptSubmit", { prompt_id: `p-${n}`, prompt: `Rename cart number ${n}`, ...fields });

const serve = async (paths: HomePaths) => {
  const child = Bun.spawn([binary, "serve", "--port", "0"], {
    env: { PATH: process.env["PATH"] ?? "", HOME: root, CONTINUITY_HOME: paths.root },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await connected(paths);
  return child;
};

/** The daemon of a home, once it answers: a busy one may take longer than a look at its health waits. */
async function connected(paths: HomePaths): Promise<DaemonClient> {
  let daemon: DaemonClient | null = null;
  await until(async () => (daemon = await connectDaemon(paths)) !== null);
  if (daemon === null) throw new Error("no daemon");
  return daemon;
}

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  const endMs = performance.now() + 15_000;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error("waited in vain");
    await Bun.sleep(10);
  }
};

async function ask(paths: HomePaths, path: string, body?: unknown): Promise<unknown> {
  const daemon = await connected(paths);
  const response = await daemon.fetch(path, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  return response.json();
}

const spooled = (paths: HomePaths): readonly string[] =>
  existsSync(paths.spool) ? readdirSync(paths.spool).filter((name) => name.endsWith(".json")) : [];

const logLines = (paths: HomePaths, word: string): number =>
  existsSync(`${paths.logs}/continuity.log`)
    ? readFileSync(`${paths.logs}/continuity.log`, "utf8")
        .split("\n")
        .filter((line) => line.includes(word)).length
    : 0;

/** Prompts of a session as the store has them, in order. */
async function promptsOf(paths: HomePaths, session: string): Promise<readonly string[]> {
  const detail = JSON.stringify(await ask(paths, `/api/sessions/${session}`));
  return [...detail.matchAll(/"prompt":"([^"]*)"/g)].map(([, text]) => text ?? "");
}

test("a cloned repository runs nothing and is read by no hook and no daemon", async () => {
  const paths = newHome();
  const hostile = join(root, "hostile");
  const canary = join(root, "canary");
  const wrong = join(root, "wrong-home");
  mkdirSync(hostile);
  const write = (name: string, text: string): void => writeFileSync(join(hostile, name), text);
  for (const name of [".env", ".env.local", ".env.production", ".env.development"])
    write(name, `CONTINUITY_OFF=1\nCONTINUITY_HOME=${wrong}\nBUN_OPTIONS=--preload ./evil.ts\n`);
  write("bunfig.toml", 'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n');
  write("evil.ts", `require("node:fs").writeFileSync(${JSON.stringify(canary)}, "ran");`);
  write(
    "package.json",
    '{"name":"evil","imports":{"#capture":"./evil.ts","#kit":"./evil.ts"},"main":"./evil.ts"}',
  );
  write(
    "tsconfig.json",
    '{"compilerOptions":{"paths":{"*":["./evil.ts"]},"jsxImportSource":"./evil.ts"}}',
  );
  write("config.toml", "[server]\nautostart = false\n");
  write(".continuity", "");
  const ran = await hook(paths.root, prompt(1, { cwd: hostile }), {
    cwd: hostile,
    env: {
      CONTINUITY_AUTOSTART: "1",
      ANTHROPIC_API_KEY: "sk-very-secret",
      CLAUDECODE: "1",
      CONTINUITY_NOW: "1790000000000",
    },
  });
  expect(ran).toMatchObject({ status: 0, out: "", err: "" });
  await until(async () => (await connectDaemon(paths)) !== null);
  expect(existsSync(canary)).toBe(false);
  expect(existsSync(wrong)).toBe(false);
  const { pid } = JSON.parse(readFileSync(paths.daemonJson, "utf8"));
  // Only Linux shows the environment of a process.
  if (process.platform === "linux") {
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const names = environment.map((line) => line.split("=")[0]);
    for (const name of ["ANTHROPIC_API_KEY", "CLAUDECODE", "BUN_OPTIONS", "CONTINUITY_NOW"])
      expect(names).not.toContain(name);
    expect(environment).toContain(`CONTINUITY_HOME=${paths.root}`);
  }
  expect(await ask(paths, "/api/flush", { timeoutMs: 10_000 })).toMatchObject({ done: true });
  expect(await promptsOf(paths, "session-1")).toEqual(["Rename cart number 1"]);
}, 30_000);

test.each([
  { name: "empty stdin", stdin: "" },
  { name: "an empty object", stdin: "{}" },
  { name: "ten megabytes of garbage", stdin: "{[".repeat(5_000_000) },
  { name: "binary", stdin: crypto.getRandomValues(new Uint8Array(50_000)) },
  { name: "a list", stdin: "[1,2,3]" },
  { name: "a number", stdin: "7" },
  { name: "half a document", stdin: prompt(1).slice(0, 80) },
])("$name: status 0, no output, nothing spooled", async ({ stdin }) => {
  const paths = newHome();
  for (const args of [[], ["submit"], ["Stop", "--unknown", "--also=this"]]) {
    const ran = await hook(paths.root, stdin, { args });
    expect(ran).toMatchObject({ status: 0, out: "", err: "" });
    expect(ran.ms).toBeLessThan(1_500 + slackMs);
  }
  expect(spooled(paths)).toEqual([]);
});

test("a missing transcript and a missing folder are no obstacle", async () => {
  const paths = newHome();
  const ran = await hook(
    paths.root,
    event("Stop", {
      cwd: "/gone/away",
      transcript_path: "/gone/t.jsonl",
      last_assistant_message: "Done.",
    }),
    { args: ["stop", "--transcript", "/gone/too.jsonl"] },
  );
  expect(ran).toMatchObject({ status: 0, out: "", err: "" });
  expect(spooled(paths)).toHaveLength(1);
});

test.each(["/dev/null/home", "/proc/home"])(
  "a home that cannot be made: status 0, silence, one line in a private file of the temp folder (%s)",
  async (home) => {
    const temp = mkdtempSync(join(root, "tmp-"));
    const ran = await hook(home, prompt(1), { env: { TMPDIR: temp } });
    expect(ran).toMatchObject({ status: 0, out: "", err: "" });
    const [log = ""] = readdirSync(temp);
    const lines = readFileSync(join(temp, log), "utf8").trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain("cart");
  },
);

test("a person at a terminal is told in one line, with status 1", async () => {
  let seen = "";
  const terminal = new Bun.Terminal({
    data: (_, bytes) => {
      seen += new TextDecoder().decode(bytes);
    },
  });
  const child = Bun.spawn([binary, "hook", "start"], {
    env: { CONTINUITY_HOME: newHome().root, PATH: "/bin" },
    terminal,
  });
  expect(await child.exited).toBe(1);
  await until(() => seen.includes("\n"));
  expect(seen.trim().split("\n")).toHaveLength(1);
  terminal.close();
});

test("a hung socket costs the deadline, and the event is spooled", async () => {
  const paths = newHome();
  mkdirSync(paths.root, { mode: 0o700 });
  const deaf = Bun.spawn(
    [
      process.execPath,
      "-e",
      `require("node:net").createServer(() => {}).listen(${JSON.stringify(paths.socket)})`,
    ],
    { stdio: ["ignore", "ignore", "ignore"] },
  );
  await until(() => existsSync(paths.socket));
  for (const [args, stdin, limitMs] of [
    ["submit", prompt(1), handOverMs.submit],
    ["stop", event("Stop", { last_assistant_message: "Done." }), handOverMs.stop],
    ["start", event("SessionStart", { source: "startup" }), handOverMs.start],
  ] as const) {
    const ran = await hook(paths.root, stdin, { args: [args], env: { CONTINUITY_AUTOSTART: "1" } });
    expect(ran).toMatchObject({ status: 0, out: "", err: "" });
    expect(ran.ms).toBeGreaterThan(limitMs);
    expect(ran.ms).toBeLessThan(limitMs + slackMs);
  }
  expect(spooled(paths)).toHaveLength(3);
  // A second daemon would not help, so none was started.
  expect(existsSync(paths.lock)).toBe(false);
  deaf.kill(9);
  await deaf.exited;
});

test("a hundred hooks at once start one daemon, and no event is lost or doubled", async () => {
  const paths = newHome();
  const env = { CONTINUITY_AUTOSTART: "1" };
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      hook(paths.root, prompt(n, { session_id: `s-${n % 10}` }), { env }),
    ),
  );
  expect(all.map(({ status, err }) => `${status}${err}`)).toEqual(all.map(() => "0"));
  await until(async () => (await connectDaemon(paths)) !== null);
  expect(await ask(paths, "/api/flush", { timeoutMs: 20_000 })).toMatchObject({
    done: true,
    left: 0,
  });
  const prompts = await Promise.all(
    Array.from({ length: 10 }, (_, n) => promptsOf(paths, `s-${n}`)),
  );
  expect(prompts.flat().toSorted()).toEqual(
    Array.from({ length: 100 }, (_, n) => `Rename cart number ${n}`).toSorted(),
  );
  expect(logLines(paths, "daemon.started")).toBe(1);
  expect(spooled(paths)).toEqual([]);
}, 60_000);

test("plugin and settings both installed: every event counts once, and one of two starts answers", async () => {
  const paths = newHome();
  const twice = async (stdin: string): Promise<readonly Ran[]> =>
    Promise.all([hook(paths.root, stdin), hook(paths.root, stdin)]);
  for (let n = 0; n < 5; n += 1) await twice(prompt(n));
  await twice(event("SessionStart", { source: "startup", prompt_id: undefined }));
  expect(spooled(paths)).toHaveLength(6);
  const daemon = await serve(paths);
  for (let n = 3; n < 8; n += 1) await twice(prompt(n));
  await ask(paths, "/api/flush", { timeoutMs: 10_000 });
  expect(await promptsOf(paths, "session-1")).toHaveLength(8);
  const starts = await twice(
    event("SessionStart", { session_id: "session-2", source: "startup", prompt_id: undefined }),
  );
  expect(starts.filter(({ out }) => out !== "").length).toBeLessThanOrEqual(1);
  daemon.kill();
  expect(await daemon.exited).toBe(0);
}, 30_000);

test("what was spooled is drained in order when a daemon comes", async () => {
  const paths = newHome();
  await hook(paths.root, event("SessionStart", { source: "startup", prompt_id: undefined }));
  for (let n = 0; n < 4; n += 1) {
    await hook(paths.root, prompt(n));
    await hook(
      paths.root,
      event("Stop", { prompt_id: `p-${n}`, last_assistant_message: `Cart ${n} is renamed.` }),
    );
  }
  expect(spooled(paths)).toHaveLength(9);
  await serve(paths);
  expect(await ask(paths, "/api/flush", { timeoutMs: 10_000 })).toMatchObject({ done: true });
  expect(await promptsOf(paths, "session-1")).toEqual(
    [0, 1, 2, 3].map((n) => `Rename cart number ${n}`),
  );
  expect(spooled(paths)).toEqual([]);
}, 30_000);

test("kill -9 in the middle loses nothing that a hook accepted, and doubles nothing", async () => {
  const paths = newHome();
  let daemon = await serve(paths);
  for (let n = 0; n < 40; n += 1) {
    const sending = hook(paths.root, prompt(n));
    // In the middle of one hand-over out of ten.
    if (n % 10 === 5) {
      daemon.kill(9);
      await daemon.exited;
    }
    expect(await sending).toMatchObject({ status: 0, err: "" });
    if (n % 10 === 9) daemon = await serve(paths);
  }
  expect(await ask(paths, "/api/flush", { timeoutMs: 10_000 })).toMatchObject({ done: true });
  expect((await promptsOf(paths, "session-1")).toSorted()).toEqual(
    Array.from({ length: 40 }, (_, n) => `Rename cart number ${n}`).toSorted(),
  );
}, 60_000);

test("a daemon that is told to end leaves nothing of itself behind", async () => {
  const paths = newHome();
  const daemon = await serve(paths);
  const holder = readLock(paths);
  expect(holder !== null && isAlive(holder)).toBe(true);
  daemon.kill("SIGTERM");
  expect(await daemon.exited).toBe(0);
  for (const path of [paths.lock, paths.socket, paths.daemonJson])
    expect(existsSync(path)).toBe(false);
  expect(readdirSync(paths.root).filter((name) => /-wal$|-journal$/.test(name))).toEqual([]);
}, 30_000);

test("no secret and no private word of a spooled event is on disk", async () => {
  const paths = newHome();
  const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  await hook(
    paths.root,
    prompt(1, { prompt: `Use ${secret} <private>for client Hooli</private> now` }),
  );
  await hook(
    paths.root,
    event("PostToolUse", {
      prompt_id: "p-1",
      tool_use_id: "t-1",
      tool_name: "Bash",
      tool_input: { command: "deploy" },
      tool_response: { stdout: `token=${secret} for client Hooli` },
    }),
  );
  expect(spooled(paths)).toHaveLength(2);
  for (const word of [secret, "Hooli"]) {
    const { stdout } = Bun.spawnSync(["grep", "-rlF", word, paths.root]);
    expect(stdout.toString()).toBe("");
  }
});
