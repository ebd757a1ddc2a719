/**
 * Names each agent's events, fields and tools, as data: its events, fields and tools by Claude
 * Code's names, the form and the limit of an answer, and where the start context goes. Recorded
 * with Codex CLI 0.169, Gemini CLI 0.61 and Copilot CLI 1.0.102.
 */
import type { OtherAgent } from "#domain";

export interface AgentSpec {
  /** Its events that are captured, each with Claude Code's name of it. Everything else is ignored. */
  readonly events: Readonly<Record<string, string>>;
  /** Its fields, each with Claude Code's name; a field that is not here keeps its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Its tools, each with Claude Code's name. */
  readonly tools: Readonly<Record<string, string>>;
  /** The pattern of the agent's names for tools of an MCP server: server and tool are the groups. */
  readonly mcpTool: RegExp | null;
  /** The pattern of the exit status in a shell tool's answer; null = it is not told. */
  readonly exitCode: RegExp | null;
  /**
   * `wrapped`: Claude Code's form; `top-level`: `additionalContext` and nothing around it; `snake-case`:
   * `additional_context`.
   */
  readonly answer: "wrapped" | "top-level" | "snake-case";
  /** The limit of the whole answer in bytes of UTF-8. */
  readonly answerBytesMax: number;
  /** It writes `<` and `>` as entities, so the block's tags are written with brackets. */
  readonly escapesTags: boolean;
  /** Claude Code's events on which an answer reaches the model. */
  readonly answers: readonly string[];
  /**
   * The way of the start context when its own event cannot bring it: `first-prompt`: with a prompt,
   * at the start and after a compaction; `after-compaction`: with the prompt after a compaction
   * only. Null = its event always brings it.
   */
  readonly startWithPrompt: "first-prompt" | "after-compaction" | null;
  /**
   * The effect of a resumed session's start text on the earlier one: it comes behind it, or takes
   * its place and so must be whole.
   */
  readonly resumed: "adds" | "replaces";
}

/** Below Codex's 10,000 bytes for one hook; others were not seen to have a limit. */
const answerBytesMax = 9_500;

export const agentSpecs: Readonly<Record<Exclude<OtherAgent, "opencode">, AgentSpec>> = {
  codex: {
    events: {
      SessionStart: "SessionStart",
      UserPromptSubmit: "UserPromptSubmit",
      PostToolUse: "PostToolUse",
      Stop: "Stop",
      SubagentStop: "SubagentStop",
      PreCompact: "PreCompact",
      SessionEnd: "SessionEnd",
    },
    fields: { turn_id: "prompt_id" },
    tools: { apply_patch: "Edit", spawn_agent: "Task" },
    mcpTool: null,
    exitCode: null,
    answer: "wrapped",
    answerBytesMax,
    escapesTags: false,
    answers: ["SessionStart", "UserPromptSubmit"],
    startWithPrompt: null,
    resumed: "adds",
  },
  gemini: {
    events: {
      SessionStart: "SessionStart",
      BeforeAgent: "UserPromptSubmit",
      AfterTool: "PostToolUse",
      AfterAgent: "Stop",
      PreCompress: "PreCompact",
      SessionEnd: "SessionEnd",
    },
    fields: { prompt_response: "last_assistant_message" },
    tools: {
      run_shell_command: "Bash",
      read_file: "Read",
      read_many_files: "Read",
      write_file: "Write",
      replace: "Edit",
      list_directory: "LS",
      glob: "Glob",
      grep_search: "Grep",
      search_file_content: "Grep",
      web_fetch: "WebFetch",
      google_web_search: "WebSearch",
      invoke_agent: "Task",
    },
    mcpTool: /^mcp_([^_]+)_(.+)$/,
    exitCode: /^Exit Code: (\d+)$/m,
    answer: "wrapped",
    answerBytesMax,
    escapesTags: true,
    // Never SessionStart: a resumed headless session would lose its first prompt.
    answers: ["UserPromptSubmit"],
    startWithPrompt: "first-prompt",
    resumed: "adds",
  },
  copilot: {
    events: {
      sessionStart: "SessionStart",
      userPromptSubmitted: "UserPromptSubmit",
      postToolUse: "PostToolUse",
      postToolUseFailure: "PostToolUseFailure",
      agentStop: "Stop",
      subagentStop: "SubagentStop",
      preCompact: "PreCompact",
      sessionEnd: "SessionEnd",
    },
    fields: {
      sessionId: "session_id",
      toolName: "tool_name",
      toolArgs: "tool_input",
      toolResult: "tool_response",
      tool_result: "tool_response",
      agentId: "agent_id",
      agentType: "agent_type",
      parentAgentId: "parent_agent_id",
      response: "last_assistant_message",
      transcriptPath: "transcript_path",
    },
    tools: {
      bash: "Bash",
      view: "Read",
      create: "Write",
      edit: "Edit",
      apply_patch: "Edit",
      grep: "Grep",
      glob: "Glob",
      web_fetch: "WebFetch",
      task: "Task",
      Agent: "Task",
    },
    // A hyphen stands in other names too, so only our own server is known.
    mcpTool: /^(continuity)-(.+)$/,
    exitCode: /<shellId: \S+ completed with exit code (\d+)>/,
    answer: "top-level",
    answerBytesMax,
    escapesTags: false,
    answers: ["SessionStart", "UserPromptSubmit"],
    startWithPrompt: "after-compaction",
    resumed: "replaces",
  },
};

/**
 * Cursor runs the hooks of Claude Code's settings, with payloads of its own. From its documentation, not recorded:
 * context is taken at a session's start only, and `stop` does not tell the answer.
 */
export const cursorSpec: AgentSpec = {
  events: {
    sessionStart: "SessionStart",
    beforeSubmitPrompt: "UserPromptSubmit",
    postToolUse: "PostToolUse",
    postToolUseFailure: "PostToolUseFailure",
    stop: "Stop",
    subagentStop: "SubagentStop",
    preCompact: "PreCompact",
    sessionEnd: "SessionEnd",
  },
  fields: {
    conversation_id: "session_id",
    generation_id: "prompt_id",
    tool_output: "tool_response",
    error_message: "error",
  },
  tools: { Shell: "Bash", Delete: "Edit" },
  mcpTool: null,
  exitCode: null,
  answer: "snake-case",
  answerBytesMax,
  escapesTags: false,
  answers: ["SessionStart"],
  startWithPrompt: null,
  resumed: "adds",
};

/** Agents that run our program as a hook; OpenCode loads a plugin, which speaks Claude Code's language by itself. */
export type HookedAgent = keyof typeof agentSpecs;

export const hookedAgents = Object.keys(agentSpecs) as readonly HookedAgent[];
