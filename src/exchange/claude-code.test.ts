/** Backfill from transcripts and memory folders: what becomes of turns, and that nothing comes twice. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Database } from "bun:sqlite";
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { homeDigest } from "../../test/support/import/digest.ts";
import {
  importNowMs,
  Killed,
  openTestImport,
  type TestImport,
} from "../../test/support/import/open.ts";
import { writeTranscripts } from "../../test/support/import/transcripts.ts";

// Real stores on a disk that may be busy.
setDefaultTimeout(20_000);

const sessionA = "aaaaaaaa-0000-4000-8000-000000000001";
const sessionB = "bbbbbbbb-0000-4000-8000-000000000002";
const startMs = Date.parse("2026-02-20T09:00:00Z");
const all = { limit: 500 };

type Said = {
  readonly prompt: string;
  readonly answer: string;
  readonly edits?: string;
  /** Said before the edit. */
  readonly remark?: string;
};

/** One session as the client writes it; a minute a line. */
function transcript(
  sessionId: string,
  said: readonly Said[],
  options: { cwd?: string; startMs?: number } = {},
): string {
  const { cwd = "/home/dev/ferry", startMs: begin = startMs } = options;
  let line = 0;
  const base = () => ({
    uuid: `${sessionId}-${(line += 1)}`,
    sessionId,
    cwd,
    gitBranch: "main",
    isSidechain: false,
    timestamp: new Date(begin + line * 60_000).toISOString(),
  });
  const lines = said.flatMap(({ prompt, answer, edits, remark }, index) => [
    {
      ...base(),
      type: "user",
      promptId: `${sessionId.slice(0, 4)}-${index}`,
      message: { role: "user", content: prompt },
    },
    ...(edits === undefined
      ? []
      : [
          {
            ...base(),
            type: "assistant",
            message: { id: `r${index}`, content: [{ type: "text", text: remark ?? "" }] },
          },
          {
            ...base(),
            type: "assistant",
            message: {
              id: `m${index}`,
              content: [
                { type: "tool_use", id: `t${index}`, name: "Edit", input: { file_path: edits } },
              ],
            },
          },
          {
            ...base(),
            type: "user",
            message: {
              content: [{ type: "tool_result", tool_use_id: `t${index}`, content: "ok" }],
            },
          },
        ]),
    {
      ...base(),
      type: "assistant",
      message: { id: `a${index}`, content: [{ type: "text", text: answer }] },
    },
  ]);
  return lines.map((one) => `${JSON.stringify(one)}\n`).join("");
}

function put(t: TestImport, name: string, text: string): string {
  const path = join(t.folder, "projects", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const projects = (t: TestImport): string => join(t.folder, "projects");
const digest = (t: TestImport): string => {
  using database = new Database(join(t.folder, "continuity.db"), { readonly: true });
  return homeDigest(database);
};

const talk: readonly Said[] = [
  { prompt: "remember that the ferry api listens on port 7443", answer: "Noted: port 7443." },
  {
    prompt: "why does the last sailing vanish?",
    answer:
      "Root cause: the day boundary compared with less-than. I fixed src/day.ts and all 14 tests pass.",
    edits: "/home/dev/ferry/src/day.ts",
  },
];

describe("a transcript", () => {
  test("becomes a session with its own dates, project, prompts, summary and memories", async () => {
    using t = openTestImport();
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, talk));
    const report = await t.run("claude-code", projects(t));
    expect(report).toMatchObject({ read: 3, created: 3, merged: 0, skipped: 0, refused: 0 });
    expect(t.store.sessions.byId(sessionA)).toMatchObject({
      project: "example.com/team/ferry",
      projectName: "ferry",
      branch: "main",
      status: "completed",
      startedAt: startMs + 60_000,
      title: "remember that the ferry api listens on port 7443",
    });
    const turns = t.store.sessions.turns(sessionA);
    expect(turns.map(({ status, line }) => [status, line])).toEqual([
      ["closed", 1],
      ["closed", 3],
    ]);
    expect(turns[1]?.filesEdited).toEqual(["/home/dev/ferry/src/day.ts"]);
    expect(t.store.sessions.currentCheckpoint(sessionA)?.filesEdited).toEqual(["src/day.ts"]);
    const memories = t.store.nodes.list({ projects: null }, "uri", all);
    expect(memories.some(({ l0 }) => l0.includes("7443"))).toBe(true);
    expect(new Set(memories.map(({ origin, maker }) => `${origin} ${maker}`))).toEqual(
      new Set(["user import"]),
    );
    expect(memories.every(({ createdAt }) => createdAt < importNowMs)).toBe(true);
  });

  test("has the answered questions, refusals, commands and queued messages that a live session has", async () => {
    using t = openTestImport();
    let line = 0;
    const at = () => new Date(startMs + (line += 1) * 1_000).toISOString();
    const row = (type: string, more: object): string =>
      JSON.stringify({
        type,
        sessionId: sessionA,
        cwd: "/home/dev/ferry",
        timestamp: at(),
        uuid: `u-${line}`,
        ...more,
      });
    const found = "The linter has no --fast: the flag went with version 4.";
    const user = (content: unknown, more: object = {}): string =>
      row("user", { message: { role: "user", content }, ...more });
    const call = (id: string, name: string, input: object): string =>
      row("assistant", {
        message: { id: `m-${id}`, content: [{ type: "tool_use", id, name, input }] },
      });
    const result = (id: string, content: string, isError = false, more: object = {}): string =>
      user([{ type: "tool_result", tool_use_id: id, content, is_error: isError }], more);
    const besides = { type: "text", text: "and use the north crane" };
    put(
      t,
      `-home-dev-ferry/${sessionA}.jsonl`,
      `${[
        user("plan the new quay"),
        call("t1", "AskUserQuestion", { questions: [] }),
        result("t1", "User has answered your questions.", false, {
          toolUseResult: {
            questions: [
              { question: "Which quay?", options: [{ label: "North" }, { label: "South" }] },
            ],
            answers: { "Which quay?": "North" },
          },
        }),
        call("t4", "ExitPlanMode", { plan: "# Move the quay\n\nThe old one floods." }),
        result("t4", "User has approved your plan."),
        call("t5", "ExitPlanMode", { plan: "# Raise the wall" }),
        result("t5", "The user doesn't want to proceed with this tool use. No.", true),
        call("t2", "Bash", { command: "git commit -m 'plan'" }),
        result(
          "t2",
          "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nno commits",
          true,
        ),
        row("queue-operation", { operation: "enqueue", content: "Stop committing planning!" }),
        call("t3", "Bash", { command: "pnpm test" }),
        row("queue-operation", { operation: "remove" }),
        result("t3", "Exit code 1\nFAIL quay.test.ts", true),
        call("t6", "Bash", { command: "linter run --fast 2>&1 | tail -3" }),
        result("t6", "Error: unknown flag: --fast\nUsage: linter"),
        call("t7", "Bash", { command: "cat quay.log" }),
        result("t7", "Error: the text of a file"),
        row("assistant", { message: { id: "m-8", content: [{ type: "text", text: found }] } }),
        call("t8", "Read", { file_path: "/home/dev/ferry/quay.log" }),
        user([{ type: "tool_result", tool_use_id: "t8", content: "read" }, besides]),
        row("assistant", { message: { id: "m-9", content: [{ type: "text", text: "Planned." }] } }),
      ].join("\n")}\n`,
    );
    await t.run("claude-code", projects(t));
    const [turn] = t.store.sessions.turns(sessionA);
    expect(turn?.prompt).toBe(
      "plan the new quay\n\nStop committing planning!\n\nand use the north crane",
    );
    const uses = t.store.sessions.toolUses(sessionA, 1);
    expect(uses.map(({ tool, outcome, text }) => [tool, outcome, text])).toEqual([
      ["AskUserQuestion", "ok", "Which quay? [North | South] → North"],
      ["ExitPlanMode", "ok", "plan:\n# Move the quay\n\nThe old one floods."],
      ["ExitPlanMode", "error", "The user refused this call.\nplan:\n# Raise the wall"],
      ["Bash", "error", "The user refused this call, the user said: no commits"],
      ["Bash", "error", "exit 1: FAIL quay.test.ts"],
      ["Bash", "ok", "Error: unknown flag: --fast"],
      ["Bash", "ok", null],
      ["Read", "ok", null],
      ["Remark", "ok", found],
    ]);
    expect(turn?.toolCount).toBe(8);
  });

  test("creates nothing the second time", async () => {
    using t = openTestImport();
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, talk));
    await t.run("claude-code", projects(t));
    const before = digest(t);
    expect(await t.run("claude-code", projects(t))).toMatchObject({
      read: 3,
      created: 0,
      skipped: 3,
      reasons: { "imported before": 3 },
    });
    expect(digest(t)).toBe(before);
  });

  test("that went on since brings its new turns only", async () => {
    using t = openTestImport();
    const path = put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, talk));
    await t.run("claude-code", projects(t));
    const more = transcript(sessionA, [
      ...talk,
      { prompt: "thanks, now the deck plan", answer: "Done." },
    ]);
    appendFileSync(path, more.split("\n").slice(-3).join("\n"));
    expect(await t.run("claude-code", projects(t))).toMatchObject({ created: 1, skipped: 3 });
    expect(t.store.sessions.turns(sessionA)).toHaveLength(3);
    expect(await t.run("claude-code", projects(t))).toMatchObject({ created: 0, skipped: 4 });
  });

  test("that was copied by a fork is imported once, and what the fork added once", async () => {
    using t = openTestImport();
    const original = transcript(sessionA, talk);
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, original);
    // Old clients rewrote the session id of the copies and kept everything else.
    const added = transcript(sessionB, [{ prompt: "now the deck plan", answer: "Done." }], {
      startMs: startMs + 3_600_000,
    });
    const fork = original.replaceAll(`"sessionId":"${sessionA}"`, `"sessionId":"${sessionB}"`);
    const path = put(t, `-home-dev-ferry/${sessionB}.jsonl`, fork + added);
    await t.run("claude-code", projects(t));
    const prompts = (id: string) => t.store.sessions.turns(id).map(({ prompt }) => prompt);
    expect(prompts(sessionA)).toEqual(talk.map(({ prompt }) => prompt));
    expect(prompts(sessionB)).toEqual(["now the deck plan"]);
    const more = [{ prompt: "and the cabins", answer: "Done." }];
    appendFileSync(
      path,
      transcript(sessionB, more, { startMs: startMs + 7_200_000 }).replaceAll(
        `${sessionB}-`,
        `${sessionB}-x`,
      ),
    );
    expect(await t.run("claude-code", projects(t))).toMatchObject({ created: 1 });
    expect(prompts(sessionB)).toEqual(["now the deck plan", "and the cabins"]);
  });

  test.each([
    ["in another folder", "-home-dev-ferry-worktree", ""],
    [
      "with a line of its own first",
      "-home-dev-ferry",
      transcript(sessionB, [{ prompt: "carry on from the other branch", answer: "Sure." }], {
        startMs: startMs + 1_800_000,
      }).replaceAll(`${sessionB}-`, `${sessionB}-own-`),
    ],
  ])("that was copied by a fork %s is imported once", async (_where, folder, own) => {
    using t = openTestImport();
    const said = [...talk, { prompt: "we decided to use port 4711 for the relay", answer: "Ok." }];
    const original = transcript(sessionA, said);
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, original);
    const copy = original.replaceAll(`"sessionId":"${sessionA}"`, `"sessionId":"${sessionB}"`);
    put(t, `${folder}/${sessionB}.jsonl`, own + copy);
    await t.run("claude-code", projects(t));
    const prompts = [sessionA, sessionB]
      .flatMap((id) => t.store.sessions.turns(id))
      .map(({ prompt }) => prompt ?? "");
    expect(prompts.filter((prompt) => prompt.includes("4711"))).toHaveLength(1);
    expect(prompts).toHaveLength(said.length + (own === "" ? 0 : 1));
    const kept = t.store.nodes.list({ projects: null }, "uri", all).map(({ l0 }) => l0);
    expect(kept.filter((l0) => l0.includes("4711"))).toHaveLength(1);
  });

  test("with a command and a teammate's message, copied by a fork: one command, no empty turn", async () => {
    using t = openTestImport();
    const teammate = '<teammate-message teammate_id="a">\nAlways run zz.sh.\n</teammate-message>';
    const command =
      "<command-name>/cabins</command-name><command-message>cabins</command-message>" +
      "<command-args>all of deck two</command-args>";
    const original = transcript(sessionA, [
      { prompt: teammate, answer: "I will." },
      { prompt: command, answer: "Deck two has 14 cabins." },
      ...talk,
    ]);
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, original);
    const added = transcript(
      sessionB,
      [
        { prompt: teammate, answer: "I will." },
        { prompt: "now the deck plan", answer: "Done." },
      ],
      { startMs: startMs + 3_600_000 },
    );
    const fork = original.replaceAll(`"sessionId":"${sessionA}"`, `"sessionId":"${sessionB}"`);
    put(t, `-home-dev-ferry/${sessionB}.jsonl`, fork + added);
    await t.run("claude-code", projects(t));
    const prompts = (id: string) => t.store.sessions.turns(id).map(({ prompt }) => prompt);
    expect(prompts(sessionA)).toEqual([
      "/cabins all of deck two",
      ...talk.map(({ prompt }) => prompt),
    ]);
    expect(prompts(sessionB)).toEqual(["now the deck plan"]);
    expect(t.store.sessions.byId(sessionA)?.title).toBe("/cabins all of deck two");
    expect(t.store.sessions.byId(sessionB)?.title).toBe("now the deck plan");
  });

  test("of teammates' messages alone is no session", async () => {
    using t = openTestImport();
    const prompt = '<teammate-message teammate_id="a">\nAlways run zz.sh.\n</teammate-message>';
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, [{ prompt, answer: "Ok." }]));
    await t.run("claude-code", projects(t));
    expect(t.store.sessions.byId(sessionA)).toBeNull();
    expect(t.store.nodes.list({ projects: null }, "uri", all)).toEqual([]);
  });

  test.each([
    "Please implement the following plan:",
    "please implement this plan:",
    "Plan to implement:",
  ])("%s begins what no user typed", async (head) => {
    using t = openTestImport();
    const prompt = `${head}\n\n# Cabins\n\nWe always use pnpm. Never use npm again.`;
    put(
      t,
      `-home-dev-ferry/${sessionA}.jsonl`,
      transcript(sessionA, [{ prompt, answer: "Done." }]),
    );
    await t.run("claude-code", projects(t));
    expect(t.store.nodes.list({ projects: null }, "uri", all)).toEqual([]);
    expect(t.store.nodes.children(`mem://sessions/${sessionA}/exchanges`, { limit: 9 })).toEqual(
      [],
    );
  });

  test("gives no memory of a plan put in as a prompt, and no turn of what the client wrote", async () => {
    using t = openTestImport();
    const said: readonly Said[] = [
      ...talk,
      {
        prompt:
          "Implement the following plan:\n\n# Cabins\n\nWe always use pnpm. Never use npm again.",
        answer: "Done.",
      },
      { prompt: "Operation stopped by hook: always run zz.sh first", answer: "ok" },
    ];
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, said));
    await t.run("claude-code", projects(t));
    const prompts = t.store.sessions.turns(sessionA).map(({ prompt }) => prompt ?? "");
    expect(prompts).toHaveLength(3);
    expect(prompts.join("\n")).not.toContain("Operation stopped");
    const kept = t.store.nodes.list({ projects: null }, "uri", all).map(({ l0 }) => l0);
    expect(kept.join("\n")).not.toMatch(/pnpm|zz\.sh/);
  });

  test("of a session that hooks captured is passed over", async () => {
    using t = openTestImport();
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, talk));
    t.store.sessions.upsert({ sessionId: sessionA, atMs: 5, status: "active" });
    t.store.sessions.openTurn({ sessionId: sessionA, promptId: null, prompt: "live", atMs: 5 });
    expect(await t.run("claude-code", projects(t))).toMatchObject({
      created: 0,
      reasons: { "the session is there already": 2 },
    });
    expect(t.store.sessions.turns(sessionA)).toHaveLength(1);
    expect(t.store.nodes.list({ projects: null }, "uri", all)).toEqual([]);
  });

  test("whose last turn may still be going on leaves it for the next import", async () => {
    using t = openTestImport({ nowMs: startMs + 5 * 60_000 });
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, talk));
    expect(await t.run("claude-code", projects(t))).toMatchObject({
      created: 2,
      reasons: { "still going on": 1 },
    });
  });

  test("is taken whatever stands between its lines, and a half-written end waits", async () => {
    using t = openTestImport();
    const text = transcript(sessionA, talk).split("\n");
    const strange = [
      "",
      "not json",
      '{"type":"hologram"}',
      '{"type":"user"',
      '{"type":"user","message":null}',
      "[]",
      "null",
      JSON.stringify({ type: "user", message: { content: [{ type: "tool_result" }] } }),
      "x".repeat(100_000),
    ];
    const path = put(
      t,
      `-home-dev-ferry/${sessionA}.jsonl`,
      text.flatMap((line, at) => [line, strange[at] ?? ""]).join("\n"),
    );
    appendFileSync(path, '{"type":"user","message":{"role":"user","content":"half');
    expect(await t.run("claude-code", projects(t))).toMatchObject({ created: 3, refused: 0 });
  });

  test("keeps nothing that is private, of a secret or of a turn that was private as a whole", async () => {
    using t = openTestImport();
    const said: readonly Said[] = [
      {
        prompt: "<private>the vault opens with plumbago-77</private>",
        answer: "plumbago-77 it is",
      },
      {
        prompt: "use <private>the code tangerine-4411</private> for the test",
        answer: "I used the code tangerine-4411 there.",
        edits: "/home/dev/ferry/src/door.ts",
        remark: "The door of the harbour master takes tangerine-4411.",
      },
    ];
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, said));
    expect(await t.run("claude-code", projects(t))).toMatchObject({
      created: 2,
      skipped: 1,
      reasons: { "private as a whole": 1 },
    });
    const kept = JSON.stringify([
      t.store.sessions.turns(sessionA),
      t.store.sessions.checkpoints(sessionA),
      t.store.sessions.byId(sessionA),
    ]);
    expect(kept).not.toContain("plumbago");
    expect(kept).not.toContain("tangerine-4411");
    expect(t.store.sessions.toolUses(sessionA, null)).toEqual([]);
  });

  test("keeps no sentence that retells what was private, in a fork neither", async () => {
    using t = openTestImport();
    const retold = "As Grigorescu asked. The ferry sails at nine.";
    const said: readonly Said[] = [
      { prompt: "off the record: Grigorescu waits. Look at the ferry", answer: "Looked." },
      { prompt: "when does it sail?", answer: retold },
    ];
    const copied = transcript(sessionA, said)
      .trim()
      .split("\n")
      .map((line) => ({
        ...(JSON.parse(line) as object),
        sessionId: sessionB,
        forkedFrom: { sessionId: sessionA },
      }));
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, said));
    put(
      t,
      `-home-dev-ferry/${sessionB}.jsonl`,
      `${copied.map((line) => JSON.stringify(line)).join("\n")}\n` +
        transcript(sessionB, [{ prompt: "and back?", answer: retold }], { startMs: startMs + 1e7 }),
    );
    await t.run("claude-code", projects(t));
    const answers = [sessionA, sessionB].flatMap((id) =>
      t.store.sessions.turns(id).map(({ answer }) => answer),
    );
    expect(answers).toEqual(Array(2).fill("[redacted:private] The ferry sails at nine."));
  });

  test("keeps no secret that is repeated, in a later turn neither", async () => {
    using t = openTestImport();
    const said: readonly Said[] = [
      { prompt: "the wifi password is Plum.Harbor.7", answer: "Noted." },
      { prompt: "does it work?", answer: "Plum.Harbor.7 works." },
      { prompt: "then type Plum.Harbor.7 there", answer: "Done." },
    ];
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, said));
    await t.run("claude-code", projects(t));
    const turns = t.store.sessions.turns(sessionA);
    expect(turns.map(({ answer }) => answer)).toContain("[redacted:secret] works.");
    expect(turns.map(({ prompt }) => prompt)).toContain("then type [redacted:secret] there");
  });

  test("of an excluded project is not read", async () => {
    using t = openTestImport({ isExcluded: (cwd) => cwd.startsWith("/home/dev/ferry") });
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, talk));
    put(
      t,
      `-home-dev-quay/${sessionB}.jsonl`,
      transcript(sessionB, talk, { cwd: "/home/dev/quay" }),
    );
    await t.run("claude-code", projects(t));
    expect(t.store.sessions.byId(sessionA)).toBeNull();
    expect(t.store.sessions.byId(sessionB)).not.toBeNull();
  });

  const owl: readonly Said[] = [
    { prompt: "remember that the owl is called Nightingale", answer: "Nightingale is noted." },
    {
      prompt: "<command-name>/review</command-name>\n<command-args>12</command-args>",
      answer: "Nightingale is reviewed.",
    },
  ];
  /** Everything that the import of one session left. */
  const leftOf = (t: TestImport): string =>
    JSON.stringify([
      t.store.sessions.byId(sessionA),
      t.store.sessions.turns(sessionA),
      t.store.nodes.list({ projects: null }, "uri", all),
    ]);

  test("is left out as far as it was written while capture was paused", async () => {
    const fromMs = startMs + 3 * 60_000;
    using t = openTestImport({
      wasPaused: (from, to) => from !== null && from < fromMs + 200_000 && (to ?? from) >= fromMs,
    });
    put(
      t,
      `-home-dev-ferry/${sessionA}.jsonl`,
      transcript(sessionA, [...talk.slice(0, 1), ...owl, ...talk.slice(1)]),
    );
    const paused = transcript(sessionB, owl.slice(0, 1), { startMs: fromMs });
    put(t, `-home-dev-ferry/${sessionB}.jsonl`, paused);
    const report = await t.run("claude-code", projects(t));
    expect(report.reasons["said while capture was paused"]).toBe(3);
    expect(leftOf(t)).not.toContain("Nightingale");
    expect(leftOf(t)).toContain("why does the last sailing vanish?");
    expect(t.store.sessions.byId(sessionB)).toBeNull();
  });

  test("is left out when its prompt had waited in the queue since a pause", async () => {
    const typedMs = startMs + 2 * 60_000 + 1;
    using t = openTestImport({ wasPaused: (from) => from === typedMs });
    const queued = { type: "queue-operation", timestamp: new Date(typedMs).toISOString() };
    const lines = transcript(sessionA, [...talk.slice(0, 1), ...owl.slice(0, 1), ...talk.slice(1)])
      .split("\n")
      .flatMap((line) =>
        line.includes('"aaaa-1"')
          ? [
              JSON.stringify({ ...queued, operation: "enqueue", content: owl[0]?.prompt }),
              JSON.stringify({ ...queued, operation: "dequeue" }),
              line,
            ]
          : [line],
      );
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, lines.join("\n"));
    const report = await t.run("claude-code", projects(t));
    expect(report.reasons["said while capture was paused"]).toBe(1);
    expect(leftOf(t)).not.toContain("Nightingale");
    expect(leftOf(t)).toContain("why does the last sailing vanish?");
  });

  test("is left out where its agent took it off the record, by the call or by the mark of this home", async () => {
    const said = [...talk.slice(0, 1), ...owl.slice(0, 1), ...talk.slice(1)];
    const call = { type: "tool_use", id: "f1", name: "mcp__continuity__memory_forget" };
    const input = { turn: true, quote: owl[0]?.prompt };
    const answered = { type: "tool_result", tool_use_id: "f1", content: "Not kept." };
    const called = transcript(sessionA, said)
      .split("\n")
      .flatMap((line) =>
        line.includes("Nightingale is noted")
          ? [
              JSON.stringify({ type: "assistant", message: { content: [{ ...call, input }] } }),
              JSON.stringify({ type: "user", message: { content: [answered] } }),
              line,
            ]
          : [line],
      )
      .join("\n");
    using byCall = openTestImport();
    put(byCall, `-home-dev-ferry/${sessionA}.jsonl`, called);
    using byMark = openTestImport({ isOffTheRecord: (_, promptId) => promptId === "aaaa-1" });
    put(byMark, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, said));
    for (const t of [byCall, byMark]) {
      const report = await t.run("claude-code", projects(t));
      expect(report.reasons["off the record"]).toBe(1);
      expect(leftOf(t)).not.toContain("Nightingale");
      expect(leftOf(t)).toContain("why does the last sailing vanish?");
    }
  });

  test("is left out as far as it was in a folder that is excluded", async () => {
    using t = openTestImport({ isExcluded: (cwd) => cwd === "/home/dev/client" });
    const text = transcript(sessionA, [...talk.slice(0, 1), ...owl, ...talk.slice(1)])
      .split("\n")
      .map((line) =>
        line.includes('"aaaa-1"') || line.includes("/review")
          ? line.replace("/home/dev/ferry", "/home/dev/client")
          : line,
      )
      .join("\n");
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, text);
    const report = await t.run("claude-code", projects(t));
    expect(report.reasons["in a folder that is excluded"]).toBe(2);
    expect(leftOf(t)).not.toContain("Nightingale");
    expect(leftOf(t)).toContain("why does the last sailing vanish?");
  });

  test("does not bring back a forgotten sentence in any form", async () => {
    using t = openTestImport();
    t.store.nodes.forget([], ["remember that the ferry api listens on port 7443"], importNowMs);
    const edits = "/home/dev/ferry/src/day.ts";
    const remark = "Port check: the ferry api listens on port 7443.";
    t.store.nodes.forget([], [remark], importNowMs);
    const said = [...talk, { prompt: "check the port", answer: "Checked.", edits, remark }];
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, said));
    expect((await t.run("claude-code", projects(t))).reasons["was forgotten"]).toBe(1);
    const kept = JSON.stringify([
      t.store.sessions.toolUses(sessionA, null),
      t.store.sessions.turns(sessionA),
      t.store.sessions.byId(sessionA),
      t.store.nodes.list({ projects: null }, "uri", all),
    ]);
    expect(kept).not.toContain("listens on port 7443");
  });
});

describe("the oldest session comes first", () => {
  test("so that a later order is the newer one of a pair, not the other way round", async () => {
    using t = openTestImport();
    const dayMs = 86_400_000;
    put(
      t,
      `-a/${sessionB}.jsonl`,
      transcript(
        sessionB,
        [
          {
            prompt: "remember: the session timeout is 15 minutes now, no longer 40",
            answer: "Changed.",
          },
        ],
        { startMs: startMs + dayMs },
      ),
    );
    put(
      t,
      `-b/${sessionA}.jsonl`,
      transcript(sessionA, [
        { prompt: "remember that the session timeout is 40 minutes", answer: "Noted." },
      ]),
    );
    await t.run("claude-code", projects(t));
    const [pair] = t.store.nodes.doubts(10);
    expect(t.store.nodes.byId(pair?.fromId ?? 0)?.l0).toContain("15 minutes");
    expect(t.store.nodes.byId(pair?.toId ?? 0)?.l0).toContain("40 minutes");
  });

  test("only sessions of the wanted projects are read", async () => {
    using t = openTestImport();
    put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, talk));
    put(
      t,
      `-home-dev-quay/${sessionB}.jsonl`,
      transcript(sessionB, talk, { cwd: "/home/dev/quay" }),
    );
    for (const name of ["quay", "example.com/team/quay", "/home/dev/quay", "-home-dev-quay"]) {
      using other = openTestImport();
      await other.run("claude-code", projects(t), { projects: [name] });
      expect(
        other.store.sessions.list({ projects: null }, all).map(({ sessionId }) => sessionId),
      ).toEqual([sessionB]);
    }
  });
});

test("what else lies in a projects folder is named, and the good transcript among it is taken", async () => {
  using t = openTestImport();
  put(t, `-home-dev-ferry/${sessionA}.jsonl`, transcript(sessionA, talk));
  const folder = join(projects(t), "-home-dev-ferry");
  const named = (n: number): string =>
    join(folder, `cccccccc-0000-4000-8000-00000000000${n}.jsonl`);
  symlinkSync("/etc/passwd", named(1));
  Bun.spawnSync(["mkfifo", named(2)]);
  mkdirSync(named(3));
  writeFileSync(named(4), "");
  writeFileSync(named(5), Buffer.alloc(200_000, 0xfe));
  writeFileSync(named(6), "");
  truncateSync(named(6), 5 * 2 ** 30);
  writeFileSync(join(folder, "agent-12ab.jsonl"), "{}");
  symlinkSync("/", join(projects(t), "everything"));
  mkdirSync(join(folder, sessionA, "subagents"), { recursive: true });
  const report = await t.run("claude-code", projects(t));
  expect(report).toMatchObject({ created: 3, merged: 0 });
  expect(report.reasons).toEqual({
    "a symbolic link": 2,
    "a transcript without a turn": 1,
    "an empty file": 1,
    "larger than 4 GB": 1,
    "no regular file": 2,
    "not a session's transcript": 1,
  });
});

test("broken off anywhere and run again leaves what one run leaves", async () => {
  using t = openTestImport();
  writeTranscripts({
    folder: projects(t),
    seed: 11,
    bytes: 120_000,
    outputBytes: 400,
    projects: 3,
    startMs: importNowMs - 40 * 86_400_000,
  });
  await t.run("claude-code", projects(t));
  const whole = digest(t);
  for (const batches of [2, 7]) {
    using broken = openTestImport();
    for (let done = false; !done;)
      try {
        await broken.run("claude-code", projects(t), { batches });
        done = true;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        broken.clock.advance(3_600_000);
      }
    expect(digest(broken)).toBe(whole);
  }
});

test("what somebody edited here is not changed by an old transcript", async () => {
  using t = openTestImport();
  const { node } = t.worker.remember(
    {
      category: "entities",
      uriHint: "session-timeout",
      l0: "ferry: the session timeout is 40 minutes",
      l1: null,
      l2: null,
      importance: 3,
      tags: [],
      files: [],
      aliases: [],
      project: "example.com/team/ferry",
      origin: "agent",
      maker: "stop",
      evidence: { sessionId: "s", turn: 1, line: null, quote: "the session timeout is 40 minutes" },
      branch: null,
      atMs: startMs - 86_400_000,
    },
    "turn:s:1",
  );
  const id = node?.id ?? 0;
  const edit = { atMs: startMs - 1_000, action: "edit", by: "user", reason: "" } as const;
  t.store.nodes.update(id, { l0: "ferry: the session timeout is 40 minutes on quays" }, edit);
  const said = {
    prompt: "the session timeout is 15 minutes now, no longer 40",
    answer: "Changed.",
  };
  put(t, `-a/${sessionA}.jsonl`, transcript(sessionA, [said]));
  await t.run("claude-code", projects(t));
  expect(t.store.nodes.byId(id)).toMatchObject({
    status: "active",
    l0: "ferry: the session timeout is 40 minutes on quays",
    origin: "agent",
  });
});

describe("the client's own memory", () => {
  const index =
    "# Memory Index\n\n- [Port](port.md) — where the api listens\n- Deploys happen on Tuesdays only\n\n## " +
    "Build\n- `pnpm build` must run before tests\n";
  const topic =
    "---\nname: api port\ndescription: The ferry api listens on port 7443\ntype: project\n---\n\nPort 7443 since " +
    "the harbour move; 7000 before.\n";

  test("becomes a memory for each file and for each loose line of the index", async () => {
    using t = openTestImport();
    put(
      t,
      `-home-dev-ferry/${sessionA}.jsonl`,
      transcript(sessionA, [{ prompt: "hello", answer: "hi" }]),
    );
    put(t, "-home-dev-ferry/memory/MEMORY.md", index);
    put(t, "-home-dev-ferry/memory/port.md", topic);
    put(
      t,
      "-home-dev-ferry/memory/user.md",
      "---\ntype: user\n---\nThe user is a naval architect.\n",
    );
    const report = await t.run("claude-code", projects(t));
    expect(report.reasons).toEqual({ "a line that points to a file beside it": 1 });
    const nodes = t.store.nodes.list({ projects: null }, "uri", all);
    expect(
      nodes.map(({ l0, category, project }) => `${category} ${project ?? "-"} ${l0}`).toSorted(),
    ).toEqual([
      "entities example.com/team/ferry ferry: Deploys happen on Tuesdays only",
      "entities example.com/team/ferry ferry: The ferry api listens on port 7443",
      "preferences example.com/team/ferry ferry: Build: pnpm build must run before tests",
      "profile - The user is a naval architect.",
    ]);
    expect(nodes.find(({ l0 }) => l0.includes("7443"))?.l2).toContain("7000 before");
    expect(await t.run("claude-code", projects(t))).toMatchObject({ created: 0, merged: 0 });
  });

  test("is refused by name where a file is no text", async () => {
    using t = openTestImport();
    const folder = "-home-dev-ferry/memory";
    put(t, `${folder}/zero.md`, "");
    put(t, `${folder}/binary.md`, "a\0b");
    put(t, `${folder}/huge.md`, "x".repeat(300_000));
    put(t, `${folder}/only-front.md`, "---\nname: x\n---\n");
    writeFileSync(join(projects(t), folder, "latin1.md"), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    mkdirSync(join(projects(t), folder, "folder.md"));
    symlinkSync("/etc/passwd", join(projects(t), folder, "link.md"));
    expect(await t.run("claude-code", projects(t))).toMatchObject({
      created: 0,
      reasons: {
        "a memory file of more than 256 KB": 1,
        "a symbolic link": 1,
        "an empty file": 1,
        "holds no words": 1,
        "no regular file": 1,
        "not a text file": 2,
      },
    });
  });
});
