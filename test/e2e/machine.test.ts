/** The built program on odd machines: hostile variables, no home folder, a full disk, a home that goes, a wrong clock. */
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hookEntryFor } from "#clients";
import { binary, eventually, openProgram } from "../support/program.ts";

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

/** Mounts a small disk on a folder; false where that is not allowed. */
function mountSmall(folder: string, size: string): boolean {
  mkdirSync(folder, { mode: 0o700 });
  const args = ["mount", "-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", folder];
  return process.platform === "linux" && Bun.spawnSync(args).exitCode === 0;
}

test("a full disk: each prompt is kept or its user is told, and status, flush and doctor tell it", async () => {
  await using program = openProgram();
  if (!mountSmall(program.paths.root, "160m")) return;
  const { root } = program.paths;
  const ballast = join(root, "ballast");
  try {
    await program.up();
    const told: unknown[] = [];
    const prompt = async (n: number): Promise<void> => {
      const out = await program.hook("submit", {
        session_id: "s-1",
        cwd: program.folder,
        hook_event_name: "UserPromptSubmit",
        prompt_id: `p-${n}`,
        prompt: `Please look at cart number ${n} again`,
      });
      if (out.includes("could not keep")) told.push(JSON.parse(out));
    };
    const reserve = join(program.paths.spool, "reserve");
    expect(statSync(reserve).size).toBe(8 * 1_024 * 1_024);
    await program.stopDaemon();
    // Filled to the last block.
    Bun.spawnSync(["sh", "-c", `cat /dev/zero > "${ballast}"`]);
    for (let n = 1; n <= 20; n += 1) await prompt(n);
    expect(statSync(reserve).size).toBeLessThan(8 * 1_024 * 1_024);
    expect(told).toEqual([]);
    // A disk that leaves nothing for what follows.
    truncateSync(reserve, 0);
    await program.stopDaemon();
    Bun.spawnSync(["sh", "-c", `cat /dev/zero >> "${ballast}"`]);
    for (let n = 100; n < 105; n += 1) await prompt(n);
    expect(told.at(-1)).toEqual({
      systemMessage: `Continuity could not keep this prompt: the disk of ${root} is full. Free some space, then run \`${binary} doctor\`.`,
    });
    const lost = `${told.length} prompts were lost`;
    const flush = await program.run(["flush"]);
    expect(flush).toMatchObject({ status: 1, out: "" });
    expect(flush.err).toMatch(/cannot be written, so nothing new can be taken in: ENOSPC/);
    const status = await program.run(["status"]);
    expect(status.err + status.out).toContain(`the disk of ${root} is full`);
    expect((await program.run(["doctor"])).out).toContain("free some disk space");
    rmSync(ballast);
    await program.flush();
    const prompts = program.database();
    const rows = prompts.query("SELECT count(*) AS n FROM turns").get();
    prompts.close();
    expect(told).toHaveLength(5);
    expect(rows).toEqual({ n: 25 - told.length });
    const after = await program.run(["status"]);
    expect(after.out + after.err).not.toContain("is full");
    expect(after.out + after.err).toContain(lost);
    expect((await program.run(["doctor", "--no-self-test"])).out).toContain(lost);
    expect((await program.run(["doctor", "--fix", "--no-self-test"])).out).toContain(
      "cleared the message",
    );
    const cleared = await program.run(["status"]);
    expect(cleared.out + cleared.err).not.toContain("lost");
  } finally {
    await program.stopDaemon();
    Bun.spawnSync(["umount", "-l", root]);
  }
}, 60_000);

test("a lock that cannot be taken names its file and the next step", async () => {
  await using program = openProgram();
  const mutex = join(program.paths.root, "daemon.mutex");
  mkdirSync(mutex, { recursive: true, mode: 0o700 });
  const refused = await program.run(["serve"]);
  expect(refused).toMatchObject({ status: 1, out: "" });
  expect(refused.err).toStartWith(`error: the daemon cannot start: ${mutex} cannot be locked (`);
  expect(refused.err).toEndWith("; if no daemon is running, remove it\n");
});

test("a home deleted under a running daemon: it leaves, nothing is made anew, and the next event starts one daemon", async () => {
  await using program = openProgram();
  const { root } = program.paths;
  await program.up();
  const [first] = program.daemons();
  expect(first).toBeNumber();
  rmSync(root, { recursive: true, force: true });
  await eventually("its end", () => program.daemons().length === 0);
  expect(existsSync(root)).toBe(false);
  await program.hook("submit", {
    session_id: "s",
    cwd: program.folder,
    prompt: "Look at the cart",
  });
  await program.flush();
  await eventually("one daemon", () => program.daemons().length === 1);
  expect(program.daemons()).not.toContain(first);
  using db = program.database();
  expect(db.query("SELECT count(*) AS n FROM turns").get()).toEqual({ n: 1 });
}, 30_000);

test("a clock that is behind the last event: status and doctor tell it", async () => {
  await using program = openProgram();
  const dayMs = 86_400_000;
  const nowMs = Date.now();
  const clock = (atMs: number) => ({ env: { CONTINUITY_NOW: `${atMs}` } });
  await program.up();
  await program.hook("submit", {
    session_id: "s",
    cwd: program.folder,
    prompt: "Look at the cart",
  });
  await program.flush();
  await program.stopDaemon();
  const back = await program.run(["status"], clock(nowMs - 30 * dayMs));
  expect(back.out).toMatch(
    /warning the clock says .*, but an event came at .*: see `continuity doctor`/,
  );
  expect(
    (await program.run(["doctor", "--no-self-test"], clock(nowMs - 30 * dayMs))).out,
  ).toContain("set the system's clock");
}, 60_000);

/** The account's home folder, whatever HOME the tests run with; `userInfo` would believe HOME. */
const accountHome = (): string =>
  Bun.spawnSync(["sh", "-c", "eval echo ~$(id -un)"]).stdout.toString().trim();

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
    expect(read.out).toContain(`${accountHome()}/.continuity/config.toml`);
    expect(dry.out).toContain(`${accountHome()}/.claude/settings.json`);
  }
  const relative = await run(["remember", "no home fact"], { CONTINUITY_HOME: "data" });
  expect(relative).toMatchObject({ status: 2, out: "" });
  expect(relative.err).toContain('CONTINUITY_HOME must be an absolute path, not "data"');
  expect(readdirSync(repository)).toEqual(before);
});
