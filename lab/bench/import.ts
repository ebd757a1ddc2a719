/**
 * Backfill of a large projects folder through the built program: rate, memory, and the same result when it is
 * killed and run again. Ends with status 1 when a target is missed.
 *
 *   bun lab/bench/import.ts --mb 2000 [--folder /tmp/projects] [--kills 10] [--seed 1] [--binary PATH]
 *
 * The folder is generated when it is not there, and reused when it is.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createDice } from "../../test/support/random.ts";
import { writeTranscripts } from "../../test/support/import/transcripts.ts";
import { measuredProgram, numberOption, option } from "../options.ts";

/** Megabytes a second, and megabytes of memory of the reading process and of the daemon. */
const rateMin = 30;
const memoryMax = 300;

const megabytes = numberOption("mb", 2_000);
const seed = numberOption("seed", 1);
const kills = numberOption("kills", 10);
const folder = resolve(
  option("folder", join(tmpdir(), `continuity-projects-${megabytes}-${seed}`)),
);
const binary = measuredProgram();
process.env["CONTINUITY_BINARY"] = binary;
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
  readonly kills: number;
}

/** Imports the folder into a new home; `killAfter`: ms after which each of the first runs is killed. */
async function importInto(killAfter: readonly number[]): Promise<Run> {
  await using program = openProgram({ CONTINUITY_NOW: now });
  await program.up();
  const startMs = performance.now();
  let killed = 0;
  let importerMb = 0;
  let daemonMb = 0;
  for (;;) {
    const child = Bun.spawn([binary, "import", "--from", "claude-code", folder, "--json"], {
      env: { ...program.env, CONTINUITY_NOW: now },
      stdout: "pipe",
      stderr: "inherit",
    });
    const watch = setInterval(() => {
      importerMb = Math.max(importerMb, residentMb(child.pid));
      for (const pid of program.daemons()) daemonMb = Math.max(daemonMb, residentMb(pid));
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
  await program.flush();
  using database = program.database();
  return { digest: homeDigest(database), seconds, importerMb, daemonMb, kills: killed };
}

function residentMb(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1_024;
  } catch {
    return 0; // It ended meanwhile.
  }
}

const whole = await importInto([]);
const rate = bytes / 1e6 / whole.seconds;
console.log(
  `whole: ${whole.seconds.toFixed(1)} s, ${rate.toFixed(1)} MB/s, importer ${Math.round(whole.importerMb)} MB, daemon ${Math.round(whole.daemonMb)} MB`,
);
const dice = createDice(seed, 7);
const broken = await importInto(
  Array.from(
    { length: kills },
    () => 300 + (dice.next() * 1.6 * whole.seconds * 1_000) / (kills + 1),
  ),
);
const isSame = broken.digest === whole.digest;
console.log(`killed ${broken.kills} times: ${broken.seconds.toFixed(1)} s, same result: ${isSame}`);
const isGood = rate >= rateMin && Math.max(whole.importerMb, whole.daemonMb) <= memoryMax && isSame;
process.exit(isGood ? 0 : 1);
