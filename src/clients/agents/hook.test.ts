/**
 * Recorded payloads of the real clients, and mutations of them: read into Claude Code's words, answered in their own
 * form.
 */
import type { Json } from "#kit";
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { envelopesOf } from "#hooks";
import { hookAdapter } from "./hook.ts";
import { hookedAgents, type HookedAgent } from "../index.ts";

const recorded = async (agent: string): Promise<Readonly<Record<string, Json>>> =>
  (await Bun.file(`test/support/agents/${agent}.json`).json()) as Record<string, Json>;

/** The event that the client's command line would name. */
const eventOf = (name: string): string => name.replace("claude-style.", "").split(".")[0] ?? "";

async function read(agent: HookedAgent, name: string, change: Json = {}) {
  const payload = { ...(await recorded(agent))[name], ...change };
  return hookAdapter(agent)?.read(payload, eventOf(name)) ?? [];
}

async function one(agent: HookedAgent, name: string) {
  const [told] = await read(agent, name);
  if (told === undefined) throw new Error(`${name} is not captured`);
  return { hook: told.event.hook, ...told.payload };
}

describe("what a recorded payload says", () => {
  test("Codex CLI: a turn", async () => {
    const session_id = "codex-01a2014e-a529-7623-bfcd-613438684032";
    const prompt_id = "01a2014e-a54a-71b0-838c-3e7db9a12922";
    expect(await one("codex", "UserPromptSubmit")).toMatchObject({
      hook: "submit",
      session_id,
      prompt_id,
      prompt: "List the src folder",
    });
    expect(await one("codex", "PostToolUse.Bash")).toMatchObject({
      hook: "tool",
      session_id,
      prompt_id,
      tool_name: "Bash",
      tool_input: { command: "ls src" },
      tool_response: "index.ts\n",
    });
    expect(await one("codex", "Stop")).toMatchObject({
      hook: "stop",
      last_assistant_message: "The port is 3000.",
    });
  });

  test("Codex CLI: a subagent's task is not the user's words", async () => {
    const told = await one("codex", "UserPromptSubmit.subagent");
    expect(told).toMatchObject({ hook: "submit", agent_id: expect.any(String) });
  });

  test("Codex CLI: a patch is an edit of each of its files, without their contents", async () => {
    const told = await read("codex", "PostToolUse.apply_patch");
    expect(told.map(({ payload }) => [payload["tool_name"], payload["tool_input"]])).toEqual([
      ["Edit", { file_path: "/home/dev/acme-api/src/new.ts" }],
      ["Edit", { file_path: "/home/dev/acme-api/src/index.ts" }],
    ]);
    expect(new Set(told.map(({ payload }) => payload["tool_use_id"])).size).toBe(2);
    expect(JSON.stringify(told)).not.toContain("export const");
  });

  test("Gemini CLI: what hooks put before a headless prompt is not the user's words", async () => {
    expect(await one("gemini", "BeforeAgent.headless")).toMatchObject({
      hook: "submit",
      session_id: "gemini-6df74fdb-3145-4e74-bc13-bb59fed654de",
      prompt: "List the src folder",
      start_context: "first-prompt",
    });
  });

  test("Gemini CLI: tools have Claude Code's names, outcomes and no file contents", async () => {
    expect(await one("gemini", "AfterTool.run_shell_command.failed")).toMatchObject({
      tool_name: "Bash",
      error: expect.stringContaining("exit code 1"),
    });
    expect(await one("gemini", "AfterTool.read_file.failed")).toMatchObject({
      tool_name: "Read",
      error: expect.stringContaining("File not found"),
    });
    expect(await one("gemini", "AfterTool.mcp_cont_recall")).toMatchObject({
      tool_name: "mcp__cont__recall",
      tool_response: expect.stringContaining("RECALLED"),
    });
    const written = await read("gemini", "AfterTool.write_file");
    const [envelope] = envelopesOf(written[0]?.payload ?? {}, {
      event: { hook: "tool", clientEvent: "PostToolUse" },
      nowMs: 0,
      replayed: false,
      startedAtMs: null,
      invocation: "x",
    });
    expect(envelope?.payload["tool_input"]).toEqual({
      file_path: "/home/dev/acme-api/src/new.ts",
    });
    expect(JSON.stringify(envelope)).not.toContain("export const");
  });

  test("Gemini CLI: only a compaction that was asked for is one", async () => {
    expect(await read("gemini", "PreCompress")).toEqual([]);
    expect(await one("gemini", "PreCompress.manual")).toMatchObject({ hook: "compact" });
  });

  test("Gemini CLI: a turn that Esc cut off did not end", async () => {
    expect(
      await read("gemini", "AfterAgent.headless", { prompt_response: "[no response text]" }),
    ).toEqual([]);
  });

  test("Copilot CLI: a resumed session's start text replaces the old one, so all of it is asked for", async () => {
    expect(await one("copilot", "sessionStart.resume")).toMatchObject({
      hook: "start",
      source: "startup",
    });
  });

  test("Copilot CLI: a subagent's events are its parent's, and marked", async () => {
    const parent = "copilot-515e86d8-ae19-4ee1-8c71-315c38c05466";
    const agent_id = "5f972d52-8e03-48f7-84f8-e6ce7f9c597b";
    for (const name of [
      "userPromptSubmitted.subagent",
      "postToolUse.bash.subagent",
      "agentStop.subagent",
      "subagentStop",
    ])
      expect(await one("copilot", name)).toMatchObject({ session_id: parent, agent_id });
    expect(await one("copilot", "subagentStop")).toMatchObject({
      last_assistant_message: "Sub result.",
      agent_type: "explore",
    });
  });

  test("Copilot CLI: the answer of a turn is read from its events", async () => {
    const folder = `${import.meta.dir}/../../../test/support/agents/sessions/copilot`;
    const path = `${folder}/tools-and-subagent.events.jsonl`;
    const [told] = await read("copilot", "agentStop", {
      transcriptPath: path,
      timestamp: 1795320098117,
    });
    expect(told?.payload).toMatchObject({ last_assistant_message: "All done." });
    // Not there, or not yet written to the end: an older answer would be that of another turn.
    for (const transcriptPath of ["/no/events.jsonl", path]) {
      const [without] = await read("copilot", "agentStop", { transcriptPath });
      expect(without?.event.hook).toBe("stop");
      expect(without?.payload).not.toHaveProperty("last_assistant_message");
    }
  });

  test("Copilot CLI: the events of a session's first turn are written after its hook began", async () => {
    const session = mkdtempSync(join(tmpdir(), "copilot-"));
    const transcriptPath = join(session, "events.jsonl");
    const recorded = `${import.meta.dir}/../../../test/support/agents/sessions/copilot/tools-and-subagent.events.jsonl`;
    const written = setTimeout(() => copyFileSync(recorded, transcriptPath), 50);
    const [told] = await read("copilot", "agentStop", { transcriptPath, timestamp: 1795320098117 });
    clearTimeout(written);
    expect(told?.payload).toMatchObject({ last_assistant_message: "All done." });
    rmSync(session, { recursive: true });
  });

  test("Gemini CLI: a prompt behind a compaction that took the start text says so", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gemini-"));
    const path = join(folder, "session.jsonl");
    const ours = '[continuity-memory for="start"]';
    const line = (text: string): string => JSON.stringify({ type: "user", content: [{ text }] });
    const anew = (text: string): string => JSON.stringify({ $set: { messages: [{ text }] } });
    const told = async (...lines: readonly string[]): Promise<unknown> => {
      writeFileSync(path, `${lines.join("\n")}\n`);
      const [one] = await read("gemini", "BeforeAgent.interactive", { transcript_path: path });
      return one?.payload["start_context"];
    };
    const summary = "<state_snapshot>…</state_snapshot>";
    expect(await told(line(ours), anew(summary), line("go on"))).toBe("compacted");
    // There again, never there, kept, or nothing was compacted.
    expect(await told(line(ours), anew(summary), line(ours))).toBe("first-prompt");
    expect(await told(line("x"), anew(summary))).toBe("first-prompt");
    expect(await told(line(ours), anew(summary + ours))).toBe("first-prompt");
    expect(await told(line(ours), anew("resumed"))).toBe("first-prompt");
    rmSync(folder, { recursive: true });
  });

  test("what is not captured is ignored", async () => {
    const ignored = [
      ["codex", "PreToolUse.Bash"],
      ["codex", "PostCompact.auto"],
      ["codex", "Interrupt"],
      ["codex", "SubagentStart"],
      ["gemini", "BeforeModel"],
      ["gemini", "BeforeTool.replace"],
      ["copilot", "permissionRequest"],
      ["copilot", "userPromptTransformed"],
      ["copilot", "preMcpToolCall.recall"],
    ] as const;
    for (const [agent, name] of ignored) expect(await read(agent, name)).toEqual([]);
    expect(hookAdapter("constructor")).toBeNull();
    expect(await hookAdapter("codex")?.read({ session_id: "s" }, "constructor")).toEqual([]);
  });
});

test("an event that Copilot CLI gives to its own hook and to one of Claude Code's has one key", async () => {
  const pairs = [
    ["userPromptSubmitted", "claude-style.UserPromptSubmit"],
    ["sessionStart", "claude-style.SessionStart"],
    ["postToolUse", "claude-style.PostToolUse"],
    ["postToolUse.bash", "claude-style.PostToolUse.Bash"],
    ["postToolUse.task", "claude-style.PostToolUse.Agent"],
    ["postToolUse.cont_recall", "claude-style.PostToolUse.cont_recall"],
    ["agentStop", "claude-style.Stop"],
    ["sessionEnd", "claude-style.SessionEnd"],
  ] as const;
  for (const pair of pairs) {
    const keys = await Promise.all(
      pair.map(async (name) => {
        const told = await read("copilot", name);
        return told.flatMap(({ payload, event }) =>
          envelopesOf(payload, {
            event,
            nowMs: 0,
            replayed: false,
            startedAtMs: null,
            invocation: name,
          }).map(({ key }) => key),
        );
      }),
    );
    expect(keys[0]).toHaveLength(1);
    expect([pair, keys[0]]).toEqual([pair, keys[1] ?? []]);
  }
});

/** Values that no client sends, in the place of one that it does. */
const odd: readonly unknown[] = [
  undefined,
  null,
  "",
  7,
  true,
  [],
  {},
  [{}],
  "\u0000<",
  "x".repeat(9_999),
];

test.each(hookedAgents)(
  "%s: no mutation of a payload fails, and none loses its session",
  async (agent) => {
    let seen = 0;
    for (const [name, payload] of Object.entries(await recorded(agent)))
      for (const field of Object.keys(payload))
        for (const value of odd) {
          const told = await hookAdapter(agent)?.read(
            { ...payload, [field]: value },
            eventOf(name),
          );
          for (const each of told ?? []) {
            seen += 1;
            expect(each.payload["session_id"]).toStartWith(`${agent}-`);
          }
        }
    expect(seen).toBeGreaterThan(100);
  },
);

describe("the answer", () => {
  const answer = (agent: string, event: string, context: string, message = ""): string =>
    hookAdapter(agent)?.answer(event, context, message) ?? "";
  const block = '<continuity-memory for="prompt">\n- ports\n</continuity-memory>\n';

  test("Codex CLI: only keys that it knows", () => {
    expect(JSON.parse(answer("codex", "UserPromptSubmit", block, "note"))).toEqual({
      systemMessage: "note",
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: block },
    });
  });

  test("Copilot CLI: additionalContext at the top, and nothing else", () => {
    expect(JSON.parse(answer("copilot", "SessionStart", block, "note"))).toEqual({
      additionalContext: block,
    });
    expect(answer("copilot", "SessionStart", "", "note")).toBe("");
  });

  test("Gemini CLI: with the prompt only, and without tags that it would show as entities", () => {
    expect(answer("gemini", "SessionStart", block)).toBe("");
    const { hookSpecificOutput } = JSON.parse(answer("gemini", "UserPromptSubmit", block)) as {
      hookSpecificOutput: { hookEventName: string; additionalContext: string };
    };
    expect(hookSpecificOutput.hookEventName).toBe("BeforeAgent");
    expect(hookSpecificOutput.additionalContext).toBe(
      '[continuity-memory for="prompt"]\n- ports\n[/continuity-memory]\n',
    );
  });

  test("none where the client would go on or reject it", () => {
    for (const agent of hookedAgents)
      for (const event of ["Stop", "PostToolUse", "PreCompact", "SessionEnd", "SubagentStop"])
        expect(answer(agent, event, block, "note")).toBe("");
  });

  test.each(hookedAgents)(
    "%s: at most 9,500 bytes, counted as UTF-8, and still a whole block",
    (agent) => {
      const long = `<continuity-memory>\n${"- größer 漢字 émoji\n".repeat(2_000)}</continuity-memory>`;
      const text = answer(agent, "UserPromptSubmit", long);
      expect(Buffer.byteLength(text)).toBeLessThan(9_500);
      expect(Buffer.byteLength(text)).toBeGreaterThan(8_000);
      expect(text).toContain("/continuity-memory");
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    },
  );
});
