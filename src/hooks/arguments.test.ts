import { expect, test } from "bun:test";
import { readHookArguments, resolveEvent } from "./envelope.ts";

test.each([
  { name: "nothing named", argv: [], expected: { event: null, transcript: null, agent: null } },
  { name: "our name", argv: ["stop"], expected: { event: "stop", transcript: null, agent: null } },
  {
    name: "options of a later version are ignored",
    argv: ["--new-thing", "-x", "tool", "--more=1", "left"],
    expected: { event: "tool", transcript: null, agent: null },
  },
  {
    name: "a transcript beside its option",
    argv: ["--transcript", "/t.jsonl", "end"],
    expected: { event: "end", transcript: "/t.jsonl", agent: null },
  },
  {
    name: "a transcript after an equals sign",
    argv: ["start", "--transcript=/a b.jsonl"],
    expected: { event: "start", transcript: "/a b.jsonl", agent: null },
  },
  {
    name: "a transcript option without a path names none",
    argv: ["start", "--transcript"],
    expected: { event: "start", transcript: null, agent: null },
  },
  {
    name: "an agent, with its own name of the event",
    argv: ["--agent", "codex", "SessionStart"],
    expected: { event: "SessionStart", transcript: null, agent: "codex" },
  },
])("the command line: $name", ({ argv, expected }) => {
  expect(readHookArguments(argv)).toEqual(expected);
});

test.each([
  { named: null, payload: "PostToolUseFailure", expected: ["tool", "PostToolUseFailure"] },
  { named: "tool", payload: "PostToolUseFailure", expected: ["tool", "PostToolUseFailure"] },
  { named: "compact", payload: "PostCompact", expected: ["compact", "PostCompact"] },
  { named: "compact", payload: undefined, expected: ["compact", "PreCompact"] },
  { named: "SessionStart", payload: undefined, expected: ["start", "SessionStart"] },
  { named: "stop", payload: "Stop", expected: ["stop", "Stop"] },
  { named: "Stop", payload: undefined, expected: ["stop", "Stop"] },
  { named: "end", payload: "Stop", expected: ["end", "SessionEnd"] },
  { named: "userpromptsubmit", payload: undefined, expected: ["submit", "UserPromptSubmit"] },
  { named: "start", payload: 7, expected: ["start", "SessionStart"] },
])("$named with $payload is $expected", ({ named, payload, expected }) => {
  const [hook, clientEvent] = expected;
  expect(resolveEvent(named, payload)).toEqual({ hook, clientEvent } as never);
});

test.each([
  [null, undefined],
  [null, "WorktreeCreate"],
  ["notification", undefined],
  ["tool", "PreToolUse"],
  [null, "__proto__"],
  ["constructor", undefined],
])("%p with %p is accepted and ignored", (named, payload) => {
  expect(resolveEvent(named, payload)).toBeNull();
});
