import { expect, test } from "bun:test";
import type { SessionStatus } from "#domain";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import { speaksFor } from "./reader.ts";

function begin(
  t: TestService,
  sessionId: string,
  over: {
    readonly atMs: number;
    readonly cwd?: string;
    readonly endedAt?: number;
    readonly status?: SessionStatus;
  },
): void {
  const { atMs, cwd = "/home/dev/shop", endedAt, status } = over;
  const session = { sessionId, project: "p", projectName: "shop", cwd };
  t.store.sessions.upsert({ ...session, atMs });
  if (endedAt === undefined) return;
  t.store.sessions.upsert({ ...session, status: status ?? "completed", endedAt, atMs: endedAt });
}

test.each([
  { name: "goes on", ended: false, startsAfterMs: 5, cwd: "/home/dev/shop", speaks: "a" },
  { name: "was cleared", ended: true, startsAfterMs: 5, cwd: "/home/dev/shop", speaks: "b" },
  {
    name: "ended long before the next",
    ended: true,
    startsAfterMs: 60_000,
    cwd: "/home/dev/shop",
    speaks: "a",
  },
  {
    name: "ended as another folder's began",
    ended: true,
    startsAfterMs: 5,
    cwd: "/home/dev/api",
    speaks: "a",
  },
])("a session that $name: $speaks speaks", ({ ended, startsAfterMs, cwd, speaks }) => {
  using t = openTestService();
  const endedAt = testNowMs + 1_000;
  begin(t, "a", { atMs: testNowMs, ...(ended ? { endedAt } : {}) });
  begin(t, "b", { atMs: endedAt + startsAfterMs, cwd });
  expect(speaksFor(t.deps, "a")).toBe(speaks);
});

test("several clears are followed, and an unknown session is itself", () => {
  using t = openTestService();
  begin(t, "a", { atMs: testNowMs, endedAt: testNowMs + 1_000 });
  begin(t, "b", { atMs: testNowMs + 1_005, endedAt: testNowMs + 9_000 });
  begin(t, "c", { atMs: testNowMs + 9_005 });
  expect(speaksFor(t.deps, "a")).toBe("c");
  expect(speaksFor(t.deps, "z")).toBe("z");
});

test("what is fetched after a clear is seen by the session that follows", () => {
  using t = openTestService();
  begin(t, "a", { atMs: testNowMs, endedAt: testNowMs + 1_000 });
  begin(t, "b", { atMs: testNowMs + 1_005 });
  t.add({ uri: "mem://user/entities/x", l0: "The queue is Kafka" });
  t.service.read("mem://user/entities/x", { use: true, reader: "a", nowMs: testNowMs + 2_000 });
  expect(t.store.exposure.seen("b").size).toBe(1);
  expect(t.store.exposure.seen("a").size).toBe(0);
});
