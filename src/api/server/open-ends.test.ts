import { expect, test } from "bun:test";
import { emptyCheckpoint, openEndKey } from "#domain";
import { msPerDay } from "#kit";
import { openTestServer } from "../../../test/support/server.ts";
import { testNowMs } from "../../../test/support/service.ts";

test("what was left open is listed, this branch first, without what is finished or long ago", async () => {
  using server = openTestServer();
  const { openEnds, sessions } = server.t.store;
  const leave = (sessionId: string, days: number, nextSteps: string): void => {
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
  };
  leave("old", 40, "Long gone");
  leave("main", 3, "Still failing: npm test; Write the docs");
  leave("side", 1, "Ask Anna");
  leave("done", 1, "Tidy up");
  openEnds.put("p", { closed: [openEndKey("done", "Tidy up")], told: [] });
  const answer = await server.socket("/api/open?project=p&branch=main");
  expect(await answer.json()).toMatchObject({
    paused: false,
    items: [
      {
        title: "Goal of main",
        branch: "main",
        done: "Edited: a.ts.",
        open: ["Still failing: npm test", "Write the docs"],
      },
      { title: "Goal of side", branch: "side", open: ["Ask Anna"] },
    ],
  });
});
