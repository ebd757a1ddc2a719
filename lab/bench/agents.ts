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
  bench,
  buildEmpty,
  type Case,
  measuredBinary,
  seed,
  serveHome,
  timed,
} from "./compiled.ts";
import { numberOption, option } from "../options.ts";
import { percentile } from "./report/table.ts";

const rounds = numberOption("rounds", 20);
const folder = mkdtempSync(join(tmpdir(), "bench-agents-"));
const binary = measuredBinary(folder);
const memories = 1_000;
const [up, hung, away] = [join(folder, "up"), join(folder, "hung"), join(folder, "away")];
const ratioMax = 2.2;
const addedMsMax = 15;

const environment = (home: string): Record<string, string> => bareEnvironment(folder, home);

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

/** Every recorded payload of an event that `install` registers, behind an empty program as the unit. */
function hookCases(home: string): readonly Case[] {
  const empty = buildEmpty(folder);
  const run = (command: readonly string[], input: string) =>
    timed(command, { cwd: folder, env: environment(home), input });
  const recorded = hookedAgents.flatMap((agent) => {
    const path = join(import.meta.dir, `../../test/support/agents/${agent}.json`);
    const payloads = JSON.parse(readFileSync(path, "utf8")) as Record<string, Payload>;
    return Object.entries(payloads).flatMap(([name, payload]): readonly Case[] => {
      const event = name.split(".")[0] ?? "";
      if (!Object.hasOwn(agentSpecs[agent].events, event)) return [];
      const command = [binary, "hook", "--agent", agent, event];
      const target = { ratio: ratioMax };
      return [
        { name: `${agent} ${name}`, target, says: /^/, run: () => run(command, afresh(payload)) },
      ];
    });
  });
  return [
    { name: "empty program", target: null, says: /^$/, run: () => run([empty], "") },
    ...recorded,
  ];
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

/** Ms that the prompts of some sessions wait for the plugin, without the first of each. */
async function promptTimes(
  name: string,
  home: string,
  program: string,
): Promise<readonly number[]> {
  const hooks = await plugin(name, program);
  const times: number[] = [];
  for (let session = 0; session < rounds / 2; session += 1)
    for (let at = 0; at < promptsOfSession; at += 1) {
      // A person types slower than this: the daemon is done with the prompt before.
      if (name === isUp) Bun.spawnSync([binary, "flush"], { env: environment(home) });
      const ms = await promptMs(hooks, `ses_${name}_${session}`);
      if (at > 0) times.push(ms);
    }
  await hooks["dispose"]?.();
  return times;
}

/** Measures the plugin in a process of its own: what the plugin runs inherits the environment of the process. */
function isPluginQuick(name: string, home: string, program: string): boolean {
  const asked = ["--plugin", name, "--home", home, "--program", program];
  const common = ["--rounds", `${rounds}`, "--binary", binary];
  const { stdout } = Bun.spawnSync([process.execPath, import.meta.path, ...asked, ...common], {
    env: environment(home),
    stderr: "inherit",
  });
  const times = JSON.parse(stdout.toString()) as readonly number[];
  const isQuick = percentile(times, 0.5) <= addedMsMax;
  const figures = [0.5, 0.95]
    .map((share) => `${percentile(times, share).toFixed(2)} ms`)
    .join(", ");
  console.log(`opencode, ${name}, a prompt: ${figures}${isQuick ? "" : `  above ${addedMsMax}`}`);
  return isQuick;
}

async function main(): Promise<number> {
  const name = option("plugin", "");
  if (name !== "") {
    const times = await promptTimes(name, option("home", ""), option("program", ""));
    console.log(JSON.stringify(times));
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
    const isQuick = [
      isPluginQuick(isUp, up, binary),
      isPluginQuick("daemon hung", hung, binary),
      isPluginQuick("no daemon", away, binary),
      isPluginQuick("program deleted", away, join(folder, "gone")),
    ].every(Boolean);
    const status = await bench({ name: "agents", rounds, unit: "cpuMs", restMs: 0 }, hookCases(up));
    return isQuick ? status : 1;
  } finally {
    for (const daemon of daemons) daemon.kill("SIGKILL");
    await Promise.all(daemons.map(async ({ exited }) => exited));
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exit(await main());
