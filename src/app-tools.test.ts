import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolsCheck } from "./app-tools.ts";

test("the tools are named where the client knows our server or has our plugin on, and nowhere else", () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-tools-"));
  try {
    const has = toolsCheck({ CLAUDE_CONFIG_DIR: folder });
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
