/** Measures whole processes, case by case in turns, with an empty program as the unit, over a home with memories. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureDaemon, stopDaemon } from "#daemon";
import { homePaths } from "#domain";
import { systemClock } from "#kit";
import { measuredProgram, option } from "../options.ts";
import { percentile, printTable } from "./report/table.ts";

/**
 * Copies a program in one write. The system caches a file in pieces of the size in which it was written: of pieces of
 * 4 KB, as a compiler may leave it, each start of a program takes 1 ms more.
 */
function copyInOneWrite(from: string, to: string): string {
  writeFileSync(to, readFileSync(from), { mode: 0o755 });
  return to;
}

/** A copy, in the bench's folder, of the program that is measured: `--binary`, else the one that was built here. */
export const measuredBinary = (folder: string): string =>
  copyInOneWrite(measuredProgram(), join(folder, "measured"));

/** Environment of a measured process: nothing is inherited that could change the figures. */
export const bareEnvironment = (folder: string, home: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  CONTINUITY_HOME: home,
  CONTINUITY_AUTOSTART: "0",
  CONTINUITY_PORT: "0",
});

/** Compiles an empty program the way ours is; gives its path. */
export function buildEmpty(folder: string): string {
  const compiled = join(folder, "compiled");
  writeFileSync(join(folder, "empty.ts"), "export {};\n");
  Bun.spawnSync(
    [
      process.execPath,
      "build",
      "--compile",
      "--bytecode",
      "--format=esm",
      "--splitting",
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      "empty.ts",
      "--outfile",
      compiled,
    ],
    { cwd: folder },
  );
  return copyInOneWrite(compiled, join(folder, "empty"));
}

const words =
  "anchor barley cedar delta ember falcon garnet harbor indigo juniper kettle lantern marble nickel orchid pepper quartz raven saffron timber umber velvet walnut xenon yarrow zephyr amber basalt copper dahlia easel fennel ginger hazel iris jasper kelp lemon mango nectar olive pewter quince ribbon sable topaz ultra violet willow yew zinc".split(
    " ",
  );

/** Sentences that share few words, so that none replaces another. */
function sentence(at: number): string {
  if (at === 0)
    return "The payment gateway listens on port 8080 because 3000 is taken by the proxy.";
  const word = (step: number): string =>
    words[(at * step + Math.floor(at / words.length)) % words.length] ?? "";
  return `The ${word(1)} ${word(7)} of ${word(11)} keeps its ${word(17)} in ${word(23)} ${word(29)} ${at}.`;
}

export interface Seed {
  readonly binary: string;
  readonly memories: number;
  readonly env: Readonly<Record<string, string>>;
}

type Env = Seed["env"];

/** The daemon of a home; started by `command` where none runs. */
const daemonOf = (home: string, env: Env, command: readonly string[]) =>
  ensureDaemon({ paths: homePaths(home), env, version: "0.0.0", clock: systemClock }, command);

/** Serves a home in a process of its own, which the caller kills; resolves when it answers. */
export async function serveHome(binary: string, home: string, env: Env): Promise<Bun.Subprocess> {
  const stdio = ["ignore", "ignore", "inherit"] as const;
  const daemon = Bun.spawn([binary, "serve", "--port", "0"], { env, stdio: [...stdio] });
  await daemonOf(home, env, ["/bin/false"]);
  return daemon;
}

/** A home with memories, made through the product itself. */
export async function seed(home: string, { binary, memories, env }: Seed): Promise<void> {
  const paths = homePaths(home);
  const daemon = await daemonOf(home, env, [binary]);
  if (!daemon.ok) throw new Error("the daemon did not start");
  for (let at = 0; at < memories; at += 1) {
    const response = await daemon.value.fetch("/api/memories", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: sentence(at) }),
    });
    if (!response.ok) throw new Error(`seeding failed: ${await response.text()}`);
  }
  await stopDaemon(paths);
}

/** What one run of a whole process cost. */
export interface Cost {
  /** User and system. */
  readonly cpuMs: number;
  /** From the start to the end; of a server, to its first answer. */
  readonly wallMs: number;
  /** Memory of a server while it lives, where the system says it (Linux). */
  readonly rssMb?: number;
}

export interface Case {
  readonly name: string;
  /** Highest medians; `ratio` is to the empty program. */
  readonly target: {
    readonly ratio?: number;
    readonly wallMs?: number;
    readonly rssMb?: number;
  } | null;
  /** Runs in every n-th round only: a hung socket is slow on purpose. */
  readonly every?: number;
  /** The text that the first run must have printed, so that nothing quick but wrong is measured. */
  readonly says: RegExp;
  readonly run: () => Promise<Cost & { readonly stdout: string }>;
}

const microsecondsPerMs = 1_000;

export const cpuMsOf = (usage: NonNullable<ReturnType<Bun.Subprocess["resourceUsage"]>>): number =>
  Number(usage.cpuTime.total) / microsecondsPerMs;

/** Runs a command to its end. */
export async function timed(
  command: readonly string[],
  { input = "", ...options }: { input?: string; cwd: string; env: Env },
): ReturnType<Case["run"]> {
  const started = performance.now();
  const { exitCode, resourceUsage, stdout } = Bun.spawnSync([...command], {
    ...options,
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "ignore",
  });
  const wallMs = performance.now() - started;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}`);
  return { cpuMs: cpuMsOf(resourceUsage), wallMs, stdout: stdout.toString() };
}

interface Bench {
  readonly name: string;
  readonly rounds: number;
  /** The figure whose median is compared with that of the first case, the empty program. */
  readonly unit: "cpuMs" | "wallMs";
  /** Rest before each run. */
  readonly restMs: number;
}

/** A prompt on a busy machine may miss its deadline, and is silent then. */
const firstRunsMax = 5;

/**
 * Runs the cases in turns, so that whatever else the machine does falls on all of them, and prints them beside their
 * targets; `--json FILE` writes them. Returns 1 when one missed its target.
 */
export async function bench(
  { name, rounds, unit, restMs }: Bench,
  cases: readonly Case[],
): Promise<number> {
  const costs = new Map<Case, Cost[]>(cases.map((item) => [item, []]));
  for (const { name: what, says, run } of cases) {
    let stdout = "";
    for (let n = 0; n < firstRunsMax && (n === 0 || !says.test(stdout)); n += 1)
      ({ stdout } = await run());
    if (!says.test(stdout))
      throw new Error(`${what} printed ${JSON.stringify(stdout.slice(0, 200))}`);
  }
  for (let at = 0; at < rounds; at += 1)
    for (const item of cases) {
      if (at % (item.every ?? 1) !== 0) continue;
      Bun.sleepSync(restMs);
      costs.get(item)?.push(await item.run());
    }
  const figure = (item: Case | undefined, key: keyof Cost, share: number): number =>
    percentile(
      (item === undefined ? [] : (costs.get(item) ?? [])).map((cost) => cost[key] ?? Number.NaN),
      share,
    );
  const results = cases.map((item) => {
    const found = {
      name: item.name,
      cpuMs: figure(item, "cpuMs", 0.5),
      wallMs: figure(item, "wallMs", 0.5),
      p95Ms: figure(item, "wallMs", 0.95),
      ratio: figure(item, unit, 0.5) / figure(cases[0], unit, 0.5),
      leastRatio: figure(item, unit, 0) / figure(cases[0], unit, 0),
      rssMb: figure(item, "rssMb", 1),
    };
    const { ratio = Infinity, wallMs = Infinity, rssMb = Infinity } = item.target ?? {};
    const met = found.ratio <= ratio && found.wallMs <= wallMs && !(found.rssMb > rssMb);
    return { ...found, target: item.target, met };
  });
  const signs = { ratio: "×", wallMs: "ms", rssMb: "MB" } as const;
  printTable(
    ["case", "cpu ms", "wall ms", "p95 ms", "ratio", "(least)", "MB", "target"],
    results.map(({ name: what, target, met, ...found }) => [
      what,
      ...[found.cpuMs, found.wallMs, found.p95Ms, found.ratio, found.leastRatio].map((value) =>
        value.toFixed(2),
      ),
      Number.isNaN(found.rssMb) ? "" : found.rssMb.toFixed(1),
      Object.entries(target ?? {})
        .map(([key, value]) => `≤ ${value} ${signs[key as keyof typeof signs]}`)
        .join(", ") + (met ? "" : "  MISSED"),
    ]),
  );
  const json = JSON.stringify({ bench: name, rounds, results });
  const file = option("json", "");
  if (file === "") console.log(json);
  else writeFileSync(file, `${json}\n`);
  return results.every(({ met }) => met) ? 0 : 1;
}
