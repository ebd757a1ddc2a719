/** The built daemon's port as strangers find it: real TCP, raw bytes, many at once. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { eventually, openProgram, type Program } from "../support/program.ts";
import { routes } from "#api/server";

let program: Program;
let port = 0;
let token = "";

beforeAll(async () => {
  program = openProgram();
  await program.up();
  await program.run(["remember", "The vault code is 7431"]);
  port = (JSON.parse(readFileSync(program.paths.daemonJson, "utf8")) as { port: number }).port;
  token = readFileSync(program.paths.token, "utf8").trim();
});

afterAll(async () => program[Symbol.asyncDispose]());

const own = (): string => `127.0.0.1:${port}`;

const ask = async (
  path: string,
  init: {
    readonly method?: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Response> =>
  fetch(`http://${own()}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });

/** Sends bytes as they are and resolves to all that comes back until the other side closes. */
const raw = async (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => (answer += text));
    socket.on("end", () => resolve(answer));
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
    socket.setTimeout(5_000, () => socket.end());
  });

const head = (lines: readonly string[]): string =>
  [...lines, "Connection: close", "", ""].join("\r\n");

const isAlive = async (): Promise<boolean> => (await fetch(`http://${own()}/api/health`)).ok;

test("every route of the table refuses strangers on the wire, and none tells what is remembered", async () => {
  const closed = routes.filter(({ isOpen }) => isOpen !== true);
  expect(closed.length).toBeGreaterThan(40);
  for (const { method, path } of closed) {
    const target = path.replaceAll(/:\w+/g, "1");
    const answer = await raw(
      head([
        `${method} ${target} HTTP/1.1`,
        `Host: ${own()}`,
        "Content-Length: 0",
        "Content-Type: application/json",
      ]),
    );
    expect(answer, `${method} ${path}`).toMatch(/^HTTP\/1\.1 (401|429) /);
    expect(answer).not.toContain("7431");
    expect(answer.toLowerCase()).not.toContain("access-control");
  }
});

test.each([
  ["a name that was rebound to this machine", ["GET /api/memories HTTP/1.1", "Host: evil.example"]],
  ["a rebound name with our port", ["GET /api/memories HTTP/1.1", "Host: evil.example:PORT"]],
  [
    "our name in front of another",
    ["GET /api/memories HTTP/1.1", "Host: 127.0.0.1.evil.example:PORT"],
  ],
  ["another address of this machine", ["GET /api/memories HTTP/1.1", "Host: 0.0.0.0:PORT"]],
  [
    "a name with a user in front",
    ["GET /api/memories HTTP/1.1", "Host: 127.0.0.1@evil.example:PORT"],
  ],
  ["no host", ["GET /api/memories HTTP/1.1"]],
  ["two hosts", ["GET /api/memories HTTP/1.1", "Host: 127.0.0.1:PORT", "Host: evil.example"]],
  ["a whole address", ["GET http://evil.example/api/memories HTTP/1.1", "Host: evil.example"]],
  [
    "a foreign page",
    ["GET /api/memories HTTP/1.1", "Host: 127.0.0.1:PORT", "Origin: http://evil.example"],
  ],
  ["a page without origin", ["GET /api/memories HTTP/1.1", "Host: 127.0.0.1:PORT", "Origin: null"]],
])("%s is refused, token or not", async (_, lines) => {
  for (const secret of [[], [`Authorization: Bearer ${token}`]]) {
    const answer = await raw(
      head([...lines, ...secret].map((line) => line.replace("PORT", `${port}`))),
    );
    expect(answer).not.toContain("7431");
    expect(answer === "" || /^HTTP\/1\.1 4\d\d /.test(answer), answer.slice(0, 200)).toBe(true);
  }
  expect(await isAlive()).toBe(true);
});

test.each([
  "/../../../../etc/passwd",
  "/..%2f..%2f..%2fetc%2fpasswd",
  "/assets/../../token",
  "/assets/..%2f..%2ftoken",
  "/assets/%2e%2e%2f%2e%2e%2ftoken",
  "//etc/passwd",
  "/api/nodes?uri=file:///etc/passwd",
  "/api/nodes?uri=mem://user/../../../etc/passwd",
  "/api/sessions/..%2f..%2ftoken",
  "/api/%00",
  "/%ff%fe",
])("%s reads no file", async (path) => {
  const answer = await raw(
    head([`GET ${path} HTTP/1.1`, `Host: ${own()}`, `Authorization: Bearer ${token}`]),
  );
  expect(answer).not.toContain("root:");
  expect(answer).not.toContain(token);
  expect(answer === "" || /^HTTP\/1\.1 [345]\d\d /.test(answer), answer.slice(0, 200)).toBe(true);
});

test("a form of another site posts nothing", async () => {
  const form = "text=x&category=entities";
  const answer = await raw(
    `POST /api/memories HTTP/1.1\r\nHost: ${own()}\r\nOrigin: http://evil.example\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\nConnection: close\r\n\r\n${form}`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  const plain = await ask("/api/memories", {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: JSON.stringify({ text: "planted" }),
  });
  expect(plain.status).toBe(415);
  const found = await (await ask("/api/memories")).text();
  expect(found).not.toContain("planted");
});

test.each([1_100_000, 6_000_000])(
  "a body of %i bytes is refused, and the daemon lives",
  async (bytes) => {
    const body = JSON.stringify({ text: "x".repeat(bytes) });
    const response = await ask("/api/memories", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }).catch(() => null);
    // Far above the limit the line is cut before everything was sent.
    expect([413, undefined]).toContain(response?.status);
    expect(await isAlive()).toBe(true);
  },
);

test("no method hides another", async () => {
  const uri = encodeURIComponent("mem://user/entities/vault-code-7431");
  for (const headers of [
    { "x-http-method-override": "DELETE" },
    { "x-http-method": "DELETE" },
    { "x-method-override": "DELETE" },
  ])
    await ask(`/api/nodes?uri=${uri}&_method=DELETE`, { headers });
  const left = (await (await ask("/api/memories")).json()) as { readonly total: number };
  expect(left.total).toBe(1);
  for (const method of ["TRACE", "CONNECT", "PROPFIND", "FOO"])
    expect(await raw(head([`${method} /api/memories HTTP/1.1`, `Host: ${own()}`]))).not.toContain(
      "7431",
    );
});

test("who sends a request drop by drop holds nobody up", async () => {
  const slow: Socket[] = [];
  try {
    for (let n = 0; n < 100; n += 1) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(
        `POST /api/memories HTTP/1.1\r\nHost: ${own()}\r\nContent-Length: 1000\r\nX-A: `,
      );
      slow.push(socket);
    }
    const drip = setInterval(() => slow.forEach((socket) => socket.write("a")), 50);
    const startMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => ask("/api/status")));
    clearInterval(drip);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(performance.now() - startMs).toBeLessThan(5_000);
    const hooked = await program.hook("submit", {
      session_id: "s",
      prompt: "hello",
      cwd: program.folder,
    });
    expect(hooked.length).toBeGreaterThanOrEqual(0);
  } finally {
    for (const socket of slow) socket.destroy();
  }
});

test("five hundred at once are answered, each as it must be", async () => {
  const answers = await Promise.all(
    Array.from({ length: 500 }, async (_, n) => {
      const secret = n % 2 === 0 ? token : "0".repeat(64);
      const response = await fetch(`http://${own()}/api/memories?limit=1`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      return { isGood: n % 2 === 0, status: response.status, text: await response.text() };
    }),
  );
  for (const { isGood, status, text } of answers) {
    expect(isGood ? [200] : [401, 429]).toContain(status);
    expect(text.includes("7431")).toBe(isGood);
  }
  expect(await isAlive()).toBe(true);
});

test("health reveals liveness and version only, to anybody", async () => {
  const answer = await fetch(`http://${own()}/api/health`);
  expect(Object.keys((await answer.json()) as object).toSorted()).toEqual(["ok", "version"]);
});

test("a stream is kept alive, tells what happens, and one that nobody reads costs nothing", async () => {
  const stop = new AbortController();
  const streams = await Promise.all(
    [1, 2].map(async () => ask("/api/events", { signal: stop.signal })),
  );
  const reader = streams[0]?.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const until = async (part: string): Promise<void> =>
    eventually(`the stream says ${part}`, async () => {
      const read = await reader?.read();
      text += decoder.decode(read?.value);
      return text.includes(part);
    });
  await until("event: hello");
  await program.run(["remember", "The second code is 8899"]);
  await until("event: memory");
  // Bun cuts a stream that is silent for ten seconds; ours never is for longer than five.
  await until(": still here");
  stop.abort();
  expect(await isAlive()).toBe(true);
}, 20_000);

test("`continuity ui` gives a link that opens the page's way in once", async () => {
  const printed = await program.run(["ui", "--print"]);
  expect(printed.out).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/#code=[0-9a-f]{32}\\n$`));
  const code = printed.out.trim().split("code=")[1] ?? "";
  const redeem = async (): Promise<Response> =>
    fetch(`http://${own()}/api/ui/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
  const given = (await (await redeem()).json()) as { readonly token: string };
  expect(given.token).toMatch(/^[0-9a-f]{64}$/);
  expect(given.token).not.toBe(token);
  expect((await redeem()).status).not.toBe(200);
  const nobody = await program.run(["ui"], { env: { DISPLAY: "", WAYLAND_DISPLAY: "" } });
  if (process.platform === "linux") {
    expect(nobody.status).toBe(1);
    expect(nobody.err).toContain("continuity ui --print");
  }
});

test("the address with its code is in no process's arguments; a file of the user's own leads there, until it was used", async () => {
  const folder = join(program.folder, "openers");
  mkdirSync(folder, { recursive: true });
  const told = join(folder, "told");
  for (const name of ["xdg-open", "open"])
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$@" > '${told}'\n`, {
      mode: 0o755,
    });
  const env = { DISPLAY: ":9", PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  const ran = await program.run(["ui"], { env });
  expect([ran.status, ran.err]).toEqual([0, ""]);
  await eventually("the opener ran", async () => existsSync(told));
  const given = readFileSync(told, "utf8");
  const { viewerLink } = program.paths;
  expect(given).toBe(`${pathToFileURL(viewerLink).href}\n`);
  expect(statSync(viewerLink).mode & 0o777).toBe(0o600);
  const code = /#code=([0-9a-f]{32})"/.exec(readFileSync(viewerLink, "utf8"))?.[1] ?? "";
  const answer = await fetch(`http://${own()}/api/ui/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  expect([answer.status, existsSync(viewerLink)]).toEqual([200, false]);
});

test("`continuity config rotate-token` ends the old token at once and writes another that only the user can read", async () => {
  const asked = async (bearer: string): Promise<number> =>
    (await fetch(`http://${own()}/api/status`, { headers: { authorization: `Bearer ${bearer}` } }))
      .status;
  expect(await asked(token)).toBe(200);
  const ran = await program.run(["token", "rotate"]);
  expect([ran.status, ran.err]).toEqual([0, ""]);
  const next = readFileSync(program.paths.token, "utf8").trim();
  expect(next).toMatch(/^[0-9a-f]{64}$/);
  expect(ran.out).not.toContain(next);
  expect(statSync(program.paths.token).mode & 0o777).toBe(0o600);
  // 429: other tests of this file have tried many wrong tokens.
  expect([401, 429]).toContain(await asked(token));
  expect(await asked(next)).toBe(200);
  token = next;
});
