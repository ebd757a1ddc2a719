/**
 * Measures the cost of Continuity for another agent. Of each recorded payload of Codex, Gemini and Copilot CLI:
 * processor time (user and system) of the hook, as a ratio to an empty program compiled the same way. Of
 * OpenCode's plugin: wall time that it adds to a prompt, with the daemon up, hung, and with neither a daemon
 * nor the program.
 *
 *   bun lab/bench/agents.ts [--rounds 20] [--binary dist/continuity] [--json FILE]
 *
 * Cases take turns within each round. Ends with status 1 when a median is above its target.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentSpecs, hookedAgents } from "#clients";
import {
  bareEnvironment,
  buildEmpty,
  measuredBinary,
  option,
  percentile,
  seed,
  serveHome,
} from "./compiled.ts";

const rounds = Number(option("--rounds", "20"));
const folder = mkdtempSync(join(tmpdir(), "bench-agents-"));
const binary = measuredBinary(folder);
const memories = 1_000;
const microsecondsPerMs = 1_000;
const [up, hung, away] = [join(folder, "up"), join(folder, "hung"), join(folder, "away")];
const ratioMax = 2.2;
const addedMsMax = 15;

const environment = (home: string): Record<string, string> => bareEnvironment(folder, home);

interface Figure {
  readonly name: string;
  readonly median: number;
  readonly most: number;
  readonly unit: "ratio" | "ms";
  /** Null where it is told but has no target. */
  readonly target: number | null;
}

function cpuMs(command: readonly string[], input: string, home: string): number {
  const { exitCode, resourceUsage } = Bun.spawnSync([...command], {
    cwd: folder,
    env: environment(home),
    stdin: Buffer.from(input),
    stdout: "ignore",
    stderr: "ignore",
  });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}`);
  return Number(resourceUsage.cpuTime.total) / microsecondsPerMs;
}

type Payload = Readonly<Record<string, unknown>>;

/** The place at which Copilot CLI would have written the turn: its `agentStop` of the recording has its line there. */
const events = join(
  import.meta.dir,
  "../../test/support/agents/sessions/copilot/two-turns-resume.events.jsonl",
);

/** A session that no run had before, so that each payload is a new event. */
const afresh = (payload: Payload): string =>
  JSON.stringify({
    ...payload,
    cwd: folder,
    ...("transcriptPath" in payload ? { transcriptPath: events } : {}),
    ...Object.fromEntries(
      ["session_id", "sessionId", "turn_id", "tool_use_id"]
        .filter((key) => key in payload)
        .map((key) => [key, crypto.randomUUID()]),
    ),
  });

/** Every recorded payload of an event that `install` registers. */
function hookCases(): readonly { name: string; command: readonly string[]; payload: Payload }[] {
  return hookedAgents.flatMap((agent) => {
    const path = join(import.meta.dir, `../../test/support/agents/${agent}.json`);
    const recorded = JSON.parse(readFileSync(path, "utf8")) as Record<string, Payload>;
    return Object.entries(recorded).flatMap(([name, payload]) => {
      const event = name.split(".")[0] ?? "";
      if (!Object.hasOwn(agentSpecs[agent].events, event)) return [];
      const command = [binary, "hook", "--agent", agent, event];
      return [{ name: `${agent} ${name}`, command, payload }];
    });
  });
}

function measureHooks(home: string): readonly Figure[] {
  const empty = buildEmpty(folder);
  const cases = hookCases();
  const bases: number[] = [];
  const times = new Map(cases.map((one) => [one, [] as number[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const one of cases) {
      // Beside each: what the machine does meanwhile falls on both.
      bases.push(cpuMs([empty], "", home));
      times.get(one)?.push(cpuMs(one.command, afresh(one.payload), home));
    }
  const base = percentile(
    bases.toSorted((a, b) => a - b),
    0.5,
  );
  return cases.map((one) => {
    const sorted = (times.get(one) ?? []).toSorted((a, b) => a - b);
    const [median, most] = [percentile(sorted, 0.5) / base, percentile(sorted, 0.95) / base];
    return { name: one.name, median, most, unit: "ratio", target: ratioMax };
  });
}

type Hooks = Readonly<Record<string, (...given: readonly unknown[]) => Promise<void>>>;

/** The plugin as OpenCode loads it, in this process. */
async function plugin(name: string, program: string): Promise<Hooks> {
  const path = join(folder, `plugin-${name.replaceAll(" ", "-")}.mjs`);
  const source = join(import.meta.dir, "../../src/clients/agents/opencode-plugin.txt");
  writeFileSync(path, readFileSync(source, "utf8").replace("@program@", program));
  const { Continuity } = (await import(path)) as {
    readonly Continuity: (context: object) => Promise<Hooks>;
  };
  return Continuity({ directory: folder });
}

/** One prompt of a session: what OpenCode waits for before it asks its model. */
async function promptMs(hooks: Hooks, id: string): Promise<number> {
  const parts = [{ type: "text", text: "which port does our payment gateway listen on, and why?" }];
  const message = { id: `msg_${crypto.randomUUID()}`, model: { modelID: "m" } };
  const started = performance.now();
  await hooks["chat.message"]?.({ sessionID: id }, { message, parts });
  const system = { system: [] as string[] };
  const asked = { sessionID: id, model: { id: "m" } };
  await hooks["experimental.chat.system.transform"]?.(asked, system);
  return performance.now() - started;
}

const promptsOfSession = 10;
const isUp = "daemon up";

/** Measures the plugin in a process of its own: what the plugin runs inherits the environment of the process. */
function pluginFigures(name: string, home: string, program: string): readonly Figure[] {
  const asked = ["--plugin", name, "--home", home, "--program", program];
  const common = ["--rounds", `${rounds}`, "--binary", binary];
  const { stdout } = Bun.spawnSync([process.execPath, import.meta.path, ...asked, ...common], {
    env: environment(home),
    stderr: "inherit",
  });
  // A figure of nothing arrives as null.
  const none = (value: number | null): number => value ?? Number.NaN;
  return (JSON.parse(stdout.toString()) as readonly Figure[]).map((figure) => ({
    ...figure,
    median: none(figure.median),
    most: none(figure.most),
  }));
}

async function measurePlugin(
  name: string,
  home: string,
  program: string,
): Promise<readonly Figure[]> {
  const hooks = await plugin(name, program);
  const [first, next]: [number[], number[]] = [[], []];
  for (let session = 0; session < rounds / 2; session += 1)
    for (let at = 0; at < promptsOfSession; at += 1) {
      // A person types slower than this: the daemon is done with the prompt before.
      if (name === isUp) Bun.spawnSync([binary, "flush"], { env: environment(home) });
      (at === 0 ? first : next).push(await promptMs(hooks, `ses_${name}_${session}`));
    }
  await hooks["dispose"]?.();
  const figure = (what: string, times: readonly number[], target: number | null): Figure => {
    const sorted = times.toSorted((a, b) => a - b);
    const [median, most] = [percentile(sorted, 0.5), percentile(sorted, 0.95)];
    return { name: `opencode, ${name}: ${what}`, median, most, unit: "ms", target };
  };
  const [noticed = Number.NaN] = first;
  return [
    figure("very first prompt", [noticed], null),
    figure("first of a session", first.slice(1), null),
    figure("a prompt", next, addedMsMax),
  ];
}

async function main(): Promise<number> {
  const name = option("--plugin", "");
  if (name !== "") {
    const figures = await measurePlugin(name, option("--home", ""), option("--program", ""));
    console.log(JSON.stringify(figures));
    rmSync(folder, { recursive: true, force: true });
    return 0;
  }
  await seed(up, { binary, memories, env: environment(up) });
  cpSync(up, hung, { recursive: true });
  mkdirSync(away);
  const daemons = [
    await serveHome(binary, up, environment(up)),
    await serveHome(binary, hung, environment(hung)),
  ];
  daemons[1]?.kill("SIGSTOP");
  try {
    return report([
      ...pluginFigures(isUp, up, binary),
      ...pluginFigures("daemon hung", hung, binary),
      ...pluginFigures("no daemon", away, binary),
      ...pluginFigures("program deleted", away, join(folder, "gone")),
      ...measureHooks(up),
    ]);
  } finally {
    for (const daemon of daemons) daemon.kill("SIGKILL");
    await Promise.all(daemons.map(async ({ exited }) => exited));
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(figures: readonly Figure[]): number {
  const results = figures.map((figure) => ({
    ...figure,
    met: figure.target === null || figure.median <= figure.target,
  }));
  console.log("case                                                  median      p95   target");
  for (const { name, median, most, unit, target, met } of results) {
    const sign = unit === "ratio" ? "×" : "ms";
    const wanted = target === null ? "" : `≤ ${target} ${sign}${met ? "" : "  MISSED"}`;
    const numbers = [median, most].map((value) => value.toFixed(2).padStart(8)).join(" ");
    console.log(`${name.padEnd(50)} ${numbers}   ${wanted}`);
  }
  const json = JSON.stringify({ bench: "agents", rounds, memories, results });
  const file = option("--json", "");
  if (file === "") console.log(json);
  else writeFileSync(file, `${json}\n`);
  return results.every(({ met }) => met) ? 0 : 1;
}

process.exit(await main());
