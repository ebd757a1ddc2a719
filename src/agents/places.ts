/** Where each agent keeps what install changes and import reads, as the agent itself looks it up. Pure. */
import { userHome, type OtherAgent } from "#domain";

export type Env = Readonly<Record<string, string | undefined>>;

const homeOf = (env: Env): string => userHome(env) ?? "";
const named = (env: Env, name: string): string | null => env[name]?.trim() || null;

/** The folder of an agent's own files. */
export function agentFolder(agent: OtherAgent, env: Env): string {
  switch (agent) {
    case "codex":
      return named(env, "CODEX_HOME") ?? `${homeOf(env)}/.codex`;
    case "gemini":
      return `${homeOf(env)}/.gemini`;
    case "copilot":
      return named(env, "COPILOT_HOME") ?? `${homeOf(env)}/.copilot`;
    case "opencode":
      return `${named(env, "XDG_CONFIG_HOME") ?? `${homeOf(env)}/.config`}/opencode`;
  }
}

/** Its program, as it stands in PATH. */
export const agentProgram: Readonly<Record<OtherAgent, string>> = {
  codex: "codex",
  gemini: "gemini",
  copilot: "copilot",
  opencode: "opencode",
};

/** Where it keeps its sessions: what `import` reads unless another place is named. */
export function sessionsPlace(
  agent: OtherAgent | "aider",
  { env, cwd }: { readonly env: Env; readonly cwd: string },
): string {
  switch (agent) {
    case "aider":
      return named(env, "AIDER_CHAT_HISTORY_FILE") ?? `${cwd}/.aider.chat.history.md`;
    case "codex":
      return `${agentFolder(agent, env)}/sessions`;
    case "gemini":
      return `${agentFolder(agent, env)}/tmp`;
    case "copilot":
      return `${agentFolder(agent, env)}/session-state`;
    case "opencode":
      return `${named(env, "XDG_DATA_HOME") ?? `${homeOf(env)}/.local/share`}/opencode/opencode.db`;
  }
}
