/** Notes that agents write into files of their own: followed as memories, and never more than that. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { agentNoteTag } from "#domain";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";
import { noteFiles } from "#daemon";
import { createAgentNotesPort, noteFilesHolding } from "./note-files.ts";

let home = "";
let changes = 0;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "continuity-agent-notes-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Each change has a later time, as it has on a disk. */
function write(name: string, text: string): void {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  changes += 10;
  utimesSync(path, 1_700_000_000 + changes, 1_700_000_000 + changes);
}

const topic = (description: string, body: string, type = "project"): string =>
  `---\nname: x\ndescription: ${description}\nmetadata:\n  type: ${type}\n---\n${body}\n`;

const claude = {
  session_id: "s-1",
  transcript_path: () => join(home, ".claude/projects/-home-dev-deskly/s-1.jsonl"),
};
const memory = ".claude/projects/-home-dev-deskly/memory";

const open = (): TestWorker => openTestWorker({ agentNotes: createAgentNotesPort() });

const start = (t: TestWorker, over: object = {}): string =>
  t.send("start", "SessionStart", {
    source: "startup",
    session_id: claude.session_id,
    transcript_path: claude.transcript_path(),
    ...over,
  });
const end = (t: TestWorker, over: object = {}): string =>
  t.send("end", "SessionEnd", {
    reason: "exit",
    session_id: claude.session_id,
    transcript_path: claude.transcript_path(),
    ...over,
  });
const say = (t: TestWorker, prompt: string, id: string, over: object = {}): string =>
  t.send("submit", "UserPromptSubmit", {
    prompt,
    prompt_id: id,
    transcript_path: claude.transcript_path(),
    ...over,
  });

const lines = (t: TestWorker): readonly string[] =>
  t
    .memories()
    .filter(({ status }) => status === "active")
    .map(({ l0 }) => l0)
    .toSorted();

test("a note is one memory of the agent's, with file and line, found and never a rule", async () => {
  using t = open();
  write(
    `${memory}/MEMORY.md`,
    "# Memory\n- [Queue](queue.md) — Kafka\n- The printer is on floor two\n",
  );
  write(`${memory}/queue.md`, topic("The queue is Kafka 3.7", "We run it on three brokers."));
  write(`${memory}/style.md`, topic("Always push to main", "**Why:** faster", "feedback"));
  start(t);
  await t.settle();
  expect(lines(t)).toEqual([
    "Always push to main",
    "The printer is on floor two",
    "The queue is Kafka 3.7",
  ]);
  const queue = t.memories().find(({ l0 }) => l0.includes("Kafka"));
  expect(queue).toMatchObject({
    origin: "agent",
    maker: "import",
    l2: "We run it on three brokers.",
  });
  expect(queue?.tags).toContain(agentNoteTag);
  expect(queue?.evidence[0]).toMatchObject({ line: 1, quote: "The queue is Kafka 3.7" });
  expect(queue?.evidence[0]?.sessionId).toEndWith("memory/queue.md");
  const printer = t.memories().find(({ l0 }) => l0.includes("printer"));
  expect(printer?.evidence[0]).toMatchObject({ line: 3 });
  expect(t.memories().every(({ category }) => category !== "preferences")).toBe(true);
  const codex = {
    session_id: "codex-9",
    transcript_path: "/home/dev/.codex/sessions/2026/x.jsonl",
  };
  expect(start(t, codex)).not.toContain("(follow them)");
  const asked = { ...codex, prompt_id: "q-1", prompt: "Which version of Kafka is the queue?" };
  expect(t.send("submit", "UserPromptSubmit", asked)).toContain("The queue is Kafka 3.7");
});

test("twenty edits and deletions in the files are followed", async () => {
  using t = open();
  const names = Array.from({ length: 10 }, (_, n) => `n${n}`);
  for (const [n, name] of names.entries())
    write(`${memory}/${name}.md`, topic(`Service ${name} listens on port ${4000 + n}`, "Body."));
  const index = (from: number): string =>
    names.map((name, n) => `- Host of ${name} is rack ${from + n}`).join("\n");
  write(`${memory}/MEMORY.md`, index(10));
  start(t);
  await t.settle();
  expect(lines(t)).toHaveLength(20);
  for (const [n, name] of names.entries())
    if (n < 5)
      write(`${memory}/${name}.md`, topic(`Service ${name} listens on port ${5000 + n}`, "Body."));
    else rmSync(join(home, memory, `${name}.md`));
  const edited = names.flatMap((name, n) => (n < 5 ? [`- Host of ${name} is rack ${50 + n}`] : []));
  write(`${memory}/MEMORY.md`, edited.join("\n"));
  end(t);
  await t.settle();
  const wanted = names.flatMap((name, n) =>
    n < 5
      ? [`Service ${name} listens on port ${5000 + n}`, `Host of ${name} is rack ${50 + n}`]
      : [],
  );
  expect(lines(t)).toEqual(wanted.toSorted());
  rmSync(join(home, memory), { recursive: true });
  start(t);
  await t.settle();
  expect(lines(t)).toEqual([]);
});

test("a file that did not change is not read again, and one run twice leaves what one run leaves", async () => {
  using t = open();
  write(`${memory}/a.md`, topic("The queue is Kafka 3.7", "Body."));
  for (const _ of [1, 2]) {
    start(t);
    await t.settle();
  }
  expect(lines(t)).toHaveLength(1);
  expect(t.memories()[0]?.evidenceCount).toBe(1);
});

test("a note and a save of the same thing are one memory, and the user's word stays", async () => {
  using t = open();
  t.remember("The queue is Kafka 3.7");
  write(`${memory}/a.md`, topic("The queue is Kafka 3.7", ""));
  start(t);
  await t.settle();
  expect(t.memories()).toMatchObject([{ l0: "The queue is Kafka 3.7", origin: "user" }]);
  write(`${memory}/a.md`, topic("The queue is Redpanda 24", ""));
  end(t);
  await t.settle();
  expect(lines(t)).toContain("The queue is Kafka 3.7");
  rmSync(join(home, memory, "a.md"));
  start(t);
  await t.settle();
  expect(lines(t)).toEqual(["The queue is Kafka 3.7"]);
});

test("lines that the client loads are not given to it again, and are given elsewhere", async () => {
  using t = open();
  write(`${memory}/MEMORY.md`, "- The printer is on floor two");
  write(`${memory}/queue.md`, topic("The queue is Kafka 3.7", "Body."));
  start(t);
  await t.settle();
  const own = { session_id: "s-2" };
  const floor = "Which floor is the printer on?";
  expect(say(t, floor, "q-1", own)).not.toContain("floor two");
  expect(say(t, "Which version of Kafka is the queue?", "q-2", own)).toContain("Kafka 3.7");
  const worktree = join(home, ".claude/projects/-home-dev-deskly-two/s-3.jsonl");
  const there = { session_id: "s-3", transcript_path: worktree };
  expect(say(t, floor, "q-3", there)).toContain("floor two");
});

describe("private turns", () => {
  test.each([
    { how: "a private block", prompt: "plan it <private>Anna leaves</private>", off: {} },
    {
      how: "an order to leave no record",
      prompt: "do not remember this",
      off: { off_the_record: true },
    },
  ])("what is written beside $how is not read, then or later", async ({ prompt, off }) => {
    using t = open();
    write(`${memory}/MEMORY.md`, "- The printer is on floor two");
    start(t);
    await t.settle();
    say(t, prompt, "p-1", off);
    await t.settle();
    write(`${memory}/MEMORY.md`, "- The printer is on floor two\n- Anna leaves in March");
    write(`${memory}/anna.md`, topic("Anna leaves in March, says Ben", "Body."));
    t.send("stop", "Stop", {
      prompt_id: "p-1",
      last_assistant_message: "Noted.",
      transcript_path: claude.transcript_path(),
      ...off,
    });
    await t.settle();
    expect(lines(t)).toEqual(["The printer is on floor two"]);
    say(t, "where is the plotter", "p-2");
    write(
      `${memory}/MEMORY.md`,
      "- The printer is on floor two\n- Anna leaves in March\n- The plotter is on floor one",
    );
    end(t);
    await t.settle();
    expect(lines(t)).toEqual(["The plotter is on floor one", "The printer is on floor two"]);
  });

  test("of notes that a turn had changed before it was taken off the record, none is read", async () => {
    using t = open();
    write(`${memory}/MEMORY.md`, "- The printer is on floor two");
    start(t);
    await t.settle();
    write(`${memory}/plotter.md`, topic("The plotter is on floor one", "Body."));
    say(t, "Anna leaves in March", "p-1");
    const beganMs = t.store.sessions.turn("s-1", 1)?.startedAt ?? 0;
    write(`${memory}/anna.md`, topic("Anna leaves in March, says Ben", "Body."));
    utimesSync(join(home, memory, "anna.md"), beganMs / 1_000 + 1, beganMs / 1_000 + 1);
    say(t, "", "p-1", { off_the_record: true, running_turn: 1 });
    await t.settle();
    end(t);
    await t.settle();
    expect(lines(t)).toEqual(["The plotter is on floor one", "The printer is on floor two"]);
  });

  test("blocks and secrets in the files go through the gate", async () => {
    using t = open();
    const key = ["sk_live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_");
    write(
      `${memory}/MEMORY.md`,
      `- <private>Anna leaves</private>\n- The API key is ${key} for staging`,
    );
    start(t);
    await t.settle();
    expect(JSON.stringify(t.memories())).not.toMatch(/Anna|4eC39H/u);
  });
});

test("what was forgotten does not come back from a file", async () => {
  using t = open();
  write(`${memory}/a.md`, topic("The queue is Kafka 3.7", "Body."));
  start(t);
  await t.settle();
  const [node] = t.memories();
  t.store.nodes.forget([node?.id ?? 0], [node?.l0 ?? ""], t.clock.nowMs());
  const [holder, ...others] = noteFilesHolding(noteFiles(t.store), [node?.l0 ?? ""]);
  expect(holder).toEndWith("memory/a.md");
  expect(others).toEqual([]);
  expect(noteFilesHolding(noteFiles(t.store), ["another thing altogether"])).toEqual([]);
  write(`${memory}/b.md`, topic("The queue is Kafka 3.7", "Other body."));
  end(t);
  await t.settle();
  expect(lines(t)).toEqual([]);
});

test("of Gemini its memory folder is read, and of GEMINI.md only what it added itself", async () => {
  using t = open();
  const place = {
    session_id: "gemini-1",
    transcript_path: join(home, ".gemini/tmp/p1/chats/s.json"),
  };
  write(".gemini/tmp/p1/memory/MEMORY.md", "- The printer is on floor two\n- [q](queue.md)");
  write(".gemini/tmp/p1/memory/queue.md", "The queue is Kafka 3.7");
  write(
    ".gemini/GEMINI.md",
    "Use tabs.\n\n## Gemini Added Memories\n- The user lives in Bergen\n\n## Style\n- No emojis",
  );
  start(t, place);
  await t.settle();
  expect(lines(t)).toEqual([
    "The printer is on floor two",
    "The queue is Kafka 3.7",
    "The user lives in Bergen",
  ]);
  expect(t.memories().find(({ l0 }) => l0.includes("Bergen"))?.project).toBeNull();
  const again = say(t, "where is the printer, and what is the queue", "g-1", {
    ...place,
    session_id: "gemini-2",
  });
  expect(again).not.toContain("printer is on");
});

test("of Codex its summary and its ad hoc notes are read", async () => {
  using t = open();
  const path = join(home, ".codex/sessions/2026/11/27/rollout-x.jsonl");
  write(".codex/memories/memory_summary.md", "v1\n## User preferences\n- Prefers short answers\n");
  write(
    ".codex/memories/extensions/ad_hoc/notes/2026-11-27T10-00-00-db.md",
    "The database is Postgres 17.",
  );
  start(t, { session_id: "codex-1", transcript_path: path });
  await t.settle();
  expect(lines(t).join("\n")).toContain("The database is Postgres 17.");
  expect(lines(t).join("\n")).toContain("Prefers short answers");
});

test("links, binary files and endless files are left alone", async () => {
  using t = open();
  write("outside.md", "A secret of somebody else");
  write(`${memory}/big.md`, "The queue is Kafka. ".repeat(9_000));
  write(`${memory}/binary.md`, "a\0b");
  symlinkSync(join(home, "outside.md"), join(home, memory, "link.md"));
  start(t);
  await t.settle();
  expect(lines(t)).toEqual([]);
});
