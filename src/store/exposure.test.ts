import { expect, test } from "bun:test";
import type { InjectionRecord } from "#domain";
import { cause, draft, noonMs, tempStore } from "../../test/support/store.ts";

test("what a session saw is remembered until it compacts, and only for that session", () => {
  using store = tempStore();
  const shown = (sessionId: string, nodeId: number) => ({
    sessionId,
    nodeId,
    uri: `mem://x/${nodeId}`,
    channel: "prompt" as const,
    atMs: noonMs,
  });
  store.exposure.add([shown("a", 1), shown("a", 2), shown("a", 1), shown("b", 3)]);
  expect(store.exposure.seen("a")).toEqual(new Set([1, 2]));
  store.exposure.resetSeen("a");
  expect(store.exposure.seen("a")).toEqual(new Set());
  expect(store.exposure.seen("b")).toEqual(new Set([3]));
  store.exposure.add([shown("a", 2)]);
  expect(store.exposure.seen("a")).toEqual(new Set([2]));
});

test("being shown is not being used", () => {
  using store = tempStore();
  const node = store.nodes.insert(draft(), cause());
  store.exposure.add([
    { sessionId: "s", nodeId: node.id, uri: node.uri, channel: "search", atMs: noonMs },
  ]);
  expect(store.nodes.byId(node.id)).toEqual(node);
});

test("given is what was injected; looking it up, fetching and saying it are not", () => {
  using store = tempStore();
  const [node, other] = [draft(), draft({ uri: "mem://user/entities/other" })].map((one) =>
    store.nodes.insert(one, cause()),
  );
  if (node === undefined || other === undefined) throw new Error("no nodes");
  const channels = ["start", "prompt", "prompt", "search", "fetch", "said"] as const;
  store.exposure.add(
    channels.map((channel, at) => ({
      sessionId: `s${at}`,
      nodeId: node.id,
      uri: node.uri,
      channel,
      atMs: noonMs,
    })),
  );
  store.exposure.resetSeen("s1");
  expect([node, other].map(({ id }) => store.exposure.givenCount(id))).toEqual([3, 0]);
});

test("injections are replayed newest first, of one session or of all", () => {
  using store = tempStore();
  const injection = (
    sessionId: string,
    text: string,
  ): Omit<InjectionRecord, "id" | "feedback"> => ({
    sessionId,
    atMs: noonMs,
    channel: "start",
    cause: "startup",
    text,
    tokens: 3,
    reasons: "[]",
  });
  for (const [session, text] of [
    ["a", "one"],
    ["b", "two"],
    ["a", "three"],
  ] as const)
    store.exposure.addInjection(injection(session, text));
  expect(store.exposure.injections("a", 9)).toEqual([
    { id: 3, feedback: null, ...injection("a", "three") },
    { id: 1, feedback: null, ...injection("a", "one") },
  ]);
  expect(store.exposure.injections(null, 2).map(({ text }) => text)).toEqual(["three", "two"]);
});
