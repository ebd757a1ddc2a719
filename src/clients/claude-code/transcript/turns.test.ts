import { describe, expect, test } from "bun:test";
import { parentSessionOf, sessionIdOfPath } from "./entry.ts";
import { parseTranscriptLine } from "./parse.ts";
import { turnsOf } from "./turns.ts";

/** A transcript in few words; each helper writes one line as the client does. */
const user = (content: unknown, more: object = {}) => ({
  type: "user",
  sessionId: "s-1",
  message: { role: "user", content },
  ...more,
});
let messages = 0;
const say = (text: string, id = `m-${(messages += 1)}`, more: object = {}) => ({
  type: "assistant",
  sessionId: "s-1",
  message: { id, content: [{ type: "text", text }] },
  ...more,
});
const call = (id: string, name: string, input: object) => ({
  type: "assistant",
  sessionId: "s-1",
  message: { id: `m-${id}`, content: [{ type: "tool_use", id, name, input }] },
});
const done = (id: string, error: string | null = null, ...beside: readonly object[]) =>
  user([
    {
      type: "tool_result",
      tool_use_id: id,
      is_error: error !== null,
      content: error ?? "lots of output",
    },
    ...beside,
  ]);
const interrupt = user([{ type: "text", text: "[Request interrupted by user for tool use]" }]);
const queued = (text: string) => ({
  type: "attachment",
  attachment: { type: "queued_command", commandMode: "prompt", prompt: text },
});
const enqueue = (content: string) => ({ type: "queue-operation", operation: "enqueue", content });
const queue = (operation: string) => ({ type: "queue-operation", operation });
const command = (name: string) =>
  user(`<command-name>/${name}</command-name><command-args></command-args>`);

const entriesOf = (...lines: readonly object[]) =>
  lines.flatMap((line, index) => parseTranscriptLine(JSON.stringify(line), index + 1));
const turns = (...lines: readonly object[]) => turnsOf(entriesOf(...lines));

describe("turns", () => {
  test("run from one prompt to the next, with its answer, what was said before, and every call", () => {
    const [first, second] = turns(
      user("fix the port"),
      say("I'll look."),
      call("t1", "Read", { file_path: "/a.ts" }),
      done("t1"),
      say("Found it."),
      call("t2", "Bash", { command: "pnpm test" }),
      done("t2", "Exit code 1\nFAIL a.test.ts"),
      say("Fixed: it is 5433."),
      user("thanks"),
      say("Welcome."),
    );
    expect(first).toMatchObject({
      prompts: [{ text: "fix the port", line: 1 }],
      command: null,
      remarks: [
        { text: "I'll look.", line: 2 },
        { text: "Found it.", line: 5 },
      ],
      answer: { text: "Fixed: it is 5433.", line: 8 },
      interrupted: false,
      failed: false,
      inherited: false,
      firstLine: 1,
    });
    expect(first?.toolCalls).toMatchObject([
      { tool: "Read", outcome: "ok", errorLine: null },
      { tool: "Bash", outcome: "error", errorLine: "exit 1: FAIL a.test.ts" },
    ]);
    expect(second).toMatchObject({ remarks: [], answer: { text: "Welcome." } });
  });

  test("a message's blocks are one text", () => {
    const [turn] = turns(user("go"), say("One.", "m"), say("Two.", "m"));
    expect(turn).toMatchObject({ answer: { text: "One.\n\nTwo." } });
  });

  test("a reading that begins in mid-turn knows by its end whose turn it was", () => {
    const [rest, next] = turns(
      say("Half a sentence, and"),
      user([{ type: "text", text: "[Request interrupted by user]" }], { promptId: "p-1" }),
      user("something else", { promptId: "p-2" }),
    );
    expect(rest).toMatchObject({ promptId: "p-1", prompts: [], interrupted: true });
    expect(next).toMatchObject({ promptId: "p-2", interrupted: false });
  });

  test("a turn that the API failed says so, unless something came after that", () => {
    const failed = say("API Error: 529", "m-f", { isApiErrorMessage: true });
    const [left, repeated] = turns(user("go"), failed, user("again"), failed, say("Here it is."));
    expect(left).toMatchObject({ failed: true, answer: null });
    expect(repeated).toMatchObject({ failed: false, answer: { text: "Here it is." } });
  });

  test("an interrupted turn says so, and its call is rejected or unknown", () => {
    const [cut, open] = turns(
      user("run it"),
      call("t1", "Bash", { command: "sleep 99" }),
      user([{ type: "tool_result", tool_use_id: "t1", is_error: true, content: "no" }], {
        toolDenialKind: "user-rejected",
      }),
      interrupt,
      user("again"),
      call("t2", "Bash", { command: "sleep 99" }),
    );
    expect(cut).toMatchObject({ interrupted: true, toolCalls: [{ outcome: "rejected" }] });
    expect(open).toMatchObject({ interrupted: false, toolCalls: [{ outcome: "unknown" }] });
  });

  test.each([
    ["in a line of its own", queued("use pnpm")],
    ["beside a tool's result", done("t1", null, { type: "text", text: "use pnpm" })],
  ])("what was said meanwhile belongs to the running turn: %s", (_, line) => {
    const result = turns(user("run it"), call("t1", "Bash", {}), line, say("Done."));
    expect(result).toHaveLength(1);
    expect(result[0]?.prompts.map(({ text }) => text)).toEqual(["run it", "use pnpm"]);
  });

  test("a message that stands in the client's queue alone belongs to the turn that was running", () => {
    const result = turns(
      user("plan it"),
      call("t1", "Bash", { command: "git commit -m plan" }),
      enqueue("Stop committing planning!"),
      queue("remove"),
      done("t1"),
      say("Done."),
      user("next"),
    );
    expect(result.map(({ prompts }) => prompts.map(({ text, queued }) => [text, queued]))).toEqual([
      [
        ["plan it", false],
        ["Stop committing planning!", true],
      ],
      [["next", false]],
    ]);
  });

  test.each([
    ["beside the turn", [enqueue("use pnpm"), queue("remove"), queued("use pnpm"), say("Done.")]],
    ["as a prompt", [enqueue("use pnpm"), say("Done."), queue("dequeue"), user("use  pnpm")]],
    [
      "with another one in one prompt",
      [
        enqueue("use pnpm"),
        enqueue("and hurry"),
        say("Done."),
        queue("dequeue"),
        queue("dequeue"),
        user("use pnpm\nand hurry"),
      ],
    ],
  ])("a queued message that was delivered %s counts once", (_, lines) => {
    const said = turns(user("run it"), ...lines).flatMap(({ prompts }) =>
      prompts.map(({ text }) => text),
    );
    expect(said.join(" ").match(/pnpm/g)).toHaveLength(1);
  });

  test("what went back to the editor, was not typed or still waits is no prompt", () => {
    const note = "<task-notification>done</task-notification>";
    const lines = [
      user("run it"),
      enqueue("half a thought"),
      queue("popAll"),
      enqueue(note),
      queue("remove"),
      enqueue("/clear"),
      queue("remove"),
      enqueue("at the end"),
    ];
    const said = (isOver: boolean): readonly string[] =>
      turnsOf(entriesOf(...lines), null, { isOver }).flatMap(({ prompts }) =>
        prompts.map(({ text }) => text),
      );
    expect(said(false)).toEqual(["run it"]);
    // Nothing came after it, and it was typed all the same.
    expect(said(true)).toEqual(["run it", "at the end"]);
  });

  test("a command opens a turn only if the model answered it", () => {
    const result = turns(
      user("hi"),
      say("Hello."),
      command("model"),
      user("<local-command-stdout>ok</local-command-stdout>"),
      command("review"),
      say("Reviewing."),
      command("compact"),
      user("next"),
    );
    expect(result.map(({ command, prompts }) => command?.text ?? prompts[0]?.text)).toEqual([
      "hi",
      "/review",
      "next",
    ]);
    expect(result[0]?.answer?.text).toBe("Hello.");
  });

  test("a batch that begins in the middle of a turn keeps its rest without a prompt", () => {
    const result = turns(done("t0"), say("Done."), user("next"));
    expect(result).toMatchObject([{ prompts: [], answer: { text: "Done." } }, { firstLine: 3 }]);
  });

  test("compaction and bookkeeping open none", () => {
    const boundary = { type: "system", subtype: "compact_boundary" };
    expect(
      turns(boundary, user("Summary:\nx", { isCompactSummary: true }), command("compact")),
    ).toEqual([]);
  });
});

describe("forks", () => {
  const copies = [
    user("first", { sessionId: "s-2" }),
    say("One.", "m1", { sessionId: "s-2", requestSessionId: "s-0" }),
    user("second", { sessionId: "s-2" }),
    say("Two.", "m2", { sessionId: "s-2", requestSessionId: "s-1" }),
    user("own", { sessionId: "s-2" }),
    say("Three.", "m3", { sessionId: "s-2" }),
  ];

  test("come from the last session that is named, and inherit the turns up to there", () => {
    const entries = entriesOf(...copies);
    expect(parentSessionOf(entries, "s-2")).toEqual({ sessionId: "s-1", throughLine: 4 });
    expect(turnsOf(entries, "s-2").map(({ inherited }) => inherited)).toEqual([true, true, false]);
  });

  test("of old clients show the parent's id on the copied prompts", () => {
    const entries = entriesOf(user("a", { sessionId: "s-0" }), user("b", { sessionId: "s-9" }));
    expect(parentSessionOf(entries, "s-9")).toEqual({ sessionId: "s-0", throughLine: 1 });
  });

  test("a session of its own has no parent", () => {
    expect(parentSessionOf(entriesOf(user("a"), say("b")), "s-1")).toBeNull();
  });

  test.each([
    {
      path: "/p/11111111-2222-4333-8444-555555555555.jsonl",
      id: "11111111-2222-4333-8444-555555555555",
    },
    {
      path: "C:\\p\\11111111-2222-4333-8444-555555555555.jsonl",
      id: "11111111-2222-4333-8444-555555555555",
    },
    { path: "/p/agent-aae771b2dfab472a4.jsonl", id: null },
    { path: "/p/notes.txt", id: null },
  ])("$path belongs to $id", ({ path, id }) => {
    expect(sessionIdOfPath(path)).toBe(id);
  });
});

test("of a subagent nothing is there", () => {
  const side = { isSidechain: true, agentId: "a-1" };
  const entries = entriesOf(
    user("find it", side),
    {
      ...say("Looking."),
      ...side,
      message: { stop_reason: "tool_use", content: [{ type: "text", text: "Looking." }] },
    },
    { ...say("In a.ts."), ...side },
  );
  expect(turnsOf(entries)).toEqual([]);
});
