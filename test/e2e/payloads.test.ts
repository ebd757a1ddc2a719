/**
 * Every shape of event that the client sends, through the built program: status 0, nothing on stderr, and on stdout
 * either nothing or the one document the client understands; with a daemon and without one. The values are
 * invented.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { z } from "zod";
import { eventually, openProgram, type Program } from "../support/program.ts";

type Payload = Readonly<Record<string, unknown>>;

const cwd = "/srv/nowhere/ferry-tickets";
const session_id = "5b1f8a1e-0c1d-4a0e-9f5e-2d6b0a9c7e31";
const base = {
  session_id,
  transcript_path: `/srv/nowhere/.claude/projects/-srv-nowhere-ferry-tickets/${session_id}.jsonl`,
  cwd,
};
const prompt_id = "e0a3d7c2-4f1b-4a53-8a0b-6f4f1f6b9d10";
const turn = { ...base, prompt_id };
const working = { ...turn, permission_mode: "bypassPermissions", effort: { level: "high" } };
const agent = { agent_id: "b7c41d90ef2a6631e", agent_type: "Explore" };
const resumed = {
  seconds_since_last_response: 4_120,
  context_tokens: 20_480,
  prompt_cache_likely_expired: true,
  estimated_cache_write_usd: 0.0412,
};
const modelSwitch = {
  from_model: "claude-large-9",
  to_model: "claude-small-9",
  requested_model: "small",
  source: "command",
  context_tokens: 20_480,
  prompt_cache_warm: false,
  cache_ttl: "1h",
  estimated_cache_write_usd: 0.01,
  pricing: "catalog",
};
const summary =
  "<analysis>harbour talk</analysis>\n<summary>\n1. Primary Request and Intent:\n   Sell ferry tickets.\n</summary>";
const source = `${cwd}/src/fares.ts`;

const calls = {
  bash: { command: "bun test fares && git status --short", description: "Run the fare tests" },
  edit: { file_path: source, old_string: "fare = 12", new_string: "fare = 14", replace_all: false },
  write: { file_path: `${cwd}/FARES.md`, content: "# Fares\nAdults pay 14.\n" },
  read: { file_path: source },
  agent: {
    description: "Find the fares",
    prompt: "Find every place that knows a fare",
    subagent_type: "Explore",
    run_in_background: false,
  },
  search: { query: "select:mcp__harbour__tides", max_results: 3 },
  mcp: { port: "Ystad", day: 3 },
};

const used = (tool_name: string, tool_input: Payload, rest: Payload): Payload => ({
  ...working,
  hook_event_name: "PostToolUse",
  tool_name,
  tool_input,
  duration_ms: 21,
  ...rest,
});
const planned = (tool_name: string, tool_input: Payload, tool_use_id: string): Payload => ({
  ...working,
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
  tool_use_id,
});
const mcpServer = { mcp_server: { name: "harbour", source: "project" } };
const bashOutput = { stdout: "9 pass", stderr: "", interrupted: false, isImage: false };

interface Shape {
  readonly name: string;
  readonly payload: Payload;
  /** The name under which `install` registers it; null = it does not. */
  readonly hook: string | null;
  /** Keys of events that it adds when it is new. */
  readonly adds: number;
}

const shape = (name: string, hook: string | null, payload: Payload, adds = 1): Shape => ({
  name,
  hook,
  payload,
  adds: hook === null ? 0 : adds,
});

/** In the order of a session, so that each adds what it would there. */
const shapes: readonly Shape[] = [
  shape("InstructionsLoaded at session start", null, {
    ...base,
    hook_event_name: "InstructionsLoaded",
    file_path: `${cwd}/CLAUDE.md`,
    memory_type: "Project",
    load_reason: "session_start",
  }),
  ...(["startup", "resume", "clear", "fork", "compact"] as const).map((source) =>
    shape(`SessionStart ${source}`, "start", {
      ...base,
      hook_event_name: "SessionStart",
      source,
      ...(source === "resume" || source === "fork" ? resumed : {}),
    }),
  ),
  shape("SessionStart startup of an interactive client", "start", {
    ...base,
    session_id: "0a9e4e0c-7a0d-49c2-8a63-0c9c9a9f1f02",
    hook_event_name: "SessionStart",
    source: "startup",
    model: "claude-large-9",
  }),
  shape("SessionStart compact of an interactive client", "start", {
    ...turn,
    session_id: "0a9e4e0c-7a0d-49c2-8a63-0c9c9a9f1f02",
    hook_event_name: "SessionStart",
    source: "compact",
    model: "claude-large-9",
  }),
  shape("SessionStart resume of an interactive client", "start", {
    ...turn,
    session_id: "0a9e4e0c-7a0d-49c2-8a63-0c9c9a9f1f02",
    hook_event_name: "SessionStart",
    source: "resume",
    model: "claude-large-9",
    ...resumed,
  }),
  shape("UserPromptSubmit", "submit", {
    ...turn,
    permission_mode: "plan",
    hook_event_name: "UserPromptSubmit",
    prompt: "remember that adults pay 14 on the night ferry; raise the fare to that",
  }),
  shape("MessageDisplay", null, {
    ...turn,
    hook_event_name: "MessageDisplay",
    turn_id: "c1",
    message_id: "m1",
    index: 0,
    final: false,
    delta: "I look at the fares.",
  }),
  shape("PreToolUse Bash", null, planned("Bash", calls.bash, "toolu_a")),
  shape(
    "PostToolUse Bash",
    "tool",
    used("Bash", calls.bash, { tool_use_id: "toolu_a", tool_response: bashOutput }),
  ),
  shape("PreToolUse Edit", null, planned("Edit", calls.edit, "toolu_b")),
  shape(
    "PostToolUse Edit",
    "tool",
    used("Edit", calls.edit, {
      tool_use_id: "toolu_b",
      tool_response: {
        filePath: source,
        oldString: "fare = 12",
        newString: "fare = 14",
        originalFile: "export const fare = 12;\n",
        structuredPatch: [
          { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-12", "+14"] },
        ],
        userModified: true,
        replaceAll: false,
      },
    }),
  ),
  shape("PreToolUse Write", null, planned("Write", calls.write, "toolu_c")),
  shape(
    "PostToolUse Write",
    "tool",
    used("Write", calls.write, {
      tool_use_id: "toolu_c",
      tool_response: {
        type: "create",
        filePath: calls.write.file_path,
        content: calls.write.content,
        structuredPatch: [],
        originalFile: null,
        userModified: false,
      },
    }),
  ),
  shape("PreToolUse Read", null, planned("Read", calls.read, "toolu_d")),
  shape(
    "PostToolUse Read",
    "tool",
    used("Read", calls.read, {
      tool_use_id: "toolu_d",
      tool_response: {
        type: "text",
        file: { filePath: source, content: "fare", numLines: 1, startLine: 1, totalLines: 1 },
      },
    }),
  ),
  shape("PreToolUse ToolSearch", null, planned("ToolSearch", calls.search, "toolu_e")),
  shape(
    "PostToolUse ToolSearch",
    "tool",
    used("ToolSearch", calls.search, {
      tool_use_id: "toolu_e",
      tool_response: { matches: ["mcp__harbour__tides"], query: "tides", total_deferred_tools: 4 },
    }),
  ),
  shape("PreToolUse of an MCP tool", null, {
    ...planned("mcp__harbour__tides", calls.mcp, "toolu_f"),
    ...mcpServer,
  }),
  shape(
    "PostToolUse of an MCP tool",
    "tool",
    used("mcp__harbour__tides", calls.mcp, {
      tool_use_id: "toolu_f",
      tool_response: [{ type: "text", text: "high water at 04:10" }],
      ...mcpServer,
    }),
  ),
  shape("PreToolUse Agent", null, planned("Agent", calls.agent, "toolu_g")),
  shape("SubagentStart", "subagent", { ...turn, ...agent, hook_event_name: "SubagentStart" }),
  shape("PreToolUse in a subagent", null, { ...planned("Bash", calls.bash, "toolu_h"), ...agent }),
  shape(
    "PostToolUse in a subagent",
    "tool",
    used("Bash", calls.bash, { tool_use_id: "toolu_h", tool_response: bashOutput, ...agent }),
  ),
  shape(
    "PostToolBatch in a subagent, its call known",
    "tool",
    {
      ...working,
      ...agent,
      hook_event_name: "PostToolBatch",
      tool_calls: [
        {
          tool_name: "Bash",
          tool_input: calls.bash,
          tool_use_id: "toolu_h",
          tool_response: "9 pass",
        },
      ],
    },
    0,
  ),
  shape("SubagentStop", "subagent", {
    ...working,
    ...agent,
    hook_event_name: "SubagentStop",
    stop_hook_active: false,
    agent_transcript_path: "/srv/nowhere/subagents/agent-b7.jsonl",
    last_assistant_message: "Fares are known to src/fares.ts alone.",
    background_tasks: [],
    session_crons: [],
  }),
  shape(
    "PostToolUse Agent",
    "tool",
    used("Agent", calls.agent, {
      tool_use_id: "toolu_g",
      tool_response: {
        status: "completed",
        prompt: calls.agent.prompt,
        agentId: agent.agent_id,
        agentType: agent.agent_type,
        toolsUsed: ["Bash"],
        content: [{ type: "text", text: "Fares are known to src/fares.ts alone." }],
        totalDurationMs: 801,
        totalTokens: 300,
        usage: {
          input_tokens: 250,
          output_tokens: 50,
          server_tool_use: { web_search_requests: 0 },
        },
      },
    }),
  ),
  shape("PostToolUseFailure", "tool", {
    ...working,
    hook_event_name: "PostToolUseFailure",
    tool_name: "Bash",
    tool_input: { command: "cat /srv/none; exit 4", description: "Look" },
    tool_use_id: "toolu_i",
    error: "Exit code 4\ncat: /srv/none: No such file or directory",
    is_interrupt: false,
    duration_ms: 6,
  }),
  shape("PostToolBatch of a rejected call, which came no other way", "tool", {
    ...working,
    hook_event_name: "PostToolBatch",
    tool_calls: [
      {
        tool_name: "Bash",
        tool_input: { command: "git push --force" },
        tool_use_id: "toolu_j",
        tool_response: "The user doesn't want to proceed with this tool use.",
      },
    ],
  }),
  shape(
    "PostToolBatch of two parallel calls, one of them new",
    "tool",
    {
      ...working,
      hook_event_name: "PostToolBatch",
      tool_calls: [
        {
          tool_name: "Edit",
          tool_input: calls.edit,
          tool_use_id: "toolu_b",
          tool_response: "updated",
        },
        {
          tool_name: "Write",
          tool_input: { ...calls.write, file_path: `${cwd}/PIERS.md` },
          tool_use_id: "toolu_k",
          tool_response: "created",
        },
      ],
    },
    1,
  ),
  shape("Stop", "stop", {
    ...working,
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "The night ferry's fare is 14 now, and FARES.md says so.",
    background_tasks: [],
    session_crons: [],
  }),
  shape("Notification", null, {
    ...turn,
    hook_event_name: "Notification",
    message: "Claude is waiting for your input",
    notification_type: "idle_prompt",
  }),
  shape("PreCompact", "compact", {
    ...turn,
    hook_event_name: "PreCompact",
    trigger: "auto",
    custom_instructions: "keep the fares",
  }),
  shape("SubagentStop that compaction fires", "subagent", {
    ...working,
    agent_id: "c0ffee00c0ffee001",
    agent_type: "",
    hook_event_name: "SubagentStop",
    stop_hook_active: false,
    agent_transcript_path: "/srv/nowhere/subagents/agent-c0.jsonl",
    last_assistant_message: summary,
    background_tasks: [],
    session_crons: [],
  }),
  shape("InstructionsLoaded after compaction", null, {
    ...turn,
    hook_event_name: "InstructionsLoaded",
    file_path: `${cwd}/CLAUDE.md`,
    memory_type: "Project",
    load_reason: "compact",
  }),
  shape("PostCompact", "compact", {
    ...turn,
    hook_event_name: "PostCompact",
    trigger: "auto",
    compact_summary: summary,
  }),
  shape("PreModelSwitch", null, { ...turn, hook_event_name: "PreModelSwitch", ...modelSwitch }),
  shape("PostModelSwitch", null, { ...turn, hook_event_name: "PostModelSwitch", ...modelSwitch }),
  ...(["clear", "resume", "prompt_input_exit", "other"] as const).map((reason) =>
    shape(`SessionEnd ${reason}`, "end", { ...turn, hook_event_name: "SessionEnd", reason }),
  ),
  shape("an event of a later client", null, {
    ...turn,
    hook_event_name: "TideTurned",
    tide: { m: 2 },
  }),
];

/** The answer that the client accepts to SessionStart and UserPromptSubmit; no other hook may answer anything. */
const answer = z.strictObject({
  hookSpecificOutput: z
    .strictObject({
      hookEventName: z.enum(["SessionStart", "UserPromptSubmit"]),
      additionalContext: z.string().min(1).max(9_500),
    })
    .optional(),
  /** A notice for the user: on a slow machine that of an earlier hook, which had left before its answer. */
  systemMessage: z.string().min(1).max(2_000).optional(),
});

const mayAnswer = new Set<unknown>(["SessionStart", "UserPromptSubmit"]);

function expectQuietAnswer(payload: Payload, ran: Awaited<ReturnType<Program["run"]>>): void {
  expect({ status: ran.status, err: ran.err }).toEqual({ status: 0, err: "" });
  if (ran.out === "") return;
  const { hookSpecificOutput } = answer.parse(JSON.parse(ran.out));
  if (hookSpecificOutput !== undefined)
    expect(payload["hook_event_name"]).toBe(hookSpecificOutput.hookEventName);
  expect(mayAnswer.has(payload["hook_event_name"])).toBe(true);
}

const eventCount = (program: Program): number => {
  using db = program.database();
  return db.query<{ n: number }, []>("SELECT count(*) AS n FROM events").get()?.n ?? 0;
};

const spooledIn = ({ paths }: Program): number =>
  existsSync(paths.spool)
    ? readdirSync(paths.spool).filter((name) => name.endsWith(".json")).length
    : 0;

/** As `install` writes it, under the client's own name, and without a name. */
const waysOf = ({ hook, payload }: Shape): readonly (readonly string[])[] => [
  ["hook", ...(hook === null ? [] : [hook])],
  ["hook", String(payload["hook_event_name"]), "--an-option-of-a-later-version"],
  ["hook"],
];

/** Each shape has a moment of its own, however long the machine takes. */
const baseMs = Date.now() - 3_600_000;
const momentOf = (one: Shape): Readonly<Record<string, string>> => ({
  CONTINUITY_NOW: `${baseMs + shapes.indexOf(one) * 5_000}`,
});

async function send(program: Program, one: Shape, ways = waysOf(one)): Promise<void> {
  const given = { input: JSON.stringify(one.payload), env: momentOf(one) };
  for (const args of ways) expectQuietAnswer(one.payload, await program.run(args, given));
}

describe("with a daemon", () => {
  let program: Program;
  beforeAll(async () => {
    program = openProgram();
    await program.run(["hook"], {
      input: JSON.stringify({ ...shapes[1]?.payload, session_id: "0" }),
    });
    await program.flush();
  });
  afterAll(async () => program[Symbol.asyncDispose]());

  test.each(shapes.map((one) => [one.name, one] as const))("%s", async (_, one) => {
    const before = eventCount(program);
    await send(program, one);
    // On a busy machine what the daemon did not take in time waits in the spool.
    if (spooledIn(program) > 0) await program.flush();
    // A payload that was sent three times within a moment counts once; what is unknown does not count.
    expect(eventCount(program) - before).toBe(one.adds);
  });

  test("the session they make up is what was told", async () => {
    await program.flush();
    using db = program.database();
    expect(
      db
        .query("SELECT n, prompt_id, status, tool_count FROM turns WHERE session_id = ?")
        .values(session_id),
    ).toEqual([[1, prompt_id, "closed", 11]]);
    expect(
      db
        .query("SELECT compact_summary FROM sessions WHERE session_id = ?")
        .values(session_id)[0]?.[0],
    ).toContain("Sell ferry tickets");
    // On a machine under load a hook may spool what the daemon does not take in time: nothing is lost by it.
    const log = program.log().replace(/^.* hook\.daemon-unusable why=slow$/gmu, "");
    expect(log).not.toMatch(/ (?:warn|error) /);
  });
});

describe("without a daemon", () => {
  let program: Program;
  beforeAll(() => {
    program = openProgram({ CONTINUITY_AUTOSTART: "0" });
  });
  afterAll(async () => program[Symbol.asyncDispose]());

  test.each(shapes.map((one) => [one.name, one] as const))("%s", async (_, one) => {
    await send(program, one, waysOf(one).slice(0, 2));
    expect(program.daemons()).toEqual([]);
  });

  test("all of it is there once a daemon comes", async () => {
    await program.flush();
    await eventually("an empty spool", async () => {
      const { out } = await program.run(["status", "--json"]);
      return (JSON.parse(out) as { readonly spool: { readonly files: number } }).spool.files === 0;
    });
    expect(eventCount(program)).toBe(shapes.reduce((sum, { adds }) => sum + adds, 0));
  });
});
