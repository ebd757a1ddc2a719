import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";

test("mcp is handed its scope and folder, and a person at a terminal is told what it waits for", async () => {
  using cli = openTestCli();
  const asked: unknown[] = [];
  const deps = {
    mcp: async (options: unknown) => {
      asked.push(options);
      return 0;
    },
  };
  const byAgent = await cli.run(["mcp", "--read-only", "--folder", "/home/dev/shop"], { deps });
  expect(byAgent).toMatchObject({ status: 0, out: "", err: "" });
  const byPerson = await cli.run(["mcp"], { deps, answers: [] });
  expect(byPerson).toMatchObject({ status: 0, out: "" });
  expect(byPerson.err).toContain("Ctrl-D");
  expect(asked).toEqual([
    { readOnly: true, folder: "/home/dev/shop" },
    { readOnly: false, folder: null },
  ]);
});
