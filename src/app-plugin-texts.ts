/** The plugin's files, by their place in its marketplace folder, for a program at an absolute path. Pure. */
import { hookEntryFor, registeredEvents } from "#setup";
import { version } from "../package.json";

const name = "continuity";
const description = "Persistent memory for Claude Code: local, private, and out of the way.";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Marketplace file, manifest, hooks and MCP entry. */
export const pluginTexts = (binary: string): ReadonlyMap<string, string> =>
  new Map([
    [
      ".claude-plugin/marketplace.json",
      json({ name, owner: { name }, plugins: [{ name, source: "./continuity", description }] }),
    ],
    ["continuity/.claude-plugin/plugin.json", json({ name, version, description })],
    ["continuity/hooks/hooks.json", json({ hooks: hooksFor(binary) })],
    [
      "continuity/.mcp.json",
      json({ mcpServers: { [name]: { type: "stdio", command: binary, args: ["mcp"] } } }),
    ],
  ]);

const hooksFor = (binary: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    registeredEvents.map((event) => [event, [{ hooks: [hookEntryFor(event, binary)] }]]),
  );
