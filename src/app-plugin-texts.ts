/**
 * The plugin's files, by their place in its marketplace folder, for a program at an absolute path. Skills and commands are
 * those of plugin/; hooks and MCP entry differ from it in that they need not look for the program. Pure.
 */
import consolidate from "../plugin/commands/consolidate.md" with { type: "text" };
import forget from "../plugin/commands/forget.md" with { type: "text" };
import memoryStatus from "../plugin/commands/memory-status.md" with { type: "text" };
import recall from "../plugin/commands/recall.md" with { type: "text" };
import remember from "../plugin/commands/remember.md" with { type: "text" };
import consolidateSkill from "../plugin/skills/consolidate/SKILL.md" with { type: "text" };
import forgetSkill from "../plugin/skills/forget/SKILL.md" with { type: "text" };
import memoryStatusSkill from "../plugin/skills/memory-status/SKILL.md" with { type: "text" };
import recallSkill from "../plugin/skills/recall/SKILL.md" with { type: "text" };
import rememberSkill from "../plugin/skills/remember/SKILL.md" with { type: "text" };
import { hookEntryFor, registeredEvents } from "#setup";
import { version } from "../package.json";

const name = "continuity";
const description = "Persistent memory for Claude Code: local, private, and out of the way.";

const texts: Readonly<Record<string, string>> = {
  "commands/consolidate.md": consolidate,
  "commands/forget.md": forget,
  "commands/memory-status.md": memoryStatus,
  "commands/recall.md": recall,
  "commands/remember.md": remember,
  "skills/consolidate/SKILL.md": consolidateSkill,
  "skills/forget/SKILL.md": forgetSkill,
  "skills/memory-status/SKILL.md": memoryStatusSkill,
  "skills/recall/SKILL.md": recallSkill,
  "skills/remember/SKILL.md": rememberSkill,
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Marketplace file, manifest, hooks, MCP entry, skills and commands. */
export const pluginTexts = (binary: string): ReadonlyMap<string, string> =>
  new Map([
    [
      ".claude-plugin/marketplace.json",
      json({
        name,
        description,
        owner: { name: "Continuity" },
        plugins: [{ name, source: `./${name}`, description }],
      }),
    ],
    [
      `${name}/.claude-plugin/plugin.json`,
      json({ name, version, description, author: { name: "Continuity" }, license: "MIT" }),
    ],
    [`${name}/hooks/hooks.json`, json({ hooks: hooksFor(binary) })],
    [
      `${name}/.mcp.json`,
      json({ mcpServers: { [name]: { type: "stdio", command: binary, args: ["mcp"] } } }),
    ],
    ...Object.entries(texts).map(([path, text]) => [`${name}/${path}`, text] as const),
  ]);

const hooksFor = (binary: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    registeredEvents.map((event) => [event, [{ hooks: [hookEntryFor(event, binary)] }]]),
  );
