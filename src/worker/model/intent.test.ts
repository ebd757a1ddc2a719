import { describe, expect, test } from "bun:test";
import { createGate } from "#privacy";
import { scriptedLlm, unavailable } from "../../../test/support/scripted-llm.ts";
import { createUnderstanding } from "./intent.ts";

const gate = createGate({ redact: [] });
const parts = {
  queries: [
    { type: "RESOURCE", query: "staging port" },
    { type: "MEMORY", query: "importer owner" },
  ],
};
const question = "which port does staging use and who owns the importer?";

describe("what a question is after", () => {
  test("a model splits it into typed parts, on the session's budget, and is asked once", async () => {
    const llm = scriptedLlm({ answer: () => parts });
    const understand = createUnderstanding({ gate, llm: () => llm });
    const understood = await understand(question, "s1");
    expect(understood).toEqual([
      { type: "RESOURCE", text: "staging port" },
      { type: "MEMORY", text: "importer owner" },
    ]);
    expect(await understand(question, "s1")).toEqual(understood);
    expect(llm.asked.map(({ purpose, sessionId }) => [purpose, sessionId])).toEqual([
      ["search", "s1"],
    ]);
  });

  test.each([
    ["no model", null],
    ["no answer", scriptedLlm({ answer: () => parts, failure: () => unavailable })],
    [
      "no budget",
      scriptedLlm({
        answer: () => parts,
        failure: () => ({ type: "llm.budget", scope: "day", limit: 1 }),
      }),
    ],
  ])("%s leaves it to the question's own clauses", async (_, llm) => {
    const understand = createUnderstanding({ gate, llm: () => llm });
    expect(await understand(question, null)).toBeNull();
  });

  test("a failure is not kept: the next time a model is asked again", async () => {
    const llm = scriptedLlm({
      answer: () => parts,
      failure: (n) => (n === 1 ? unavailable : null),
    });
    const understand = createUnderstanding({ gate, llm: () => llm });
    expect(await understand(question, null)).toBeNull();
    expect(await understand(question, null)).toHaveLength(2);
  });

  test("secrets and private blocks of a question never reach a model", async () => {
    const llm = scriptedLlm({ answer: () => parts });
    const understand = createUnderstanding({ gate, llm: () => llm });
    await understand("where is <private>Ada's diary</private> kept?", null);
    expect(llm.asked[0]?.prompt).not.toContain("diary");
    expect(await understand("<private>all of it</private>", null)).toBeNull();
    expect(llm.asked).toHaveLength(1);
  });
});
