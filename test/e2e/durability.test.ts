/**
 * Nothing accepted is ever lost: kill -9 under load, with the built program. `npm run bench -- soak` is the long form, and
 * takes the seed that a failure here names.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, kill, openProgram, type Program } from "../support/program.ts";
import { soak, soakBaseMs } from "../support/soak.ts";

const isLinux = process.platform === "linux";

test.skipIf(!isLinux)(
  "sessions that saw six kill -9 leave what sessions without one leave",
  async () => {
    const seed = Math.floor(Math.random() * 1_000_000);
    const baseMs = soakBaseMs(Date.now());
    const report = await soak({ seed, baseMs, kills: 6, streams: 3 });
    const replay = `npm run bench -- soak --kills 6 --streams 3 --seed ${seed} --base ${baseMs}`;
    expect(report.faults, replay).toEqual([]);
    expect(report.memories).toBeGreaterThan(5);
  },
  120_000,
);

const session = (program: Program, id = "s-1") => {
  const common = {
    session_id: id,
    transcript_path: join(program.folder, `${id}.jsonl`),
    cwd: program.folder,
  };
  return {
    submit: (prompt: string, prompt_id: string) =>
      program.hook("submit", {
        ...common,
        hook_event_name: "UserPromptSubmit",
        prompt,
        prompt_id,
      }),
    stop: (last_assistant_message: string, prompt_id: string) =>
      program.hook("stop", {
        ...common,
        hook_event_name: "Stop",
        prompt_id,
        stop_hook_active: false,
        last_assistant_message,
      }),
  };
};

const killDaemon = async (program: Program): Promise<void> => {
  await eventually("a daemon", () => program.daemons().length > 0);
  expect(program.daemons().filter(kill)).not.toEqual([]);
  await eventually("no daemon", () => program.daemons().length === 0);
};

test.skipIf(!isLinux)(
  "what was asked to be remembered is in force after a kill -9, as soon as the hook had ended",
  async () => {
    await using program = openProgram();
    await session(program).submit("hello, a new day", "p-1");
    await program.flush();
    await session(program).submit("remember that the plotter spool lives on port 9107", "p-2");
    await killDaemon(program);
    // The first hook after a crash finds nobody, and starts the daemon that answers the next one.
    await session(program, "s-2").submit("good morning", "q-1");
    await program.flush();
    const listed = await program.run(["list", "--json"]);
    expect(listed.out).toContain("the plotter spool lives on port 9107");
  },
  60_000,
);

test.skipIf(!isLinux)(
  "a private turn stays private when the daemon that knew its words is killed before the answer",
  async () => {
    await using program = openProgram();
    const words = "the merger with Halvorsen Freight closes in May";
    await session(program).submit("look at the invoices", "p-1");
    await program.flush();
    await session(program).submit(`<private>${words}</private> sort the invoices by date`, "p-2");
    await killDaemon(program);
    await session(program).stop(`Sorted them. And yes, ${words}.`, "p-2");
    await program.flush();
    expect(filesWith(program.paths.root, "Halvorsen")).toEqual([]);
    using db = program.database();
    expect(db.query("SELECT n, status FROM turns ORDER BY n").values()).toEqual([
      [1, "interrupted"],
      [2, "closed"],
    ]);
  },
  60_000,
);

/** Files below a folder whose bytes hold a text. */
const filesWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
