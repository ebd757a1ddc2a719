import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homePaths } from "#domain";
import { ownClients } from "./agents-setup.ts";

test.each([
  ["is logged in", 'echo \'{"loggedIn":true,"authMethod":"claude.ai"}\'', ["claude-cli"]],
  ["is logged out", "echo '{\"loggedIn\":false}'; exit 1", []],
  ["does not know the question", "echo 'Unknown command'; exit 1", []],
])("Claude Code that %s", async (_, script, expected) => {
  const root = mkdtempSync(join(tmpdir(), "own-clients-"));
  try {
    const bin = join(root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "claude"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const env = { HOME: root, PATH: `${bin}:/usr/bin:/bin` };
    expect(await ownClients({ env, paths: homePaths(join(root, "home")) })).toEqual(expected);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
