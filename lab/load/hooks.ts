/**
 * Hooks of many sessions at once against one daemon, for as long as asked: every prompt and tool use must be in the
 * database once, and memory, descriptors and disk are looked at as it goes. Linux only.
 */
import type { HookName } from "#domain";
import { kill, openProgram, type Program } from "../../test/support/program.ts";
import { createDice, type Dice } from "../../test/support/random.ts";
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
  /** Hooks by their exit status; one that said something on stderr counts as "said something". */
  readonly exits: Readonly<Record<string, number>>;
  /** Acknowledged, and not there, or there more than once. */
  readonly lost: number;
  readonly doubled: number;
  readonly looks: readonly Look[];
  /** The daemon's own memory over the last half, MB. */
  readonly ownMb: { readonly rise: number; readonly stray: number };
  /** The memory when everything is processed, MB. */
  readonly restMb: number;
  readonly faults: readonly string[];
}

const turnsPerSession = 20;
const toolsPerTurn = 3;
const projects = 8;
const subjects = ["invoice export", "login page", "search index", "mail queue", "price table"];
const deeds = ["fix", "look at", "rename", "speed up", "write a test for"];

interface Told {
  readonly prompts: string[];
  readonly tools: string[];
  /** Turns that ended, by their prompt. */
  readonly stops: string[];
}

/** Runs a hook; true when it ended as every hook must, which acknowledges its event. */
type Tell = (
  name: HookName,
  payload: Readonly<Record<string, unknown>>,
  cwd: string,
) => Promise<boolean>;

/** Plays the load in a home of its own. */
export async function loadHooks(options: LoadOptions): Promise<LoadReport> {
  await using program = openProgram();
  await program.up();
  const told: Told = { prompts: [], tools: [], stops: [] };
  const exits: Record<string, number> = {};
  const folders = Array.from({ length: projects }, (_, n) => program.project(`project-${n}`));
  const tell: Tell = async (name, payload, cwd) => {
    const input = JSON.stringify({ ...payload, cwd });
    const { status, err } = await program.run(["hook", name], { cwd, input });
    const exit = err === "" ? `${status}` : "said something";
    exits[exit] = (exits[exit] ?? 0) + 1;
    return exit === "0";
  };
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
    const cwd = folders[stream % projects] ?? program.folder;
    for (let turn = 0; performance.now() < endMs; turn += 1)
      for (const hook of turnOf(tell, { stream, turn, dice, told, cwd })) {
        await hook();
        hooks += 1;
        if (options.pauseMs > 0) await Bun.sleep(options.pauseMs);
      }
  };
  await Promise.all(Array.from({ length: options.parallel }, (_, stream) => one(stream)));
  clearInterval(timer);
  const seconds = (performance.now() - beganMs) / 1_000;
  look();
  const missing = await whatIsMissing(program, told);
  const wrong = Object.entries(exits).filter(([exit]) => exit !== "0");
  const ended = wrong.map(([exit, n]) => `${n} hooks: ${exit}`);
  const half = looks.slice(Math.floor(looks.length / 2)).map(({ ownMb }) => ownMb);
  return {
    hooks,
    hooksPerSecond: hooks / seconds,
    looks,
    ownMb: trend(half),
    restMb: figuresOf(program.daemons()[0] ?? 0)?.ownMb ?? 0,
    exits,
    lost: missing.lost,
    doubled: missing.doubled,
    faults: [...ended, ...missing.faults],
  };
}

interface Turn {
  readonly stream: number;
  readonly turn: number;
  readonly dice: Dice;
  readonly told: Told;
  readonly cwd: string;
}

/** A prompt, some tools and the end of the turn, as the client tells them. */
function turnOf(tell: Tell, { stream, turn, dice, told, cwd }: Turn): (() => Promise<unknown>)[] {
  const mark = `${stream}-${turn}`;
  const common = {
    session_id: `s-${stream}-${Math.floor(turn / turnsPerSession)}`,
    transcript_path: `${cwd}/none.jsonl`,
    prompt_id: `p-${mark}`,
  };
  const what = `${dice.pick(deeds)} the ${dice.pick(subjects)} ${dice.word()}`;
  const prompt = async (): Promise<void> => {
    const asked = dice.chance(0.1)
      ? `remember that the ${dice.word()} listens on port ${turn}`
      : what;
    const payload = { ...common, hook_event_name: "UserPromptSubmit", prompt: asked };
    if (await tell("submit", payload, cwd)) told.prompts.push(`p-${mark}`);
  };
  const tool = (n: number) => async (): Promise<void> => {
    const payload = {
      ...common,
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: `npm test -- ${dice.word()}` },
      tool_response: { stdout: `${n} passed`, stderr: "", interrupted: false },
      tool_use_id: `t-${mark}-${n}`,
    };
    if (await tell("tool", payload, cwd)) told.tools.push(`t-${mark}-${n}`);
  };
  const stop = async (): Promise<void> => {
    const payload = {
      ...common,
      hook_event_name: "Stop",
      stop_hook_active: false,
      last_assistant_message: `Done: ${what}.`,
    };
    if (await tell("stop", payload, cwd)) told.stops.push(`p-${mark}`);
  };
  return [prompt, ...Array.from({ length: toolsPerTurn }, (_, n) => tool(n)), stop];
}

/** `whatIsMissing` lists what was told and is not there once; nothing when all is well. */
async function whatIsMissing(
  program: Program,
  told: Told,
): Promise<Pick<LoadReport, "lost" | "doubled" | "faults">> {
  // Much may wait: a daemon that works through it is not at fault.
  const ran = await program.run(["flush", "--timeout", "600s"]);
  const faults = ran.status === 0 ? [] : [`work that does not end: ${ran.err.trim()}`];
  using db = program.database();
  const times = (column: string, table: string, where = "true"): ReadonlyMap<string, number> =>
    new Map(
      db
        .query<{ readonly id: string; readonly n: number }, []>(
          `SELECT ${column} AS id, count(*) AS n FROM ${table} WHERE ${column} IS NOT NULL AND ${where} GROUP BY ${column}`,
        )
        .all()
        .map(({ id, n }) => [id, n]),
    );
  let lost = 0;
  let doubled = 0;
  const look = (what: string, ids: readonly string[], found: ReadonlyMap<string, number>): void => {
    const gone = ids.filter((id) => !found.has(id));
    const twice = ids.filter((id) => (found.get(id) ?? 0) > 1);
    lost += gone.length;
    doubled += twice.length;
    if (gone.length > 0) faults.push(`${gone.length} ${what} lost, such as ${gone[0]}`);
    if (twice.length > 0) faults.push(`${twice.length} ${what} doubled, such as ${twice[0]}`);
  };
  look("prompts", told.prompts, times("prompt_id", "turns"));
  look("tool uses", told.tools, times("tool_use_id", "tool_uses"));
  look("ends of turns", told.stops, times("prompt_id", "turns", "answer IS NOT NULL"));
  const whole = db.query<{ readonly integrity_check: string }, []>("PRAGMA integrity_check").get();
  if (whole?.integrity_check !== "ok") faults.push(`integrity: ${whole?.integrity_check}`);
  for (const pid of program.daemons().slice(1)) {
    faults.push("a second daemon");
    kill(pid);
  }
  return { lost, doubled, faults };
}
