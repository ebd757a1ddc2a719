/** Where Claude Code keeps what install changes and doctor reads, as the client itself looks it up. Pure. */
import { userHome } from "#domain";

type Env = Readonly<Record<string, string | undefined>>;

/** Never a relative path, which would lie in the project; without a home, install refuses (see `hasClientFolder`). */
const homeOf = (env: Env): string => userHome(env) ?? "";

/** Whether it is known where the client keeps the user's settings. */
export const hasClientFolder = (env: Env): boolean =>
  userHome(env) !== null || Boolean(env["CLAUDE_CONFIG_DIR"]?.trim());

/** `$CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function clientFolder(env: Env): string {
  const folder = env["CLAUDE_CONFIG_DIR"]?.trim() || `${homeOf(env)}/.claude`;
  return folder.normalize("NFC");
}

/** Claude Code's settings: of the user, or of a project when its folder is given. */
export const settingsPathFor = (env: Env, projectFolder: string | null): string =>
  `${projectFolder === null ? clientFolder(env) : `${projectFolder}/.claude`}/settings.json`;

/** Where the client lists MCP servers: of the user, or of a project when its folder is given. */
export function serversPathFor(env: Env, projectFolder: string | null): string {
  if (projectFolder !== null) return `${projectFolder}/.mcp.json`;
  const folder = env["CLAUDE_CONFIG_DIR"]?.trim() || homeOf(env);
  return `${folder.normalize("NFC")}/.claude.json`;
}

/** Settings that an administrator put on this machine; they win over the user's. */
export function managedSettingsPath(platform: string): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode/managed-settings.json";
  if (platform === "win32") return "C:\\Program Files\\ClaudeCode\\managed-settings.json";
  return "/etc/claude-code/managed-settings.json";
}
