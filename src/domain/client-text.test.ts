/** The one list of what clients write: every name in both spellings, and no pattern that takes a person's words. */
import { describe, expect, test } from "bun:test";
import { attributed, clientStarts, clientTags, isPlan, isShownAsPlan } from "./client-text.ts";

const startsAsClient = (text: string): boolean => clientStarts.some((start) => start.test(text));

describe("client tags", () => {
  test("stand in both spellings, in lower case", () => {
    for (const name of clientTags) {
      expect(name).toMatch(/^[a-z][a-z_-]+$/);
      expect(clientTags.has(name.replaceAll("-", "_"))).toBe(true);
    }
    expect(clientTags.has("ide_selection")).toBe(true);
    expect(clientTags.has("environment-context")).toBe(true);
  });

  test.each(["private", "div", "code", "details", "p", "user", "user_query"])(
    "hold nothing that people write: %s",
    (name) => expect(clientTags.has(name)).toBe(false),
  );
});

describe("client starts", () => {
  test.each([
    "This session is being continued from a previous conversation that ran out of context.",
    "Base directory for this skill: /x",
    "Full transcript available at: /x",
    "Read the output file to retrieve the result: /x",
    "Operation stopped by hook: no",
    "Stop hook feedback:\n- no",
    "[Request interrupted by user for tool use]",
    "▣ DCP removed 3",
    "You are a senior review agent. Do this.",
    "---\nname: deploy",
  ])("know %j", (text) => expect(startsAsClient(text)).toBe(true));

  test.each([
    "this session is slow",
    "Read the output of the tests",
    "stop the hook please",
    "You are right about the agent",
    "You are a genius",
    "why is there an image in the header?",
    "---\nthe line above is too long",
  ])("leave what people type: %j", (text) => expect(startsAsClient(text)).toBe(false));

  test("a plan put in by the client is one, an order to implement something is not", () => {
    expect(isPlan("Implement the following plan:\n\n# X")).toBe(true);
    expect(isPlan("implement the plan from yesterday")).toBe(false);
  });

  test("a plan is shown as the agent's, what a user typed as it was typed", () => {
    const shown = attributed("Implement the following plan:\n\n# Cabins");
    expect(shown).toBe("[agent's plan] # Cabins");
    expect(isShownAsPlan(shown)).toBe(true);
    expect(attributed(shown)).toBe(shown);
    expect(attributed("implement the plan from yesterday")).toBe(
      "implement the plan from yesterday",
    );
    expect(isShownAsPlan("implement the plan from yesterday")).toBe(false);
  });
});
