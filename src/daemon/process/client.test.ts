import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { proofOf } from "#hooks";
import { stoppedClock } from "#kit";
import { connectDaemon, ensureDaemon } from "./client.ts";
import { prove } from "./routes.ts";
import { testDaemon, testHome, type TestHome } from "../../../test/support/daemon.ts";

const ensure = async (home: TestHome, command: readonly string[], timeoutMs: number) =>
  ensureDaemon(
    { paths: home.paths, env: {}, version: "1.2.3", clock: stoppedClock(1) },
    command,
    timeoutMs,
  );

test("no daemon is null; a socket that speaks another language is null too", async () => {
  using home = testHome();
  expect(await connectDaemon(home.paths)).toBeNull();
  const other = Bun.serve({ unix: home.paths.socket, fetch: () => new Response("hello") });
  expect(await connectDaemon(home.paths)).toBeNull();
  await other.stop(true);
});

test("a running daemon is used as it is", async () => {
  using home = testHome();
  await using _daemon = await testDaemon(home);
  const client = await ensure(home, ["/no/such/program"], 1_000);
  expect(client.ok && client.value.version).toBe("1.2.3");
});

test("a daemon that cannot be started is an error after the time that was given", async () => {
  using home = testHome();
  expect(await ensure(home, ["/bin/false"], 60)).toEqual({
    ok: false,
    error: { type: "daemon.unreachable", afterMs: 60 },
  });
});

test("an older daemon that will not leave is better than none", async () => {
  using home = testHome();
  await using _daemon = await testDaemon(home, { context: { version: "1.2.2" } });
  const client = await ensure(home, ["/bin/false"], 60);
  expect(client.ok && client.value.version).toBe("1.2.2");
});

test("requests carry method, headers and body through the socket", async () => {
  using home = testHome();
  const fetch = async (request: Request): Promise<Response> =>
    Response.json([request.method, request.headers.get("continuity-now"), await request.text()]);
  await using _daemon = await testDaemon(home, { app: { fetch } });
  const client = await connectDaemon(home.paths);
  const answer = await client?.fetch("/api/memories", {
    method: "POST",
    headers: { "continuity-now": "5" },
    body: "text",
  });
  expect(await answer?.json()).toEqual(["POST", "5", "text"]);
});

test("the proof of ownership shows knowledge of the token, not the token", async () => {
  using home = testHome();
  writeFileSync(home.paths.token, "t0ken");
  const nonce = "0123456789abcdef0123";
  const answer = await prove("t0ken", nonce).text();
  expect(answer).toBe(proofOf("t0ken", nonce));
  expect(answer).not.toBe(proofOf("other", nonce));
  expect(answer).not.toContain("t0ken");
  for (const [token, wanted] of [
    [null, nonce],
    ["t0ken", null],
    ["t0ken", "short"],
    ["t0ken", "with spaces in between"],
  ] as const)
    expect(prove(token, wanted).status).toBe(404);
});
