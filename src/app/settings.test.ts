import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings, homePaths } from "#domain";
import { createSettingsSource } from "./settings.ts";

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
  expect(settings.current().inject.promptTokens).toBe(120);
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
  expect(settings.warnings().join()).toContain("stay in effect");
});

test("a file that was never readable might exclude anything, so nothing is captured", () => {
  const paths = home();
  writeFileSync(paths.config, '[privacy]\nexclude = "oops\n');
  const settings = createSettingsSource(paths, {});
  expect(settings.current().privacy.exclude).toEqual(["/**"]);
  expect(settings.warnings().join()).toContain("nothing is captured");
  expect(settings.isKnown()).toBe(false);
  writeFileSync(paths.config, "");
  expect(settings.isKnown()).toBe(true);
});

describe("a wrong value where nothing is said about what may be stored stops no capture", () => {
  const cases = [
    ['[llm]\nprovider = "openai"', "llm.provider must be one of", "no model is used"],
    ["[llm]\ntokens_per_day = -5", "llm.tokens_per_day must be", "no model is used"],
    ['[llm.anthropic]\nbase_url = "htp:/x"', "llm.anthropic.base_url must", "no model is used"],
    ["llm = 3", "llm must be a table", "no model is used"],
    ['[inject]\nprompt = "maybe"', "inject.prompt must be", "[inject] uses its defaults"],
  ] as const;
  for (const [wrong, what, instead] of cases)
    test(wrong.replace("\n", " "), () => {
      const paths = home();
      writeFileSync(paths.config, `${wrong}\n[privacy]\nexclude = ["/secret/**"]\n`);
      const settings = createSettingsSource(paths, {});
      expect(settings.current().privacy.exclude).toEqual(["/secret/**"]);
      const [warning = "", ...others] = settings.warnings();
      expect(warning).toContain(what);
      expect(warning).toContain(instead);
      expect(warning).not.toContain("nothing is captured");
      expect(others).toEqual([]);
    });
});

test("half of what is said about models chooses none: a budget that cannot be read is not a larger one", () => {
  const paths = home();
  writeFileSync(paths.config, '[llm]\nprovider = "ollama"\ntokens_per_day = "1k"\n');
  const settings = createSettingsSource(paths, {});
  expect(settings.current().llm).toEqual(defaultSettings.llm);
});

test("a wrong value where it is said what may be stored stops all capture", () => {
  for (const wrong of ["[privacy]\nexclude = 7", "[capture]\narchive = 7", "privacy = 7"]) {
    const paths = home();
    writeFileSync(paths.config, `${wrong}\n`);
    const settings = createSettingsSource(paths, {});
    expect(settings.current().privacy.exclude).toEqual(["/**"]);
    expect(settings.warnings().join()).toContain("nothing is captured");
  }
});

test("under a home that is no folder, or that may not be entered, there is no file", () => {
  const paths = home();
  writeFileSync(paths.config, "");
  const settings = createSettingsSource(homePaths(paths.config), {});
  expect(settings.current().inject.promptTokens).toBe(120);
  expect(settings.warnings()).toEqual([]);
});
