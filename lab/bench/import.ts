/**
 * Backfill of a large projects folder through the built program: rate, memory, and the same result when it is
 * killed and run again. Ends with status 1 when a target is missed.
 *
 *   bun lab/bench/import.ts --mb 2000 [--folder /tmp/projects] [--kills 10] [--seed 1] [--json FILE] [--binary PATH]
 *   bun lab/bench/import.ts --mb 300 --hooks        also runs a hook every 250 ms meanwhile, and says how long they
 * took
 *
 * The folder is generated when it is not there, and reused when it is.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createDice } from "../../test/support/random.ts";
import { writeTranscripts } from "../../test/support/import/transcripts.ts";

/** Megabytes a second, and megabytes of memory of the reading process and of the daemon. */
const rateMin = 30;
const memoryMax = 300;

function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback);
}

const megabytes = Number(option("--mb", "2000"));
const seed = Number(option("--seed", "1"));
const kills = Number(option("--kills", "10"));
const folder = resolve(
  option("--folder", join(tmpdir(), `continuity-projects-${megabytes}-${seed}`)),
);
process.env["CONTINUITY_BINARY"] = resolve(option("--binary", "dist/continuity"));
type Program = import("../../test/support/program.ts").Program;
const { openProgram } = await import("../../test/support/program.ts");
const { homeDigest } = await import("../../test/support/import/digest.ts");
/** Memories that have expired by then are left out, so every run has the same now. */
const now = String(Date.parse("2026-11-01T00:00:00Z"));

if (!existsSync(folder)) {
  mkdirSync(folder, { recursive: true });
  const made = writeTranscripts({ folder, seed, bytes: megabytes * 1e6 });
  console.log(
    `made ${made.sessions} sessions, ${made.turns} turns, ${Math.round(made.bytes / 1e6)} MB in ${folder}`,
  );
}
const bytes = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".jsonl"))
  .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

interface Run {
  readonly digest: string;
  readonly seconds: number;
  readonly importerMb: number;
  readonly daemonMb: number;
  /** Processor time, seconds: on a busy machine the one figure that repeats. */
  readonly importerCpu: number;
  readonly daemonCpu: number;
  readonly kills: number;
}

const hookMs: number[] = [];
let spooled = 0;

/** One hook of another session after the other, until told to stop. */
async function runHooks(program: Program, isOver: () => boolean): Promise<void> {
  const payload = {
    session_id: "live",
    cwd: program.folder,
    tool_name: "Bash",
    hook_event_name: "PostToolUse",
  };
  for (let n = 0; !isOver(); n += 1) {
    const startMs = performance.now();
    await program.hook("tool", {
      ...payload,
      tool_input: { command: `echo ${n}` },
      tool_use_id: `t${n}`,
    });
    hookMs.push(performance.now() - startMs);
    spooled +=
      readdirSync(program.paths.spool).filter((name) => name.endsWith(".json")).length > 0 ? 1 : 0;
    await Bun.sleep(250);
  }
}

/** Imports the folder into a new home; `killAfter`: ms after which each of the first runs is killed. */
async function importInto(killAfter: readonly number[]): Promise<Run> {
  await using program = openProgram({ CONTINUITY_NOW: now });
  await program.up();
  let isOver = false;
  const hooks = process.argv.includes("--hooks") ? runHooks(program, () => isOver) : null;
  const startMs = performance.now();
  let killed = 0;
  let importerMb = 0;
  let daemonMb = 0;
  const cpu = { importer: new Map<number, number>(), daemon: new Map<number, number>() };
  for (;;) {
    const child = Bun.spawn(
      [process.env["CONTINUITY_BINARY"] ?? "", "import", "--from", "claude-code", folder, "--json"],
      { env: { ...program.env, CONTINUITY_NOW: now }, stdout: "pipe", stderr: "inherit" },
    );
    const watch = setInterval(() => {
      importerMb = Math.max(importerMb, residentMb(child.pid));
      cpu.importer.set(child.pid, cpuSeconds(child.pid) ?? cpu.importer.get(child.pid) ?? 0);
      for (const pid of program.daemons()) {
        daemonMb = Math.max(daemonMb, residentMb(pid));
        cpu.daemon.set(pid, cpuSeconds(pid) ?? cpu.daemon.get(pid) ?? 0);
      }
    }, 100);
    const waitMs = killAfter[killed];
    const kill =
      waitMs === undefined
        ? null
        : setTimeout(() => {
            child.kill("SIGKILL");
            // Every third time the daemon goes as well.
            if (killed % 3 === 2) for (const pid of program.daemons()) process.kill(pid, "SIGKILL");
          }, waitMs);
    const [out, status] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    clearInterval(watch);
    if (kill !== null) clearTimeout(kill);
    if (status === 0) {
      console.log(out.trim());
      break;
    }
    killed += 1;
    if (killed > killAfter.length) throw new Error(`the import ended with ${status}`);
  }
  const seconds = (performance.now() - startMs) / 1_000;
  isOver = true;
  await hooks;
  await program.flush();
  using database = program.database();
  const digest = homeDigest(database);
  const sum = (times: ReadonlyMap<number, number>): number =>
    [...times.values()].reduce((total, time) => total + time, 0);
  const cpus = { importerCpu: sum(cpu.importer), daemonCpu: sum(cpu.daemon) };
  return { digest, seconds, importerMb, daemonMb, ...cpus, kills: killed };
}

function residentMb(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1_024;
  } catch {
    return 0; // It ended meanwhile.
  }
}

/** User and system time of a process; null when it has ended. The clock of /proc ticks a hundred times a second. */
function cpuSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null; // It ended meanwhile.
  }
}

const whole = await importInto([]);
if (hookMs.length > 0) {
  const sorted = hookMs.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  console.log(
    `${sorted.length} hooks meanwhile: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms; ${spooled} went by the spool`,
  );
}
const rate = bytes / 1e6 / whole.seconds;
console.log(
  `whole: ${whole.seconds.toFixed(1)} s, ${rate.toFixed(1)} MB/s, importer ${Math.round(whole.importerMb)} MB, daemon ${Math.round(whole.daemonMb)} MB, processor ${whole.importerCpu.toFixed(1)} s + ${whole.daemonCpu.toFixed(1)} s`,
);
const dice = createDice(seed, 7);
const broken =
  kills === 0
    ? null
    : await importInto(
        Array.from(
          { length: kills },
          () => 300 + (dice.next() * 1.6 * whole.seconds * 1_000) / (kills + 1),
        ),
      );
if (broken !== null)
  console.log(
    `killed ${broken.kills} times: ${broken.seconds.toFixed(1)} s, same result: ${broken.digest === whole.digest}`,
  );
const report = {
  bench: "import",
  megabytes: Math.round(bytes / 1e6),
  seconds: Number(whole.seconds.toFixed(1)),
  mb_per_second: Number(rate.toFixed(1)),
  importer_mb: Math.round(whole.importerMb),
  daemon_mb: Math.round(whole.daemonMb),
  importer_cpu_s: Number(whole.importerCpu.toFixed(1)),
  daemon_cpu_s: Number(whole.daemonCpu.toFixed(1)),
  kills: broken?.kills ?? 0,
  same_after_kills: broken === null ? null : broken.digest === whole.digest,
};
console.log(JSON.stringify(report));
const file = option("--json", "");
if (file !== "") writeFileSync(file, `${JSON.stringify(report)}\n`);
if (process.argv.includes("--remove")) rmSync(folder, { recursive: true, force: true });
const isGood =
  rate >= rateMin &&
  Math.max(whole.importerMb, whole.daemonMb) <= memoryMax &&
  (broken === null || broken.digest === whole.digest);
process.exit(isGood ? 0 : 1);
