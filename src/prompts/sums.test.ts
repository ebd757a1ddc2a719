/** What a session of fifty turns costs, all purposes together. Replies are as long as models write them. */
import { expect, test } from "bun:test";
import type { LlmPurpose } from "#domain";
import { tokensOf } from "#kit";
import { evaluatePrompt } from "./evaluate.ts";
import { extractionPrompt } from "./extraction.ts";
import { gatePrompt } from "./gate.ts";
import { narratePrompt } from "./narrate.ts";
import { observePrompt } from "./observe.ts";
import type { PromptOf } from "./prompt.ts";
import { relationalPrompt } from "./relational.ts";
import { inventedSession } from "./session.fixtures.ts";
import { summaryPrompt } from "./summary.ts";
import * as replies from "./replies.fixtures.ts";
import { windowsOf, type WindowTurn } from "./window.ts";

interface Cost {
  readonly purpose: LlmPurpose;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly replyTokensMax: number;
}

const costOf = <Input, Output>(
  prompt: PromptOf<Input, Output>,
  inputs: readonly Input[],
  reply: (input: Input) => unknown,
): Cost => ({
  purpose: prompt.purpose,
  calls: inputs.length,
  tokensIn: sum(
    inputs.map((input) => {
      const { system, prompt: data } = prompt.render(input);
      return tokensOf(system) + tokensOf(data) + tokensOf(JSON.stringify(prompt.schema));
    }),
  ),
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
  const windows = windowsOf(turns);
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
      gatePrompt,
      windows.map((window) => ({ turns: window })),
      () => ({ worth: true }),
    ),
    costOf(
      extractionPrompt,
      windows.map((window) => ({
        project,
        date,
        turns: window,
        nearest: replies.known,
        previous: replies.checkpoint.title,
      })),
      () => replies.memories,
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

test("no call may cost more than the session's share, whatever the turns hold", () => {
  const flood = "все слова 全部 all of the words in one very long line\n".repeat(2_000);
  const turns = Array.from({ length: 10 }, (_, at) => ({
    n: at + 1,
    prompt: flood,
    answers: [flood, flood],
    answer: flood,
    tools: Array.from({ length: 400 }, () => flood),
    before: [flood, flood, flood],
  }));
  const window = windowsOf(turns)[0] ?? [];
  const date = "2026-03-02";
  const nearest = Array.from({ length: 50 }, () => ({
    uri: "mem://a",
    l0: flood,
    origin: "user" as const,
  }));
  const previous = Object.fromEntries(
    Object.keys(replies.previousCheckpoint).map((name) => [name, flood]),
  ) as typeof replies.previousCheckpoint;
  const rendered = {
    evaluate: evaluatePrompt.render({ turns }),
    observe: observePrompt.render({ turns }),
    gate: gatePrompt.render({ turns: window }),
    extraction: extractionPrompt.render({
      project: flood,
      date,
      turns: window,
      nearest,
      previous: flood,
    }),
    summary: summaryPrompt.render({
      project: flood,
      date,
      turns,
      previous,
      filesRead: [],
      filesEdited: [],
    }),
    narrate: narratePrompt.render({ project: flood, date, turns }),
    relational: relationalPrompt.render({
      previous: replies.profile,
      turns: turns.slice(0, 1),
      sessionId: "s",
      date,
    }),
  };
  const tokens = Object.fromEntries(
    Object.entries(rendered).map(([name, { system, prompt }]) => [
      name,
      tokensOf(system) + tokensOf(prompt),
    ]),
  );
  console.log(tokens);
});
