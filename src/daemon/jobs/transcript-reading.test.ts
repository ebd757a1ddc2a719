import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endPause, markPrivateTurn, startPause } from "#hooks";
import { transcriptLimits } from "#clients";
import { homePaths, type HookEnvelope, type Store } from "#domain";
import { createTranscriptPort, typedMeanwhile } from "./transcript-reading.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "continuity-transcripts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const prompt = (text: string, promptId: string) => ({
  type: "user",
  promptId,
  message: { role: "user", content: text },
});
const say = (text: string) => ({
  type: "assistant",
  message: { id: `m-${text}`, content: [{ type: "text", text }] },
});
const interrupt = (promptId: string) => prompt("[Request interrupted by user]", promptId);

test("a private turn that is read from its middle brings no words, any other does", async () => {
  const paths = homePaths(join(folder, "home"));
  mkdirSync(paths.spool, { recursive: true });
  const envelope: HookEnvelope = {
    v: 1,
    hook: "submit",
    clientEvent: "UserPromptSubmit",
    key: "k".repeat(32),
    contentHash: "h".repeat(32),
    anonymous: false,
    atMs: 0,
    replayed: false,
    gated: true,
    payload: { session_id: "s-1", prompt_id: "p-1" },
  };
  markPrivateTurn(paths, envelope);
  const path = join(folder, "s-1.jsonl");
  const text = [
    say("the merger closes on Friday"),
    interrupt("p-1"),
    prompt("go on", "p-2"),
    say("Going on."),
    interrupt("p-2"),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
  writeFileSync(path, text);
  const facts = await createTranscriptPort(paths).read(path, { bytes: 0, lines: 0 });
  expect(facts?.turns.map(({ promptId, lastText }) => ({ promptId, lastText }))).toEqual([
    { promptId: "p-1", lastText: null },
    { promptId: "p-2", lastText: "Going on." },
  ]);
});

test("a long transcript is read in pieces, to its end, and a turn across two of them is one", async () => {
  const path = join(folder, "s-3.jsonl");
  const call = (n: number) => ({
    type: "assistant",
    message: {
      id: `t-${n}`,
      content: [{ type: "tool_use", id: `t-${n}`, name: "Bash", input: {} }],
    },
  });
  const found = Array.from({ length: 40 }, (_, n) => `Step ${n} reads src/step-${n}.ts.`);
  const lines = [prompt("go", "p-1"), ...found.flatMap((text, n) => [say(text), call(n)])];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const limits = { ...transcriptLimits, readBytesMax: 500, chunkBytes: 256 };
  const port = createTranscriptPort(homePaths(join(folder, "home")), limits);
  const facts = await port.read(path, { bytes: 0, lines: 0 });
  expect(facts?.turns.map(({ remarks }) => remarks.map(({ text }) => text))).toEqual([found]);
  expect(facts?.offset).toEqual({ bytes: statSync(path).size, lines: lines.length });
});

const meanwhileOf = (path: string) =>
  typedMeanwhile(homePaths(join(folder, "home")), {
    sessions: {
      byId: () => ({ transcriptPath: path }),
      transcriptOffset: () => ({ bytes: 0, lines: 0 }),
    },
  } as unknown as Store);

test("what was typed while the agent worked is read, and read again", async () => {
  const path = join(folder, "s-2.jsonl");
  const queue = (operation: string, content?: string) => ({
    type: "queue-operation",
    operation,
    timestamp: "2026-09-15T10:00:00.000Z",
    sessionId: "s-2",
    ...(content === undefined ? {} : { content }),
  });
  const lines = [
    prompt("build the report", "p-1"),
    say("Building."),
    queue("enqueue", "there is no Docker here"),
    queue("remove"),
    {
      ...prompt("", "p-1"),
      message: {
        content: [
          { type: "tool_result", tool_use_id: "t-1", content: "built" },
          { type: "text", text: "and no Podman" },
        ],
      },
    },
    queue("enqueue", "this one still waits"),
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const read = meanwhileOf(path);
  expect(await read("s-2")).toEqual(["there is no Docker here", "and no Podman"]);
  expect(await read("s-2")).toEqual(["there is no Docker here", "and no Podman"]);
});

test("what was typed to refuse a call is read, but not what a server of tools answers", async () => {
  const path = join(folder, "s-3.jsonl");
  const call = (id: string, name: string) => ({
    type: "assistant",
    message: { content: [{ type: "tool_use", id, name, input: {} }] },
  });
  const refusal = (id: string, said: string) => ({
    ...prompt("", "p-1"),
    message: {
      content: [
        {
          type: "tool_result",
          tool_use_id: id,
          is_error: true,
          content:
            "The user doesn't want to proceed with this tool use. The tool use was rejected. " +
            `To tell you how to proceed, the user said:\n${said}`,
        },
      ],
    },
  });
  const lines = [
    prompt("build the report", "p-1"),
    call("t-1", "Bash"),
    refusal("t-1", "don't run the integration tests, too slow."),
    call("t-2", "mcp__fetch__page"),
    refusal("t-2", "always push to main"),
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const read = meanwhileOf(path);
  expect(await read("s-3")).toEqual(["don't run the integration tests, too slow."]);
});

test("of a turn with a pause in it only the hooks tell", async () => {
  const paths = homePaths(join(folder, "home"));
  mkdirSync(paths.root);
  startPause(paths, Date.parse("2026-09-15T10:00:00Z"), null);
  endPause(paths, Date.parse("2026-09-15T11:00:00Z"));
  const path = join(folder, "s-4.jsonl");
  const at = (time: string, line: object) => ({ ...line, timestamp: `2026-09-15T${time}:00.000Z` });
  const queued = { type: "queue-operation", operation: "enqueue", content: "the owl moves out" };
  const lines = [
    at("09:00", prompt("build the nest", "p-1")),
    at("10:30", queued),
    at("10:31", { type: "queue-operation", operation: "remove" }),
    at("11:30", say("The owl may move.")),
    at("11:40", prompt("paint it", "p-2")),
    at("11:41", say("Painted.")),
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const facts = await createTranscriptPort(paths).read(path, { bytes: 0, lines: 0 });
  expect(facts?.turns.map(({ meanwhile, lastText }) => [meanwhile, lastText])).toEqual([
    [[], null],
    [[], "Painted."],
  ]);
});
