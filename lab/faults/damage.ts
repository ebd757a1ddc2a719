/** Files of a home damaged one by one: the program says so, or works on; it never answers from a damaged file. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kill, openProgram, type Program } from "../../test/support/program.ts";

export interface Damage {
  readonly name: string;
  /** Gives the faults afterwards; null = nothing. */
  readonly run: (template: string) => Promise<string | null>;
}

/** Runs commands over a damaged home: each ends with a status of its own and one clear line. */
async function commands(program: Program): Promise<string | null> {
  for (const args of [["list"], ["search", "plotter"], ["doctor"], ["flush", "--timeout", "20s"]]) {
    const { status, err } = await program.run(args);
    if (status === null || status > 125)
      return `${args.join(" ")} ended with ${status}: ${err.slice(0, 200)}`;
    if (/\n\s+at .+:\d+:\d+/.test(err))
      return `${args.join(" ")} printed a stack: ${err.slice(-600)}`;
  }
  await program.hook("submit", {
    session_id: "s-9",
    cwd: "/home/dev/deskly",
    hook_event_name: "UserPromptSubmit",
    prompt: "what does the plotter listen on?",
    prompt_id: "p-9",
  });
  return null;
}

const over =
  (spoil: (program: Program) => Promise<void> | void): Damage["run"] =>
  async (template) => {
    await using program = openProgram();
    cpSync(template, program.paths.root, { recursive: true });
    await spoil(program);
    return await commands(program);
  };

export const damages: readonly Damage[] = [
  {
    name: "a spooled event cut in half, another flipped",
    run: over((program) => {
      mkdirSync(program.paths.spool, { recursive: true, mode: 0o700 });
      for (const [n, text] of ['{"v":1,"hook":"sub', "\u0000\u0001{"].entries())
        writeFileSync(
          join(program.paths.spool, `000000000000${n}-000-${"a".repeat(32)}.json`),
          text,
        );
    }),
  },
  {
    name: "the daemon stopped with SIGSTOP",
    run: async (template) => {
      await using program = openProgram();
      cpSync(template, program.paths.root, { recursive: true });
      await program.up();
      const pids = program.daemons();
      for (const pid of pids) process.kill(pid, "SIGSTOP");
      const startedMs = performance.now();
      await program.hook("submit", {
        session_id: "s-7",
        cwd: "/home/dev/deskly",
        hook_event_name: "UserPromptSubmit",
        prompt: "does anybody answer?",
        prompt_id: "p-7",
      });
      const tookMs = performance.now() - startedMs;
      const isSpooled = readdirSync(program.paths.spool).some((name) => name.endsWith(".json"));
      for (const pid of pids) process.kill(pid, "SIGCONT");
      await program.flush();
      using db = program.database();
      const turns = db.query("SELECT count(*) AS n FROM turns WHERE prompt_id = 'p-7'").all();
      if (JSON.stringify(turns) !== '[{"n":1}]')
        return `the prompt is there ${JSON.stringify(turns)} times`;
      if (!isSpooled) return "the hook did not spool";
      return tookMs > 10_000 ? `the hook waited ${tookMs.toFixed(0)} ms` : null;
    },
  },
  {
    name: "the home deleted under a daemon",
    run: over(async (program) => {
      await program.up();
      rmSync(program.paths.root, { recursive: true, force: true });
    }),
  },
  {
    name: "kill -9 of the daemon, twelve times",
    run: async (template) => {
      await using program = openProgram();
      cpSync(template, program.paths.root, { recursive: true });
      const sure: string[] = [];
      for (let n = 0; n < 12; n += 1) {
        const said = program.run(["remember", `the gauge ${n} listens on port ${9_200 + n}`]);
        await Bun.sleep(n * 40);
        for (const pid of program.daemons()) kill(pid);
        if ((await said).status === 0) sure.push(`${9_200 + n}`);
      }
      await program.flush();
      using db = program.database();
      const texts = JSON.stringify(db.query("SELECT l0_abstract FROM mem_nodes").all());
      const lost = sure.find((port) => !texts.includes(port));
      return lost === undefined ? null : `acknowledged and gone: ${lost}`;
    },
  },
];
