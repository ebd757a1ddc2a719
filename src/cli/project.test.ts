import { expect, test } from "bun:test";
import { folderKey } from "#domain";
import { openTestCli } from "../../test/support/cli.ts";
import { testNowMs } from "../../test/support/service.ts";

const [gone, here] = ["/home/dev/lone", "/home/dev/kiln"];

test("a folder that is gone is joined to the one that it is now, and taken apart again", async () => {
  using cli = openTestCli();
  const { store } = cli.server.t;
  store.sessions.upsert({
    sessionId: "s-1",
    project: folderKey(gone),
    projectName: "lone",
    cwd: gone,
    atMs: testNowMs,
  });
  const project = { key: folderKey(here), name: "kiln", root: here, branch: null };
  const folderAt = (path: string) =>
    path === "." ? { folder: here, project } : { folder: path, project: null };
  const ran = async (...args: readonly string[]) =>
    cli.run(["project", "move", ...args], { deps: { folderAt } });
  expect((await ran(gone)).out).toBe("Joined: kiln now has 0 memories and 1 session.\n");
  expect((await ran(gone)).err).toContain("is that project already");
  expect((await ran("--undo")).out).toBe("Taken apart: lone now has 0 memories and 1 session.\n");
  expect((await ran("--undo")).err).toContain("No joining of projects is left");
  expect((await ran("/nowhere")).err).toContain("No project named /nowhere");
  expect((await ran()).err).toContain("name the folder that is gone");
});
