/** Clauses and sentences beside an order: the next task, a source, an end, a tag. */
import { describe, expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { applyableDraft } from "../merge/plan.ts";
import { ordersOf, readOrders } from "./orders.ts";

const kept = (prompt: string): readonly string[] => ordersOf(turnOf(prompt)).map(({ l0 }) => l0);

describe("an order keeps its own words", () => {
  test.each([
    ["note that wanda reviews billing. ok so start with the ticket", "wanda reviews billing."],
    ["note that wanda reviews billing. Okay, start with the ticket", "wanda reviews billing."],
    ["note that wanda reviews billing. also split utils.ts", "wanda reviews billing."],
    ["rule: no default exports. ok and now split utils.ts please", "no default exports."],
    ["ops told me redis is on 6390, keep that in mind", "ops told me redis is on 6390"],
    ["as Ada told me, redis is on 6390. remember that", "as Ada told me, redis is on 6390."],
    ["the ops team said the cache is 4 GB, remember that", "the ops team said the cache is 4 GB"],
    ["always run make fmt before a commit ok?", "always run make fmt before a commit"],
    ["帮我把重复代码抽出来,另外别忘了线上数据库是 MySQL 5.7", "线上数据库是 MySQL 5.7"],
    ["注意以后不要直接改 generated 目录", "以后不要直接改 generated 目录"],
    [
      "Legal wants no guarantee in the UI. Remember this for all further copy.",
      "Legal wants no guarantee in the UI.",
    ],
    [
      "Das Fenster wurde verlegt, bitte merken: es ist donnerstags um 23 Uhr",
      "Das Fenster wurde verlegt: es ist donnerstags um 23 Uhr",
    ],
  ])("%s", (prompt, line) => expect(kept(prompt)).toEqual([line]));
});

test.each([
  "make a note in CHANGELOG.md that the flag was removed.",
  "should we always run make fmt before a commit, what do you think?",
  'the README says: "always squash", remember that',
])("orders nothing: %s", (prompt) => expect(kept(prompt)).toEqual([]));

test.each([
  ["for the next two weeks keep in mind that Imogen covers for Barnaby", "2026-12-09"],
  ["jusqu'à vendredi, retiens que le port 4610 est pris", "2026-11-28"],
  ["keep in mind that the canary is frozen this week", "2026-11-30"],
])("an end before the order is the end of what it keeps: %s", (prompt, day) => {
  const [candidate] = ordersOf(turnOf(prompt, { atMs: Date.UTC(2026, 10, 24, 10) }));
  if (candidate === undefined) throw new Error("no order");
  const { expiresAt } = applyableDraft({ ...candidate, zone: "UTC" }, "mem://x");
  expect(expiresAt).toBe(Date.parse(day));
});

test.each([
  "Can you fix the test and remember that migrations must be reversible?",
  "Can you write a migration, and while you do that remember that migrations must be reversible?",
  "kannst du den Test reparieren und dir merken, dass Migrationen umkehrbar sind?",
  "```\nError: refused 10.9.9.2:5671 (mossling)\n```\nremember: rabbit in the lab speaks only tls, on 5671. fix the url",
])(
  "an order in the second half of a polite question, or right below a fence, is a hint to the agent: %s",
  (prompt) => {
    const { candidates, isDoubtful } = readOrders(turnOf(prompt));
    expect(candidates).toEqual([]);
    expect(isDoubtful).toBe(true);
  },
);

test.each([
  "can you implement sorting and remember the last column?",
  "do you fix the test and remember that migrations must be reversible?",
])("neither stored nor a hint: %s", (prompt) => {
  const { candidates, isDoubtful } = readOrders(turnOf(prompt));
  expect(candidates).toEqual([]);
  expect(isDoubtful).toBe(false);
});

test("what is done meanwhile is none of the order", () => {
  const prompt = "write it, and while you do that remember that migrations must be reversible";
  expect(ordersOf(turnOf(prompt)).map(({ l0 }) => l0)).toEqual(["migrations must be reversible"]);
});
