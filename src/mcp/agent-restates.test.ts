/** A save that ends a memory of which a part still holds: the agent adds the part by ids alone, in its words. */
import { expect, test } from "bun:test";
import { memoriesIn, openTestSession as opened, project } from "../../test/support/mcp.ts";

const quote = "image update: pumps have Perl 5.36 now, all eight.";
const saved = { line: quote, quote, subject: "perl on pumps", attribute: "version", kind: "fact" };
const uri = "mem://user/preferences/pumps";
const old = {
  uri,
  l0: "pumps have bare Perl 5.30 from the image, no cpan. code there is core only",
  category: "preferences",
  project,
} as const;

test.each([
  ["user", "image update: pumps have Perl 5.36 now, all eight; no cpan; code there is core only"],
  [
    "agent",
    "image update: pumps have Perl 5.36 now, all eight. (agent: no cpan; code there is core only)",
  ],
] as const)("what a memory of the %s said beside", async (origin, line) => {
  await using t = await opened(quote);
  t.server.t.add({ ...old, origin });
  const { text } = await t.call("memory_remember", { ...saved, replaces: [uri] });
  const [, call = "{}"] =
    /They also said; if it still holds, call again with (\{.*\}):/u.exec(text) ?? [];
  const again = await t.call("memory_remember", JSON.parse(call) as Record<string, unknown>);
  expect(again.text).not.toContain("They also said");
  expect(memoriesIn(t, "active")).toMatchObject([{ l0: line, origin: "user" }]);
  expect(memoriesIn(t, "pending")).toEqual([]);
});

test("the part is added also after the line was confirmed as a rule under another id", async () => {
  const order = "let's run the unit tests alone here";
  await using t = await opened(order);
  t.server.t.add({ ...old, l0: "the pumps are slow; reports go to the yard", origin: "agent" });
  const first = { line: order, quote: order, kind: "rule", replaces: [uri] };
  const { text } = await t.call("memory_remember", first);
  const calls = [...text.matchAll(/call again with (\{.*?\})[.:]/gu)].map(
    ([, call = "{}"]) => call,
  );
  expect(calls.map((call) => Object.keys(JSON.parse(call) as object))).toEqual([
    ["line", "kind"],
    ["line", "replaces"],
  ]);
  for (const call of calls)
    await t.call("memory_remember", JSON.parse(call) as Record<string, unknown>);
  expect(memoriesIn(t, "active")).toMatchObject([{ category: "preferences", origin: "user" }]);
  expect(memoriesIn(t, "active")[0]?.l0).toContain("reports go to the yard");
});
