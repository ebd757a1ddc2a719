import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pluginTexts } from "./app-plugin-texts.ts";

const folder = join(import.meta.dir, "..", "plugin");
const texts = pluginTexts("/opt/continuity");

test("the plugin that install writes has every skill and command of plugin/, word for word", () => {
  const shipped = ["commands", "skills"].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)),
  );
  expect(shipped.length).toBeGreaterThan(0);
  for (const path of shipped)
    expect(texts.get(`continuity/${path}`), path).toBe(readFileSync(join(folder, path), "utf8"));
  const written = [...texts.keys()].filter((path) => /\/(?:commands|skills)\//.test(path));
  expect(written.toSorted()).toEqual(shipped.map((path) => `continuity/${path}`).toSorted());
});

test("it hears the same events, and names the program by its absolute path", () => {
  const events = (text: string) =>
    Object.keys((JSON.parse(text) as { readonly hooks: Record<string, unknown> }).hooks).toSorted();
  const hooks = texts.get("continuity/hooks/hooks.json") ?? "";
  expect(events(hooks)).toEqual(events(readFileSync(join(folder, "hooks", "hooks.json"), "utf8")));
  expect(hooks).toContain('"command": "/opt/continuity"');
  expect(JSON.parse(texts.get("continuity/.mcp.json") ?? "")).toEqual({
    mcpServers: { continuity: { type: "stdio", command: "/opt/continuity", args: ["mcp"] } },
  });
});
