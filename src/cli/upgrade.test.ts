import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";
import { err, ok } from "#kit";

const latest = (version: string) => ({
  latestRelease: async () => ok({ version, how: "brew upgrade continuity" }),
});

test.each([
  { version: "1.2.3", says: "Continuity 1.2.3 is the newest release\n" },
  {
    version: "1.10.0",
    says: "Continuity 1.10.0 is available (installed: 1.2.3)\nbrew upgrade continuity\n",
  },
  {
    version: "1.2.3-rc.1",
    says: "Continuity 1.2.3 is newer than the newest release, 1.2.3-rc.1\n",
  },
])("against $version it says how this program stands", async ({ version, says }) => {
  using cli = openTestCli();
  const ran = await cli.run(["upgrade", "--check"], { deps: latest(version) });
  expect(ran).toMatchObject({ status: 0, out: says, err: "", needs: [] });
});

test("--json has the documented fields", async () => {
  using cli = openTestCli();
  const ran = await cli.run(["upgrade", "--check", "--json"], { deps: latest("1.3.0") });
  expect(JSON.parse(ran.out)).toEqual({
    current: "1.2.3",
    newest: "1.3.0",
    is_newer: true,
    how: "brew upgrade continuity",
  });
});

test("without --check it does the same: it tells, and changes nothing", async () => {
  using cli = openTestCli();
  const ran = await cli.run(["upgrade"], { deps: latest("1.10.0") });
  const says = "Continuity 1.10.0 is available (installed: 1.2.3)\nbrew upgrade continuity\n";
  expect(ran).toMatchObject({ status: 0, out: says, err: "", needs: [] });
});

test("offline it fails in one line", async () => {
  using cli = openTestCli();
  const error = { type: "upgrade.unknown", message: "the releases cannot be reached: no route" };
  const ran = await cli.run(["upgrade", "--check"], {
    deps: { latestRelease: async () => err(error) },
  });
  expect(ran).toMatchObject({ status: 1, out: "" });
  expect(ran.err).toContain("the releases cannot be reached: no route");
});
