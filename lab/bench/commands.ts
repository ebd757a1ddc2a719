/**
 * Measures the cost of commands: processor time (user and system) of whole processes, as a ratio to an empty
 * program compiled the same way. On a machine that others use too, wall time tells more about them.
 *
 *   bun lab/bench/commands.ts [--rounds 40] [--binary dist/continuity] [--json FILE]
 *
 * Cases take turns within each round, so that whatever else the machine does falls on all of them. Ends with status 1
 * when a median is above its target.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  bareEnvironment,
  buildEmpty,
  measuredBinary,
  option,
  percentile,
  seed,
  serveHome,
} from "./compiled.ts";

interface Cost {
  /** User and system. */
  readonly cpuMs: number;
  /** From the start to the end; of a server, to its first answer. */
  readonly wallMs: number;
  /**
   * The memory of a server while it lives, where the system says it (Linux); of a command unknown:
   * it starts as a copy of this one.
   */
  readonly rssMb: number;
}

interface Target {
  /** Highest median of the processor time, as a ratio to the empty program. */
  readonly ratio?: number;
  readonly wallMs?: number;
  readonly rssMb?: number;
}

interface Case {
  readonly name: string;
  readonly target: Target | null;
  readonly run: () => Promise<Cost & { readonly stdout: string }>;
  /** The text that the first run must have printed, so that nothing quick but wrong is measured. */
  readonly says: RegExp;
}

const rounds = Number(option("--rounds", "40"));
const folder = mkdtempSync(join(tmpdir(), "bench-commands-"));
const binary = measuredBinary(folder);
const memories = 1_000;
const kilobytesPerMegabyte = 1_024;
const microsecondsPerMs = 1_000;

const environment = (home: string): Record<string, string> => bareEnvironment(folder, home);

type Usage = NonNullable<ReturnType<Bun.Subprocess["resourceUsage"]>>;

const costOf = (usage: Usage, wallMs: number, rssMb = Number.NaN): Cost => ({
  cpuMs: Number(usage.cpuTime.total) / microsecondsPerMs,
  wallMs,
  rssMb,
});

async function timed(command: readonly string[], home: string): ReturnType<Case["run"]> {
  const started = performance.now();
  const { exitCode, resourceUsage, stdout } = Bun.spawnSync([...command], {
    cwd: folder,
    env: environment(home),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const ms = performance.now() - started;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}`);
  return { ...costOf(resourceUsage, ms), stdout: stdout.toString() };
}

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};

async function residentMb(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => "");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / kilobytesPerMegabyte;
}

/** The MCP server from its start to its first answer. */
async function firstAnswer(home: string): ReturnType<Case["run"]> {
  const started = performance.now();
  const child = Bun.spawn([binary, "mcp"], {
    cwd: folder,
    env: environment(home),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  void child.stdin.write(`${JSON.stringify(hello)}\n`);
  await child.stdin.flush();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const ms = performance.now() - started;
  const rssMb = await residentMb(child.pid);
  await child.stdin.end();
  await child.exited;
  const usage = child.resourceUsage();
  if (usage === undefined) throw new Error("the MCP server's use is not known");
  return { ...costOf(usage, ms, rssMb), stdout: new TextDecoder().decode(value) };
}

const commandCase = (
  name: string,
  args: readonly string[],
  rest: { readonly home: string } & Pick<Case, "target" | "says">,
): Case => ({ name, run: () => timed([binary, ...args], rest.home), ...rest });

async function main(): Promise<number> {
  const empty = buildEmpty(folder);
  const [up, away] = [join(folder, "up"), join(folder, "away")];
  await seed(up, { binary, memories, env: environment(up) });
  cpSync(up, away, { recursive: true });
  const daemon = await serveHome(binary, up, environment(up));
  const listed = await timed([binary, "list", "--limit", "1", "--json"], up);
  const { uri } = JSON.parse(listed.stdout) as { readonly uri: string };
  const question = ["which", "port", "does", "the", "gateway", "use"];
  const light: Target = { ratio: 2 };
  const reading: Target = { ratio: 3.5 };
  const text: Target = { ratio: 12 };
  const alone: Target = { ratio: 70 };
  let notes = 0;
  try {
    return report(
      await measure([
        {
          name: "empty program",
          target: null,
          says: /^$/,
          run: () => timed([empty], up),
        },
        commandCase("version", ["version"], { home: up, target: light, says: /^\d/ }),
        commandCase("help", ["help"], { home: up, target: text, says: /^Usage/ }),
        commandCase("find --help", ["find", "--help"], { home: up, target: text, says: /^Usage/ }),
        commandCase("completion", ["completion", "bash"], { home: up, target: text, says: /^#/ }),
        commandCase("find", ["find", ...question], { home: up, target: reading, says: /8080/ }),
        commandCase("search", ["search", ...question], { home: up, target: reading, says: /8080/ }),
        commandCase("show", ["show", uri], { home: up, target: reading, says: /mem:/ }),
        commandCase("list", ["list"], { home: up, target: reading, says: /./ }),
        commandCase("status", ["status"], { home: up, target: reading, says: /daemon +up/ }),
        {
          name: "remember",
          target: reading,
          says: /./,
          run: () => {
            notes += 1;
            return timed([binary, "remember", `The bench keeps note ${notes} of the day.`], up);
          },
        },
        commandCase("find, no daemon", ["find", ...question], {
          home: away,
          target: alone,
          says: /8080/,
        }),
        commandCase("list, no daemon", ["list"], { home: away, target: alone, says: /./ }),
        commandCase("status, no daemon", ["status"], {
          home: away,
          target: alone,
          says: /daemon +not running/,
        }),
        {
          name: "mcp, first answer",
          target: { wallMs: 60, rssMb: 45 },
          says: /serverInfo/,
          run: () => firstAnswer(up),
        },
      ]),
    );
  } finally {
    daemon.kill();
    await daemon.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly item: Case;
  readonly costs: readonly Cost[];
}

async function measure(cases: readonly Case[]): Promise<readonly Measured[]> {
  const costs = new Map<Case, Cost[]>(cases.map((item) => [item, []]));
  for (const item of cases) {
    const { stdout } = await item.run();
    if (!item.says.test(stdout))
      throw new Error(`${item.name} printed ${JSON.stringify(stdout.slice(0, 200))}`);
  }
  for (let round = 0; round < rounds; round += 1)
    for (const item of cases) costs.get(item)?.push(await item.run());
  return cases.map((item) => ({ item, costs: costs.get(item) ?? [] }));
}

const sortedBy = (costs: readonly Cost[], key: keyof Cost): readonly number[] =>
  costs.map((cost) => cost[key]).toSorted((a, b) => a - b);

function report(all: readonly Measured[]): number {
  const base = sortedBy(all[0]?.costs ?? [], "cpuMs");
  const results = all.map(({ item: { name, target }, costs }) => {
    const cpu = sortedBy(costs, "cpuMs");
    const wall = sortedBy(costs, "wallMs");
    const found = {
      name,
      cpuMs: percentile(cpu, 0.5),
      ratio: percentile(cpu, 0.5) / percentile(base, 0.5),
      leastRatio: percentile(cpu, 0) / percentile(base, 0),
      wallMs: percentile(wall, 0.5),
      leastWallMs: percentile(wall, 0),
      rssMb: sortedBy(costs, "rssMb").at(-1) ?? Number.NaN,
      runs: costs.length,
    };
    const met =
      found.ratio <= (target?.ratio ?? Infinity) &&
      found.wallMs <= (target?.wallMs ?? Infinity) &&
      !(found.rssMb > (target?.rssMb ?? Infinity));
    return { ...found, target, met };
  });
  console.log("command                cpu ms   ratio  (least)  wall ms  (least)  rss MB   target");
  for (const {
    name,
    cpuMs,
    ratio,
    leastRatio,
    wallMs,
    leastWallMs,
    rssMb,
    target,
    met,
  } of results) {
    const numbers = [cpuMs, ratio, leastRatio, wallMs, leastWallMs, rssMb];
    const cells = numbers.map((value) => value.toFixed(2).padStart(8)).join(" ");
    const wanted = [
      ...(target?.ratio === undefined ? [] : [`≤ ${target.ratio} ×`]),
      ...(target?.wallMs === undefined ? [] : [`≤ ${target.wallMs} ms`]),
      ...(target?.rssMb === undefined ? [] : [`≤ ${target.rssMb} MB`]),
    ].join(", ");
    console.log(`${name.padEnd(20)} ${cells}   ${wanted}${met ? "" : "  MISSED"}`);
  }
  const json = JSON.stringify({ bench: "commands", rounds, memories, results });
  const file = option("--json", "");
  if (file === "") console.log(json);
  else writeFileSync(file, `${json}\n`);
  return results.every(({ met }) => met) ? 0 : 1;
}

process.exit(await main());
