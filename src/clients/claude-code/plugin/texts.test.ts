import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pluginTexts } from "./folder.ts";

const folder = join(import.meta.dir, "..", "..", "..", "..", "plugin");
const texts = pluginTexts("/opt/my tools/continuity");
const skills = readdirSync(join(folder, "skills"));

test("the plugin that install writes has every skill of plugin/, and each names the program by its path", () => {
  expect(skills.toSorted()).toEqual([
    "consolidate",
    "forget",
    "learn",
    "memory-status",
    "recall",
    "remember",
  ]);
  const written = [...texts.keys()].filter((path) => path.includes("/skills/"));
  expect(written.toSorted()).toEqual(
    skills.map((name) => `continuity/skills/${name}/SKILL.md`).toSorted(),
  );
  for (const name of skills) {
    const text = texts.get(`continuity/skills/${name}/SKILL.md`) ?? "";
    const shipped = readFileSync(join(folder, "skills", name, "SKILL.md"), "utf8");
    const runs = /`continuity \w/.test(shipped);
    expect(text.includes("`'/opt/my tools/continuity' "), name).toBe(runs);
    expect(text.includes("Bash('/opt/my tools/continuity' "), name).toBe(runs);
    expect(text, name).not.toMatch(/`continuity \w|Bash\([^)']*continuity|not on PATH|~\/\.local/);
    if (!runs) expect(text, name).toBe(shipped);
  }
});

test("a skill that runs the program says where to look when the PATH lacks it, as the hooks do", () => {
  const hooks = readFileSync(join(folder, "hooks", "hooks.json"), "utf8");
  for (const place of [".continuity/bin", ".local/bin", "/usr/local/bin", "/opt/homebrew/bin"]) {
    expect(hooks).toContain(place);
    for (const name of ["consolidate", "memory-status"])
      expect(readFileSync(join(folder, "skills", name, "SKILL.md"), "utf8")).toContain(place);
  }
});

test("no command hides a skill of the same name", () => {
  expect(existsSync(join(folder, "commands"))).toBe(false);
  expect([...texts.keys()].join()).not.toContain("commands/");
});

test("it hears the same events, and names the program by its absolute path", () => {
  const events = (text: string) =>
    Object.keys((JSON.parse(text) as { readonly hooks: Record<string, unknown> }).hooks).toSorted();
  const hooks = texts.get("continuity/hooks/hooks.json") ?? "";
  expect(events(hooks)).toEqual(events(readFileSync(join(folder, "hooks", "hooks.json"), "utf8")));
  expect(hooks).toContain('"command": "/opt/my tools/continuity"');
  expect(JSON.parse(texts.get("continuity/.mcp.json") ?? "")).toEqual({
    mcpServers: {
      continuity: { type: "stdio", command: "/opt/my tools/continuity", args: ["mcp"] },
    },
  });
});
