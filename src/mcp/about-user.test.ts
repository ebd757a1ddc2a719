/** Tests that who the user is, saved once by an agent, stands in the start text of another project. */
import { expect, test } from "bun:test";
import { tokensOf } from "#kit";
import { collectStartSnapshot, composeStart } from "#memory";
import { openTestSession, type TestMcp } from "../../test/support/mcp.ts";

const title = "## Working with this user";
const tokensMax = 30;

/** Lines on the user at the start of a session in another project. */
function linesElsewhere({ server: { t } }: TestMcp): readonly string[] {
  const snapshot = collectStartSnapshot(t.store, {
    source: "startup",
    sessionId: "s9",
    project: "github.com/acme/other",
    projectName: "other",
    branch: "main",
    nowMs: t.clock.nowMs(),
    tokensMax: 450,
    command: null,
  });
  const [, section = ""] = composeStart(snapshot).text.split(title);
  const [lines = ""] = section.split("\n## ");
  return lines.split("\n").filter((line) => line.startsWith("- "));
}

/** A session in which each of these was typed, and saved by the agent with the scope everywhere. */
async function saved(...facts: readonly string[]): Promise<TestMcp> {
  const t = await openTestSession(`${facts.join(" ")} make the chart blue`);
  for (const quote of facts) {
    t.server.t.clock.advance(1_000);
    const line = quote.replace("I am", "The user is").replace(/\.$/u, "");
    const ask = { line, quote, kind: "fact", subject: "user", scope: "everywhere" };
    await t.call("memory_remember", ask);
  }
  return t;
}

test("one save is enough", async () => {
  await using t = await saved("I am red-green blind.");
  expect(linesElsewhere(t)).toEqual([expect.stringContaining("red-green blind")]);
});

test("the newest facts come first where there is no room for all", async () => {
  await using t = await saved(
    "I am the only maintainer of the tide tables and the harbour maps.",
    "I am left-handed and type on a split keyboard.",
    "I am red-green blind.",
  );
  const lines = linesElsewhere(t);
  expect(lines.length).toBeLessThan(3);
  expect(lines[0]).toContain("red-green blind");
  expect(tokensOf([title, ...lines, ""].join("\n"))).toBeLessThanOrEqual(tokensMax);
});
