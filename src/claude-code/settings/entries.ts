/** What of ours stands in Claude Code's files beside the hooks, and how to recognise it. Pure. */
import { isOurProgram } from "./hooks.ts";

/** Names by which the client knows us: MCP server, plugin and its marketplace. */
const name = "continuity";

/** `mcpServers.continuity` in ~/.claude.json, or in a project's .mcp.json. */
export const serverPath: readonly string[] = ["mcpServers", name];
export const pluginPath: readonly string[] = ["enabledPlugins", `${name}@${name}`];
export const marketplacePath: readonly string[] = ["extraKnownMarketplaces", name];
export const statusLinePath: readonly string[] = ["statusLine"];

interface ServerEntry {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
}

/** Our MCP server. What a person added to it (`env`, options behind `mcp`) stays. */
export function serverEntry(binary: string, known: unknown): ServerEntry {
  const kept = typeof known === "object" && known !== null ? known : {};
  const args = "args" in kept && Array.isArray(kept.args) ? kept.args.map(String) : ["mcp"];
  return { ...kept, type: "stdio", command: binary, args };
}

/** Ours is what runs a program named continuity with `mcp` as its first argument, wherever it lies. */
export function isOurServer(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { command, args } = value as { readonly command?: unknown; readonly args?: unknown };
  return isOurProgram(command) && Array.isArray(args) && args[0] === "mcp";
}

/** The client runs a status line through a shell, so the path is quoted where it needs to be. */
export const statusLineEntry = (
  binary: string,
): { readonly type: "command"; readonly command: string } => ({
  type: "command",
  command: `${/^[\w./:\\-]+$/.test(binary) ? binary : quoted(binary)} statusline`,
});

const quoted = (path: string): string =>
  process.platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** Ours is what runs a program named continuity with the one word `statusline`. */
export function isOurStatusLine(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("command" in value)) return false;
  const { command } = value;
  return (
    typeof command === "string" &&
    /(?:^|[/\\'"])continuity(?:\.exe)?['"]? statusline$/i.test(command)
  );
}
