/**
 * The plugin's files, by their place in its marketplace folder, for a program at an absolute path. Skills are those of
 * plugin/ (a command of the same name would hide a skill's description from the model); they, the hooks and the MCP
 * entry name the program by that path, so that none has to look for it. Pure.
 */
import consolidateSkill from "../../../plugin/skills/consolidate/SKILL.md" with { type: "text" };
import forgetSkill from "../../../plugin/skills/forget/SKILL.md" with { type: "text" };
import memoryStatusSkill from "../../../plugin/skills/memory-status/SKILL.md" with { type: "text" };
import recallSkill from "../../../plugin/skills/recall/SKILL.md" with { type: "text" };
import rememberSkill from "../../../plugin/skills/remember/SKILL.md" with { type: "text" };
import { shellWord } from "#kit";
import { groupOf } from "../settings/hook-plan.ts";
import { hookEntryFor, matcherFor, registeredEvents } from "../settings/hooks.ts";
import { version } from "../../../package.json";

const name = "continuity";
const description = "Persistent memory for Claude Code: local, private, and out of the way.";

const texts: Readonly<Record<string, string>> = {
  "skills/consolidate/SKILL.md": consolidateSkill,
  "skills/forget/SKILL.md": forgetSkill,
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

/** Where the repository's own plugin looks for the program when it is not on the PATH. */
const elsewhere = new RegExp(
  String.raw`\s*If it is not on PATH, it is in \x60~/\.local/bin\x60, \x60/usr/local/bin\x60 or\s+` +
    String.raw`\x60/opt/homebrew/bin\x60; name it by that path\.`,
);
const inOtherFolders = /, Bash\(~\/\.local\/bin\/continuity[^\n]*/;

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
