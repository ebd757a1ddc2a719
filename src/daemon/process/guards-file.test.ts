import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homePaths, type ActiveGuard } from "#domain";
import { readGuardFile } from "#hooks";
import { silentLog } from "#kit";
import { publishGuards } from "./guards-file.ts";

const guard: ActiveGuard = {
  id: 1,
  decision: "ask",
  words: "never push",
  projects: null,
  form: { type: "run", commands: [["git", "push"]], near: [] },
};

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "guards-file-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const publish = (guards: readonly ActiveGuard[]): void =>
  publishGuards({ paths: homePaths(root), log: silentLog }, guards);
const path = (): string => join(root, "guards.json");

test("the file holds what is approved, for its user alone, and goes with the last guard", () => {
  publish([]);
  expect(existsSync(path())).toBe(false);
  publish([guard]);
  expect(readGuardFile(readFileSync(path(), "utf8"))).toEqual([guard]);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  publish([]);
  expect(existsSync(path())).toBe(false);
});

test("a file that is as it should be is not written again, and a damaged one is", () => {
  publish([guard]);
  const before = statSync(path()).ino;
  publish([guard]);
  expect(statSync(path()).ino).toBe(before);
  writeFileSync(path(), '{"v":1,');
  publish([guard]);
  expect(readGuardFile(readFileSync(path(), "utf8"))).toEqual([guard]);
});

test("where it cannot be written, the daemon goes on", () => {
  mkdirSync(path());
  publish([guard]);
  expect(statSync(path()).isDirectory()).toBe(true);
});
