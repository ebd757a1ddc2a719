import { expect, test } from "bun:test";
import { emptyCheckpoint, openEndKey } from "#domain";
import { msPerDay } from "#kit";
import { openTestCli, type TestCli } from "../../test/support/cli.ts";
import { testNowMs } from "../../test/support/service.ts";

function leave(cli: TestCli, sessionId: string, days: number, nextSteps: string): void {
  const { sessions } = cli.server.t.store;
  const atMs = testNowMs - days * msPerDay;
  sessions.upsert({ sessionId, project: "p", projectName: "api", branch: sessionId, atMs });
  sessions.addCheckpoint({
    sessionId,
    project: "p",
    atMs,
    trigger: "end",
    l0: `Goal of ${sessionId}`,
    fields: { ...emptyCheckpoint, completed: "Edited: a.ts.", nextSteps },
  });
}

test("without a pause it shows what was left open here, this branch first, without what is finished", async () => {
  using cli = openTestCli();
  leave(cli, "old", 40, "Long gone");
  leave(cli, "main", 3, "Still failing: npm test; Write the docs");
  leave(cli, "side", 1, "Ask Anna");
  leave(cli, "done", 1, "Tidy up");
  cli.server.t.store.openEnds.put("p", { closed: [openEndKey("done", "Tidy up")], told: [] });
  const here = { key: "p", name: "api", root: "/r", branch: "main" };
  const ran = await cli.run(["resume"], { deps: { project: () => here } });
  expect(ran.out).toBe(
    [
      "Goal of main",
      "    3 d ago, on main",
      "    Done: Edited: a.ts.",
      "    Open: Still failing: npm test",
      "    Open: Write the docs",
      "Goal of side",
      "    1 d ago, on side",
      "    Done: Edited: a.ts.",
      "    Open: Ask Anna",
      "",
    ].join("\n"),
  );
  expect(ran.needs).toEqual(["read"]);
  const json = await cli.run(["resume", "--json"], { project: "p" });
  const { paused, open } = JSON.parse(json.out) as { paused: boolean; open: readonly unknown[] };
  expect([paused, open.length]).toEqual([false, 2]);
});

test("a pause is ended and nothing else is said; where nothing is open it says so", async () => {
  using cli = openTestCli();
  leave(cli, "main", 3, "Write the docs");
  await cli.run(["pause"]);
  expect((await cli.run(["resume"], { project: "p" })).out).toBe("Capture is on.\n");
  expect((await cli.run(["resume"], { project: "p" })).out).toContain("Open: Write the docs");
  expect((await cli.run(["resume"], { project: "q" })).out).toContain("Nothing was left open here");
  expect((await cli.run(["resume"])).out).toContain("This folder is in no project.");
});
