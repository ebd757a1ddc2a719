import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { TranscriptEntry } from "./entry.ts";
import { parseTranscriptLine } from "./parse.ts";
import { cpuMs } from "../../../../test/support/cpu-ms.ts";

const base = {
  uuid: "u-1",
  parentUuid: "u-0",
  timestamp: "2026-09-01T09:00:00.000Z",
  sessionId: "s-1",
  cwd: "/home/ada/shop",
  gitBranch: "main",
  isSidechain: false,
  userType: "external",
};
const atMs = Date.parse(base.timestamp);
const parse = (line: object, lineNumber = 7): readonly TranscriptEntry[] =>
  parseTranscriptLine(JSON.stringify({ ...base, ...line }), lineNumber);
const user = (content: unknown, more: object = {}): readonly TranscriptEntry[] =>
  parse({ type: "user", promptId: "p-1", message: { role: "user", content }, ...more });
const assistant = (content: unknown, more: object = {}, message: object = {}) =>
  parse({
    type: "assistant",
    message: { id: "m-1", role: "assistant", model: "claude-x", content, ...message },
    ...more,
  });
const result = (content: unknown, more: object = {}, isError = true) =>
  user([{ type: "tool_result", tool_use_id: "t-1", is_error: isError, content }], more);

describe("what the user said", () => {
  test("a typed prompt", () => {
    const prompt = user("use tabs, please", { origin: { kind: "human" }, promptSource: "typed" });
    expect(prompt).toEqual([
      {
        type: "prompt",
        line: 7,
        uuid: "u-1",
        promptId: "p-1",
        text: "use tabs, please",
        atMs,
        queued: false,
        sessionId: "s-1",
        cwd: "/home/ada/shop",
        branch: "main",
      },
    ]);
  });

  test.each([
    {
      name: "text beside a picture",
      content: [
        { type: "text", text: "look" },
        { type: "image", source: {} },
      ],
      text: "look",
    },
    {
      name: "two prompts that the client sent as one",
      content: [
        { type: "text", text: "a\n" },
        { type: "text", text: "b" },
      ],
      text: "a\nb",
    },
    {
      name: "words around a reminder",
      content: "do <system-reminder>not</system-reminder> it",
      text: "do  it",
    },
    {
      name: "a reminder in a block of its own",
      content: [
        { type: "text", text: "<system-reminder>x</system-reminder>" },
        { type: "text", text: "hi" },
      ],
      text: "hi",
    },
    {
      name: "an editor's note before the words",
      content: "<ide_opened_file>a.ts</ide_opened_file>\nfix it",
      text: "fix it",
    },
    {
      name: "a tag that only begins like ours",
      content: "<system-reminders>a</system-reminders>",
      text: "<system-reminders>a</system-reminders>",
    },
    {
      name: "a tag that never ends",
      content: "what is <system-reminder> for?",
      text: "what is <system-reminder> for?",
    },
    {
      name: "JSON and code",
      content: '{"type":"assistant"} <T>(x: T) => x',
      text: '{"type":"assistant"} <T>(x: T) => x',
    },
  ])("$name", ({ content, text }) => {
    expect(user(content)).toMatchObject([{ type: "prompt", text }]);
  });

  test("a prompt sent while a turn was running", () => {
    const attachment = {
      type: "queued_command",
      prompt: "and the port is 5433",
      commandMode: "prompt",
    };
    expect(parse({ type: "attachment", attachment, rendered: [{ content: "…" }] })).toMatchObject([
      { type: "prompt", text: "and the port is 5433", queued: true },
    ]);
  });

  test("old clients name no origin; the SDK is a user too", () => {
    expect(user("hi", { turnOrigin: "sdk", promptSource: "sdk" })).toHaveLength(1);
    expect(user("hi")).toHaveLength(1);
  });
});

describe("what the user did not say", () => {
  test.each([
    { name: "meta lines", entries: user("Caveat: …", { isMeta: true }) },
    { name: "what is only shown", entries: user("x", { isVisibleInTranscriptOnly: true }) },
    { name: "virtual lines", entries: user("x", { isVirtual: true }) },
    { name: "text that was not typed", entries: user("x", { textNotTyped: true }) },
    {
      name: "an expanded command",
      entries: user([{ type: "text", text: "Greet …" }], { isMeta: true, turnCompanion: true }),
    },
    {
      name: "output of a local command",
      entries: user("<local-command-stdout>ok</local-command-stdout>"),
    },
    {
      name: "shell mode",
      entries: user(
        "<bash-input>ls</bash-input><bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
      ),
    },
    {
      name: "a task notification",
      entries: user("done", { origin: { kind: "task-notification" } }),
    },
    {
      name: "another agent",
      entries: user("do it", { origin: { kind: "peer" }, turnOrigin: "peer" }),
    },
    { name: "a schedule", entries: user("daily report", { turnOrigin: "scheduled" }) },
    { name: "a reminder alone", entries: user("<system-reminder>x</system-reminder>") },
    { name: "a picture alone", entries: user([{ type: "image", source: { data: "…" } }]) },
    { name: "white space", entries: user("  \n ") },
    {
      name: "a subagent's task",
      entries: user("find the port", { isSidechain: true, agentId: "a-1" }),
    },
    {
      name: "a hook's context",
      entries: parse({
        type: "attachment",
        attachment: { type: "hook_additional_context", content: ['remember: "user"'] },
      }),
    },
    {
      name: "a hook's output",
      entries: parse({
        type: "attachment",
        attachment: { type: "hook_success", stdout: '"user"' },
      }),
    },
    {
      name: "a queued notification",
      entries: parse({
        type: "attachment",
        attachment: { type: "queued_command", prompt: "x", commandMode: "task-notification" },
      }),
    },
    {
      name: "a plugin's queued prompt",
      entries: parse({
        type: "attachment",
        attachment: {
          type: "queued_command",
          prompt: "x",
          commandMode: "prompt",
          isMeta: true,
          origin: { kind: "plugin" },
        },
      }),
    },
    {
      name: "an unknown operation of the queue",
      entries: parse({ type: "queue-operation", operation: "shuffle", content: "x" }),
    },
    {
      name: "the client's copy of the last prompt",
      entries: parse({ type: "last-prompt", lastPrompt: '"user"' }),
    },
    {
      name: "system notes",
      entries: parse({ type: "system", subtype: "informational", content: '"user"' }),
    },
    {
      name: "request dumps",
      entries: parse({ type: "api-request-blob", message: { role: "user", content: "x" } }),
    },
  ])("$name", ({ entries }) => {
    expect(entries).toEqual([]);
  });

  test.each([
    "<system-reminder>remember: the port is 1</system-reminder>",
    "PreToolUse:Bash hook feedback:\n- remember: the port is 1",
    "Stop hook feedback:\n- remember: the port is 1",
    "<local-command-stdout>remember: the port is 1</local-command-stdout>",
    "<bash-stdout>remember: the port is 1</bash-stdout>",
    "[Image: source: /tmp/remember-the-port.png]",
    "Base directory for this skill: /x\n\nremember: the port is 1",
  ])("text of the client beside a tool result: %j", (text) => {
    expect(user([resultBlock, { type: "text", text }]).map(({ type }) => type)).toEqual([
      "tool-result",
    ]);
  });

  test("text beside a tool result of a subagent, or with a notification", () => {
    const content = [resultBlock, { type: "text", text: "use npm" }];
    expect(user(content, { isSidechain: true })).toEqual([]);
    const notified = user(content, { origin: { kind: "task-notification" } });
    expect(notified.map(({ type }) => type)).toEqual(["tool-result"]);
  });
});

const resultBlock = {
  type: "tool_result",
  tool_use_id: "t-1",
  content: "user: always use npm",
  is_error: false,
};

describe("what was typed while a tool ran", () => {
  test("stands beside the tool's result, and the client's words may stand there too", () => {
    const content = [
      resultBlock,
      { type: "text", text: "<system-reminder>x</system-reminder>" },
      { type: "text", text: "and use pagination" },
      { type: "text", text: "Stop hook feedback:\n- no" },
    ];
    expect(user(content)).toMatchObject([
      { type: "tool-result", toolUseId: "t-1" },
      { type: "prompt", text: "and use pagination", queued: true, promptId: "p-1" },
    ]);
  });

  test("is none where the client says that it was interrupted", () => {
    const content = [
      resultBlock,
      { type: "text", text: "[Request interrupted by user for tool use]" },
    ];
    expect(user(content)).toMatchObject([{ type: "interrupt" }]);
  });
});

describe("commands", () => {
  test.each([
    "<command-name>/review</command-name>\n  <command-message>review</command-message>\n <command-args>12  " +
      "now</command-args>",
    "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>12 " +
      "now</command-args>",
  ])("are told apart from speech (%#)", (content) => {
    expect(user(content)).toMatchObject([
      { type: "command", text: "/review 12 now", promptId: "p-1" },
    ]);
  });
});

describe("what the assistant said", () => {
  test("text and tool calls of one line, in order; thinking is not said", () => {
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: " I'll look. " },
      { type: "tool_use", id: "t-1", name: "Read", input: { file_path: "/a/b.ts" } },
    ];
    expect(assistant(content)).toEqual([
      { type: "assistant-text", line: 7, atMs, messageId: "m-1", text: "I'll look." },
      {
        type: "tool-call",
        line: 7,
        atMs,
        toolUseId: "t-1",
        tool: "Read",
        target: "/a/b.ts",
        plan: null,
        files: ["/a/b.ts"],
      },
    ]);
  });

  test.each([
    {
      name: "an API error of a subagent",
      entries: assistant([{ type: "text", text: "API Error: 529" }], {
        isApiErrorMessage: true,
        isSidechain: true,
      }),
    },
    {
      name: "the client in its place",
      entries: assistant(
        [{ type: "text", text: "No response requested." }],
        {},
        { model: "<synthetic>" },
      ),
    },
    {
      name: "a subagent thinking aloud",
      entries: assistant(
        [{ type: "text", text: "Looking." }],
        { isSidechain: true },
        { stop_reason: "tool_use" },
      ),
    },
    {
      name: "a subagent's tool call",
      entries: assistant(
        [{ type: "tool_use", id: "t", name: "Bash", input: {} }],
        { isSidechain: true },
        { stop_reason: "tool_use" },
      ),
    },
  ])("$name is not the assistant", ({ entries }) => {
    expect(entries).toEqual([]);
  });

  test("an API error is not the assistant, but what came of the turn; its text is nobody's", () => {
    expect(
      assistant([{ type: "text", text: "API Error: 529" }], { isApiErrorMessage: true }),
    ).toEqual([{ type: "api-error", line: 7, atMs }]);
  });
});

describe("tool calls", () => {
  const call = (name: string, input: object) =>
    assistant([{ type: "tool_use", id: "t-1", name, input }])[0];

  test.each([
    {
      name: "Bash",
      input: { description: "Run", command: "pnpm\n  test" },
      target: "pnpm test",
      files: [],
    },
    {
      name: "Edit",
      input: { file_path: "/a.ts", old_string: "x", new_string: "y" },
      target: "/a.ts",
      files: ["/a.ts"],
    },
    {
      name: "NotebookEdit",
      input: { notebook_path: "/n.ipynb", new_source: "x" },
      target: "/n.ipynb",
      files: ["/n.ipynb"],
    },
    { name: "Grep", input: { pattern: "TODO", path: "/src" }, target: "TODO", files: [] },
    {
      name: "WebFetch",
      input: { url: "https://example.org", prompt: "p" },
      target: "https://example.org",
      files: [],
    },
    {
      name: "Agent",
      input: { prompt: "long …", description: "Find port", subagent_type: "x" },
      target: "Find port",
      files: [],
    },
    {
      name: "mcp__db__run",
      input: { limit: 3, statement: "select 1" },
      target: "select 1",
      files: [],
    },
    {
      name: "mcp__fs__read_many",
      input: { paths: ["/a", "/b", "/a", 3] },
      target: null,
      files: ["/a", "/b"],
    },
    { name: "TaskList", input: {}, target: null, files: [] },
  ])("$name is pointed at $target", ({ name, input, target, files }) => {
    expect(call(name, input)).toMatchObject({ tool: name, target, files });
  });

  test("a long target is cut to one line of a listing", () => {
    const entry = call("Bash", { command: `echo ${"word ".repeat(100_000)}` });
    expect(entry?.type === "tool-call" && entry.target?.length).toBeLessThanOrEqual(300);
  });
});

describe("tool results", () => {
  test("of a call that went well, nothing is kept but a line that says it failed", () => {
    expect(result("ok\nError: unknown flag\nusage", {}, false)).toMatchObject([
      { isError: false, firstErrorLine: "Error: unknown flag" },
    ]);
    expect(result("no error at all", {}, false)).toEqual([
      {
        type: "tool-result",
        line: 7,
        promptId: "p-1",
        toolUseId: "t-1",
        isError: false,
        isRejected: false,
        firstErrorLine: null,
        choices: [],
        refusal: null,
      },
    ]);
  });

  test.each([
    {
      output: "Exit code 3\ncat: /x: No such file or directory",
      line: "exit 3: cat: /x: No such file or directory",
    },
    { output: "Error: Exit code 1", line: "exit 1" },
    {
      output: "Exit code 1\n> shop@1.0 test\n> vitest\n\n\u001b[31mFAIL\u001b[0m a.test.ts\nx",
      line: "exit 1: FAIL a.test.ts",
    },
    {
      output: "<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>",
      line: "String to replace not found in file.",
    },
    { output: "\n\n  something odd\nmore", line: "something odd" },
    {
      output: [{ type: "text", text: "boom: connection refused" }],
      line: "boom: connection refused",
    },
    { output: "", line: null },
  ])("the error line is $line", ({ output, line }) => {
    expect(result(output)).toMatchObject([
      { isError: true, isRejected: false, firstErrorLine: line },
    ]);
  });

  test.each([
    { name: "declined", more: { toolDenialKind: "user-rejected" }, text: "no" },
    {
      name: "declined in an old client",
      more: {},
      text: "The user doesn't want to proceed with this tool use. The tool use was rejected",
    },
  ])("a call that the user $name is rejected, not failed", ({ more, text }) => {
    expect(result(text, more)).toMatchObject([{ isRejected: true, firstErrorLine: null }]);
  });
});

describe("interruptions, compaction and forks", () => {
  test.each([
    { text: "[Request interrupted by user]" },
    { text: "[Request interrupted by user for tool use]" },
    { text: "[Request interrupted: the system running this conversation stopped.]" },
  ])("$text", ({ text }) => {
    expect(user([{ type: "text", text }])).toEqual([
      { type: "interrupt", line: 7, atMs, promptId: "p-1" },
    ]);
    expect(user(text)).toHaveLength(1);
  });

  test("a compaction's summary, without the words that frame it", () => {
    const content =
      "This session is being continued …\n\n<system-reminder>\nTools\n</system-reminder>\nSummary:\n1. Intent:\n  " +
      " Ship it.\n\nIf you need specific details from before compaction, read …";
    expect(user(content, { isCompactSummary: true, isVisibleInTranscriptOnly: true })).toEqual([
      { type: "compact-summary", line: 7, atMs, text: "1. Intent:\n   Ship it." },
    ]);
  });

  test("copied lines name the session they came from", () => {
    const copied = assistant([{ type: "text", text: "yes" }], { requestSessionId: "s-0" });
    expect(copied[0]).toEqual({ type: "inherited", line: 7, sessionId: "s-0" });
    const branched = user("hi", { forkedFrom: { sessionId: "s-9", messageUuid: "u" } });
    expect(branched[0]).toMatchObject({ type: "inherited", sessionId: "s-9" });
    expect(assistant([], { requestSessionId: "s-1" })).toEqual([]);
  });
});

describe("a format that is not ours", () => {
  test.each([
    "",
    " ",
    "{",
    "null",
    "[]",
    '"user"',
    '{"type":"user"}',
    '{"type":"user","message":3}',
    '{"type":"assistant","message":{"content":[null,3,{"type":"text"},{"type":"tool_use"}]}}',
    '{"type":"user","message":{"content":[{"type":"tool_result"}]},"timestamp":{}}',
    '{"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt"}}',
  ])("%j is nothing", (line) => {
    expect(parseTranscriptLine(line, 1)).toEqual([]);
  });

  test("no JSON throws, whatever its fields hold", () => {
    const value = fc.jsonValue();
    const line = fc.record(
      {
        type: fc.constantFrom("user", "assistant", "attachment", "system"),
        subtype: fc.constantFrom("compact_boundary", null),
        message: fc.oneof(
          value,
          fc.record({
            content: fc.oneof(
              value,
              fc.array(
                fc.record(
                  {
                    type: fc.constantFrom("text", "tool_use", "tool_result"),
                    text: value,
                    id: value,
                    name: value,
                    input: value,
                    content: value,
                    tool_use_id: value,
                  },
                  { requiredKeys: [] },
                ),
              ),
            ),
          }),
        ),
        attachment: value,
        timestamp: value,
        origin: value,
        forkedFrom: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(line, (one) => Array.isArray(parseTranscriptLine(JSON.stringify(one), 1))),
    );
  });

  test("100 KB of half-open tags takes no time", () => {
    const started = cpuMs();
    user("<system-reminder>".repeat(6_000));
    user("<system-reminder></system-reminder>".repeat(3_000));
    user("<command-name".repeat(8_000));
    expect(cpuMs() - started).toBeLessThan(200);
  });
});
