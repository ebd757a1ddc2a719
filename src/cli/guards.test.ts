import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";

test("a guard is made of words, approved by its number, tried and removed", async () => {
  using cli = openTestCli();
  expect(await cli.run(["guards"])).toMatchObject({ status: 0, out: "No guards.\n" });
  const added = await cli.run(["guards", "add", "never push to main", "--global"]);
  expect(added).toMatchObject({ status: 0, needs: ["write"] });
  expect(added.out).toBe(
    "1  offered   never push to main\n" +
      "    asks before running git push, with main; added by hand; everywhere\n" +
      "It does nothing yet: `continuity guards approve 1`.\n",
  );
  expect((await cli.run(["review"])).out).toBe(
    "No pending memories.\nGuard offered: never push to main (`continuity guards approve 1`)\n",
  );
  const tried = async (...words: readonly string[]): Promise<string> =>
    (await cli.run(["guards", "test", ...words])).out;
  expect(await tried("git push origin main")).toBe(
    "Guard 1 would, once approved: never push to main\n",
  );
  expect((await cli.run(["guards", "approve", "1", "--deny"])).out).toBe(
    "Guard 1 refuses running git push, with main.\n",
  );
  expect(await tried("git push origin main")).toBe("Guard 1 refuses it: never push to main\n");
  expect(await tried("git push origin next")).toBe("No guard is against it.\n");
  const listed = await cli.run(["guards", "--json"]);
  expect(JSON.parse(listed.out)).toMatchObject({ id: 1, state: "approved", decision: "deny" });
  expect((await cli.run(["guards", "remove", "1"])).out).toBe("Removed: never push to main\n");
  expect((await cli.run(["guards"])).out).toBe("No guards.\n");
});

test("a file is tried with --path", async () => {
  using cli = openTestCli();
  await cli.run(["guards", "add", "don't touch the migrations folder", "--global"]);
  const tried = await cli.run(["guards", "test", "--path", "migrations/1.sql", "--json"]);
  expect(JSON.parse(tried.out)).toMatchObject({ guard: { id: 1, tool: "any" } });
});

test.each([
  [["add"], 2],
  [["add", "you are too verbose"], 1],
  [["approve"], 2],
  [["approve", "x"], 2],
  [["approve", "9"], 1],
  [["approve", "1", "--ask", "--deny"], 2],
  [["test"], 2],
  [["test", "ls", "--path", "x"], 2],
  [["burn"], 2],
])("guards %p is refused in one line", async (words, status) => {
  using cli = openTestCli();
  const ran = await cli.run(["guards", ...words]);
  expect(ran).toMatchObject({ status, out: "" });
  expect(ran.err).toMatch(/^error: .+\n(?:.+\n)?/);
});
