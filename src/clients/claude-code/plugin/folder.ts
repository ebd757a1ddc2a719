/**
 * The plugin as a folder beside the database, written out of the program itself: a marketplace with one plugin, whose
 * hooks and MCP server name this program by its absolute path.
 */
import type { HomePaths } from "#domain";
import { shellWord } from "#kit";
import consolidateSkill from "../../../../plugin/skills/consolidate/SKILL.md" with { type: "text" };
import forgetSkill from "../../../../plugin/skills/forget/SKILL.md" with { type: "text" };
import learnSkill from "../../../../plugin/skills/learn/SKILL.md" with { type: "text" };
import memoryStatusSkill from "../../../../plugin/skills/memory-status/SKILL.md" with { type: "text" };
import recallSkill from "../../../../plugin/skills/recall/SKILL.md" with { type: "text" };
import rememberSkill from "../../../../plugin/skills/remember/SKILL.md" with { type: "text" };
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../../package.json";
import { setupFiles } from "../settings/files.ts";
import { groupOf, hookEntryFor, matcherFor, registeredEvents } from "../settings/hooks.ts";

interface PluginFolder {
  readonly path: string;
  /** Writes all files anew. Throws when the home cannot be written. */
  readonly write: (binary: string) => void;
  /** Takes the folder away; one that is not there is fine. */
  readonly remove: () => void;
}

export function createPluginFolder({ paths }: { readonly paths: HomePaths }): PluginFolder {
  const path = join(paths.root, "plugin");
  return {
    path,
    write: (binary) => {
      for (const [name, text] of pluginTexts(binary))
        setupFiles.replace(join(path, name), new TextEncoder().encode(text), 0o600);
    },
    remove: () => {
      if (existsSync(path)) rmSync(path, { recursive: true, force: true });
    },
  };
}

const name = "continuity";
const description = "Persistent memory for Claude Code: local, private, and out of the way.";

const texts: Readonly<Record<string, string>> = {
  "skills/consolidate/SKILL.md": consolidateSkill,
  "skills/forget/SKILL.md": forgetSkill,
  "skills/learn/SKILL.md": learnSkill,
  "skills/memory-status/SKILL.md": memoryStatusSkill,
  "skills/recall/SKILL.md": recallSkill,
  "skills/remember/SKILL.md": rememberSkill,
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Marketplace file, manifest, hooks, MCP entry and skills. */
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
    ...Object.entries(texts).map(
      ([path, text]) => [`${name}/${path}`, skillFor(text, shellWord(binary))] as const,
    ),
  ]);

/** The sentence with which the repository's own plugin looks for a program that is not on the PATH. */
const elsewhere = new RegExp(
  String.raw`\s*If it is not on PATH, it is in \x60~/\.continuity/bin\x60, \x60~/\.local/bin\x60,\s+` +
    String.raw`\x60/usr/local/bin\x60 or \x60/opt/homebrew/bin\x60; name it by that path\.`,
);
const inOtherFolders = /, Bash\(~\/\.continuity\/bin\/continuity[^\n]*/;

/** A skill whose commands call the program by its path: the model's shell may not have it on its PATH. */
const skillFor = (text: string, program: string): string =>
  text
    .replace(elsewhere, "")
    .replace(inOtherFolders, "")
    .replaceAll(/(?<=`|Bash\()continuity(?= )/g, () => program);

const hooksFor = (binary: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    registeredEvents.map((event) => [
      event,
      [groupOf(hookEntryFor(event, binary), matcherFor(event))],
    ]),
  );
