import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { type LogFields } from "#kit";
import { homePaths, type HookEnvelope } from "#domain";
import { sentHeader, versionHeader } from "#hooks";
import { connectDaemon, stopDaemon } from "./client.ts";
import { acquireLock, ownIdentity } from "./lock.ts";
import { testDaemon, testEnvelope, testHome, type TestHome } from "../../../test/support/daemon.ts";

const post = async (
  home: TestHome,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`http://continuity${path}`, {
    unix: home.paths.socket,
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });

const spool = (home: TestHome, name: string, envelope: HookEnvelope): void =>
  writeFileSync(`${home.paths.spool}/${name}.json`, JSON.stringify(envelope));

test("what is told of the daemon is true while it runs, and nothing is left of it afterwards", async () => {
  using home = testHome();
  const daemon = await testDaemon(home);
  const record = JSON.parse(readFileSync(home.paths.daemonJson, "utf8"));
  expect(record).toMatchObject({ pid: process.pid, version: "1.2.3", socket: home.paths.socket });
  expect(record).toMatchObject(ownIdentity());
  expect(record.port).toBeGreaterThan(0);
  expect(statSync(home.paths.socket).mode & 0o777).toBe(0o600);
  expect(statSync(home.paths.root).mode & 0o777).toBe(0o700);
  await daemon[Symbol.asyncDispose]();
  expect(await daemon.outcome).toEqual({ type: "stopped", reason: "end of test" });
  expect(daemon.app.closed).toBe(true);
  for (const path of [home.paths.daemonJson, home.paths.lock, home.paths.socket])
    expect(existsSync(path)).toBe(false);
});

test("a home that others could read is closed", async () => {
  using home = testHome();
  chmodSync(home.paths.root, 0o755);
  await using _daemon = await testDaemon(home);
  expect(statSync(home.paths.root).mode & 0o777).toBe(0o700);
});

test("events are answered after their commit, and a repeated one is not fresh", async () => {
  using home = testHome();
  await using _daemon = await testDaemon(home);
  const answers = [];
  for (const n of [1, 1])
    answers.push(await (await post(home, "/api/hooks/stop", testEnvelope(n))).json());
  expect(answers).toEqual([
    { context: "hello 01", fresh: true },
    { context: "", fresh: false },
  ]);
});

test("requests of one moment share commits, and each gets its own answer", async () => {
  using home = testHome();
  await using daemon = await testDaemon(home);
  const numbers = Array.from({ length: 40 }, (_, at) => at + 10);
  const replies = await Promise.all(
    numbers.map(async (n) => (await post(home, "/api/hooks/stop", testEnvelope(n))).json()),
  );
  expect(replies).toEqual(numbers.map((n) => ({ context: `hello ${n}`, fresh: true })));
  expect(daemon.app.commits.flat()).toHaveLength(40);
  expect(daemon.app.commits.length).toBeLessThan(40);
});

test("an event that cannot be accepted fails alone, and its hook is told", async () => {
  using home = testHome();
  const commit = async (envelopes: readonly HookEnvelope[]) => {
    if (envelopes.some(({ key }) => key.endsWith("13"))) throw new Error("unlucky");
    return envelopes.map(() => ({ context: "", fresh: true }));
  };
  await using _daemon = await testDaemon(home, { app: { commit } });
  const statuses = await Promise.all(
    [11, 12, 13, 14].map(
      async (n) => (await post(home, "/api/hooks/stop", testEnvelope(n))).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 500, 200]);
});

test("a client's own payload is an event too; what is neither is refused", async () => {
  using home = testHome();
  await using daemon = await testDaemon(home);
  const payload = { session_id: "s-9", hook_event_name: "Stop", last_assistant_message: "Done." };
  expect((await post(home, "/api/hooks/Stop", payload)).status).toBe(200);
  expect(daemon.app.accepted).toMatchObject([{ hook: "stop", gated: false, payload }]);
  expect((await post(home, "/api/hooks/WorktreeCreate", payload)).status).toBe(200);
  expect((await post(home, "/api/hooks/stop", [])).status).toBe(400);
  expect((await post(home, "/api/hooks/stop", { v: 1 })).status).toBe(400);
  expect(daemon.app.accepted).toHaveLength(1);
});

test("of a payload with the word of its hook the envelope is made here; silence is an empty answer", async () => {
  using home = testHome();
  const commit = async (envelopes: readonly HookEnvelope[]) => {
    accepted.push(...envelopes);
    const context = accepted.length === 1 ? "hello" : "";
    return envelopes.map(() => ({ context, fresh: true }));
  };
  const accepted: HookEnvelope[] = [];
  await using _daemon = await testDaemon(home, { app: { commit } });
  const payload = { session_id: "s-9", prompt_id: "p-1", prompt: "go on", unknown: 1 };
  const said = { hook: "submit", clientEvent: "UserPromptSubmit", nowMs: 9_000, replayed: true };
  const sent = JSON.stringify({ ...said, startedAtMs: 8_990.5, zone: "UTC", invocation: "7-8990" });
  const headers = { [sentHeader]: sent };
  const first = await post(home, "/api/hooks/submit", payload, headers);
  expect(accepted).toMatchObject([
    { v: 1, atMs: 9_000, replayed: true, startedAtMs: 8_990.5, confirms: true, zone: "UTC" },
  ]);
  expect(accepted[0]?.payload).not.toContainKey("unknown");
  expect(await first.json()).toEqual({ context: "hello", fresh: true, keys: [accepted[0]?.key] });
  const second = await post(home, "/api/hooks/submit", { ...payload, prompt: "on" }, headers);
  expect([second.status, second.headers.get(versionHeader)]).toEqual([204, "1.2.3"]);
  expect((await post(home, "/api/hooks/submit", {}, headers)).status).toBe(204);
  expect(accepted).toHaveLength(2);
});

test("the spool is drained in order, exactly once, before anything that comes through the socket", async () => {
  using home = testHome();
  for (const n of [3, 1, 2]) spool(home, `00000000000000${n}-000-x`, testEnvelope(n));
  await using daemon = await testDaemon(home);
  await post(home, "/api/hooks/stop", testEnvelope(4));
  expect(daemon.app.commits.flat().map((key) => Number(key.slice(1)))).toEqual([1, 2, 3, 4]);
  expect(readdirSync(home.paths.spool).filter((name) => name.endsWith(".json"))).toEqual([]);
});

test("an event that a slow moment left in the spool goes before the session's next one", async () => {
  using home = testHome();
  await using daemon = await testDaemon(home);
  await post(home, "/api/hooks/stop", testEnvelope(1));
  spool(home, "000000000000002-000-x", testEnvelope(2));
  await post(home, "/api/hooks/stop", testEnvelope(3));
  expect(daemon.app.commits.flat().map((key) => Number(key.slice(1)))).toEqual([1, 2, 3]);
});

test("an unreadable file in the spool is set aside and stops nothing", async () => {
  using home = testHome();
  writeFileSync(`${home.paths.spool}/000000000000001-000-x.json`, "{half");
  spool(home, "000000000000002-000-x", testEnvelope(2));
  await using daemon = await testDaemon(home);
  await post(home, "/api/flush", {});
  expect(daemon.app.commits.flat()).toHaveLength(1);
  expect(readdirSync(`${home.paths.spool}/bad`)).toEqual(["000000000000001-000-x.json"]);
});

test("flush waits for the spool and for every job that is due", async () => {
  using home = testHome();
  spool(home, "000000000000001-000-x", testEnvelope(1));
  let jobs = 5;
  const work = async (): Promise<number | null> => {
    jobs = Math.max(0, jobs - 1);
    return jobs > 0 ? 0 : 600_000;
  };
  await using _daemon = await testDaemon(home, { app: { work, pendingJobs: () => jobs } });
  expect(await (await post(home, "/api/flush", { timeoutMs: 5_000 })).json()).toEqual({
    done: true,
    left: 0,
  });
  expect(jobs).toBe(0);
});

test("flush says what is left when the time is up, and hooks are served meanwhile", async () => {
  using home = testHome();
  const work = async (): Promise<number | null> => 0;
  await using _daemon = await testDaemon(home, { app: { work, pendingJobs: () => 2 } });
  const flushing = post(home, "/api/flush", { timeoutMs: 60 });
  expect((await post(home, "/api/hooks/stop", testEnvelope(1))).status).toBe(200);
  expect(await (await flushing).json()).toEqual({ done: false, left: 2 });
});

test("work runs when events came, not twice at once, and a failing job does not end the daemon", async () => {
  using home = testHome();
  let running = 0;
  let together = 0;
  let calls = 0;
  const work = async (): Promise<number | null> => {
    calls += 1;
    running += 1;
    together = Math.max(together, running);
    await Bun.sleep(1);
    running -= 1;
    if (calls === 1) throw new Error("a bad job");
    return null;
  };
  await using _daemon = await testDaemon(home, { app: { work } });
  await Promise.all([1, 2, 3].map((n) => post(home, "/api/hooks/stop", testEnvelope(n))));
  await post(home, "/api/flush", {});
  expect(calls).toBeGreaterThan(1);
  expect(together).toBe(1);
});

test("other requests go to the application, which learns how they came", async () => {
  using home = testHome();
  await using _daemon = await testDaemon(home);
  const { port } = JSON.parse(readFileSync(home.paths.daemonJson, "utf8"));
  const overTcp = await fetch(`http://127.0.0.1:${port}/api/hooks/stop`, { method: "POST" });
  expect(await overTcp.json()).toEqual({ path: "/api/hooks/stop", transport: "tcp" });
  const client = await connectDaemon(home.paths);
  expect(await (await client?.fetch("/api/stats"))?.json()).toEqual({
    path: "/api/stats",
    transport: "socket",
  });
});

test("flush and stop are not to be had over TCP", async () => {
  using home = testHome();
  await using daemon = await testDaemon(home);
  const { port } = JSON.parse(readFileSync(home.paths.daemonJson, "utf8"));
  for (const path of ["/api/flush", "/api/daemon/stop"]) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST" });
    expect(await answer.json()).toEqual({ path, transport: "tcp" });
  }
  expect(daemon.app.closed).toBe(false);
});

test("a taken port is a warning, and the next free one is used and recorded", async () => {
  using home = testHome();
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("other") });
  const lines: { readonly event: string; readonly fields: LogFields | undefined }[] = [];
  const log = {
    write: (_: string, event: string, fields?: LogFields) => lines.push({ event, fields }),
  };
  const wanted = taken.port ?? 0;
  await using _daemon = await testDaemon(home, {
    options: { port: wanted },
    log: { write: (...args) => void log.write(...args) },
  });
  const { port } = JSON.parse(readFileSync(home.paths.daemonJson, "utf8"));
  expect(port).toBeGreaterThan(wanted);
  expect(port).toBeLessThan(wanted + 10);
  expect(lines.find(({ event }) => event === "daemon.port-taken")?.fields).toEqual({
    wanted,
    used: port,
  });
  await taken.stop(true);
});

test("daemons of two homes do not share a port", async () => {
  using one = testHome();
  using other = testHome();
  const free = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const port = free.port ?? 0;
  await free.stop(true);
  await using _first = await testDaemon(one, { options: { port } });
  await using _second = await testDaemon(other, { options: { port } });
  const portOf = ({ paths }: TestHome): unknown =>
    JSON.parse(readFileSync(paths.daemonJson, "utf8")).port;
  expect(portOf(other)).not.toBe(portOf(one));
});

test("a socket file that a dead daemon left is replaced", async () => {
  using home = testHome();
  writeFileSync(home.paths.socket, "");
  await using _daemon = await testDaemon(home);
  expect((await connectDaemon(home.paths))?.version).toBe("1.2.3");
});

test("a home whose path is too long for a socket gets one elsewhere, private and recorded", async () => {
  using outer = testHome();
  const root = `${outer.paths.root}/${"long".repeat(20)}`;
  mkdirSync(`${root}/spool/keys`, { recursive: true });
  const home: TestHome = { paths: homePaths(root), [Symbol.dispose]: () => undefined };
  const daemon = await testDaemon(home, {
    context: { env: { XDG_RUNTIME_DIR: outer.paths.root } },
  });
  const { socket } = JSON.parse(readFileSync(home.paths.daemonJson, "utf8"));
  expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
  expect(statSync(socket.replace(/\/[^/]+$/, "")).mode & 0o777).toBe(0o700);
  expect((await connectDaemon(home.paths))?.version).toBe("1.2.3");
  await daemon[Symbol.asyncDispose]();
  expect(existsSync(socket)).toBe(false);
});

test("an application that cannot open ends the start, frees the lock, and keeps hooks from trying at once", async () => {
  using home = testHome();
  const openApp = (): never => {
    throw new Error("the database is corrupt");
  };
  const daemon = await testDaemon(home, { options: { openApp } });
  expect(await daemon.outcome).toEqual({ type: "failed", detail: "the database is corrupt" });
  expect(existsSync(home.paths.daemonJson)).toBe(false);
  expect(Number(readFileSync(`${home.paths.root}/daemon.starting`, "utf8"))).toBe(
    1_700_000_060_000,
  );
  const lock = acquireLock(home.paths, ownIdentity());
  expect(lock.ok).toBe(true);
  if (lock.ok) lock.value.release();
});

test("idle for long enough, it leaves; an event, a viewer or a job keeps it", async () => {
  using home = testHome();
  let isIdle = false;
  let nowMs = 1_000;
  const daemon = await testDaemon(home, {
    app: { isIdle: () => isIdle },
    context: { clock: { nowMs: () => nowMs } },
    options: { idleExitMs: 80 },
  });
  nowMs += 1_000;
  await Bun.sleep(60);
  // A viewer was there, so the time counts from now.
  isIdle = true;
  expect(daemon.app.closed).toBe(false);
  nowMs += 80;
  expect(await daemon.outcome).toEqual({ type: "stopped", reason: "idle" });
});

test("a health check does not keep it", async () => {
  using home = testHome();
  let nowMs = 1_000;
  const daemon = await testDaemon(home, {
    context: { clock: { nowMs: () => nowMs } },
    options: { idleExitMs: 80 },
  });
  nowMs += 80;
  await connectDaemon(home.paths);
  expect(await daemon.outcome).toEqual({ type: "stopped", reason: "idle" });
});

test("told to stop over the socket, it answers what it has and leaves", async () => {
  using home = testHome();
  const slow = Promise.withResolvers<void>();
  const commit = async (envelopes: readonly HookEnvelope[]) => {
    await slow.promise;
    return envelopes.map(() => ({ context: "late", fresh: true }));
  };
  const daemon = await testDaemon(home, { app: { commit } });
  const answer = post(home, "/api/hooks/stop", testEnvelope(1));
  await Bun.sleep(5);
  await post(home, "/api/daemon/stop", {});
  slow.resolve();
  expect(await (await answer).json()).toEqual({ context: "late", fresh: true });
  expect(await daemon.outcome).toEqual({ type: "stopped", reason: "asked" });
});

test("a home that was deleted ends the daemon", async () => {
  using home = testHome();
  const daemon = await testDaemon(home);
  rmSync(home.paths.root, { recursive: true, force: true });
  expect(await daemon.outcome).toEqual({ type: "stopped", reason: "home is gone" });
  expect(existsSync(home.paths.root)).toBe(false);
});

test("of a turn with a private block the agent's words do not reach the application, nor after a restart", async () => {
  using home = testHome();
  const turn = (n: number, hook: "submit" | "stop", payload: Record<string, unknown>) =>
    testEnvelope(n, {
      hook,
      gated: false,
      payload: { session_id: "s-1", prompt_id: "p-1", ...payload },
    });
  const first = await testDaemon(home);
  await post(
    home,
    "/api/hooks/submit",
    turn(1, "submit", { prompt: "<private>Hooli</private> hi" }),
  );
  await post(home, "/api/hooks/stop", turn(2, "stop", { last_assistant_message: "Hooli, yes." }));
  await first[Symbol.asyncDispose]();
  expect(JSON.stringify(first.app.accepted[1])).not.toContain("Hooli");
  await using second = await testDaemon(home);
  await post(home, "/api/hooks/stop", turn(3, "stop", { last_assistant_message: "Hooli again." }));
  await post(
    home,
    "/api/hooks/stop",
    turn(4, "stop", { prompt_id: "p-2", last_assistant_message: "Tests are green." }),
  );
  expect(JSON.stringify(second.app.accepted)).not.toContain("Hooli");
  expect(JSON.stringify(second.app.accepted)).toContain("green");
});

test("no daemon to stop is not an error", async () => {
  using home = testHome();
  expect(await stopDaemon(home.paths)).toBe("not-running");
  writeFileSync(home.paths.lock, JSON.stringify({ pid: process.pid, startedAt: "long ago" }));
  expect(await stopDaemon(home.paths)).toBe("not-running");
});

test("a newer program takes over from an older daemon, and what was spooled meanwhile comes in", async () => {
  using home = testHome();
  const older = await testDaemon(home, { context: { version: "1.2.2" } });
  spool(home, "000000000000001-000-x", testEnvelope(1));
  await using newer = await testDaemon(home, { context: { version: "1.2.3" } });
  expect(await older.outcome).toEqual({ type: "stopped", reason: "asked" });
  expect((await connectDaemon(home.paths))?.version).toBe("1.2.3");
  await post(home, "/api/flush", {});
  expect([...older.app.commits, ...newer.app.commits].flat()).toHaveLength(1);
});

test("beside a daemon of the same or a newer version, a second one leaves at once", async () => {
  using home = testHome();
  await using first = await testDaemon(home);
  for (const version of ["1.2.3", "1.2.2"]) {
    const second = await testDaemon(home, { context: { version } });
    expect(await second.outcome).toEqual({ type: "already-running", pid: process.pid });
    expect(second.app.closed).toBe(false);
  }
  expect(first.app.closed).toBe(false);
  expect(existsSync(home.paths.socket)).toBe(true);
});
