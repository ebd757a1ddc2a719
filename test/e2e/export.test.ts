/** Leaving, and coming back, with the built program: everything as lines that give the same lines again, or as Markdown. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openProgram, type Program } from "../support/program.ts";

const turn = async (program: Program, n: number, prompt: string, answer: string): Promise<void> => {
  const common = {
    session_id: "s-1",
    transcript_path: "/nowhere/s.jsonl",
    cwd: program.project("shop"),
    prompt_id: `p-${n}`,
  };
  await program.hook("submit", { ...common, hook_event_name: "UserPromptSubmit", prompt });
  await program.hook("tool", {
    ...common,
    hook_event_name: "PostToolUse",
    tool_name: "Edit",
    tool_use_id: `t-${n}`,
    tool_input: { file_path: join(common.cwd, `src/part-${n}.ts`) },
    tool_response: { ok: true },
  });
  await program.hook("stop", {
    ...common,
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: answer,
  });
};

async function lived(program: Program): Promise<void> {
  await turn(program, 1, "remember that the plotter listens on port 9107", "Noted.");
  await turn(
    program,
    2,
    "I prefer pnpm, never npm. Why does the build fail?",
    "The root cause was a stale lockfile; rebuilt it with pnpm, all 40 tests pass now.",
  );
  await turn(program, 3, "<private>the launch code is 0451</private>", "I will not repeat it.");
  await turn(program, 4, "remember that the old vault is behind the painting", "Noted.");
  await program.hook("compact", {
    session_id: "s-1",
    transcript_path: "/nowhere/s.jsonl",
    cwd: join(program.folder, "shop"),
    hook_event_name: "PreCompact",
    trigger: "auto",
  });
  await program.flush();
  const found = await program.run(["find", "--all-projects", "vault painting"]);
  const uri = /#\w+/.exec(found.out)?.[0] ?? "";
  expect(await program.run(["forget", uri, "--yes"])).toMatchObject({ status: 0 });
}

test("an export brought into an empty home is exported again as the same bytes", async () => {
  await using program = openProgram();
  await lived(program);
  const folder = join(program.folder, "out");
  const exported = await program.run(["export", folder]);
  expect(exported).toMatchObject({ status: 0, err: "" });
  const text = readFileSync(join(folder, "continuity.jsonl"), "utf8");
  const count = text.split("\n").length - 1;
  expect(exported.out).toBe(`exported ${count - 2} records to ${folder}\n`);
  expect(text).toStartWith('{"kind":"continuity","format":1}\n');
  expect(text).toEndWith(`\n{"kind":"end","records":${count - 2}}\n`);
  expect(text).toContain("plotter listens on port 9107");
  for (const never of ["launch code", "0451", "vault", "painting"])
    expect(text).not.toContain(never);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "continuity.jsonl")).mode & 0o777).toBe(0o600);
  expect((await program.run(["export", "-"])).out).toBe(text);

  // A file proves nobody's word.
  const asImported = text.replaceAll('"origin":"user"', '"origin":"import"');
  await using other = openProgram();
  const imported = await other.run(["import", "--from", "continuity", folder]);
  expect({ status: imported.status, err: imported.err }).toEqual({ status: 0, err: "" });
  expect((await other.run(["export", "-"])).out).toBe(asImported);
  const again = await other.run(["import", "--from", "continuity", folder]);
  expect(again.status).toBe(0);
  expect((await other.run(["export", "-"])).out).toBe(asImported);
  expect((await other.run(["find", "--all-projects", "plotter"])).out).toContain("9107");
  await other.run(["remember", "the old vault is elsewhere"]);
}, 60_000);

test("Markdown is a file for each memory and session, and replaces its own folder only", async () => {
  await using program = openProgram();
  await lived(program);
  const folder = join(program.folder, "notes");
  expect(await program.run(["export", "--format", "markdown", folder])).toMatchObject({
    status: 0,
  });
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const memory = names.find(({ name }) => name.includes("plotter"));
  const text = readFileSync(join(memory?.parentPath ?? "", memory?.name ?? ""), "utf8");
  expect(text).toMatch(/^---\nuri: "mem:\/\/user\/entities\//);
  expect(text).toContain("plotter listens on port 9107\n");
  const session = readFileSync(join(folder, "sessions", "s-1.md"), "utf8");
  expect(session).toContain("> I prefer pnpm, never npm. Why does the build fail?");
  expect(session).toContain("(private)");
  for (const { parentPath, name } of names) {
    expect(readFileSync(join(parentPath, name), "utf8")).not.toMatch(/launch code|vault/);
    expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600);
  }
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, ".git", "HEAD"), "ref");
  writeFileSync(join(folder, "stale.md"), "of an earlier export");
  expect(await program.run(["export", "--format", "markdown", folder])).toMatchObject({
    status: 0,
  });
  expect(existsSync(join(folder, "stale.md"))).toBe(false);
  expect(readFileSync(join(folder, ".git", "HEAD"), "utf8")).toBe("ref");
  expect(readdirSync(program.folder).filter((name) => name.startsWith("notes."))).toEqual([]);
}, 60_000);

test("what is no export is left alone, and the reason is named", async () => {
  await using program = openProgram();
  const precious = join(program.folder, "precious");
  mkdirSync(precious);
  writeFileSync(join(precious, "thesis.md"), "mine");
  const nothing = await program.run(["export", join(program.folder, "new")]);
  expect(nothing).toMatchObject({ status: 1, out: "" });
  expect(nothing.err).toMatch(/^error: no database yet; /);
  await program.run(["remember", "the plotter listens on port 9107"]);
  for (const [args, says] of [
    [
      ["export", precious],
      /precious holds other files and was left as it is; name a new or empty folder/,
    ],
    [["export", join(precious, "thesis.md")], /thesis.md is there already and is no folder/],
    [["export", join(precious, "thesis.md", "deep")], /cannot be written: ENOTDIR/],
    [["export", "--format", "markdown", "-"], /Markdown is many files; name a folder/],
  ] as const) {
    const refused = await program.run(args);
    expect(refused.out).toBe("");
    expect(refused.err).toMatch(says);
    expect(refused.status).not.toBe(0);
  }
  expect(readdirSync(precious)).toEqual(["thesis.md"]);
  expect(readFileSync(join(precious, "thesis.md"), "utf8")).toBe("mine");
}, 30_000);
