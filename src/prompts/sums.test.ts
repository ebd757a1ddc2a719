/** What a session of fifty turns costs, all purposes together. Replies are as long as models write them. */
import { expect, test } from "bun:test";
import type { LlmPurpose } from "#domain";
import { tokensOf } from "#kit";
import { evaluatePrompt } from "./evaluate.ts";
import { promptLimits } from "./limits.ts";
import { narratePrompt } from "./narrate.ts";
import { observePrompt } from "./observe.ts";
import type { PromptOf } from "./prompt.ts";
import { relationalPrompt } from "./relational.ts";
import { searchPrompt } from "./search.ts";
import { sessionPrompt } from "./session.ts";
import { inventedRecord, inventedSession, recordOf, sessionInput } from "./session.fixtures.ts";
import { summaryPrompt } from "./summary.ts";
import * as replies from "./replies.fixtures.ts";
import type { WindowTurn } from "./window.ts";

interface Cost {
  readonly purpose: LlmPurpose;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly replyTokensMax: number;
}

/** System text, data and schema: a provider sends all three. */
function tokensIn<Input, Output>(prompt: PromptOf<Input, Output>, input: Input): number {
  const { system, prompt: data } = prompt.render(input);
  return tokensOf(system) + tokensOf(data) + tokensOf(JSON.stringify(prompt.schema));
}

const costOf = <Input, Output>(
  prompt: PromptOf<Input, Output>,
  inputs: readonly Input[],
  reply: (input: Input) => unknown,
): Cost => ({
  purpose: prompt.purpose,
  calls: inputs.length,
  tokensIn: sum(inputs.map((input) => tokensIn(prompt, input))),
  tokensOut: sum(inputs.map((input) => tokensOf(JSON.stringify(reply(input))))),
  replyTokensMax: prompt.replyTokensMax * inputs.length,
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

const tens = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / 10) }, (_, at) =>
    items.slice(at * 10, at * 10 + 10),
  );

/** Every purpose of a session that is compacted once, with the memories of others as neighbours. */
function costsOf(turns: readonly WindowTurn[]): readonly Cost[] {
  const flat = turns.map(({ n, prompt, answers, tools }) => ({
    n,
    prompt,
    tools,
    answer: answers.at(-1) ?? null,
    before: turns.slice(Math.max(0, n - 4), n - 1).map((turn) => turn.prompt ?? ""),
  }));
  const date = "2026-03-02";
  const project = "depot";
  return [
    costOf(
      evaluatePrompt,
      tens(flat).map((batch) => ({ turns: batch })),
      ({ turns }) => replies.evaluations(turns.map(({ n }) => n)),
    ),
    costOf(
      observePrompt,
      tens(flat).map((batch) => ({ turns: batch })),
      ({ turns }) => replies.observations(turns.map(({ n }) => n)),
    ),
    costOf(
      sessionPrompt,
      [sessionInput({ record: recordOf(turns), known: replies.known })],
      () => replies.session,
    ),
    costOf(
      summaryPrompt,
      [turns.slice(0, 25), turns.slice(25)].map((half, at) => ({
        project,
        date,
        turns: half,
        previous: at === 0 ? null : replies.previousCheckpoint,
        filesRead: [],
        filesEdited: [],
      })),
      () => replies.checkpoint,
    ),
    costOf(
      relationalPrompt,
      [{ previous: replies.profile, turns: turns.slice(0, 8), sessionId: "s-1", date }],
      () => replies.relational,
    ),
    costOf(narratePrompt, [{ project, date, turns }], () => replies.episodes),
  ];
}

const report = (costs: readonly Cost[]): string =>
  costs
    .map((cost) => `${cost.purpose} ×${cost.calls}: ${cost.tokensIn} in, ${cost.tokensOut} out`)
    .join("\n");

test("a session of fifty turns costs at most 40,000 tokens in and 6,000 out", () => {
  const costs = costsOf(inventedSession(50));
  expect(sum(costs.map(({ tokensIn }) => tokensIn)), report(costs)).toBeLessThanOrEqual(40_000);
  expect(sum(costs.map(({ tokensOut }) => tokensOut)), report(costs)).toBeLessThanOrEqual(6_000);
});

test("the question about a session has instructions of at most a thousand tokens, and a record of at most six", () => {
  const input = sessionInput({ record: inventedRecord(80) });
  expect(tokensOf(sessionPrompt.render(input).system)).toBeLessThan(1_000);
  expect(input.record.tokens).toBeLessThanOrEqual(6_000);
  expect(tokensIn(sessionPrompt, { ...input, known: replies.known })).toBeLessThanOrEqual(7_000);
  // A usual session of four prompts.
  expect(tokensIn(sessionPrompt, sessionInput({ record: inventedRecord(4) }))).toBeLessThan(2_400);
});

test("a call has a ceiling, whatever the turns hold", () => {
  const flood = "все слова 全部 all of the words in one very long line\n".repeat(2_000);
  const turns = Array.from({ length: 60 }, (_, at) => ({
    n: at + 1,
    prompt: flood,
    answers: [flood, flood],
    answer: flood,
    tools: Array.from({ length: 100 }, () => flood),
    before: [flood, flood, flood],
  }));
  const date = "2026-03-02";
  const session = { project: flood, date, turns };
  const known = replies.known.map((each) => ({ ...each, l0: flood.slice(0, 400) }));
  const previous = Object.fromEntries(
    Object.keys(replies.previousCheckpoint).map((name) => [name, flood]),
  ) as typeof replies.previousCheckpoint;
  const statements = Array.from({ length: 40 }, () => ({
    ...replies.profile[0]!,
    text: flood.slice(0, promptLimits.statementCharsMax),
  }));
  const tokens = {
    evaluate: tokensIn(evaluatePrompt, { turns }),
    observe: tokensIn(observePrompt, { turns }),
    session: tokensIn(sessionPrompt, sessionInput({ record: recordOf(turns), known })),
    summary: tokensIn(summaryPrompt, { ...session, previous, filesRead: [], filesEdited: [] }),
    narrate: tokensIn(narratePrompt, session),
    relational: tokensIn(relationalPrompt, { previous: statements, turns, sessionId: "s-1", date }),
    search: tokensIn(searchPrompt, { query: flood }),
  };
  const ceilings: Readonly<Record<keyof typeof tokens, number>> = {
    evaluate: 2_700,
    observe: 2_200,
    session: 10_000,
    summary: 2_600,
    narrate: 3_600,
    relational: 5_000,
    search: 700,
  };
  for (const purpose of Object.keys(ceilings) as (keyof typeof tokens)[])
    expect(tokens[purpose], purpose).toBeLessThanOrEqual(ceilings[purpose]);
});
