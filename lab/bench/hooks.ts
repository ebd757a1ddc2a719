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
  bench,
  buildEmpty,
  type Case,
  measuredBinary,
  seed,
  serveHome,
  timed,
} from "./compiled.ts";
import { numberOption } from "../options.ts";
import { homePaths, type ActiveGuard } from "#domain";
import { writeGuardFile } from "#hooks";

const rounds = numberOption("rounds", 150);
const folder = mkdtempSync(join(tmpdir(), "bench-hooks-"));
const binary = measuredBinary(folder);
const memories = 1_000;
/** The daemon does the jobs of a `stop` right after it; no person's next prompt comes within them. */
const restMs = 40;
/** A hook whose socket hangs may take so much longer than its deadline. */
const msAboveDeadline = 20;

const environment = (home: string): Record<string, string> => bareEnvironment(folder, home);

const timedIn = (home: string, command: readonly string[], input: string) =>
  timed(command, { cwd: folder, env: environment(home), input });

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
  says: /^$/,
  run: () => timedIn(rest.home, [binary, "hook", event], payloadOf(event)),
  ...rest,
});

/** Before a command of the agent: no daemon is asked. */
const guardCase = (
  name: string,
  rest: { readonly home: string; readonly command: string } & Pick<Case, "says">,
): Case => ({
  name,
  target: { ratio: 2.2 },
  run: () => {
    const tool = {
      session_id: "s-1",
      cwd: folder,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: rest.command },
    };
    return timedIn(rest.home, [binary, "hook", "guard"], JSON.stringify(tool));
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
  run: () => {
    const session = {
      session_id: crypto.randomUUID(),
      cwd: folder,
      cost: { total_duration_ms: 9 },
    };
    return timedIn(rest.home, [binary, "statusline"], JSON.stringify(session));
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
    return await bench({ name: "hooks", rounds, unit: "wallMs", restMs }, [
      hookCase("empty program", "tool", { home: up, run: () => timedIn(up, [empty], "") }),
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
        target: { wallMs: handOverMs.tool + msAboveDeadline },
        every: 10,
      }),
      hookCase("submit, socket hung", "submit", {
        home: hung,
        target: { wallMs: handOverMs.submit + msAboveDeadline },
        every: 10,
      }),
    ]);
  } finally {
    deaf.kill(9);
    daemon.kill();
    await daemon.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exit(await main());
