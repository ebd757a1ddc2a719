/**
 * The coding agents whose sessions are kept. A session's agent is part of its id: ids of two agents may be equal, and
 * an id that is shown or typed anywhere says whose session it is. Ids of Claude Code stay as they are. Pure.
 */

/** Those that `install` knows. */
export const agentNames = ["claude", "codex", "gemini", "copilot", "opencode"] as const;
export type AgentName = (typeof agentNames)[number];

/** Agents beside Claude Code. */
export type OtherAgent = Exclude<AgentName, "claude">;
export const otherAgents = agentNames.filter((name) => name !== "claude");

/** Cursor runs Claude Code's hooks; aider has none and is imported. */
export const keptAgents = [...agentNames, "cursor", "aider"] as const;
export type KeptAgent = (typeof keptAgents)[number];
type NotClaude = Exclude<KeptAgent, "claude">;
const notClaude = keptAgents.filter((name) => name !== "claude");

/** What people call them. */
export const agentTitles: Readonly<Record<KeptAgent, string>> = {
  claude: "Claude Code",
  codex: "Codex CLI",
  gemini: "Gemini CLI",
  copilot: "Copilot CLI",
  opencode: "OpenCode",
  cursor: "Cursor",
  aider: "aider",
};

/** The id under which a session of that agent is kept. */
export const agentSessionId = (agent: NotClaude, id: string): string => `${agent}-${id}`;

/** Whose session it is. */
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
  aider: "",
};

/** Prefix of our MCP tools as the agent of this session shows them. */
export const toolPrefixOf = (sessionId: string): string => toolPrefixes[agentOf(sessionId)];
