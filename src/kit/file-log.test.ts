import { afterEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stoppedClock } from "./clock.ts";
import { createFileLog, logFileName, tailLog } from "./log.ts";

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "continuity-log-"));
  folders.push(made);
  return made;
};
afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const clock = stoppedClock(Date.parse("2026-03-01T10:00:00Z"));

test("an entry is one line, whatever its fields hold", () => {
  const dir = folder();
  createFileLog({ dir, level: "info", clock }).write("warn", "hook.failed", {
    reason: "a\nb\u001b[31m",
    n: 3,
  });
  expect(readFileSync(join(dir, logFileName), "utf8")).toBe(
    '2026-03-01T10:00:00.000Z warn hook.failed reason="a\\nb\\u001b[31m" n=3\n',
  );
});

test("the tail is the last lines, oldest first, and nothing where there is no log", () => {
  const dir = folder();
  expect(tailLog(dir, 2)).toEqual([]);
  const log = createFileLog({ dir, level: "info", clock });
  for (const event of ["first", "second", "third"]) log.write("info", event);
  expect(tailLog(dir, 2).map((line) => line.split(" ")[2])).toEqual(["second", "third"]);
});

test("the file is private and entries below the level are dropped", () => {
  const dir = folder();
  const log = createFileLog({ dir, level: "warn", clock });
  log.write("info", "quiet");
  log.write("error", "loud");
  expect(readFileSync(join(dir, logFileName), "utf8")).not.toContain("quiet");
  expect(statSync(join(dir, logFileName)).mode & 0o777).toBe(0o600);
});

test("at most five files of about a megabyte are kept", () => {
  const dir = folder();
  const log = createFileLog({ dir, level: "info", clock });
  for (let n = 0; n < 8; n += 1) {
    writeFileSync(join(dir, logFileName), "x".repeat(1_000_001));
    log.write("info", `rotation-${n}`);
  }
  expect(readdirSync(dir).length).toBe(5);
});

test("a home that was deleted is not made anew for a line", () => {
  const home = join(folder(), "home");
  const fallbackDir = folder();
  const log = createFileLog({ dir: join(home, "logs"), level: "info", clock, fallbackDir });
  log.write("info", "daemon.stopping");
  expect(existsSync(home)).toBe(false);
  expect(readdirSync(fallbackDir)).toHaveLength(1);
});

test("a folder that cannot be written falls back to the other, and nothing throws", () => {
  const dir = folder();
  const fallbackDir = folder();
  writeFileSync(join(dir, "file"), "");
  createFileLog({ dir: join(dir, "file", "logs"), level: "info", clock, fallbackDir }).write(
    "error",
    "here",
  );
  expect(readdirSync(fallbackDir).length).toBe(1);
  createFileLog({ dir: "/dev/null/x", level: "info", clock, fallbackDir: "/dev/null/y" }).write(
    "error",
    "nowhere",
  );
});

test("a link under our name in the shared folder is not followed", () => {
  const fallbackDir = folder();
  const victim = join(folder(), "victim");
  writeFileSync(victim, "");
  symlinkSync(victim, join(fallbackDir, `continuity-${process.getuid?.() ?? "user"}.log`));
  createFileLog({ dir: "/dev/null/x", level: "info", clock, fallbackDir }).write(
    "error",
    "planted",
  );
  expect(readFileSync(victim, "utf8")).toBe("");
});
