/**
 * The coding agents whose sessions are kept. A session's agent is part of its id: ids of two agents may be equal, and
 * an id that is shown or typed anywhere says whose session it is. Ids of Claude Code stay as they are. Pure.
 */

/** Agents that `install` knows beside Claude Code. */
export const otherAgents = ["codex", "gemini", "copilot", "opencode"] as const;
export type OtherAgent = (typeof otherAgents)[number];

export const agentNames = ["claude", ...otherAgents] as const;
export type AgentName = (typeof agentNames)[number];

/** Editors whose agents reach the memory over MCP alone; a rule file tells them when. */
export const editors = ["cursor", "windsurf", "kiro", "cline"] as const;
export type Editor = (typeof editors)[number];

/** Cursor runs Claude Code's hooks. */
const notClaude = [...otherAgents, "cursor"] as const;
type NotClaude = (typeof notClaude)[number];
export const keptAgents = ["claude", ...notClaude] as const;
export type KeptAgent = (typeof keptAgents)[number];

export const agentTitles: Readonly<Record<KeptAgent | Editor, string>> = {
  claude: "Claude Code",
  codex: "Codex CLI",
  gemini: "Gemini CLI",
  copilot: "Copilot CLI",
  opencode: "OpenCode",
  cursor: "Cursor",
  windsurf: "Windsurf",
  kiro: "Kiro",
  cline: "Cline",
};

/** The id under which a session of that agent is kept. */
export const agentSessionId = (agent: NotClaude, id: string): string => `${agent}-${id}`;

export const agentOf = (sessionId: string): KeptAgent =>
  notClaude.find((name) => sessionId.startsWith(`${name}-`)) ?? "claude";

/** Prefix of our MCP tools where an agent lists them. */
const toolPrefixes: Readonly<Record<KeptAgent, string>> = {
  claude: "mcp__continuity__",
  codex: "mcp__continuity__",
  gemini: "mcp_continuity_",
  copilot: "continuity-",
  opencode: "continuity_",
  cursor: "",
};

/** Prefix of our MCP tools as the agent of this session shows them. */
export const toolPrefixOf = (sessionId: string): string => toolPrefixes[agentOf(sessionId)];

/** True for a call by which an agent takes its running turn off the record; clients put their prefix to the name. */
export const forgetsTurn = (tool: string, input: Readonly<Record<string, unknown>>): boolean =>
  input["turn"] === true && /continuity[\w-]*memory_forget$/.test(tool);

// Finds out whether a command was started by a coding agent instead of by a person. Pure.

type Env = Readonly<Record<string, string | undefined>>;

/** Variables that agents set for the commands they run, by agent. */
const markers: readonly (readonly [KeptAgent, readonly string[]])[] = [
  ["claude", ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"]],
  [
    "codex",
    [
      "CODEX_SANDBOX",
      "CODEX_SANDBOX_NETWORK_DISABLED",
      "CODEX_THREAD_ID",
      "CODEX_SESSION_ID",
      "CODEX_CI",
    ],
  ],
  ["gemini", ["GEMINI_CLI", "GEMINI_SESSION_ID"]],
  ["opencode", ["OPENCODE", "OPENCODE_SESSION_ID"]],
  ["copilot", ["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"]],
  ["cursor", ["CURSOR_AGENT"]],
];

/** The agent whose shell this environment is of; null in a person's own shell. */
export const agentInEnv = (env: Env): KeptAgent | null =>
  markers.find(([, names]) => names.some((name) => (env[name] ?? "") !== ""))?.[0] ?? null;

/** Header that names the agent in requests of a command that an agent runs. */
export const agentHeader = "x-continuity-agent";

// Tells runs whose prompts a program sends (`claude -p`, SDKs) from sessions in which a person types. Pure.

/** The client's names of ways in that no person types at: `sdk-cli` (`claude -p`), `sdk-ts`, `sdk-py`. */
export const isHeadlessEntry = (entrypoint: string | null | undefined): boolean =>
  entrypoint?.startsWith("sdk-") === true || entrypoint === "claude-code-github-action";

/**
 * True in the environment that a client gives its hooks in such a run. Newer clients say whether somebody attends:
 * a terminal that was opened in another session's shell inherits that one's entrypoint.
 */
export const isHeadlessEnv = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const entrypoint = env["CLAUDE_CODE_ENTRYPOINT"];
  const attended = env["CLAUDE_CODE_SESSION_ATTENDED"];
  if (attended === "0") return entrypoint !== undefined && entrypoint !== "cli";
  return attended !== "1" && isHeadlessEntry(entrypoint);
};

/** Tag of what was said in such a run, where it lies in the archive. */
export const headlessTag = "headless";

/** Tag of a memory that was read from a file in which an agent keeps notes. */
export const agentNoteTag = "agent-note";
