/**
 * Tests what people do to a session, in a real terminal with the real client: compact, clear,
 * resume, continue, fork, Escape, subagents, two at once. What was captured and injected is
 * compared with what should be. `npm test` builds the program first.
 */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { binary, eventually } from "../support/program.ts";
import { installClient } from "../support/real-client.ts";
import { git, openStage, type Stage } from "../support/stage.ts";
import { missingTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

const client = existsSync(binary)
  ? installClient()
  : { path: null, why: "the program is not built" };
const missing = client.path === null ? client.why : missingTerminal();
if (missing !== null) console.warn(`scenarios in a terminal are skipped: ${missing}`);

const open = (
  stage: Stage,
  args: readonly string[] = [],
  project = stage.project,
): Promise<Terminal> =>
  openTerminal({
    client: client.path ?? "",
    home: stage.home,
    project,
    apiUrl: stage.api.url,
    env: stage.env,
    args,
  });

/** Waits until a line stands in the story. */
const told = async (stage: Stage, line: string): Promise<void> => {
  const stands = (): boolean => stage.story().some((one) => one.trim() === line);
  await eventually(`"${line}"`, stands, 60_000).catch((error) => {
    throw new Error(`${String(error)}\n${stage.story().join("\n")}`);
  });
};

const rule = "from now on use pnpm in this repo, never npm";

describe.skipIf(missing !== null)("in a real terminal", () => {
  test.concurrent("compact: the session goes on, and is told again what it knew", async () => {
    await using stage = await openStage({ script: { main: ["Understood.", "Going on."] } });
    await using terminal = await open(stage);
    await terminal.say(rule);
    await told(stage, `turn 1 closed: ${rule}`);
    await terminal.say("/compact");
    await told(stage, "start compact injected");
    await terminal.say("go on with the checkout page");
    await told(stage, "turn 2 closed: go on with the checkout page");
    expect(stage.story()).toEqual([
      "session 1: active",
      "  start startup injected",
      "  start compact injected",
      `  turn 1 closed: ${rule}`,
      "  turn 2 closed: go on with the checkout page",
    ]);
    expect(stage.events()).toEqual({ compact: 2, start: 2, stop: 2, subagent: 1, submit: 2 });
    const text = stage.api.of("main").at(-1)?.text ?? "";
    expect(text.match(/<continuity-memory for="start">/g)).toHaveLength(1);
    expect(text).toContain("Where this session was before compaction");
    expect(text).toContain("pnpm");
  });

  test.concurrent("clear: a new session begins and knows what the one before learnt", async () => {
    const tool = "mcp__continuity__memory_search";
    await using stage = await openStage({
      script: {
        main: [
          "Understood.",
          { tools: [{ name: "ToolSearch", input: { query: `select:${tool}`, max_results: 1 } }] },
          { tools: [{ name: tool, input: { query: "pnpm" } }] },
          "Going on.",
        ],
      },
    });
    await using terminal = await open(stage);
    await terminal.say(rule);
    await told(stage, `turn 1 closed: ${rule}`);
    await terminal.say("/clear");
    await told(stage, "start clear injected");
    await terminal.say("go on with the checkout page");
    await told(stage, "turn 1 closed: go on with the checkout page");
    expect(stage.story()).toEqual([
      "session 1: completed",
      "  start startup injected",
      `  turn 1 closed: ${rule}`,
      "session 2: active",
      "  start clear injected",
      "  turn 1 closed: go on with the checkout page",
      "    ToolSearch ok",
      `    ${tool} ok`,
    ]);
    expect(stage.events()).toEqual({ end: 1, start: 2, stop: 2, submit: 2, tool: 2 });
    const text = stage.api.of("main").at(-1)?.text ?? "";
    // The conversation is gone: its answer stands only where the search quotes the exchange …
    expect(text.replaceAll("→ Understood.", "")).not.toContain("Understood.");
    expect(text).toContain("pnpm"); // … and the memory is not.
    // The MCP server lives on, and what it is asked belongs to the new session.
    using db = stage.program.database();
    const asked = db
      .query("SELECT DISTINCT session_id FROM exposures WHERE channel = 'search'")
      .all();
    expect(asked).toEqual([{ session_id: stage.sessions()[1] ?? "" }]);
  });

  test.concurrent("resume, continue and fork: one session goes on, and a copy of it", async () => {
    await using stage = await openStage({ script: { main: ["One.", "Two.", "Three.", "Four."] } });
    const say = async (line: string, prompt: string, args: readonly string[]): Promise<void> => {
      await using terminal = await open(stage, args);
      await terminal.say(prompt);
      await told(stage, `${line}: ${prompt}`);
      await terminal.leave();
    };
    await say("turn 1 closed", rule, []);
    const [id = ""] = stage.sessions();
    await say("turn 2 closed", "begin with the cart", ["--resume", id]);
    await say("turn 3 closed", "now the checkout", ["--continue"]);
    await say("turn 1 closed", "try it with tabs", ["--resume", id, "--fork-session"]);
    await told(stage, "session 1: completed");
    await told(stage, "session 2 of 1: completed");
    expect(stage.story()).toEqual([
      "session 1: completed",
      "  start startup injected",
      `  turn 1 closed: ${rule}`,
      // A session that goes on is not told again what it knows already.
      "  turn 2 closed: begin with the cart",
      "  turn 3 closed: now the checkout",
      "session 2 of 1: completed",
      "  turn 1 closed: try it with tabs",
    ]);
    // Starts and ends without anything of their own count once in a second, and nobody else is this quick.
    expect(stage.events()).toMatchObject({ stop: 4, submit: 4 });
  });

  test.concurrent("Escape while it answers: the turn is interrupted and the next one is whole", async () => {
    const cut = { text: "Let me think about this at length.\n\nFirst the cart", hangs: true };
    await using stage = await openStage({ script: { main: [cut, "Done."] } });
    await using terminal = await open(stage);
    await terminal.say("rewrite the whole checkout");
    await terminal.shows("Let me think about this");
    terminal.press("Escape");
    await terminal.shows("Interrupted");
    await terminal.say("only fix the price instead");
    await told(stage, "turn 2 closed: only fix the price instead");
    expect(stage.story()).toEqual([
      "session 1: active",
      "  start startup injected",
      "  turn 1 interrupted: rewrite the whole checkout",
      "  turn 2 closed: only fix the price instead",
    ]);
    expect(stage.events()).toEqual({ start: 1, stop: 1, submit: 2 });
  });

  test.concurrent("Escape while a tool runs: the tool counts as refused, and nothing else stays", async () => {
    const bash = { command: "touch started; sleep 60", description: "Wait" };
    await using stage = await openStage({
      script: { main: [{ tools: [{ name: "Bash", input: bash }] }, "Done."] },
    });
    await using terminal = await open(stage);
    await terminal.say("run the slow test");
    await eventually("the tool runs", () => existsSync(join(stage.project, "started")));
    terminal.press("Escape");
    await terminal.shows("Interrupted");
    await terminal.say("never mind the slow test");
    await told(stage, "turn 2 closed: never mind the slow test");
    expect(stage.story()).toEqual([
      "session 1: active",
      "  start startup injected",
      "  turn 1 interrupted: run the slow test",
      "    Bash error",
      "  turn 2 closed: never mind the slow test",
    ]);
    expect(stage.events()).toEqual({ start: 1, stop: 1, submit: 2 });
  });

  test.concurrent("a subagent works within the turn that called it", async () => {
    const ask = {
      description: "Find the port",
      prompt: "Find the port",
      subagent_type: "general-purpose",
    };
    const bash = { command: "echo 5433", description: "Look" };
    await using stage = await openStage({
      script: {
        main: [{ tools: [{ name: "Agent", input: ask }] }, "It is 5433."],
        subagent: [{ tools: [{ name: "Bash", input: bash }] }, "The port is 5433."],
      },
    });
    // Else the client goes on meanwhile, and on a busy machine starts a turn of its own at the end.
    const env = { ...stage.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" };
    await using terminal = await open({ ...stage, env });
    await terminal.say("which port is it?");
    await told(stage, "turn 1 closed: which port is it?");
    await eventually("the subagent's beginning and end", () => stage.events()["subagent"] === 2);
    expect(stage.story()).toEqual([
      "session 1: active",
      "  start startup injected",
      "  turn 1 closed: which port is it?",
      "    Bash ok",
      "    Subagent:general-purpose ok",
      "    Agent ok",
    ]);
    expect(stage.events()).toEqual({ start: 1, stop: 1, subagent: 2, submit: 1, tool: 2 });
    // A subagent is given a task, and rules where there are any, not the user's memories.
    for (const { text } of stage.api.of("subagent"))
      expect(text).not.toContain("continuity-memory");
  });

  test.concurrent("two sessions at once in two worktrees share what they learn", async () => {
    await using stage = await openStage({ script: { main: ["Understood.", "With pnpm."] } });
    const other = `${stage.project}-2`;
    git(stage.project, "worktree", "add", "--quiet", "-b", "feature", other);
    await using first = await open(stage);
    await using second = await open(stage, [], other);
    await first.say(rule);
    await told(stage, `turn 1 closed: ${rule}`);
    // A prompt goes on without an answer that is late: then the next one is given it.
    const asked: string[] = [];
    const isTold = (): boolean => stage.story().includes("  prompt wanted injected");
    for (const word of ["so", "well", "again", "please", "now"]) {
      const question = `${word}, which package manager do we use in this repo?`;
      const line = `turn ${asked.push(question)} closed: ${question}`;
      await second.say(question);
      await told(stage, line);
      if (isTold()) break;
    }
    expect(stage.story().filter((line) => line !== "  prompt late injected")).toEqual([
      "session 1: active",
      "  start startup injected",
      `  turn 1 closed: ${rule}`,
      "session 2: active",
      "  start startup injected",
      "  prompt wanted injected",
      ...asked.map((question, at) => `  turn ${at + 1} closed: ${question}`),
    ]);
    const turns = asked.length + 1;
    expect(stage.events()).toEqual({ start: 2, stop: turns, submit: turns });
    expect(stage.api.of("main").at(-1)?.text).toContain("pnpm");
    using db = stage.program.database();
    const rows = db.query("SELECT project, branch FROM sessions ORDER BY started_at, rowid").all();
    const project = expect.stringMatching(/^dir:/);
    expect(rows).toEqual([
      { project, branch: "main" },
      { project, branch: "feature" },
    ]);
    expect(new Set(rows.map((row) => (row as { project: string }).project)).size).toBe(1);
  });
});
