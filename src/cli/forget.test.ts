import { expect, test } from "bun:test";
import { openTestCli, type TestCli } from "../../test/support/cli.ts";

const uri = "mem://user/entities/db";

const open = (): TestCli => {
  const cli = openTestCli();
  cli.server.t.add({ uri, l0: "The staging database listens on port 5433" });
  cli.server.t.add({ uri: "mem://user/entities/mail", l0: "The mail server runs on port 2525" });
  return cli;
};

const left = (cli: TestCli): number => cli.server.t.store.nodes.count({});

test("without a terminal forgetting needs --yes", async () => {
  using cli = open();
  const refused = await cli.run(["forget", uri]);
  expect([refused.status, left(cli)]).toEqual([2, 2]);
  expect(refused.err).toContain("add --yes");
  const forgotten = await cli.run(["forget", "--yes", uri]);
  expect([forgotten.status, forgotten.out, left(cli)]).toEqual([0, `Forgotten: ${uri}\n`, 1]);
});

test.each([
  { answer: "y", status: 0, remaining: 1 },
  { answer: "YES", status: 0, remaining: 1 },
  { answer: "", status: 1, remaining: 2 },
  { answer: "n", status: 1, remaining: 2 },
  { answer: "maybe yes", status: 1, remaining: 2 },
])("on a terminal $answer leaves $remaining", async ({ answer, status, remaining }) => {
  using cli = open();
  const ran = await cli.run(["forget", uri], { answers: [answer] });
  expect(ran.asked).toEqual([`Forget ${uri} for good? [y/N] `]);
  expect([ran.status, left(cli)]).toEqual([status, remaining]);
});

test("words list what matches, and the person chooses", async () => {
  using cli = open();
  const none = await cli.run(["forget", "staging", "database"], { answers: [""] });
  expect([none.status, left(cli)]).toEqual([1, 2]);
  expect(none.err).toContain(`1. The staging database listens on port 5433\n   ${uri}`);
  const chosen = await cli.run(["forget", "staging", "database"], { answers: ["1"] });
  expect([chosen.status, chosen.out, left(cli)]).toEqual([0, `Forgotten: ${uri}\n`, 1]);
});

test("words alone never destroy anything, not even with --yes", async () => {
  using cli = open();
  const ran = await cli.run(["forget", "--yes", "staging"]);
  expect([ran.status, left(cli)]).toEqual([2, 2]);
  expect(ran.err).toContain("name the URIs");
});

test("URIs and words are not mixed", async () => {
  using cli = open();
  expect((await cli.run(["forget", "--yes", uri, "mail"])).status).toBe(2);
  expect(left(cli)).toBe(2);
});

test("a wrong URI among them forgets nothing", async () => {
  using cli = open();
  const ran = await cli.run(["forget", "--yes", "--json", uri, "mem://user/entities/none"]);
  expect([ran.status, ran.out, left(cli)]).toEqual([1, "", 2]);
});
