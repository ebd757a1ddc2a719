import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceFile, servicePlaces, serviceSystemOf } from "./user-service.ts";

const hostile = '/opt/my "tools"/50% $HOME\\bin/continuity';

test("each system has its own place and its own words", () => {
  expect(["linux", "darwin", "win32"].map(serviceSystemOf)).toEqual(["systemd", "launchd", null]);
  expect(servicePlaces.systemd).toBe(".config/systemd/user/continuity.service");
  const { text, start, stop } = serviceFile("systemd", {
    binary: "/usr/bin/continuity",
    home: null,
  });
  expect(text).toContain('ExecStart="/usr/bin/continuity" serve --idle-exit never\n');
  expect(text).toContain('Environment="BUN_JSC_forceRAMSize=');
  expect(text).not.toContain("CONTINUITY_HOME");
  expect([start, stop].every((command) => command.includes("continuity.service"))).toBe(true);
  expect(stop).not.toContain("disable");
});

test("whatever a path is called, it stays one word", () => {
  const { text } = serviceFile("systemd", { binary: hostile, home: "/data/a b" });
  expect(text).toContain('ExecStart="/opt/my \\"tools\\"/50%% $$HOME\\\\bin/continuity" serve');
  expect(text).toContain('Environment="CONTINUITY_HOME=/data/a b"\n');
  const agent = serviceFile("launchd", { binary: "/opt/a&b/<c>/continuity", home: null }).text;
  expect(agent).toContain("<string>/opt/a&amp;b/&lt;c&gt;/continuity</string>");
  expect(agent.match(/<key>/g)).toHaveLength(agent.match(/<\/key>/g)?.length ?? 0);
});

const verifier = Bun.which("systemd-analyze");

test.skipIf(verifier === null)("systemd finds nothing wrong with the unit", () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-unit-"));
  const path = join(folder, "continuity.service");
  writeFileSync(path, serviceFile("systemd", { binary: process.execPath, home: "/data/a b" }).text);
  const checked = Bun.spawnSync([verifier ?? "", "verify", "--user", "--man=no", path], {
    env: { ...process.env, XDG_RUNTIME_DIR: folder, HOME: folder },
    stderr: "pipe",
  });
  const faults = checked.stderr
    .toString()
    .split("\n")
    .filter((line) => line.includes("continuity.service"));
  rmSync(folder, { recursive: true });
  expect(faults).toEqual([]);
});
