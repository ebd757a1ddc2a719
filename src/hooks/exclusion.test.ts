import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { defaultSettings } from "#domain";
import { exclusionFor, exclusionOf } from "./project.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(`${tmpdir()}/exclusion-`);
  mkdirSync(`${root}/off/src`, { recursive: true });
  writeFileSync(`${root}/off/.continuityignore`, "\n# everything\n");
  mkdirSync(`${root}/part/notes/keep`, { recursive: true });
  mkdirSync(`${root}/part/src/generated`, { recursive: true });
  writeFileSync(
    `${root}/part/.continuityignore`,
    "notes/\n!notes/keep\n/src/generated\n*.pem\ndocs/**/draft.md\n",
  );
  mkdirSync(`${root}/inner/sub`, { recursive: true });
  writeFileSync(`${root}/inner/sub/.continuityignore`, "");
  symlinkSync(`${root}/off`, `${root}/link`);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const at = (folder: string, globs: readonly string[] = []) => ({
  cwd: `${root}/${folder}`,
  root: `${root}/${folder.split("/")[0]}`,
  globs,
  userHome: root,
});

test("an ignore file without patterns switches its project off", () => {
  expect(exclusionOf(at("off"))(".")).toBe(true);
  expect(exclusionOf(at("off/src"))(".")).toBe(true);
  expect(exclusionOf(at("inner"))(".")).toBe(false);
  expect(exclusionOf(at("inner/sub"))(".")).toBe(true);
});

test("a project reached through a link is off as well", () => {
  expect(exclusionOf(at("link"))(".")).toBe(true);
});

test.each([
  ["src/cart.ts", false],
  ["notes/plan.md", true],
  ["notes/keep", false],
  ["notes/keep/plan.md", false],
  ["src/generated/types.ts", true],
  ["lib/src/generated/types.ts", false],
  ["certs/server.pem", true],
  ["docs/a/b/draft.md", true],
  ["docs/a/b/final.md", false],
  ["../outside.pem", false],
])("patterns: %p is off: %p", (path, expected) => {
  const isOff = exclusionOf(at("part"));
  expect(isOff(path)).toBe(expected);
  expect(isOff(`${root}/part/${path}`)).toBe(expected);
});

test.each([
  [["~/part"], true],
  [["~/part/"], true],
  [["~/pa*"], true],
  [["part"], true],
  [["**/part/**"], true],
  [["~/other"], false],
  [["~/par"], false],
  [[], false],
])("globs of the settings: %p", (globs, expected) => {
  expect(exclusionOf(at("part/src", globs))(".")).toBe(expected);
});

test("a hook and the daemon ask alike: the settings' globs, and ignore files up to the project's top", () => {
  const settings = (exclude: readonly string[]) => ({
    ...defaultSettings,
    privacy: { ...defaultSettings.privacy, exclude },
  });
  const isOff = (folder: string | null, exclude: readonly string[] = [], top?: string): boolean =>
    exclusionFor(folder === null ? null : `${root}/${folder}`, {
      settings: settings(exclude),
      env: { HOME: root },
      ...(top === undefined ? {} : { projectOf: () => ({ root: `${root}/${top}` }) }),
    })(".");
  expect(isOff("part/src")).toBe(false);
  expect(isOff("part/src", ["~/part"])).toBe(true);
  expect(isOff("off/src")).toBe(false);
  expect(isOff("off/src", [], "off")).toBe(true);
  expect(isOff(null)).toBe(false);
});
