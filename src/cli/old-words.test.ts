/** Words of earlier versions still do what they did; no list names them. */
import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";
import { commands } from "./commands/index.ts";
import { currentWords } from "./run.ts";

const uri = "mem://user/entities/db";

test.each([
  [["search", "staging"], /5434/],
  [["tree"], /^user\/ /m],
  [["profile"], /^No memories match/],
  [["links", uri], /5434/],
  [["diff", uri], /^\+ .*5434/m],
  [["jobs"], /job|REASON/],
  [["logs", "--tail", "3"], /^/],
  [["usage"], /No model calls/],
  [["audit"], /Did memory help/],
  [["tune"], /Did memory help/],
  [["resume"], /Capture is on/],
  [["pin", uri], /^Pinned: /],
  [["pin", "--off", uri], /^Unpinned: /],
  [["revert", uri], /^As it was: .*5433/],
  [["token", "rotate"], /^Replaced the token/],
] as const)("%j works", async (argv, says) => {
  using cli = openTestCli();
  cli.server.t.add({ uri, l0: "The staging database listens on port 5433" });
  await cli.run(["edit", uri, "The staging database listens on port 5434"]);
  const ran = await cli.run(argv);
  expect([ran.status, ran.err]).toEqual([0, ""]);
  expect(ran.out).toMatch(says);
});

test("help explains the command that took its place", async () => {
  using cli = openTestCli();
  for (const argv of [
    ["help", "tree"],
    ["tree", "--help"],
  ])
    expect((await cli.run(argv)).out).toStartWith("Usage: continuity list");
});

test("the list of commands fits one screen and names at most forty", async () => {
  using cli = openTestCli();
  const { out } = await cli.run(["help"]);
  const lines = out.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
  const shown = commands.filter(({ group }) => group !== "hidden");
  expect(shown.length).toBeLessThanOrEqual(40);
  for (const { name } of shown) expect(out).toMatch(new RegExp(`\\b${name}\\b`));
  for (const { name } of commands) expect(currentWords([name])).toEqual([name]);
});
