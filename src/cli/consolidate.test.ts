import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";

const twin = (l0: string, slug: string) =>
  ({
    uri: `mem://user/entities/${slug}`,
    category: "entities",
    project: null,
    l0,
    origin: "user",
    maker: "signal",
  }) as const;

test("consolidate shows what it would do, does it when told to, and then has nothing to do", async () => {
  using cli = openTestCli();
  const { store } = cli.server.t;
  const cause = { atMs: 1, action: "create", by: "test", reason: "" } as const;
  store.nodes.insert(twin("The staging database listens on port 5544", "a"), cause);
  store.nodes.insert(twin("staging database listens on port 5544", "b"), cause);
  const shown = await cli.run(["consolidate"]);
  expect(shown).toMatchObject({ status: 0, err: "" });
  expect(shown.out).toContain("mem://user/entities/a");
  expect(shown.out).toContain("← mem://user/entities/b");
  expect(shown.out).toContain(
    "Would make 1 change. Run `continuity consolidate --apply` to apply.",
  );
  expect(store.nodes.count({ projects: null, statuses: ["active"] })).toBe(2);
  const done = await cli.run(["consolidate", "--apply", "--json"]);
  expect(JSON.parse(done.out)).toMatchObject({
    applied: true,
    items: [
      { type: "merge", uri: "mem://user/entities/a", parts: [{ uri: "mem://user/entities/b" }] },
    ],
  });
  expect((await cli.run(["consolidate"])).out).toContain("No duplicates found in 1 memory.");
});
