/** The built program on odd machines: hostile variables, no home folder, a full disk, a home that goes, a wrong clock. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { hookEntryFor } from "#setup";
import { binary, openProgram } from "../support/program.ts";

test("BUN_OPTIONS and BUN_BE_BUN change nothing in the hook, the status line or the command line", async () => {
  await using program = openProgram({ CONTINUITY_AUTOSTART: "0" });
  const canary = join(program.folder, "canary");
  const preload = join(program.folder, "evil.js");
  const bunfig = join(program.folder, "evil.toml");
  writeFileSync(preload, `require("node:fs").writeFileSync(${JSON.stringify(canary)}, "ran");`);
  writeFileSync(bunfig, `preload = [${JSON.stringify(preload)}]\n`);
  const { args } = hookEntryFor("UserPromptSubmit", binary);
  for (const env of [
    { BUN_OPTIONS: `--preload=${preload}` },
    { BUN_OPTIONS: `--preload ${preload}` },
    { BUN_OPTIONS: `-r ${preload}` },
    { BUN_OPTIONS: `--config=${bunfig}` },
    { BUN_BE_BUN: "1" },
  ]) {
    const name = JSON.stringify(env);
    const input = JSON.stringify({ session_id: "s-1", cwd: program.folder, prompt: name });
    const hook = await program.run(args, { input, env });
    expect(hook, name).toEqual({ status: 0, out: "", err: "" });
    const line = await program.run(["statusline"], { input, env });
    expect(line.out, name).toStartWith("continuity: ");
    const version = await program.run(["version"], { env });
    expect(version.out, name).not.toContain("1.4.");
    expect(existsSync(canary), name).toBe(false);
  }
  expect(readdirSync(program.paths.spool).filter((name) => name.endsWith(".json"))).toHaveLength(5);
});

test.each([
  { name: "unset", home: undefined },
  { name: "empty", home: "" },
  { name: "relative", home: "rel" },
])("HOME $name: nothing is written into the repository", async ({ home }) => {
  await using program = openProgram();
  const repository = program.project("shop");
  const before = readdirSync(repository);
  const run = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const child = Bun.spawn([binary, ...args], {
      cwd: repository,
      env: {
        PATH: process.env["PATH"] ?? "",
        ...(home === undefined ? {} : { HOME: home }),
        ...more,
      },
      stdin: new Blob([JSON.stringify({ session_id: "s", cwd: repository, prompt: "hello" })]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { status: await child.exited, out, err };
  };
  // The account's home is that of whoever runs the tests, so only what reads is run in it.
  const read = await run(["config", "path"]);
  const dry = await run(["install", "--dry-run"]);
  if (home === "rel") {
    expect(read).toMatchObject({ status: 2, out: "" });
    expect(read.err).toMatch(/^error: no home folder is known: set HOME .*\n$/);
    expect(await run(["hook", "submit"])).toMatchObject({ status: 0, out: "" });
    expect((await run(["statusline"])).out).toBe("continuity: ! no home folder is known\n");
  } else {
    expect(read.out).toContain(`${userInfo().homedir}/.continuity/config.toml`);
    expect(dry.out).toContain(`${userInfo().homedir}/.claude/settings.json`);
  }
  const relative = await run(["remember", "no home fact"], { CONTINUITY_HOME: "data" });
  expect(relative).toMatchObject({ status: 2, out: "" });
  expect(relative.err).toContain('CONTINUITY_HOME must be an absolute path, not "data"');
  expect(readdirSync(repository)).toEqual(before);
});
