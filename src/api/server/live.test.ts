import { expect, test } from "bun:test";
import { openTestServer, type TestServer } from "../../../test/support/server.ts";

interface Listener extends AsyncDisposable {
  /** The next piece of the stream as text; null at its end. */
  readonly next: () => Promise<string | null>;
}

async function listen(server: TestServer, headers: Record<string, string> = {}): Promise<Listener> {
  const response = await server.socket("/api/events", { headers });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  return {
    next: async () => {
      const read = await reader?.read();
      return read?.value === undefined ? null : decoder.decode(read.value);
    },
    [Symbol.asyncDispose]: async () => reader?.cancel(),
  };
}

const add = (server: TestServer, name: string): void =>
  server.t.add({ uri: `mem://user/entities/${name}`, l0: name });

const idIn = (piece: string | null): string => /^id: (.+)$/m.exec(piece ?? "")?.[1] ?? "";

test("a stream says hello, then the kinds of records that come, each with an id", async () => {
  using server = openTestServer();
  await using listener = await listen(server);
  const hello = await listener.next();
  expect(hello).toStartWith("retry: 2000\n");
  expect(hello).toContain("event: hello\n");
  const next = listener.next();
  add(server, "a");
  server.tick();
  const event = await next;
  expect(event).toMatch(/^id: [\d.]+\nevent: memory\ndata: \{"kind":"memory"\}\n\n$/);
});

test("a stream that broke goes on behind the last id, without a gap or a double", async () => {
  using server = openTestServer();
  let id = "";
  {
    await using listener = await listen(server);
    await listener.next();
    add(server, "a");
    server.tick();
    id = idIn(await listener.next());
  }
  await using same = await listen(server, { "last-event-id": id });
  await same.next();
  const none = same.next();
  await Promise.resolve();
  for (let tick = 0; tick < 20; tick += 1) server.tick();
  expect(await none).toBe(": still here\n\n");
  add(server, "b");
  await using again = await listen(server, { "last-event-id": id });
  await again.next();
  expect(await again.next()).toContain("event: memory\n");
});

test("an id that nobody gave out, and one from before a forget, mean: look at everything anew", async () => {
  using server = openTestServer();
  add(server, "vault");
  const before = server.t.service.feedNow();
  server.t.service.forget(["mem://user/entities/vault"], server.t.clock.nowMs());
  for (const id of ["nonsense", before]) {
    await using listener = await listen(server, { "last-event-id": id });
    await listener.next();
    const reset = await listener.next();
    expect(reset).toContain("event: reset\n");
    expect(reset).not.toContain("vault");
  }
});

test("who listens when something is forgotten is told so, and never what", async () => {
  using server = openTestServer();
  await using listener = await listen(server);
  await listener.next();
  add(server, "vault");
  server.t.service.forget(["mem://user/entities/vault"], server.t.clock.nowMs());
  server.tick();
  const piece = await listener.next();
  expect(piece).toContain("event: reset\n");
  expect(piece).not.toContain("vault");
});

test("a silent stream shows a sign of life every five seconds", async () => {
  using server = openTestServer();
  await using listener = await listen(server);
  await listener.next();
  const next = listener.next();
  await Promise.resolve();
  for (let tick = 0; tick < 20; tick += 1) server.tick();
  expect(await next).toBe(": still here\n\n");
});

test("nothing is looked up while nobody listens", async () => {
  using server = openTestServer();
  const counted = { looks: 0 };
  const { feedNow } = server.t.service;
  Object.assign(server.t.service, {
    feedNow: () => {
      counted.looks += 1;
      return feedNow();
    },
  });
  server.tick();
  expect(counted.looks).toBe(0);
  expect(server.live.clients()).toBe(0);
});

test("who takes nothing for half a minute is dropped, and the others stay", async () => {
  using server = openTestServer();
  await using slow = await listen(server);
  await using quick = await listen(server);
  await quick.next();
  let waiting = quick.next();
  await Promise.resolve();
  for (let tick = 0; tick < 130; tick += 1) {
    server.tick();
    if (tick % 20 !== 19) continue;
    await waiting;
    waiting = quick.next();
    await Promise.resolve();
  }
  expect(server.live.clients()).toBe(1);
  expect(await slow.next()).toContain("event: hello");
  expect(await slow.next()).toBeNull();
});

test("a client's leaving is noticed, and there is an end to how many may come", async () => {
  using server = openTestServer();
  const listeners = await Promise.all(Array.from({ length: 32 }, async () => listen(server)));
  const refused = await server.socket("/api/events");
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: { type: "feed.full" } });
  await listeners[0]?.[Symbol.asyncDispose]();
  expect(server.live.clients()).toBe(31);
  server.live.close();
  expect(server.live.clients()).toBe(0);
  expect((await server.socket("/api/events")).status).toBe(200);
  server.live.close();
});
