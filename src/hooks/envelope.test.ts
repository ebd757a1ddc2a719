import type { Json } from "#kit";
import { expect, test } from "bun:test";
import type { HookEnvelope } from "#domain";
import { envelopesOf, parseEnvelope, resolveEvent } from "./envelope.ts";

const common = { session_id: "s-1", cwd: "/home/dev/shop", transcript_path: "/t.jsonl" };

const wrap = (payload: Json, invocation = "i1", nowMs = 1_000): readonly HookEnvelope[] => {
  const event = resolveEvent(null, payload["hook_event_name"]);
  if (event === null) throw new Error("unknown event in a test");
  return envelopesOf(
    { ...common, ...payload },
    { event, nowMs, replayed: false, startedAtMs: null, invocation },
  );
};

const keyOf = (payload: Json, invocation?: string): string | undefined =>
  wrap(payload, invocation)[0]?.key;

const prompt = { hook_event_name: "UserPromptSubmit", prompt_id: "p-1", prompt: "rename the cart" };
const bash = {
  hook_event_name: "PostToolUse",
  prompt_id: "p-1",
  tool_use_id: "toolu_1",
  tool_name: "Bash",
  tool_input: { command: "make", description: "Build" },
  tool_response: { stdout: "ok" },
};

test("two processes that got the same event make the same key", () => {
  expect(keyOf(prompt, "i1")).toBe(keyOf(prompt, "i2"));
  expect(keyOf(bash, "i1")).toBe(keyOf(bash, "i2"));
});

test.each([
  { name: "another prompt text", a: prompt, b: { ...prompt, prompt: "rename the basket" } },
  { name: "another prompt id", a: prompt, b: { ...prompt, prompt_id: "p-2" } },
  { name: "another session", a: prompt, b: { ...prompt, session_id: "s-2" } },
  { name: "another tool call", a: bash, b: { ...bash, tool_use_id: "toolu_2" } },
  {
    name: "another answer after the same prompt",
    a: { hook_event_name: "Stop", prompt_id: "p-1", last_assistant_message: "Done." },
    b: { hook_event_name: "Stop", prompt_id: "p-1", last_assistant_message: "Done now." },
  },
])("$name is another event", ({ a, b }) => {
  expect(keyOf(a)).not.toBe(keyOf(b));
});

test.each([
  { hook_event_name: "SessionStart", source: "compact", prompt_id: "p-1" },
  { hook_event_name: "SessionEnd", reason: "other", prompt_id: "p-1" },
  { hook_event_name: "PreCompact", trigger: "auto", prompt_id: "p-1" },
  { hook_event_name: "UserPromptSubmit", prompt: "rename the cart" },
])("$hook_event_name without an id of its own is told apart by its invocation", (payload) => {
  const [first] = wrap(payload, "i1");
  const [second] = wrap(payload, "i2");
  expect(first).toMatchObject({ anonymous: true });
  expect(first?.key).not.toBe(second?.key);
  expect(first?.contentHash).toBe(second?.contentHash);
});

test("a batch makes one envelope per call, and a call that came before has the key it had then", () => {
  const batch = wrap({
    hook_event_name: "PostToolBatch",
    prompt_id: "p-1",
    tool_calls: [
      {
        tool_name: "Bash",
        // Another order of fields, and the answer as the text that the model saw.
        tool_input: { description: "Build", command: "make" },
        tool_use_id: "toolu_1",
        tool_response: "ok",
      },
      { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "toolu_9" },
      "garbage",
    ],
  });
  expect(batch).toHaveLength(2);
  expect(batch[0]?.key).toBe(keyOf(bash));
  expect(batch[1]?.payload).toMatchObject({ tool_name: "Bash", tool_use_id: "toolu_9" });
  expect(batch[1]?.payload).not.toHaveProperty("tool_calls");
});

test("without a call id, two runs of one command with different outcomes are two events", () => {
  const { tool_use_id: _, ...anonymous } = bash;
  const [failed] = wrap({ ...anonymous, tool_response: { stdout: "1 failed" } });
  const [passed] = wrap({ ...anonymous, tool_response: { stdout: "all passed" } });
  expect(failed?.contentHash).not.toBe(passed?.contentHash);
});

test.each([{ session_id: "" }, { session_id: 7 }, { session_id: "x".repeat(101) }])(
  "a payload without a usable session is no event: %p",
  (field) => {
    expect(wrap({ ...prompt, ...field })).toEqual([]);
  },
);

test("a measured time that makes no sense is left out, and the event stays", () => {
  const [envelope] = wrap(prompt);
  for (const bad of [-1, "7", null, Number.POSITIVE_INFINITY])
    expect(parseEnvelope({ ...envelope, startedAtMs: bad, tookMs: bad })).toEqual(envelope ?? null);
  const told = { ...envelope, startedAtMs: 7.5, tookMs: 3 };
  expect(parseEnvelope(told)).toMatchObject({ startedAtMs: 7.5, tookMs: 3 });
});

test("an envelope survives JSON, and nothing else passes for one", () => {
  const [envelope] = wrap(prompt);
  expect(parseEnvelope(JSON.parse(JSON.stringify(envelope)))).toEqual(envelope ?? null);
  for (const bad of [
    null,
    [],
    {},
    { ...envelope, v: 2 },
    { ...envelope, hook: "explode" },
    { ...envelope, key: "../../etc/passwd" },
    { ...envelope, atMs: "now" },
    { ...envelope, atMs: 1e20 },
    { ...envelope, atMs: 1.5 },
    { ...envelope, payload: null },
  ])
    expect(parseEnvelope(bad)).toBeNull();
});
