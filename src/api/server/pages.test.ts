import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { openTestServer, testPort, token, type TestServer } from "../../../test/support/server.ts";

const own = { host: `127.0.0.1:${testPort}` } as const;
const json = { ...own, "content-type": "application/json" } as const;

const link = async (server: TestServer): Promise<{ readonly code: string; readonly url: string }> =>
  (await server.socket("/api/ui/code", { method: "POST", body: "{}" })).json() as Promise<{
    readonly code: string;
    readonly url: string;
  }>;

const redeem = async (server: TestServer, code: string): Promise<Response> =>
  server.tcp("/api/ui/token", { method: "POST", headers: json, body: JSON.stringify({ code }) });

const tokenBy = async (server: TestServer, code: string): Promise<string> =>
  ((await (await redeem(server, code)).json()) as { readonly token: string }).token;

const status = async (server: TestServer, bearer: string): Promise<number> =>
  (await server.tcp("/api/status", { headers: { ...own, authorization: `Bearer ${bearer}` } }))
    .status;

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const nonce = "5e".repeat(16);

const prove = async (server: TestServer, secret: string): Promise<Response> =>
  server.tcp("/api/ui/proof", {
    method: "POST",
    headers: json,
    body: JSON.stringify({ id: hash(hash(secret)).slice(0, 16), nonce }),
  });

test("a link gives a token of the page's own, once", async () => {
  using server = openTestServer();
  const { code, url } = await link(server);
  expect(url).toBe(`http://127.0.0.1:${testPort}/#code=${code}`);
  expect(url).not.toContain(token);
  const first = await redeem(server, code);
  const given = ((await first.json()) as { readonly token: string }).token;
  expect([first.status, given]).toEqual([200, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(given).not.toBe(token);
  expect(await status(server, given)).toBe(200);
  const second = await redeem(server, code);
  expect([second.status, await second.text()]).toEqual([401, expect.not.stringContaining(given)]);
});

test("a page's token ends after twelve hours, and when the clock was set back", async () => {
  using server = openTestServer();
  const bearer = await tokenBy(server, (await link(server)).code);
  server.t.clock.advance(12 * 3_600_000 - 1);
  expect(await status(server, bearer)).toBe(200);
  server.t.clock.advance(1);
  expect(await status(server, bearer)).toBe(401);
  server.t.clock.advance(-12 * 3_600_000 - 1);
  expect(await status(server, bearer)).toBe(401);
});

test("a page's token is worth nothing to another daemon, and the ninth ends the first", async () => {
  using server = openTestServer();
  using other = openTestServer();
  const bearers = [];
  for (let n = 0; n < 9; n += 1) bearers.push(await tokenBy(server, (await link(server)).code));
  expect(await status(server, bearers[0] ?? "")).toBe(401);
  expect(await status(server, bearers[8] ?? "")).toBe(200);
  expect(await status(other, bearers[8] ?? "")).toBe(401);
});

test("the server proves that it knows a code or a token, on its own port, and shows neither", async () => {
  using server = openTestServer();
  const { code } = await link(server);
  const expected = (secret: string, port = testPort): string =>
    createHmac("sha256", hash(secret)).update(`${nonce} ${port}`).digest("hex");
  expect(await (await prove(server, code)).json()).toEqual({ proof: expected(code) });
  const bearer = await tokenBy(server, code);
  expect(await (await prove(server, bearer)).json()).toEqual({ proof: expected(bearer) });
  expect(expected(bearer)).not.toBe(expected(bearer, testPort + 1));
  // Neither a used code nor the home's own token nor anything unknown is answered to.
  for (const secret of [code, token, "0".repeat(64)])
    expect((await prove(server, secret)).status).toBe(401);
  // A proof opens nothing.
  expect(await status(server, expected(bearer))).toBe(401);
  expect(await status(server, hash(bearer))).toBe(401);
});

test("rotating ends codes, tokens and streams at once, and is for the socket only", async () => {
  let rotations = 0;
  using server = openTestServer({ rotateToken: () => (rotations += 1) > 0 });
  const { code } = await link(server);
  const bearer = await tokenBy(server, (await link(server)).code);
  const rotate = { method: "POST", headers: json, body: "{}" };
  const authorization = `Bearer ${token}`;
  const asked = await server.tcp("/api/token/rotate", {
    ...rotate,
    headers: { ...json, authorization },
  });
  expect([asked.status, rotations, await status(server, bearer)]).toEqual([403, 0, 200]);
  const events = { headers: { ...own, authorization: `Bearer ${bearer}` } };
  const stream = (await server.tcp("/api/events", events)).body?.getReader();
  await stream?.read();
  expect((await server.socket("/api/token/rotate", rotate)).status).toBe(200);
  expect([rotations, server.live.clients()]).toEqual([1, 0]);
  expect(await status(server, bearer)).toBe(401);
  expect((await redeem(server, code)).status).toBe(401);
  await stream?.cancel();
});

test("a token that cannot be written leaves everything as it was", async () => {
  using server = openTestServer({ rotateToken: () => false });
  const bearer = await tokenBy(server, (await link(server)).code);
  const answer = await server.socket("/api/token/rotate", { method: "POST", body: "{}" });
  expect([answer.status, await status(server, bearer)]).toEqual([503, 200]);
});

test("a link is worth nothing after a minute, nor when the clock was set back", async () => {
  using server = openTestServer();
  const { code } = await link(server);
  server.t.clock.advance(60_000);
  expect((await redeem(server, code)).status).toBe(401);
  const other = await link(server);
  server.t.clock.advance(-1);
  expect((await redeem(server, other.code)).status).toBe(401);
});

test("no request's own clock makes a link live longer", async () => {
  using server = openTestServer();
  const { code } = await link(server);
  const start = server.t.clock.nowMs();
  server.t.clock.advance(61_000);
  const response = await server.tcp("/api/ui/token", {
    method: "POST",
    headers: { ...json, "continuity-now": `${start}` },
    body: JSON.stringify({ code }),
  });
  expect(response.status).toBe(401);
});

test("links are given out over the socket only, also to who has the token", async () => {
  using server = openTestServer();
  const headers = { ...json, authorization: `Bearer ${token}` };
  const response = await server.tcp("/api/ui/code", { method: "POST", headers, body: "{}" });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: { type: "auth.socket-only" } });
});

test("guessing codes is counted with guessing tokens, and a good code passes all the same", async () => {
  using server = openTestServer();
  const { code } = await link(server);
  for (let guess = 0; guess < 10; guess += 1)
    expect((await redeem(server, `guess${guess}`)).status).toBe(401);
  const refused = await redeem(server, "guess");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await server.tcp("/api/status", { headers: own })).status).toBe(429);
  expect((await redeem(server, code)).status).toBe(200);
});

test("a ninth link makes the oldest worthless", async () => {
  using server = openTestServer();
  const codes = [];
  for (let n = 0; n < 9; n += 1) codes.push((await link(server)).code);
  expect((await redeem(server, codes[0] ?? "")).status).toBe(401);
  expect((await redeem(server, codes[1] ?? "")).status).toBe(200);
});

test("the page comes without a token, names its scripts by a nonce, and may reach nothing else", async () => {
  using server = openTestServer();
  const pages = await Promise.all([1, 2].map(async () => server.tcp("/", { headers: own })));
  const nonces = await Promise.all(
    pages.map(async (page) => {
      const policy = page.headers.get("content-security-policy") ?? "";
      const nonce = /script-src 'nonce-([0-9a-f]{32})'/.exec(policy)?.[1];
      expect(await page.text()).toContain(`nonce="${nonce}"`);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(page.headers.get("content-type")).toStartWith("text/html");
      expect(page.headers.get("x-content-type-options")).toBe("nosniff");
      expect(page.headers.get("cache-control")).toBe("no-store");
      return nonce;
    }),
  );
  expect(nonces[0]).not.toBe(nonces[1]);
});

test("a file comes packed to who can unpack it, and is kept for ever", async () => {
  using server = openTestServer();
  const asked = async (headers: Record<string, string>): Promise<Response> =>
    server.tcp("/assets/app-1.js", { headers: { ...own, ...headers } });
  const packed = await asked({ "accept-encoding": "gzip, br" });
  expect(packed.headers.get("content-encoding")).toBe("br");
  expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toBe("let a = 1;");
  const plain = await asked({});
  expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, "let a = 1;"]);
  expect(plain.headers.get("content-type")).toBe("text/javascript");
  expect(plain.headers.get("cache-control")).toContain("immutable");
});

test.each([
  "/assets/none.js",
  "/assets/..%2f..%2fetc%2fpasswd",
  "/assets/%2e%2e/token",
  "/assets/",
  "/assets",
  "/index.html",
  "/token",
])("%s is no file of the viewer", async (path) => {
  using server = openTestServer();
  const response = await server.tcp(path, { headers: own });
  expect([401, 404]).toContain(response.status);
  expect(await response.text()).not.toContain(token);
});

test("a program without the viewer says so", async () => {
  using server = openTestServer({ viewer: null });
  const response = await server.tcp("/", { headers: own });
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { type: "viewer.missing" } },
  ]);
});
