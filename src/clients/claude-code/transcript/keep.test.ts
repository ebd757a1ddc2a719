import { expect, test } from "bun:test";
import { createKeeper, turnStandings, type KeepGate } from "./keep.ts";
import { parseTranscriptLine } from "./parse.ts";

const gate: KeepGate = {
  prompt: (text) => (text.includes("private") ? null : text.replace("secret", "[x]")),
  said: (text) => text.replace("secret", "[x]"),
  tool: (text) => text.slice(0, 20),
  isMute: (tool) => tool === "Read",
};

const base = { sessionId: "s-1", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/p" };
const user = (uuid: string, parentUuid: string | null, content: unknown, more = {}) => ({
  type: "user",
  uuid,
  parentUuid,
  promptId: `p-${uuid}`,
  message: { role: "user", content },
  ...base,
  ...more,
});
const assistant = (uuid: string, parentUuid: string, content: readonly unknown[]) => ({
  type: "assistant",
  uuid,
  parentUuid,
  message: { role: "assistant", id: `m-${uuid}`, model: "m", content },
  ...base,
});

const kept = (lines: readonly unknown[]): readonly string[] => {
  const keep = createKeeper(gate);
  return lines.flatMap(
    (line) => keep(typeof line === "string" ? line : JSON.stringify(line)) ?? [],
  );
};

test("words stay, cleaned, and read as they did", () => {
  const lines = kept([
    user("u1", null, "fix the secret port"),
    assistant("a1", "u1", [
      { type: "thinking", thinking: "hm", signature: "x" },
      { type: "text", text: "The secret port is fixed" },
      {
        type: "tool_use",
        id: "t1",
        name: "Edit",
        input: { file_path: "/p/a.ts", old_string: "1", new_string: "2" },
      },
    ]),
    user(
      "u2",
      "a1",
      [{ type: "tool_result", tool_use_id: "t1", content: "x".repeat(900), is_error: true }],
      { toolUseResult: { originalFile: "all of it" } },
    ),
  ]);
  const entries = lines.flatMap((line, at) => parseTranscriptLine(line, at + 1));
  expect(entries.map(({ type }) => type)).toEqual([
    "prompt",
    "assistant-text",
    "tool-call",
    "tool-result",
  ]);
  expect(entries[0]).toMatchObject({
    text: "fix the [x] port",
    promptId: "p-u1",
    sessionId: "s-1",
    cwd: "/p",
  });
  expect(entries[1]).toMatchObject({ text: "The [x] port is fixed" });
  expect(entries[2]).toMatchObject({ tool: "Edit", target: "/p/a.ts" });
  expect(entries[3]).toMatchObject({ isError: true });
  for (const gone of ["thinking", "hm", "old_string", "originalFile", "all of it", "x".repeat(21)])
    expect(lines.join("\n")).not.toContain(gone);
});

test("a private turn goes as a whole, and what hung on it hangs on what was before", () => {
  const lines = kept([
    user("u1", null, "hello"),
    assistant("a1", "u1", [{ type: "text", text: "Hi" }]),
    user("u2", "a1", "this is private"),
    assistant("a2", "u2", [{ type: "text", text: "I shall not tell" }]),
    user("u3", "a2", [{ type: "tool_result", tool_use_id: "t9", content: "nor I" }]),
    user("u4", "u3", "go on"),
  ]).map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([
    { uuid: "u1" },
    { uuid: "a1", parentUuid: "u1" },
    { uuid: "u4", parentUuid: "a1" },
  ]);
});

test.each([
  [
    "a copy of the prompt elsewhere",
    { type: "last-prompt", lastPrompt: "fix it", sessionId: "s-1" },
  ],
  ["an unknown type", { type: "hologram", content: "fix it" }],
  ["a reminder", user("u1", null, "<system-reminder>x</system-reminder>", { isMeta: true })],
  [
    "an API error",
    { ...assistant("a1", "u1", [{ type: "text", text: "API Error" }]), isApiErrorMessage: true },
  ],
  ["broken JSON", '{"type":"user","mess'],
  ["no record", "7"],
])("%s is not kept", (_, line) => {
  expect(kept([line])).toEqual([]);
});

test("the output of a tool that reads files is not kept, that it ran is", () => {
  const lines = kept([
    user("u1", null, "look"),
    assistant("a1", "u1", [
      { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/p/.env" } },
    ]),
    user("u2", "a1", [
      { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "TOKEN=1" }] },
    ]),
  ]);
  expect(lines.join("\n")).not.toContain("TOKEN");
  expect(lines).toHaveLength(3);
});

test("queued prompts, compactions and interrupts stay", () => {
  const types = kept([
    user("u1", null, "go"),
    {
      type: "attachment",
      uuid: "q",
      parentUuid: "u1",
      attachment: { type: "queued_command", commandMode: "prompt", prompt: "faster" },
      ...base,
    },
    { type: "queue-operation", operation: "enqueue", content: "and quieter", ...base },
    { type: "queue-operation", operation: "remove", ...base },
    {
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: { trigger: "auto", preTokens: 9 },
      ...base,
    },
    user("u2", null, "[Request interrupted by user]"),
  ]).flatMap((line, at) => parseTranscriptLine(line, at + 1).map(({ type }) => type));
  expect(types).toEqual(["prompt", "prompt", "enqueued", "queue", "interrupt"]);
});

const result = { type: "tool_result", tool_use_id: "t1", content: "done" };

test("what was typed while a tool ran stays beside its result, cleaned", () => {
  const besides = ["the secret port", "keep this private"].map((text) => ({ type: "text", text }));
  const entries = kept([
    user("u1", null, "go"),
    ...besides.map((beside) => user("u2", "u1", [result, beside])),
  ]).flatMap((line, at) => parseTranscriptLine(line, at + 1));
  expect(entries).toMatchObject([
    { type: "prompt", text: "go", queued: false },
    { type: "tool-result" },
    { type: "prompt", text: "the [x] port", queued: true },
    { type: "tool-result" },
  ]);
});

const merger = "the merger stays between us";
const waiting = { type: "queue-operation", operation: "enqueue", ...base, content: merger };
const beside = user("u2", "u1", [result, { type: "text", text: merger }]);

test.each([
  ["off the record", "in the queue", waiting],
  ["private", "in the queue", waiting],
  ["off the record", "beside a result", beside],
  ["private", "beside a result", beside],
] as const)(
  "of a turn that a message makes %s, %s, no answer and no message stays",
  async (standing, _, message) => {
    const lines = [
      user("u1", null, "plan it"),
      message,
      assistant("a1", "u1", [{ type: "text", text: "The merger is planned" }]),
    ].map((line) => JSON.stringify(line));
    const all = async function* () {
      yield* lines;
    };
    const standings = await turnStandings(all(), (prompt) =>
      prompt.includes("merger") ? standing : "open",
    );
    const hides: KeepGate = { ...gate, prompt: (text) => text.replace(/.*merger.*/u, "") };
    const keep = createKeeper(hides, standings);
    expect(lines.flatMap((line) => keep(line) ?? []).join("\n")).not.toContain("merger");
  },
);
