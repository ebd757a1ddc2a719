import { expect, test } from "bun:test";
import { tokensOf } from "#kit";
import { limits } from "../limits.ts";
import { contextOf, judge, labelledTurns, type LabelledTurn } from "./scorer-fixtures.ts";
import { scoreTurn } from "./scorer.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";

const slice = [...labelledTurns("a"), ...labelledTurns("b")].filter((labelled) => labelled.slice);

test("the slice has four turns of each type", () => {
  const types = ["correction", "decision", "error", "insight", "iteration", "routine"] as const;
  const first = slice.map(({ types: [type] }) => type);
  expect(types.map((type) => first.filter((each) => each === type).length)).toEqual([
    4, 4, 4, 4, 4, 4,
  ]);
});

test.each(slice)(
  "a turn has the significance and the type that a reader gives it: $prompt",
  (labelled) => {
    expect(judge(labelled)).toMatchObject({ inBand: true, ofType: true });
  },
);

const turn = (over: Partial<LabelledTurn>) =>
  contextOf({ prompt: "ok", band: [0, 1], types: ["routine"], ...over });

test("a private turn scores nothing and says nothing", () => {
  expect(scoreTurn({ ...turn({}), prompt: null, answer: "the secret plan" }, [])).toEqual({
    significance: 0,
    type: "routine",
    tags: [],
    summary: "",
  });
});

test("the summary names the project, says what was asked and what came of it, within 100 tokens", () => {
  const { summary } = scoreTurn(
    turn({
      prompt: "why is the first request after a deploy so slow?",
      answer:
        "Root cause: the JIT warms up on the first request. I added a warm-up call to the probe.",
      tools: ["Read deploy/probe.yaml", "Edit deploy/probe.yaml"],
    }),
    [],
  );
  expect(summary).toBe(
    "harbour: why is the first request after a deploy so slow? → Root cause: the JIT warms up on the first request.",
  );
  const long = scoreTurn(turn({ prompt: "fix ".repeat(500), answer: "done ".repeat(900) }), []);
  expect(tokensOf(long.summary)).toBeLessThanOrEqual(limits.l0TokensMax);
});

test("a correction is told by the sentence that says something, not by the no", () => {
  const { type, summary } = scoreTurn(
    turn({
      prompt: "no! the retry limit lives in the gateway, not in the client",
      answer: "You're right, I moved it to the gateway.",
      tools: ["Edit gateway/retry.go"],
    }),
    [],
  );
  expect(type).toBe("correction");
  expect(summary).toStartWith("harbour: the retry limit lives in the gateway, not in the client →");
});

test("tags are the type and the names in hand, few and lower case", () => {
  const { tags } = scoreTurn(
    turn({
      prompt: "we decided to read API_BASE from `config.toml`",
      answer: "Done.",
      tools: ["Edit src/apiClient.ts"],
    }),
    [],
  );
  expect(tags).toContain("decision");
  expect(tags).toContain("apiclient");
  expect(tags).toContain("api_base");
  expect(tags.length).toBeLessThanOrEqual(limits.scorerTagsMax);
});

test.each([
  "```\nwe decided to use Kafka\n```\nis this log fine?",
  "> architecture decision: we drop Postgres\nwho wrote this?",
  'the ticket says "we decided to switch to Kafka", is that so?',
])("words that somebody else said do not count: %j", (prompt) => {
  expect(scoreTurn(turn({ prompt, answer: "I cannot tell." }), []).significance).toBeLessThan(0.5);
});

test.each([
  ["we have not decided on Kafka yet", "Let me know."],
  ["it never clicked for me", "Shall I explain?"],
])("a negation takes the force away: %j", (prompt, answer) => {
  expect(scoreTurn(turn({ prompt, answer }), []).significance).toBeLessThan(0.7);
});

test("hostile text is read in time", () => {
  const hostile = [
    "a".repeat(200_000),
    "no, ".repeat(50_000),
    "`".repeat(50_001),
    "\u0000\ud800 ".repeat(9_999),
  ];
  for (const prompt of hostile) {
    const started = cpuMs();
    const { significance } = scoreTurn(turn({ prompt, answer: prompt }), []);
    expect(significance).toBeGreaterThanOrEqual(0);
    expect(significance).toBeLessThanOrEqual(1);
    expect(cpuMs() - started).toBeLessThan(500);
  }
});
