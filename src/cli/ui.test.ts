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
