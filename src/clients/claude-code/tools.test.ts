import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homePaths } from "#domain";
import { lookUpFor, noteProjectTools } from "./tools.ts";

test("the tools are named where the client knows our server or has our plugin on, and nowhere else", () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-tools-"));
  try {
    const lookUp = lookUpFor({
      env: { CLAUDE_CONFIG_DIR: folder },
      paths: homePaths(join(folder, "home")),
      command: ["/opt/continuity"],
    });
    const has = (): boolean => lookUp("/home/dev/ferry") === null;
    const servers = (json: string): void => writeFileSync(join(folder, ".claude.json"), json);
    expect(has()).toBe(false);
    servers('{"mcpServers":{"continuity":{"command":"/usr/bin/other","args":["mcp"]}}}');
    expect(has()).toBe(false);
    servers('{"mcpServers":{"continuity":{"command":"/usr/bin/continuity","args":["mcp"]}}}');
    expect(has()).toBe(true);
    servers('{"mcpServers":{"continuity": broken');
    expect(has()).toBe(false);
    const settings = join(folder, "settings.json");
    writeFileSync(settings, '{"enabledPlugins":{"continuity@continuity":false}}');
    expect(has()).toBe(false);
    writeFileSync(settings, '{"enabledPlugins":{"continuity@continuity":true}}');
    expect(has()).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a project that has them by its own installation is known, and another is told the program's path", () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-tools-"));
  try {
    const paths = homePaths(join(folder, "home"));
    const lookUp = lookUpFor({
      env: { CLAUDE_CONFIG_DIR: folder },
      paths,
      command: ["/Users/nadia m/continuity"],
    });
    const named = "'/Users/nadia m/continuity'";
    expect(lookUp("/home/dev/ferry")).toBe(named);
    noteProjectTools(paths, "/home/dev/ferry", true);
    noteProjectTools(paths, "/home/dev/ferry", true);
    noteProjectTools(paths, "/home/dev/harbour", true);
    expect(lookUp("/home/dev/ferry")).toBeNull();
    expect(lookUp("/work")).toBe(named);
    expect(lookUp(null)).toBe(named);
    noteProjectTools(paths, "/home/dev/ferry", false);
    expect(lookUp("/home/dev/ferry")).toBe(named);
    expect(lookUp("/home/dev/harbour")).toBeNull();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
