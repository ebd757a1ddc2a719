/**
 * The HTTP API under load: what one request costs on a large home, then 200 mixed reads a second beside live hooks.
 *
 *   bun lab/bench/http.ts [--seconds 60] [--rate 200] [--memories 100000] [--binary dist/continuity] [--home DIR]
 *
 * `--home` keeps the filled home in a folder for the next run. Ends with status 1 when a request failed, when the
 * p99 of the load or the median of a route is 50 ms or more, or when hooks take more than half as long again as
 * without load. What else the machine does counts as well: its load is printed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { homePaths } from "#domain";
import { stopDaemon } from "#daemon";
import { fillHome } from "./http/fill.ts";
import { hookLoop } from "./http/hooks.ts";
import { option, percentile, printTable, round } from "./report/table.ts";

const seconds = Number(option("seconds", "60"));
const rate = Number(option("rate", "200"));
const memories = Number(option("memories", "100000"));
const binary = resolve(option("binary", join(import.meta.dir, "../../dist/continuity")));
const kept = option("home", "");
const p99MsMax = 50;
const hookRatioMax = 1.5;

const home = kept === "" ? mkdtempSync(join(tmpdir(), "bench-http-")) : resolve(kept);
fillHome(home, memories, Date.now());
const paths = homePaths(home);
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  CONTINUITY_HOME: home,
  CONTINUITY_PORT: "0",
};
const daemon = Bun.spawn([binary, "serve", "--idle-exit", "never"], {
  env,
  stdout: "ignore",
  stderr: "ignore",
});
const base = await address();
const headers = { authorization: `Bearer ${readFileSync(paths.token, "utf8").trim()}` };

let isFailed = false;
try {
  const routes = await routesOf();
  console.log(
    `load of the machine: ${loadavg()
      .map((one) => one.toFixed(1))
      .join(" ")}, ${navigator.hardwareConcurrency} cores`,
  );
  isFailed = (await one(routes)) || isFailed;
  isFailed = (await load(routes)) || isFailed;
} finally {
  await stopDaemon(paths);
  await daemon.exited;
  if (kept === "") rmSync(home, { recursive: true, force: true });
}
process.exit(isFailed ? 1 : 0);

/** The address once the daemon listens: with a hundred thousand memories that takes a second or two. */
async function address(): Promise<string> {
  const endMs = performance.now() + 60_000;
  while (performance.now() < endMs) {
    if (existsSync(paths.daemonJson)) {
      const { port, pid } = JSON.parse(readFileSync(paths.daemonJson, "utf8")) as {
        port: number;
        pid: number;
      };
      const url = `http://127.0.0.1:${port}`;
      if (pid === daemon.pid && (await fetch(`${url}/api/health`).catch(() => null))?.ok === true)
        return url;
    }
    await Bun.sleep(50);
  }
  throw new Error("the daemon does not listen");
}

async function get(path: string): Promise<{ readonly ms: number; readonly text: string }> {
  const startedMs = performance.now();
  const response = await fetch(`${base}${path}`, { headers });
  const text = await response.text();
  const ms = performance.now() - startedMs;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
  return { ms, text };
}

/** Time that the daemon has had on a core so far: what it costs, whatever else the machine does. Linux only. */
function cpuMs(): number {
  const stat = `/proc/${daemon.pid}/stat`;
  if (!existsSync(stat)) return Number.NaN;
  // Behind the name in brackets; ticks are 10 ms.
  const fields = readFileSync(stat, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** `routesOf` lists a viewer's requests, as often as it makes them: lists and pages often, figures now and then. */
async function routesOf(): Promise<readonly { readonly path: string; readonly share: number }[]> {
  const { items } = JSON.parse((await get("/api/memories?limit=50&offset=500")).text) as {
    readonly items: readonly { readonly uri: string }[];
  };
  const uris = items.map(({ uri }) => encodeURIComponent(uri));
  const at = (n: number): string => uris[n % uris.length] ?? "";
  return [
    { path: "/api/memories?limit=50", share: 15 },
    { path: "/api/memories?limit=50&sort=importance&offset=3000", share: 5 },
    { path: "/api/memories?limit=50&used=0", share: 5 },
    { path: "/api/tree", share: 5 },
    { path: "/api/tree?uri=mem://user/entities&limit=100&offset=2000", share: 10 },
    { path: `/api/nodes?uri=${at(1)}`, share: 15 },
    { path: `/api/nodes/history?uri=${at(2)}`, share: 5 },
    { path: `/api/nodes/links?uri=${at(3)}&depth=2`, share: 5 },
    { path: `/api/nodes/evidence?uri=${at(4)}`, share: 5 },
    { path: "/api/search?q=which+port+does+the+gateway+use", share: 8 },
    { path: "/api/sessions?limit=50", share: 6 },
    { path: "/api/sessions/s1990/timeline", share: 4 },
    { path: `/api/timeline?around=${at(5)}`, share: 5 },
    { path: "/api/feed", share: 5 },
    { path: "/api/status", share: 1 },
    { path: "/api/stats", share: 1 },
  ];
}

/** Each route alone, one request after the other. */
async function one(routes: Awaited<ReturnType<typeof routesOf>>): Promise<boolean> {
  const rows = [];
  for (const { path } of routes) {
    const times = [];
    for (let n = 0; n < 15; n += 1) times.push((await get(path)).ms);
    rows.push({
      path: decodeURIComponent(path),
      p50: percentile(times, 0.5),
      worst: Math.max(...times),
    });
  }
  printTable(
    ["route", "p50 ms", "worst ms"],
    rows.map(({ path, p50, worst }) => [path.slice(0, 70), round(p50), round(worst)]),
  );
  return rows.some(({ p50 }) => p50 >= p99MsMax);
}

async function load(routes: Awaited<ReturnType<typeof routesOf>>): Promise<boolean> {
  const deck = routes.flatMap(({ path, share }) => Array.from({ length: share }, () => path));
  const alone = await hookLoop({ binary, env }, Math.min(10, seconds));
  const hooks = hookLoop({ binary, env }, seconds);
  const times: number[] = [];
  const failures: string[] = [];
  const waiting: Promise<void>[] = [];
  const cpuBefore = cpuMs();
  const startedMs = performance.now();
  for (let n = 0; n < rate * seconds; n += 1) {
    const dueMs = startedMs + (n * 1_000) / rate;
    const early = dueMs - performance.now();
    if (early > 1) await Bun.sleep(early);
    // A stride that is prime to the deck visits all of it without a random source.
    const path = deck[(n * 37) % deck.length] ?? "/api/health";
    waiting.push(
      get(path).then(
        ({ ms }) => void times.push(ms),
        (error: unknown) => void failures.push(String(error)),
      ),
    );
  }
  await Promise.all(waiting);
  const tookS = (performance.now() - startedMs) / 1_000;
  const cpu = (cpuMs() - cpuBefore) / Math.max(1, times.length);
  const beside = await hooks;
  const p99 = percentile(times, 0.99);
  const ratio = percentile(beside.times, 0.5) / percentile(alone.times, 0.5);
  printTable(
    ["", "count", "p50 ms", "p95 ms", "p99 ms", "worst ms"],
    [
      ["reads", times.length, ...shares(times)],
      ["hooks without load", alone.times.length, ...shares(alone.times)],
      ["hooks beside it", beside.times.length, ...shares(beside.times)],
    ],
  );
  console.log(
    `${round(times.length / tookS)} reads a second, ${failures.length} failed, hooks ${round(ratio)} times as long, ` +
      `${alone.failed + beside.failed} hooks failed; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(
    `the daemon's own time: ${round(cpu)} ms a read, ${round((cpu * rate) / 10)} % of one core at ${rate} a second (hooks included)`,
  );
  for (const failure of failures.slice(0, 5)) console.log(failure);
  return (
    failures.length > 0 ||
    alone.failed + beside.failed > 0 ||
    p99 >= p99MsMax ||
    ratio > hookRatioMax
  );
}

function shares(times: readonly number[]): readonly number[] {
  return [0.5, 0.95, 0.99, 1].map((share) => round(percentile(times, share)));
}
