/** The cost of the question about a session. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { tokensOf } from "#kit";
import * as replies from "../../../test/support/models/replies.ts";
import { promptLimits } from "./reply.ts";
import { roomOf, sessionPrompt } from "./session.ts";
import { inventedRecord, recordOf, sessionInput } from "../../../test/support/models/session.ts";
import type { SessionInput } from "./session-input.ts";

// Megabytes are read, on a machine that may be busy.
setDefaultTimeout(30_000);

/** System text, data and schema: a provider sends all three. */
function tokensIn(input: SessionInput): number {
  const { system, prompt } = sessionPrompt.render(input);
  return tokensOf(system) + tokensOf(prompt) + tokensOf(JSON.stringify(sessionPrompt.schema));
}

/** Tokens of the longest of eight memories that were written about real sessions. */
const longestReply = 1_530;

test("it has instructions of at most 1,060 tokens, and with a large reply at most six", () => {
  const empty = sessionInput({ record: inventedRecord(80), memoriesMax: 8 });
  for (const agentSaves of [false, true])
    expect(tokensOf(sessionPrompt.render({ ...empty, agentSaves }).system)).toBeLessThan(1_060);
  for (const known of [[], replies.known]) {
    const room = roomOf({ ...empty, known }).record;
    expect(room).toBeGreaterThanOrEqual(promptLimits.recordTokensMin);
    const input = { ...empty, known, record: inventedRecord(80, room) };
    const { system, prompt } = sessionPrompt.render(input);
    expect(tokensOf(system) + tokensOf(prompt) + longestReply).toBeLessThanOrEqual(6_000);
  }
  // A usual session of four prompts.
  expect(tokensIn(sessionInput({ record: inventedRecord(4) }))).toBeLessThan(2_400);
});

test("the less is known, the more room the record has", () => {
  const empty = sessionInput({ record: inventedRecord(4) });
  const rooms = [0, 1, 2].map((n) => roomOf({ ...empty, known: replies.known.slice(0, n) }));
  expect(rooms[0]?.record).toBe(promptLimits.recordTokensMax);
  expect(rooms[1]?.record).toBeLessThan(promptLimits.recordTokensMax);
  expect(rooms[2]?.record).toBeLessThan(rooms[1]?.record ?? 0);
  // A reply with all its memories fits beside it.
  expect(rooms.every(({ all, record }) => record <= all)).toBe(true);
});

test("however much is known, the record has room for typed words and accepted plans", () => {
  const known = Array.from({ length: 60 }, (_, at) => ({
    ...replies.known[0],
    number: at + 1,
    id: at,
    slot: `supplier gateway ${at} · port`,
    l0: "the gateway needs a client certificate from the operations team. ".repeat(2),
    project: "depot",
    date: "2026-02-01",
  }));
  const room = roomOf({ ...sessionInput({ record: inventedRecord(4) }), known }).record;
  expect(room).toBe(promptLimits.recordTokensMin);
  expect(room).toBeGreaterThan(1_600);
});

test("it has a ceiling, whatever the turns hold", () => {
  const flood = "все слова 全部 all of the words in one very long line\n".repeat(2_000);
  const turns = Array.from({ length: 60 }, (_, at) => ({
    n: at + 1,
    prompt: flood,
    answers: [flood, flood],
    tools: Array.from({ length: 100 }, () => flood),
  }));
  const known = replies.known.map((each) => ({ ...each, l0: flood.slice(0, 400) }));
  expect(tokensIn(sessionInput({ record: recordOf(turns), known }))).toBeLessThanOrEqual(10_000);
});
