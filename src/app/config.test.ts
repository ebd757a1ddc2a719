import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPauses } from "#hooks";
import { type CliFailure, isCliFailure } from "#cli";
import { homePaths } from "#domain";
import { createConfigPort, createPauseFile } from "./config.ts";

const folders: string[] = [];
const open = () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-config-"));
  folders.push(folder);
  const paths = homePaths(folder);
  return { paths, port: createConfigPort(paths, {}) };
};
afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true, force: true })));

function refusalOf(work: () => unknown): CliFailure {
  try {
    work();
  } catch (error) {
    if (isCliFailure(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

test.each([
  { key: "inject.promt_tokens", value: "5", says: "did you mean inject.prompt_tokens?" },
  { key: "inject.prompt_tokens", value: "many", says: "inject.prompt_tokens must be an integer" },
])("setting $key to $value is asked wrongly, and writes nothing", ({ key, value, says }) => {
  const { paths, port } = open();
  const refusal = refusalOf(() => port.set(key, value));
  expect(refusal.exitStatus).toBe(2);
  expect(refusal.message).toContain(says);
  expect(existsSync(paths.config)).toBe(false);
});

test("asking for a key that does not exist is asked wrongly", () => {
  expect(refusalOf(() => open().port.get("nope")).exitStatus).toBe(2);
});

test.each(["[server\n", '[server]\nport = "many"\n'])(
  "a file that cannot be read (%j) is a failure, not misuse, and names the place",
  (text) => {
    const { paths, port } = open();
    writeFileSync(paths.config, text);
    const refusal = refusalOf(() => port.get(null));
    expect(refusal.exitStatus).toBe(1);
    expect(refusal.message).toStartWith(`${paths.config}:`);
    expect(readFileSync(paths.config, "utf8")).toBe(text);
  },
);

test("each pause is kept with its time, also one that ended by itself", () => {
  const { paths } = open();
  const pause = createPauseFile(paths);
  pause.pause(200_000, 100_000);
  pause.pause(null, 300_000);
  pause.pause(500_000, 400_000);
  pause.resume(450_000);
  pause.resume(460_000);
  pause.pause(900_000, 800_000);
  const wasPaused = readPauses(paths);
  const times = [99_000, 150_000, 250_000, 350_000, 449_000, 470_000, 850_000, 900_000];
  expect(times.filter((at) => wasPaused(at, at))).toEqual([150_000, 350_000, 449_000, 850_000]);
  expect([wasPaused(null, null), wasPaused(250_000, 310_000)]).toEqual([false, true]);
});
