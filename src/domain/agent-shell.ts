/** Finds out whether a command was started by a coding agent instead of by a person. Pure. */
import type { KeptAgent } from "./agent.ts";

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
