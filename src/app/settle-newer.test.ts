/** An upgrade by npm reaches the copy that hooks call with the first command of the newer program. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { homePaths } from "#domain";
import { systemClock } from "#kit";
import { withSettledProgram } from "./settle-newer.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "continuity-newer-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const copyPath = () => join(folder, "home", "bin", "continuity");
const packagePath = () => join(folder, "node_modules", "@continuity", "linux-x64", "continuity");

/** A program that says its version, and nothing else. */
function write(path: string, version: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  return path;
}

/** Runs `word` with a package of `version`; returns the program it goes on with, and what was said. */
async function ranBy(version: string, word: string, program = packagePath()) {
  write(program, version);
  const said: string[] = [];
  const place = await withSettledProgram(
    {
      argv: [word],
      env: {},
      version,
      command: [program],
      cwd: folder,
      paths: homePaths(join(folder, "home")),
      clock: systemClock,
      hook: async () => 0,
      statusLine: async () => 0,
    },
    (line) => said.push(line),
  );
  return { command: place.command, said: said.join("") };
}

const copy = () => readFileSync(copyPath(), "utf8");

test("the first command of a newer package puts it where hooks call it, and says so", async () => {
  write(copyPath(), "1.0.0");
  expect(await ranBy("1.1.0", "status")).toEqual({
    command: [copyPath()],
    said: "continuity: upgraded from 1.0.0 to 1.1.0; hooks use it from now on\n",
  });
  expect(copy()).toContain("1.1.0");
  expect(await ranBy("1.1.0", "status")).toEqual({ command: [copyPath()], said: "" });
});

test("an older package, as the cache of npx may hold, changes nothing", async () => {
  write(copyPath(), "1.1.0");
  expect(await ranBy("1.0.0", "status")).toEqual({ command: [packagePath()], said: "" });
  expect(copy()).toContain("1.1.0");
});

test("nothing is put in a home where nothing was installed", async () => {
  expect(await ranBy("1.0.0", "status")).toEqual({ command: [packagePath()], said: "" });
  expect(existsSync(copyPath())).toBe(false);
});

test("install and uninstall see to the copy themselves", async () => {
  write(copyPath(), "1.0.0");
  for (const word of ["install", "uninstall"])
    expect(await ranBy("1.1.0", word)).toEqual({ command: [packagePath()], said: "" });
  expect(copy()).toContain("1.0.0");
});

test("a program that no package manager installed is called where it lies", async () => {
  write(copyPath(), "1.0.0");
  const own = join(folder, "own", "continuity");
  expect(await ranBy("1.1.0", "status", own)).toEqual({ command: [own], said: "" });
});
