import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findClaude } from "./claude-cli.ts";
import { tempHome } from "../../../test/support/models/llm.ts";

function program(folder: string, mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "claude");
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, mode);
  return file;
}

const onPath = (home: string, ...folders: readonly string[]) =>
  findClaude({ path: "", env: { HOME: home, PATH: folders.join(":") } });

const none = { ok: false, error: "there is no `claude` on the PATH" } as const;

test("the first on the PATH is taken, a link to it as well", () => {
  using home = tempHome();
  const real = program(join(home.path, "real"));
  const second = program(join(home.path, "second"));
  mkdirSync(join(home.path, "links"));
  symlinkSync(real, join(home.path, "links", "claude"));
  expect(onPath(home.path, join(home.path, "links"), join(home.path, "second"))).toEqual({
    ok: true,
    value: join(home.path, "links", "claude"),
  });
  expect(onPath(home.path, join(home.path, "none"), join(home.path, "second"))).toEqual({
    ok: true,
    value: second,
  });
});

test("a daemon with a short PATH finds it where its installer puts it", () => {
  using home = tempHome();
  expect(onPath(home.path)).toEqual(none);
  const value = program(join(home.path, ".local", "bin"));
  expect(onPath(home.path)).toEqual({ ok: true, value });
});

test("folders that a project can fill do not count", () => {
  using home = tempHome();
  const project = join(home.path, "node_modules", ".bin");
  program(project);
  expect(onPath(home.path, project, ".", "", "node_modules/.bin")).toEqual(none);
});

test.each([
  ["that everybody may change", 0o777],
  ["that is not executable", 0o644],
])("a program %s does not count", (_, mode) => {
  using home = tempHome();
  program(join(home.path, "bin"), mode);
  expect(onPath(home.path, join(home.path, "bin"))).toEqual(none);
});

test("a folder with the name is no program", () => {
  using home = tempHome();
  mkdirSync(join(home.path, "bin", "claude"), { recursive: true });
  expect(onPath(home.path, join(home.path, "bin"))).toEqual(none);
});

test("the configured one is taken, or nothing", () => {
  using home = tempHome();
  const value = program(join(home.path, "own"));
  program(join(home.path, "bin"));
  const env = { PATH: join(home.path, "bin"), HOME: home.path };
  expect(findClaude({ path: value, env })).toEqual({ ok: true, value });
  expect(findClaude({ path: `${value}-x`, env })).toMatchObject({ ok: false });
  expect(findClaude({ path: "claude", env })).toMatchObject({ ok: false });
});
