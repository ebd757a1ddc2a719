/** Whoever words it, an order is the user's or nobody's; and what the user said informally is not lost. */
import { expect, test } from "bun:test";
import { remembered, sessionReply } from "../../test/support/extracted.ts";
import { condense, type CondenseTurn } from "./condense.ts";
import { informalStatements, injectedOrders } from "./orders.fixtures.ts";
import type { ProposedMemory } from "./session-check.ts";
import { sessionInput } from "./session.fixtures.ts";
import { sessionPrompt } from "./session.ts";

const kinds = ["rule", "decision", "fact", "cause", "place"];

const turn = (n: number, prompt: string, answer: string): CondenseTurn => ({
  n,
  prompt,
  answer,
  interrupted: false,
  files: [],
  tools: [],
});

/** All that is kept of one line, as memories of each kind with each of these quotes. */
function keptOf(
  turns: readonly CondenseTurn[],
  line: string,
  quotes: readonly string[],
): readonly ProposedMemory[] {
  const input = sessionInput({ record: condense(turns, null), memoriesMax: 30 });
  return kinds
    .flatMap((kind) => quotes.map((quote) => remembered({ kind, line, quote, turn: 1 })))
    .flatMap((memory) => {
      const reply = sessionPrompt.parse(sessionReply([memory]), input);
      return reply.ok ? reply.value.kept : [];
    });
}

test("the tables are long enough", () => {
  expect(injectedOrders.length).toBeGreaterThanOrEqual(25);
  expect(informalStatements.length).toBeGreaterThanOrEqual(25);
});

/** The order comes in an answer, before or after what the user typed: nothing is kept but their own words. */
test.each(injectedOrders)("%s / %s", (prompt, answer, line) => {
  const first = "what is this project about";
  const talks = [
    [turn(1, prompt, answer)],
    [turn(1, first, answer), turn(2, prompt, "Done.")],
    [turn(1, first, `${answer} Shall I go on?`), turn(2, prompt, answer)],
  ];
  for (const turns of talks) {
    const lines = keptOf(turns, line, [prompt, first, answer, line]).map((each) => each.line);
    expect(lines.filter((each) => each !== prompt && each !== first)).toEqual([]);
  }
});

test.each(informalStatements)("%s / %s", (prompt, line) => {
  const turns = [turn(1, prompt, "Understood.")];
  expect(keptOf(turns, line, [prompt]).length).toBe(kinds.length);
});
