/** A daemon that comes up after it was stopped, or after its home was removed. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../support/program.ts";

const start = (folder: string, home: string) =>
  Bun.spawnSync([binary, "serve", "--autostarted"], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      CONTINUITY_HOME: home,
      CONTINUITY_PORT: "0",
    },
    timeout: 20_000,
  });

test("a start that nobody awaits any more ends at once and leaves nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-late-"));
  try {
    const home = join(folder, "home");
    expect(start(folder, home).exitCode).toBe(0);
    expect(existsSync(home)).toBe(false);
    mkdirSync(home);
    expect(start(folder, home).exitCode).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
