/** The status line as the client runs it: the real program, one process, whatever state the rest is in. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, openProgram, type Program } from "../support/program.ts";

const isBuilt = existsSync(binary);

const line = async (
  program: Program,
  session = "s-1",
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const input = JSON.stringify({
    session_id: session,
    cwd: program.folder,
    workspace: { current_dir: program.folder },
    cost: { total_duration_ms: 120_000 },
  });
  const ran = await program.run(["statusline"], { input, env });
  expect(ran).toMatchObject({ status: 0, err: "" });
  expect(ran.out.endsWith("\n") && ran.out.split("\n").length === 2).toBe(true);
  return ran.out.trim();
};

/** The daemon that holds the lock; others may be about to find that out. */
const daemonPid = ({ paths }: Program): number =>
  (JSON.parse(readFileSync(paths.daemonJson, "utf8")) as { readonly pid: number }).pid;

const say = async (program: Program, prompt: string, session: string, n: number): Promise<string> =>
  program.hook("submit", {
    session_id: session,
    cwd: program.folder,
    hook_event_name: "UserPromptSubmit",
    prompt_id: `${session}-${n}`,
    prompt,
  });

const stop = async (program: Program, session: string, n: number): Promise<string> =>
  program.hook("stop", {
    session_id: session,
    cwd: program.folder,
    hook_event_name: "Stop",
    prompt_id: `${session}-${n}`,
    stop_hook_active: false,
    last_assistant_message: "Root cause found: the pool ran out. We switched to pgbouncer.",
  });

test.skipIf(!isBuilt)(
  "without a daemon it says so, starts none and makes nothing",
  async () => {
    await using program = openProgram();
    expect(await line(program)).toBe("continuity: idle");
    expect(existsSync(program.paths.root)).toBe(false);
    expect(program.daemons()).toEqual([]);
  },
  30_000,
);

test.skipIf(!isBuilt)(
  "tells what this session was given",
  async () => {
    await using program = openProgram();
    await program.up();
    await say(program, "remember that staging listens on port 5433", "s-0", 1);
    await program.flush();
    await say(program, "which port does staging listen on?", "s-1", 1);
    await say(program, "tried 50 connections, it failed, so we switched", "s-1", 2);
    await stop(program, "s-1", 2);
    await program.flush();
    expect(await line(program)).toBe("continuity: 1 memory");
    expect(await line(program, "s-0")).toMatch(/^continuity: on/);
    expect(await line(program, "never-seen")).toContain("! no hook seen in this session");
    await program.run(["pause"]);
    expect(await line(program)).toContain("paused");
  },
  60_000,
);

test.skipIf(!isBuilt)(
  "warns of a daemon that hangs, within the deadline",
  async () => {
    await using program = openProgram();
    await program.up();
    const pid = daemonPid(program);
    process.kill(pid, "SIGSTOP");
    expect(await line(program)).toContain("! the daemon does not answer");
    process.kill(pid, "SIGKILL");
  },
  30_000,
);

test
  .skipIf(!isBuilt)
  .each(["", "not json", "[]", '{"session_id":"../../etc"}', '{"session_id":7}'])(
  "whatever the client sends (%j), it prints one line and ends with 0",
  async (input) => {
    await using program = openProgram();
    const ran = await program.run(["statusline"], { input });
    expect(ran).toMatchObject({ status: 0, out: "continuity: idle\n", err: "" });
  },
  30_000,
);

test.skipIf(!isBuilt)(
  "runs nothing of the folder it stands in",
  async () => {
    await using program = openProgram();
    const hostile = join(program.folder, "hostile");
    mkdirSync(hostile);
    writeFileSync(join(hostile, ".env"), "CONTINUITY_OFF=1\n");
    writeFileSync(join(hostile, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(hostile, "evil.ts"), 'await Bun.write("owned", "");\n');
    const ran = await program.run(["statusline"], { input: "{}", cwd: hostile });
    expect(ran.out).toBe("continuity: idle\n");
    expect(existsSync(join(hostile, "owned"))).toBe(false);
  },
  30_000,
);
