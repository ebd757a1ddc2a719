/** Tests who may hand over imported records, and how much at a time. */
import { describe, expect, test } from "bun:test";
import { openTestServer, testPort, token } from "../../../test/support/server.ts";

const body = JSON.stringify({ source: "claude-mem", items: [{ kind: "end" }] });
const known = JSON.stringify({ source: "claude-mem", sessions: ["a"] });

function withImporter() {
  const taken: unknown[] = [];
  const server = openTestServer({
    importer: {
      apply: (source, items) => {
        taken.push([source, items.length]);
        return { outcomes: [], tookMs: 3 };
      },
      known: (_, ids) => ids.map(() => ({ state: "new", turns: 0, extent: 0 }) as const),
    },
  });
  const ask = async (path: string, text: string, way: "socket" | "tcp"): Promise<Response> =>
    server[way](path, {
      method: "POST",
      body: text,
      headers: {
        host: `127.0.0.1:${testPort}`,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
    });
  return { ask, taken, [Symbol.dispose]: () => server[Symbol.dispose]() };
}

describe("batches of an import", () => {
  test("are taken over the socket", async () => {
    using server = withImporter();
    const answer = await server.ask("/api/import", body, "socket");
    expect([answer.status, await answer.json()]).toEqual([200, { outcomes: [], tookMs: 3 }]);
    expect(server.taken).toEqual([["claude-mem", 1]]);
    const told = await server.ask("/api/import/known", known, "socket");
    expect(await told.json()).toEqual({ sessions: [{ state: "new", turns: 0, extent: 0 }] });
  });

  test.each([
    ["/api/import", body],
    ["/api/import/known", known],
  ])("%s is refused over TCP, whatever the token", async (path, text) => {
    using server = withImporter();
    expect((await server.ask(path, text, "tcp")).status).toBe(403);
    expect(server.taken).toEqual([]);
  });

  test.each([
    ["no source", JSON.stringify({ items: [{}] })],
    ["a source nobody knows", JSON.stringify({ source: "notion", items: [{}] })],
    ["nothing", JSON.stringify({ source: "claude-mem", items: [] })],
    [
      "more than 500",
      JSON.stringify({ source: "claude-mem", items: Array.from({ length: 501 }, () => 0) }),
    ],
    ["no JSON", "{"],
  ])("%s is no batch", async (_, text) => {
    using server = withImporter();
    expect((await server.ask("/api/import", text, "socket")).status).toBe(400);
  });

  test("may be longer than other requests, since one turn may be", async () => {
    using server = withImporter();
    const long = JSON.stringify({ source: "claude-mem", items: ["x".repeat(3_000_000)] });
    expect((await server.ask("/api/import", long, "socket")).status).toBe(200);
  });

  test("are refused by a process that only reads", async () => {
    using server = openTestServer();
    const answer = await server.socket("/api/import", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(503);
  });
});
