/**
 * Hooks of many sessions at once against one daemon, for as long as asked: every prompt and tool use must be in the
 * database once, and memory, descriptors and disk are looked at as it goes. Linux only.
 */
import { kill, openProgram, type Program } from "../support/program.ts";
import { createDice, type Dice } from "../support/random.ts";
import { diskMb, figuresOf, trend } from "./process-figures.ts";

export interface LoadOptions {
  readonly seconds: number;
  /** Hooks that run side by side. */
  readonly parallel: number;
  /** Each of them waits so long after a hook, ms. */
  readonly pauseMs: number;
  readonly seed: number;
  /** Distance of two looks at the daemon, ms. */
  readonly lookEveryMs: number;
  readonly onLook?: (look: Look) => void;
}

export interface Look {
  readonly atSeconds: number;
  readonly hooks: number;
  readonly ownMb: number;
  readonly residentMb: number;
  readonly descriptors: number;
  readonly diskMb: number;
}

export interface LoadReport {
  readonly hooks: number;
  readonly hooksPerSecond: number;
  readonly looks: readonly Look[];
  /** The daemon's own memory over the last half, MB. */
  readonly ownMb: { readonly rise: number; readonly stray: number };
  /** When everything is processed, MB. */
  readonly restMb: number;
  readonly faults: readonly string[];
}

const turnsPerSession = 20;
const toolsPerTurn = 3;
const subjects = ["invoice export", "login page", "search index", "mail queue", "price table"];
const deeds = ["fix", "look at", "rename", "speed up", "write a test for"];

interface Told {
  readonly prompts: string[];
  readonly tools: string[];
}

/** Plays the load in a home of its own. */
export async function loadHooks(options: LoadOptions): Promise<LoadReport> {
  await using program = openProgram();
  await program.up();
  const told: Told = { prompts: [], tools: [] };
  const looks: Look[] = [];
  const beganMs = performance.now();
  const endMs = beganMs + options.seconds * 1_000;
  let hooks = 0;
  const look = (): void => {
    const figures = figuresOf(program.daemons()[0] ?? 0);
    if (figures === null) return;
    const atSeconds = (performance.now() - beganMs) / 1_000;
    const seen = { atSeconds, hooks, ...figures, diskMb: diskMb(program.paths.root) };
    looks.push(seen);
    options.onLook?.(seen);
  };
  const timer = setInterval(look, options.lookEveryMs);
  const one = async (stream: number): Promise<void> => {
    const dice = createDice(options.seed + stream);
    for (let turn = 0; performance.now() < endMs; turn += 1)
      for (const hook of turnOf(program, { stream, turn, dice, told })) {
        await hook();
        hooks += 1;
        if (options.pauseMs > 0) await Bun.sleep(options.pauseMs);
      }
  };
  await Promise.all(Array.from({ length: options.parallel }, (_, stream) => one(stream)));
  clearInterval(timer);
  const seconds = (performance.now() - beganMs) / 1_000;
  look();
  const faults = await whatIsMissing(program, told);
  const half = looks.slice(Math.floor(looks.length / 2)).map(({ ownMb }) => ownMb);
  return {
    hooks,
    hooksPerSecond: hooks / seconds,
    looks,
    ownMb: trend(half),
    restMb: figuresOf(program.daemons()[0] ?? 0)?.ownMb ?? 0,
    faults,
  };
}

interface Turn {
  readonly stream: number;
  readonly turn: number;
  readonly dice: Dice;
  readonly told: Told;
}

/** A prompt, some tools and the end of the turn, as the client tells them. */
function turnOf(program: Program, { stream, turn, dice, told }: Turn): (() => Promise<unknown>)[] {
  const mark = `${stream}-${turn}`;
  const common = {
    session_id: `s-${stream}-${Math.floor(turn / turnsPerSession)}`,
    transcript_path: `${program.folder}/none.jsonl`,
    cwd: program.folder,
    prompt_id: `p-${mark}`,
  };
  const what = `${dice.pick(deeds)} the ${dice.pick(subjects)} ${dice.word()}`;
  const prompt = async (): Promise<void> => {
    const asked = dice.chance(0.1)
      ? `remember that the ${dice.word()} listens on port ${turn}`
      : what;
    await program.hook("submit", { ...common, hook_event_name: "UserPromptSubmit", prompt: asked });
    told.prompts.push(`p-${mark}`);
  };
  const tool = (n: number) => async (): Promise<void> => {
    await program.hook("tool", {
      ...common,
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: `npm test -- ${dice.word()}` },
      tool_response: { stdout: `${n} passed`, stderr: "", interrupted: false },
      tool_use_id: `t-${mark}-${n}`,
    });
    told.tools.push(`t-${mark}-${n}`);
  };
  const stop = (): Promise<string> =>
    program.hook("stop", {
      ...common,
      hook_event_name: "Stop",
      stop_hook_active: false,
      last_assistant_message: `Done: ${what}.`,
    });
  return [prompt, ...Array.from({ length: toolsPerTurn }, (_, n) => tool(n)), stop];
}

/** What was told and is not there once; nothing when all is well. */
async function whatIsMissing(program: Program, told: Told): Promise<readonly string[]> {
  // Much may wait: a daemon that works through it is not at fault.
  const ran = await program.run(["flush", "--timeout", "600s"]);
  const faults = ran.status === 0 ? [] : [`work that does not end: ${ran.err.trim()}`];
  using db = program.database();
  const times = (column: string, table: string): ReadonlyMap<string, number> =>
    new Map(
      db
        .query<{ readonly id: string; readonly n: number }, []>(
          `SELECT ${column} AS id, count(*) AS n FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column}`,
        )
        .all()
        .map(({ id, n }) => [id, n]),
    );
  const look = (what: string, ids: readonly string[], found: ReadonlyMap<string, number>): void => {
    const wrong = ids.filter((id) => found.get(id) !== 1);
    if (wrong.length > 0)
      faults.push(
        `${wrong.length} ${what} not there once, such as ${wrong[0]} (${found.get(wrong[0] ?? "") ?? 0})`,
      );
  };
  look("prompts", told.prompts, times("prompt_id", "turns"));
  look("tool uses", told.tools, times("tool_use_id", "tool_uses"));
  const whole = db.query<{ readonly integrity_check: string }, []>("PRAGMA integrity_check").get();
  if (whole?.integrity_check !== "ok") faults.push(`integrity: ${whole?.integrity_check}`);
  for (const pid of program.daemons().slice(1)) {
    faults.push("a second daemon");
    kill(pid);
  }
  return faults;
}
