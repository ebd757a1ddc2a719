import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homePaths } from "#domain";
import { createSettingsSource } from "./app-settings.ts";

const folders: string[] = [];
const home = () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-settings-"));
  folders.push(folder);
  return homePaths(folder);
};
afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true, force: true })));

test("a file that changes is followed", () => {
  const paths = home();
  const settings = createSettingsSource(paths, {});
  expect(settings.current().inject.promptTokens).toBe(500);
  writeFileSync(paths.config, "[inject]\nprompt_tokens = 200\n");
  expect(settings.current().inject.promptTokens).toBe(200);
});

test("a file that breaks keeps what was in force and says so", () => {
  const paths = home();
  writeFileSync(paths.config, '[privacy]\nexclude = ["/secret/**"]\n');
  const settings = createSettingsSource(paths, {});
  expect(settings.current().privacy.exclude).toEqual(["/secret/**"]);
  writeFileSync(paths.config, "[privacy\n");
  expect(settings.current().privacy.exclude).toEqual(["/secret/**"]);
  expect(settings.warnings().join()).toContain("stay in force");
});

test("a file that was never readable might exclude anything, so nothing is captured", () => {
  const paths = home();
  writeFileSync(paths.config, '[privacy]\nexclude = "oops\n');
  const settings = createSettingsSource(paths, {});
  expect(settings.current().privacy.exclude).toEqual(["/**"]);
  expect(settings.warnings().join()).toContain("nothing is captured");
});

test("under a home that is no folder, or that may not be entered, there is no file", () => {
  const paths = home();
  writeFileSync(paths.config, "");
  const settings = createSettingsSource(homePaths(paths.config), {});
  expect(settings.current().inject.promptTokens).toBe(500);
  expect(settings.warnings()).toEqual([]);
});
