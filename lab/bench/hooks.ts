/**
 * Measures the cost of hooks: wall time of whole processes, as a ratio to an empty program compiled the same way.
 *
 *   bun lab/bench/hooks.ts [--rounds 150] [--binary dist/continuity] [--json FILE]
 *
 * Cases take turns within each round, so that whatever else the machine does falls on all of them. Ends with status 1
 * when a median is above its target (docs/design/retrieval.md, "Targets").
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { handOverMs } from "../../src/hooks/limits.ts";
import {
  bareEnvironment,
  buildEmpty,
  measuredBinary,
  option,
  percentile,
  seed,
  serveHome,
} from "./compiled.ts";
import { homePaths, type ActiveGuard } from "#domain";
import { writeGuardFile } from "#hooks";

interface Case {
  readonly name: string;
  /** Highest median, as a ratio to the empty program, or in ms above the hook's deadline. */
  readonly target: { readonly ratio: number } | { readonly msAboveDeadline: number } | null;
  readonly deadlineMs: number;
  /** In every n-th round only: a hung socket is slow on purpose. */
  readonly every: number;
  readonly run: (round: number) => { readonly ms: number; readonly stdout: string };
  /** The text that the first run must have printed, so that nothing quick but wrong is measured. */
  readonly says: RegExp;
}

const rounds = Number(option("--rounds", "150"));
const folder = mkdtempSync(join(tmpdir(), "bench-hooks-"));
const binary = measuredBinary(folder);
const memories = 1_000;
const restMs = 40;

const environment = (home: string): Record<string, string> => bareEnvironment(folder, home);

function timed(command: readonly string[], input: string, home: string): ReturnType<Case["run"]> {
  const started = performance.now();
  const { exitCode, stdout } = Bun.spawnSync([...command], {
    cwd: folder,
    env: environment(home),
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "ignore",
  });
  const ms = performance.now() - started;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}`);
  return { ms, stdout: stdout.toString() };
}

const payloads = {
  start: () => ({ hook_event_name: "SessionStart", source: "startup" }),
  submit: () => ({
    hook_event_name: "UserPromptSubmit",
    prompt: "which port does our payment gateway listen on, and why?",
  }),
  tool: () => ({
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_use_id: crypto.randomUUID(),
    tool_input: { command: "make test", description: "Run the tests" },
    tool_response: { stdout: "ok ".repeat(400), stderr: "", interrupted: false },
  }),
  stop: () => ({
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "The service listens on port 8080, since 3000 is taken by the proxy.",
  }),
};

/** A payload that no run had before: each is a new event. */
const payloadOf = (event: keyof typeof payloads): string =>
  JSON.stringify({
    session_id: crypto.randomUUID(),
    transcript_path: `${folder}/none.jsonl`,
    cwd: folder,
    prompt_id: crypto.randomUUID(),
    permission_mode: "default",
    ...payloads[event](),
  });

const hookCase = (
  name: string,
  event: keyof typeof payloads,
  rest: { readonly home: string } & Partial<Case>,
): Case => ({
  name,
  target: null,
  deadlineMs: handOverMs[event],
  every: 1,
  says: /^$/,
  run: () => timed([binary, "hook", event], payloadOf(event), rest.home),
  ...rest,
});

/** Before a command of the agent: no daemon is asked. */
const guardCase = (
  name: string,
  rest: { readonly home: string; readonly command: string } & Pick<Case, "says">,
): Case => ({
  name,
  target: { ratio: 2.2 },
  deadlineMs: 0,
  every: 1,
  run: () => {
    const tool = {
      session_id: "s-1",
      cwd: folder,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: rest.command },
    };
    return timed([binary, "hook", "guard"], JSON.stringify(tool), rest.home);
  },
  ...rest,
});

/** As many guards as a person of many rules has. */
const guards: readonly ActiveGuard[] = Array.from({ length: 30 }, (_, at) => ({
  id: at + 1,
  decision: "ask",
  words: "never push yourself",
  projects: null,
  form: { type: "run", commands: [["git", at === 0 ? "push" : `x${at}`]], near: [] },
}));

/** One redraw of the client's status line. */
const statusLineCase = (
  name: string,
  rest: { readonly home: string } & Pick<Case, "target" | "says">,
): Case => ({
  name,
  deadlineMs: 0,
  every: 1,
  run: () => {
    const session = {
      session_id: crypto.randomUUID(),
      cwd: folder,
      cost: { total_duration_ms: 9 },
    };
    return timed([binary, "statusline"], JSON.stringify(session), rest.home);
  },
  ...rest,
});

async function main(): Promise<number> {
  const empty = buildEmpty(folder);
  const up = join(folder, "up");
  const away = join(folder, "away");
  const reading = join(folder, "reading");
  const hung = join(folder, "hung");
  const guarded = join(folder, "guarded");
  await seed(up, { binary, memories, env: environment(up) });
  for (const home of [away, reading, hung]) cpSync(up, home, { recursive: true });
  mkdirSync(guarded);
  writeFileSync(homePaths(guarded).guards, writeGuardFile(guards));
  const daemon = await serveHome(binary, up, environment(up));
  // In a process of its own: this one is blocked while it waits for a hook.
  const deaf = Bun.spawn(
    [
      process.execPath,
      "-e",
      `require("node:net").createServer(() => {}).listen(${JSON.stringify(`${hung}/daemon.sock`)})`,
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  await Bun.sleep(300);
  try {
    return report(
      measure([
        hookCase("empty program", "tool", { home: up, run: () => timed([empty], "", up) }),
        hookCase("tool, daemon up", "tool", { home: up, target: { ratio: 2 } }),
        hookCase("stop, daemon up", "stop", { home: up, target: { ratio: 2 } }),
        hookCase("submit, daemon up", "submit", { home: up, target: { ratio: 2.5 }, says: /./ }),
        hookCase("start, daemon up", "start", { home: up, target: { ratio: 2.5 }, says: /./ }),
        hookCase("tool, spooled", "tool", { home: away, target: { ratio: 2 } }),
        hookCase("stop, spooled", "stop", { home: away, target: { ratio: 2 } }),
        hookCase("submit, spooled", "submit", { home: away, target: { ratio: 2 } }),
        hookCase("start, reads for itself", "start", {
          home: reading,
          target: { ratio: 4 },
          says: /./,
        }),
        statusLineCase("status line, daemon up", {
          home: up,
          target: { ratio: 2 },
          says: /: on\n$/,
        }),
        statusLineCase("status line, no daemon", {
          home: reading,
          target: { ratio: 2 },
          says: /: idle\n$/,
        }),
        guardCase("guard, none approved", { home: up, command: "make test", says: /^$/ }),
        guardCase("guard, 30 approved", {
          home: guarded,
          command: "cd api && FOO=1 sudo -E make test | tee out.log",
          says: /^$/,
        }),
        guardCase("guard, one acts", {
          home: guarded,
          command: "cd api && git -C x push origin main",
          says: /"ask"/,
        }),
        hookCase("tool, socket hung", "tool", {
          home: hung,
          target: { msAboveDeadline: 20 },
          every: 10,
        }),
        hookCase("submit, socket hung", "submit", {
          home: hung,
          target: { msAboveDeadline: 20 },
          every: 10,
        }),
      ]),
    );
  } finally {
    deaf.kill(9);
    daemon.kill();
    await daemon.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly item: Case;
  readonly sorted: readonly number[];
}

function measure(cases: readonly Case[]): readonly Measured[] {
  const times = new Map<Case, number[]>(cases.map((item) => [item, []]));
  for (const item of cases) {
    let { stdout } = item.run(0);
    // A prompt on a busy machine may miss its deadline, and is silent then.
    for (let again = 0; again < 4 && !item.says.test(stdout); again += 1)
      ({ stdout } = item.run(0));
    if (!item.says.test(stdout))
      throw new Error(`${item.name} printed ${JSON.stringify(stdout.slice(0, 200))}`);
  }
  for (let round = 0; round < rounds; round += 1)
    for (const item of cases) {
      if (round % item.every !== 0) continue;
      // The daemon does the jobs of a `stop` right after it; no person's next prompt comes within them.
      Bun.sleepSync(restMs);
      times.get(item)?.push(item.run(round).ms);
    }
  return cases.map((item) => ({
    item,
    sorted: (times.get(item) ?? []).toSorted((a, b) => a - b),
  }));
}

function report(all: readonly Measured[]): number {
  const base = percentile(all[0]?.sorted ?? [], 0.5);
  const rows = all.map(({ item, sorted }) => {
    const median = percentile(sorted, 0.5);
    const ratio = median / base;
    const { target } = item;
    const met =
      target === null ||
      ("ratio" in target
        ? ratio <= target.ratio
        : median <= item.deadlineMs + target.msAboveDeadline);
    return { item, median, p95: percentile(sorted, 0.95), ratio, met, runs: sorted.length };
  });
  console.log("case                       median ms   p95 ms   ratio   target");
  for (const { item, median, p95, ratio, met } of rows) {
    const { target } = item;
    const wanted =
      target === null
        ? ""
        : "ratio" in target
          ? `≤ ${target.ratio} ×`
          : `≤ ${item.deadlineMs} + ${target.msAboveDeadline} ms`;
    console.log(
      `${item.name.padEnd(26)} ${median.toFixed(2).padStart(9)} ${p95.toFixed(2).padStart(8)} ${ratio.toFixed(2).padStart(7)}   ${wanted}${met ? "" : "  MISSED"}`,
    );
  }
  const results = rows.map(({ item, median, p95, ratio, met, runs }) => ({
    name: item.name,
    medianMs: median,
    p95Ms: p95,
    ratio,
    met,
    runs,
  }));
  const json = JSON.stringify({ bench: "hooks", rounds, results });
  const file = option("--json", "");
  if (file === "") console.log(json);
  else writeFileSync(file, `${json}\n`);
  return results.every(({ met }) => met) ? 0 : 1;
}

process.exit(await main());
