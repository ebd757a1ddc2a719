/** A turn's weight, by what happened in it and never by its words. */
import { describe, expect, test } from "bun:test";
import { refusedCall, type MemoryNode } from "#domain";
import { msPerDay } from "#kit";
import { exchangeOf } from "../exchange/exchange.ts";
import { knownNode } from "../../../test/support/memory/candidates.ts";
import { toolUseOf, turnOf } from "../../../test/support/memory/turns.ts";
import { givenUntil, isGiven, significanceOf } from "../decay/relevance.ts";
import type { TurnContext } from "./significance.ts";

const prompt = "look after the harbour ledger service";
const tagsOf = (over: Partial<TurnContext> & { readonly ran?: readonly string[] }) => {
  const { ran = [], ...rest } = over;
  const turn = turnOf(rest.prompt ?? prompt, {
    answer: "The harbour ledger service is looked after.",
    tools: ran.map(toolUseOf),
    ...rest,
  });
  return exchangeOf(turn)?.tags ?? [];
};
const refusedTool = {
  ...toolUseOf("Bash npm publish", 0),
  outcome: "error",
  text: refusedCall(null),
};

describe("a turn is kept as", () => {
  test.each([
    ["a decision when it orders something", { prompt: "remember that staging is on port 6432" }],
    [
      "a decision when it answers a question",
      {
        prompt: "the second host, on port 6432",
        previousAnswer: "Which host shall the ledger have?",
      },
    ],
    ["a decision when the user chose what the agent asked", { ran: ["AskUserQuestion"] }],
    [
      "a correction when a call was refused",
      { tools: [refusedTool as TurnContext["tools"][number]] },
    ],
    ["a correction when it was interrupted", { interrupted: true }],
    ["an insight when what failed passes", { ran: ["Bash bun test !! 2 fail", "Bash bun test"] }],
    ["an error when its last command fails", { ran: ["Edit a.ts", "Bash bun test !! 2 fail"] }],
    ["an iteration when files were edited", { ran: ["Edit a.ts", "Bash bun test"] }],
    ["an iteration when something was committed", { ran: ["Bash git commit -m 'Look after it'"] }],
    ["routine when nothing of it happened", { ran: ["Read a.ts"] }],
    ["routine, whatever its words say", { answer: "Root cause found! We decided on Kafka." }],
  ] as const)("%s", (name, over) => {
    expect(name).toContain(tagsOf(over)[0] ?? "none");
  });
});

describe("what its tools brought about is", () => {
  test.each([
    ["what the commit says", ["Bash git commit -m 'fix(ledger): round the tax'"], "bugfix"],
    ["a feature by its commit", ["Bash git commit -m 'feat: add a ledger'"], "feature"],
    ["a refactor by its commit", ["Bash git commit -m 'refactor!: split the ledger'"], "refactor"],
    ["a change where it does not", ["Edit a.ts"], "change"],
    [
      "a bugfix when what failed passes after an edit",
      ["Bash t !! no", "Edit a.ts", "Bash t"],
      "bugfix",
    ],
    ["a discovery when what failed passes without one", ["Bash t !! no", "Bash t"], "discovery"],
    ["a decision of the user", ["AskUserQuestion"], "decision"],
  ] as const)("%s", (_name, ran, type) => {
    expect(tagsOf({ ran })).toContain(type);
  });

  test("nothing when they only looked around, or the turn has no end", () => {
    expect(tagsOf({ ran: ["Read a.ts"] })).toEqual(["routine"]);
    expect(tagsOf({ ran: ["Edit a.ts"], interrupted: true })).toEqual(["correction"]);
  });
});

test("the names in it are its concepts", () => {
  const names = tagsOf({ prompt: "move API_BASE of the harbour ledger to `config.toml`" });
  expect(names).toContain("api_base");
  expect(names).toContain("config.toml");
});

const saidAt = 1_000 * msPerDay;
const node = (type: string, over: Partial<MemoryNode> = {}): MemoryNode =>
  knownNode(
    "x",
    {},
    {
      uri: "mem://sessions/s/exchanges/1",
      tags: [type],
      validFrom: saidAt,
      createdAt: saidAt,
      ...over,
    },
  );

test.each([
  ["decision", 0.8, 90],
  ["correction", 0.7, 30],
  ["insight", 0.7, 30],
  ["iteration", 0.6, 30],
  ["error", 0.55, 30],
  ["routine", 0.3, 7],
])("of %s the significance is %d, and it is given for %d days", (type, score, days) => {
  expect(significanceOf(node(type).tags)).toBe(score);
  expect(givenUntil(node(type))).toBe(saidAt + days * msPerDay);
  expect(isGiven(node(type), saidAt + days * msPerDay - 1)).toBe(true);
  expect(isGiven(node(type), saidAt + days * msPerDay)).toBe(false);
});

test("use begins the span anew; what has no type, and what is no exchange, is given for ever", () => {
  const used = node("routine", { lastAccess: saidAt + 5 * msPerDay });
  expect(givenUntil(used)).toBe(saidAt + 12 * msPerDay);
  expect(givenUntil(node("", { tags: [] }))).toBeNull();
  expect(givenUntil(node("decision", { uri: "mem://user/events/x" }))).toBeNull();
});
