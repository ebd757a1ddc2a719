import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";

test("the viewer is opened by a link with a code, and the address is not printed", async () => {
  using cli = openTestCli();
  const opened: string[] = [];
  const deps = {
    openBrowser: (url: string) => {
      opened.push(url);
      return true;
    },
  };
  const ran = await cli.run(["ui"], { deps });
  expect([ran.status, ran.out]).toEqual([
    0,
    "Opened the viewer. If no page appears, run `continuity ui --print`.\n",
  ]);
  expect(ran.needs).toEqual(["write"]);
  expect(opened.length).toBe(1);
  expect(opened[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[0-9a-f]{32}$/);
});

test("a URI or a short id opens that memory; one that is not there opens nothing", async () => {
  using cli = openTestCli();
  const opened: string[] = [];
  const deps = {
    openBrowser: (url: string) => {
      opened.push(url);
      return true;
    },
  };
  const told = await cli.run(["remember", "--json", "the staging database listens on 5433"]);
  const { memory } = JSON.parse(told.out) as { memory: { uri: string } };
  const ran = await cli.run(["ui", memory.uri], { deps });
  expect(ran.status).toBe(0);
  expect(opened.length).toBe(1);
  const fragment = new URLSearchParams(new URL(opened[0] ?? "").hash.slice(1));
  expect(fragment.get("uri")).toBe(memory.uri);
  expect(fragment.get("code")).toMatch(/^[0-9a-f]{32}$/);
  const none = await cli.run(["ui", "mem://user/entities/nowhere"], { deps });
  expect([none.status === 0, none.out, opened.length]).toEqual([false, "", 1]);
  expect(none.err).toContain("No memory at mem://user/entities/nowhere");
});

test("--print prints the address and opens nothing", async () => {
  using cli = openTestCli();
  const deps = {
    openBrowser: () => {
      throw new Error("nobody asked for it");
    },
  };
  const ran = await cli.run(["ui", "--print"], { deps });
  expect(ran.status).toBe(0);
  expect(ran.out).toMatch(/#code=[0-9a-f]{32}\n$/);
  const json = await cli.run(["ui", "--json"], { deps });
  expect(Object.keys(JSON.parse(json.out) as object).toSorted()).toEqual([
    "code",
    "expires_at",
    "url",
  ]);
});

test("without a browser it says what to do, and without a daemon as well", async () => {
  using cli = openTestCli();
  const none = await cli.run(["ui"], { deps: { openBrowser: () => false } });
  expect([none.status, none.out]).toEqual([1, ""]);
  expect(none.err).toContain("continuity ui --print");
  const offline = await cli.run(["ui"], { offline: true });
  expect([offline.status, offline.out]).toEqual([1, ""]);
});
