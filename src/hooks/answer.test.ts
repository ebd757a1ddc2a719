import { expect, test } from "bun:test";
import { renderAnswer } from "./hook.ts";

test("start and submit answer with one document", () => {
  expect(JSON.parse(renderAnswer("SessionStart", "hello"))).toEqual({
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "hello" },
  });
  expect(renderAnswer("UserPromptSubmit", "hello")).toContain('"UserPromptSubmit"');
});

test.each(["SubagentStart", "PostToolUse", "PostToolUseFailure"])(
  "%s answers with its context, and shows its user nothing",
  (event) => {
    expect(JSON.parse(renderAnswer(event, "hello", "x"))).toEqual({
      hookSpecificOutput: { hookEventName: event, additionalContext: "hello" },
    });
    expect(renderAnswer(event, "", "x")).toBe("");
  },
);

test.each(["Stop", "SessionEnd", "SubagentStop", "PreCompact"])(
  "%s never answers, whatever it is given",
  (event) => {
    expect(renderAnswer(event, "hello")).toBe("");
  },
);

test.each(["", "  \n "])("nothing to say prints nothing: %p", (context) => {
  expect(renderAnswer("SessionStart", context)).toBe("");
});

test("what is printed stays below 9,500 characters and keeps the line that closes the block", () => {
  const lines = Array.from({ length: 400 }, (_, at) => `- "memory" ${at} ${"x".repeat(40)}`);
  const answer = renderAnswer("SessionStart", ["<block>", ...lines, "</block>"].join("\n"));
  expect(answer.length).toBeLessThan(9_500);
  const context: string = JSON.parse(answer).hookSpecificOutput.additionalContext;
  expect(context.startsWith("<block>\n- ")).toBe(true);
  expect(context.endsWith("\n</block>")).toBe(true);
  expect(context.split("\n").length).toBeGreaterThan(100);
});

test("one endless line is dropped rather than cut in the middle", () => {
  expect(renderAnswer("SessionStart", "x".repeat(20_000))).toBe("");
});

test("a message for the user stands beside the context, or alone, and on start and submit only", () => {
  expect(JSON.parse(renderAnswer("UserPromptSubmit", "hello", "Stored: iteration (0.6)"))).toEqual({
    systemMessage: "Stored: iteration (0.6)",
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "hello" },
  });
  expect(renderAnswer("UserPromptSubmit", "", "x")).toBe('{"systemMessage":"x"}');
  expect(renderAnswer("Stop", "", "x")).toBe("");
});
