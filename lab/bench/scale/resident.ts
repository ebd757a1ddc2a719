/** Measures the daemon's memory, as the system sees the real process over a store of a given size. Linux only. */
import { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { connectDaemon } from "#daemon";
import { homePaths } from "#domain";
import type { Corpus } from "./corpus.ts";

export interface Resident {
  /** Megabytes (2^20) after some questions, and of those the process's own: the rest is the program's file. */
  readonly rssMb: number;
  readonly ownMb: number;
  /** Ms from the start of the process until it answers. */
  readonly readyMs: number;
}

const questions = 40;
const readyWithinMs = 120_000;
const settleMsUsual = 4_000;

/** Null where there is no /proc. */
export async function measureResident(
  program: readonly string[],
  given: {
    readonly home: string;
    readonly memories: number;
    readonly corpus: Corpus;
    /** The rest after the questions. */
    readonly settleMs?: number;
  },
): Promise<Resident | null> {
  if (process.platform !== "linux") return null;
  const { home, memories, corpus, settleMs = settleMsUsual } = given;
  skipUpkeep(homePaths(home).database);
  const started = performance.now();
  const child = Bun.spawn([...program, "serve", "--port", "0"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      CONTINUITY_HOME: home,
      CONTINUITY_AUTOSTART: "0",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    let daemon = await connectDaemon(homePaths(home));
    while (daemon === null && performance.now() - started < readyWithinMs) {
      await Bun.sleep(20);
      daemon = await connectDaemon(homePaths(home));
    }
    if (daemon === null) throw new Error("the daemon did not start");
    const readyMs = Math.round(performance.now() - started);
    for (let n = 0; n < questions; n += 1) {
      const text = encodeURIComponent(corpus.question(n, memories).text);
      await (await daemon.fetch(`/api/search?q=${text}&mode=find`)).text();
    }
    await Bun.sleep(settleMs);
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    const kb = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    const mb = (value: number): number => Math.round(value / 102.4) / 10;
    return { rssMb: mb(kb("VmRSS")), ownMb: mb(kb("RssAnon")), readyMs };
  } finally {
    child.kill();
    await child.exited;
  }
}

const upkeep = "decay expiry sessions records consolidation space plans check backup archive".split(
  " ",
);

/** As on most hours of a day: what the daemon does once a day has been done. */
function skipUpkeep(database: string): void {
  if (!existsSync(database)) return;
  using db = new Database(database);
  const atMs = Date.now();
  const runs = upkeep.map((task) => [
    task,
    { task, atMs, tookMs: 1, outcome: "done", note: "for the bench" },
  ]);
  db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('upkeep.state', ?)", [
    JSON.stringify(Object.fromEntries(runs)),
  ]);
}
