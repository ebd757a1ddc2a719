/** A plan of the agent that the client put in as a prompt stands nowhere as the user's words. */
import { expect, test } from "bun:test";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";

const plan = "Implement the following plan:\n\n# Dampen the crane\n\nAlways use hydraulic oil.";
const asked = "which hydraulic oil do we use?";

function planned(): TestService {
  const t = openTestService();
  t.store.sessions.upsert({ sessionId: "s", atMs: testNowMs, title: plan });
  for (const [n, prompt] of [plan, asked].entries())
    t.store.sessions.openTurn({ sessionId: "s", promptId: `p${n}`, prompt, atMs: testNowMs + n });
  return t;
}

const value = <Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false },
): Value => {
  if (!result.ok) throw new Error("refused");
  return result.value;
};

const search = (t: TestService, origin?: "user") =>
  value(
    t.service.search({
      q: "hydraulic oil",
      mode: "find",
      format: "index",
      kind: ["prompt"],
      limit: 10,
      sort: "relevance",
      nowMs: testNowMs,
      ...(origin === undefined ? {} : { origin }),
    }),
  ).results.map(({ l0 }) => l0);

test("a search finds it as the agent's plan, and not among what the user said", () => {
  using t = planned();
  expect(search(t)).toContain("[agent's plan] # Dampen the crane Always use hydraulic oil.");
  expect(search(t, "user")).toEqual([asked]);
});

test("lists, the timeline and the session call it the agent's plan", () => {
  using t = planned();
  const { title: called, turns } = value(t.service.session("s"));
  expect(called).toStartWith("[agent's plan] # Dampen");
  expect(turns.map(({ prompt_by: by }) => by)).toEqual(["agent", "user"]);
  expect(turns[0]?.prompt).toStartWith("[agent's plan] # Dampen");
  expect(turns[1]?.prompt).toBe(asked);
  const moments = value(
    t.service.timeline({
      limit: 9,
      nowMs: testNowMs,
    }),
  ).items.map(({ title, text }) => `${title}\n${text}`);
  expect(moments.join("\n")).toContain("[agent's plan] # Dampen the crane");
  expect(moments.join("\n")).not.toContain("Implement the following");
});
