/** Tests the path that hooks hold to a program that a package manager installed. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { settledPath, settleProgram, unsettleProgram } from "./settled-program.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "continuity-settled-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = (version: string): string => {
  const path = join(folder, version, "node_modules", "@continuity", "linux-x64", "continuity");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, version, { mode: 0o755 });
  return path;
};

test.each([
  ["/home/a/.npm/_npx/12ab/node_modules/@continuity/linux-x64/continuity", "/h/bin/continuity"],
  ["/home/a/.local/bin/continuity", "/home/a/.local/bin/continuity"],
  ["/opt/node_modules_of_mine/continuity", "/opt/node_modules_of_mine/continuity"],
])("hooks call %s by %s", (path, settled) => {
  expect(settledPath(path, "/h")).toBe(settled);
});

test("a copy takes the place of an older one, and leaves nothing beside it", () => {
  const path = join(folder, "home", "bin", "continuity");
  expect(settleProgram(program("1.0.0"), path)).toBe(true);
  expect(settleProgram(program("2.0.0"), path)).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("2.0.0");
  expect(readdirSync(dirname(path))).toEqual(["continuity"]);
});

test("a copy that is there stays when the package is removed", () => {
  const path = join(folder, "home", "bin", "continuity");
  const source = program("1.0.0");
  settleProgram(source, path);
  expect(settleProgram(source, path)).toBe(false);
  rmSync(source);
  expect(readFileSync(path, "utf8")).toBe("1.0.0");
});

test("removing the copy leaves other files of its folder", () => {
  const path = join(folder, "home", "bin", "continuity");
  settleProgram(program("1.0.0"), path);
  writeFileSync(join(dirname(path), "mine"), "");
  unsettleProgram(path);
  expect(readdirSync(dirname(path))).toEqual(["mine"]);
  rmSync(join(dirname(path), "mine"));
  unsettleProgram(path);
  expect(existsSync(dirname(path))).toBe(false);
});
