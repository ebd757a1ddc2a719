/**
 * Tests what a bench on real sessions sends and writes down, on two invented sessions and a memory
 * whose answers are known.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectOf } from "#hooks";
import { scriptedSubject } from "../home/scripted.ts";
import { countsOf, live, projectName, scriptOfReal, sessionsIn } from "./live.ts";
import { sampleOf, sheetsOf } from "./sheets.ts";
import { readRealSession } from "./turns.ts";

let root = "";
let folder = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "continuity-real-test-"));
  folder = join(root, "-home-dev-kiln");
  mkdirSync(folder);
  writeFileSync(join(folder, "old.jsonl"), session("2026-04-01", ["fire the kiln", "commit"]));
  writeFileSync(
    join(folder, "new.jsonl"),
    session("2026-04-02", ["commit", "which glaze | do we use?", "yes"]),
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const cwd = "/Users/pia/code/kiln";

/** A transcript: prompts with a tool each, and what no person typed in between. */
function session(day: string, prompts: readonly string[], at = cwd): string {
  const lines: object[] = [];
  const write = (row: object): void =>
    void lines.push({
      cwd: at,
      uuid: `${day}-${lines.length}`,
      parentUuid: null,
      timestamp: `${day}T09:00:${`${lines.length}`.padStart(2, "0")}.000Z`,
      ...row,
    });
  const user = (content: unknown, more: object = {}) =>
    write({ type: "user", message: { role: "user", content }, ...more });
  user("<system-reminder>be brief</system-reminder>");
  for (const prompt of prompts) {
    const id = `t-${lines.length}`;
    user(prompt);
    write({
      type: "assistant",
      message: {
        content: [{ type: "tool_use", id, name: "Read", input: { file_path: `${at}/a` } }],
      },
    });
    user([{ type: "tool_result", tool_use_id: id }], { toolUseResult: { type: "text" } });
    write({ type: "assistant", message: { content: [{ type: "text", text: `done: ${prompt}` }] } });
  }
  user("[Request interrupted by user]");
  user("a side question", { isSidechain: true });
  return [...lines.map((row) => JSON.stringify(row)), "{ cut"].join("\n");
}

test("a plan that was accepted is a prompt, and prompts are named as the client does", () => {
  const path = join(root, "plan.jsonl");
  const [first = "", ...rest] = session("2026-04-03", ["Implement the following plan:\n\n# Glaze"])
    .split("\n")
    .slice(1);
  writeFileSync(
    path,
    [JSON.stringify({ ...JSON.parse(first), promptId: "p-9" }), ...rest].join("\n"),
  );
  expect(readRealSession(path).turns).toMatchObject([
    { prompt: "Implement the following plan:\n\n# Glaze", promptId: "p-9" },
  ]);
});

test("a command that was answered is a prompt with its arguments, a refused call is told by the transcript alone", () => {
  const path = join(root, "refused.jsonl");
  const at = (n: number, row: object): string =>
    JSON.stringify({ uuid: `u${n}`, timestamp: `2026-04-04T09:00:0${n}.000Z`, ...row });
  const user = (n: number, content: unknown, more: object = {}): string =>
    at(n, { type: "user", message: { role: "user", content }, ...more });
  const call = (n: number, id: string, name: string): string =>
    at(n, { type: "assistant", message: { content: [{ type: "tool_use", id, name, input: {} }] } });
  const no =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
    "the new_string was NOT written to the file). To tell you how to proceed, the user said:\nglaze it twice";
  const result = { type: "tool_result", tool_use_id: "a", content: no, is_error: true };
  const failed = { type: "tool_result", tool_use_id: "b", content: "no such file", is_error: true };
  const lines = [
    user(1, "<command-name>/exit</command-name>\n<command-args></command-args>"),
    user(
      2,
      "<command-message>review</command-message>\n<command-name>/review</command-name>\n" +
        "<command-args>focus on the door</command-args>",
      { promptId: "p-2" },
    ),
    user(3, "You are a reviewer.", { isMeta: true }),
    call(4, "a", "Write"),
    user(5, [result], { toolUseResult: "Error: rejected" }),
    call(6, "b", "Read"),
    user(7, [failed], { toolUseResult: "Error: no such file" }),
  ];
  writeFileSync(path, lines.join("\n"));
  const real = readRealSession(path);
  expect(real.turns).toMatchObject([
    { prompt: "/review focus on the door", promptId: "p-2", line: 2, end: 7 },
  ]);
  const { events } = scriptOfReal(root, {
    cwd,
    lines,
    session: real,
    turns: real.turns,
  });
  const told = events.map(({ payload }) => [payload["hook_event_name"], payload["tool_use_id"]]);
  expect(told).toEqual([
    ["SessionStart", undefined],
    ["UserPromptSubmit", undefined],
    ["PostToolUseFailure", "b"],
    ["Stop", undefined],
    ["SessionEnd", undefined],
  ]);
});

const limits = { minSessions: 2, share: 0.8, maxPrompts: 120 };

test("what was typed is read with its tools and its answer, and nothing that the client wrote", () => {
  const { turns, folders } = readRealSession(join(folder, "old.jsonl"));
  expect(folders).toEqual([cwd]);
  expect(turns.map(({ prompt, answer, line, end }) => [prompt, answer, line, end])).toEqual([
    ["fire the kiln", "done: fire the kiln", 2, 5],
    ["commit", "done: commit", 6, 9],
  ]);
  expect(turns[0]?.tools).toMatchObject([
    { name: "Read", failed: false, response: { type: "text" } },
  ]);
});

const lived = async () => {
  const subject = scriptedSubject(join(root, "home"), {
    SessionStart: "## Memory\n- rules",
    commit: "- a line\n- another",
    yes: "- a line",
  });
  const scratch = mkdtempSync(join(root, "past-"));
  const past = { name: projectName(folder), sessions: sessionsIn(folder), scratch };
  const result = await live(subject, past, limits);
  return { subject, past, result, counts: countsOf(past, result, limits) };
};

test("the first part is imported where the project lies now, the rest is lived through by hooks", async () => {
  const { subject, past, result, counts } = await lived();
  const [copy = ""] = readdirSync(past.scratch);
  const imported = readFileSync(join(past.scratch, copy, "old.jsonl"), "utf8");
  expect(imported).toContain(join(subject.home, "kiln"));
  expect(imported).not.toContain(cwd);
  expect(subject.sent.map(({ payload }) => payload["hook_event_name"])).toEqual([
    "SessionStart",
    ...["commit", "glaze", "yes"].flatMap(() => ["UserPromptSubmit", "PostToolUse", "Stop"]),
    "SessionEnd",
  ]);
  expect(result.prompts.map(({ given }) => given)).toEqual(["- a line\n- another", "", "- a line"]);
  expect(counts).toMatchObject({
    project: "kiln",
    sessions: 2,
    prompts_imported: 2,
    prompts: 3,
    injected: 0.667,
    injected_short: 1,
    twice: 1,
  });
});

test("sessions that moved to a subfolder, or were started in one, stay in the project", async () => {
  const own = join(root, "-home-dev-sub");
  mkdirSync(own);
  const moved = session("2026-04-01", ["fire the kiln"]).split("\n");
  // Most of it happens below, and a folder beside begins with the same letters.
  const below = moved.map((line, at) =>
    at < 2 ? line : line.replace(`"cwd":"${cwd}"`, `"cwd":"${cwd}/web"`),
  );
  writeFileSync(join(own, "a.jsonl"), [...below, `"${cwd}-old"`].join("\n"));
  writeFileSync(join(own, "b.jsonl"), session("2026-04-02", ["yes"], `${cwd}/web/ui`));
  const subject = scriptedSubject(join(root, "home-sub"), {});
  const scratch = mkdtempSync(join(root, "past-"));
  const past = { name: "kiln", sessions: sessionsIn(own), scratch };
  await live(subject, past, { ...limits, share: 0.5 });
  const here = join(subject.home, "kiln");
  const [copy = ""] = readdirSync(scratch);
  const imported = readFileSync(join(scratch, copy, "a.jsonl"), "utf8");
  expect(new Set(imported.match(/(?<="cwd":")[^"]+/g))).toEqual(new Set([here, `${here}/web`]));
  expect(imported).toContain(`"${cwd}-old"`);
  const [start] = subject.sent;
  const lived = readFileSync(String(start?.payload["transcript_path"]), "utf8");
  expect(new Set(lived.match(/(?<="cwd":")[^"]+/g))).toEqual(new Set([`${here}/web/ui`]));
  expect(projectOf(`${here}/web/ui`)?.root).toBe(here);
});

test("sheets hold samples with empty verdicts, whatever stands in a prompt", async () => {
  const { result } = await lived();
  const sizes = { memories: 5, injections: 1, silent: 5, starts: 5 };
  const sheets = sheetsOf("kiln", result, { sizes, seed: 1 });
  expect([...sheets.keys()]).toEqual([
    "kiln.memories.md",
    "kiln.injections.md",
    "kiln.silent.md",
    "kiln.starts.md",
  ]);
  expect(sheets.get("kiln.silent.md")).toContain("| 1 | new | which glaze \\| do we use? |  |  |");
  expect(sheets.get("kiln.injections.md")?.match(/^\| \d/gm)).toHaveLength(1);
  expect(sheets.get("kiln.starts.md")).toContain("| 2 | new | - rules |  |  |");
});

test("a sample is the same for the same seed, in order, and another one for another", () => {
  const all = Array.from({ length: 100 }, (_, n) => n);
  const first = sampleOf(all, 10, 1);
  expect(first).toEqual(sampleOf(all, 10, 1));
  expect(first).toEqual([...first].toSorted((a, b) => a - b));
  expect(sampleOf(all, 10, 2)).not.toEqual(first);
  expect(sampleOf(all, 200, 1)).toEqual(all);
});
