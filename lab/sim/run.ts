/**
 * The deterministic simulator.
 *
 *   npm run sim -- [--seeds N] [--from SEED] [--steps N]   plays N seeds (default 200) and stops at the first violation
 *       [--workers N]                                      in N processes (default: one)
 *   npm run sim -- --seed SEED                             plays one again and prints what happens in it
 *   npm run sim -- --mutants [--seeds N]                   plants each bug in turn and prints which seed or test
 * catches it
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { flag, numberOption, option } from "../options.ts";
import { load } from "./loader.ts";
import { mutants, type Mutant } from "./mutants.ts";
import { sha256 } from "#kit";

/** Seeds that a process plays before it is replaced: its memory never grows far. */
const seedsPerProcess = 100;

if (flag("mutants")) process.exit((await plantEach()) ? 0 : 1);

const name = option("mutant", "");
const mutant = mutants.find((one) => one.name === name) ?? null;
if (name !== "" && mutant === null) {
  console.error(`sim: there is no planted bug with the name ${name}`);
  process.exit(2);
}
if (numberOption("workers", 1) > 1)
  process.exit((await playSideBySide(numberOption("workers", 1))) ? 0 : 1);
load(mutant);
const { play } = await import("./world.ts");
process.exit((await playAll()) ? 0 : 1);

async function playAll(): Promise<boolean> {
  const isOne = flag("seed");
  const from = isOne ? numberOption("seed", 1) : numberOption("from", 1);
  const seeds = isOne ? 1 : numberOption("seeds", 200);
  const steps = numberOption("steps", 40);
  // In memory where the system has room for files there: what is lost with the power is decided by the simulator.
  const folder = mkdtempSync(
    join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "continuity-sim-"),
  );
  const startedMs = performance.now();
  let traces = "";
  try {
    for (let seed = from; seed < from + seeds; seed += 1) {
      const { violation, trace } = await play(seed, folder, steps);
      traces = sha256(traces + trace.join("\n"));
      if (isOne) console.log(trace.join("\n"));
      if (violation === null) continue;
      console.log(`seed ${seed}: ${violation}`);
      console.log(`play it again: npm run sim -- --seed ${seed} --steps ${steps}`);
      return false;
    }
    const seconds = (performance.now() - startedMs) / 1_000;
    const rate = (seeds / seconds).toFixed(1);
    console.log(
      `${seeds} seeds, no violation, ${rate} seeds per second, trace ${traces.slice(0, 16)}`,
    );
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same seeds in several processes; the first violation ends all of it. */
async function playSideBySide(workers: number): Promise<boolean> {
  const from = numberOption("from", 1);
  const end = from + numberOption("seeds", 200);
  const steps = String(numberOption("steps", 40));
  const startedMs = performance.now();
  let next = from;
  let isSound = true;
  const worker = async (): Promise<void> => {
    while (next < end && isSound) {
      const first = next;
      next = Math.min(end, first + seedsPerProcess);
      const given = ["--from", String(first), "--seeds", String(next - first), "--steps", steps];
      // Each daemon of a seed has a kernel: JavaScriptCore's fast memory costs an address space for each, a third
      // of all time.
      const env = { ...process.env, BUN_JSC_useWasmFastMemory: "0" };
      const child = Bun.spawn([process.execPath, import.meta.path, ...given], {
        stdout: "pipe",
        env,
      });
      const said = await new Response(child.stdout).text();
      isSound &&= (await child.exited) === 0;
      console.log(`from ${first}: ${said.trim()}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  if (!isSound) return false;
  const seconds = (performance.now() - startedMs) / 1_000;
  const rate = ((end - from) / seconds).toFixed(1);
  console.log(`${end - from} seeds, no violation, ${rate} seeds per second, ${workers} processes`);
  return true;
}

/** `failureOf` runs the test that is named for a planted bug: its line in the report, null when it passes. */
async function failureOf({ name, test }: Mutant): Promise<string | null> {
  if (test === undefined) return null;
  const [file, title] = test;
  const tested = async (...given: readonly string[]): Promise<number> => {
    const command = [process.execPath, "test", "--timeout", "120000", ...given, `./${file}`];
    const child = Bun.spawn([...command, "--test-name-pattern", RegExp.escape(title)], {
      env: { ...process.env, CONTINUITY_PLANTED: name },
      stdout: "ignore",
      stderr: "ignore",
    });
    return child.exited;
  };
  // Without the bug it passes: else its failure would say nothing.
  if ((await tested()) !== 0) return null;
  const failed = await tested("--preload", "./test/sim/plant.ts");
  return failed === 1 ? `${file}: ${title}` : null;
}

/** True when every planted bug was caught. */
async function plantEach(): Promise<boolean> {
  const seeds = String(numberOption("seeds", 1_000));
  let missed = 0;
  console.log("| planted bug | module | caught by |\n| --- | --- | --- |");
  for (const mutant of mutants) {
    const { name, file } = mutant;
    if (mutant.test !== undefined) {
      const failed = await failureOf(mutant);
      if (failed === null) missed += 1;
      console.log(`| ${name} | ${file} | ${failed ?? "NOT CAUGHT"} |`);
      continue;
    }
    const child = Bun.spawn(
      [process.execPath, import.meta.path, "--mutant", name, "--seeds", seeds],
      {
        stdout: "pipe",
        stderr: "ignore",
      },
    );
    const said = await new Response(child.stdout).text();
    const caught = /^seed \d+: [^\n]{0,100}/m.exec(said)?.[0] ?? null;
    if ((await child.exited) !== 1 || caught === null) missed += 1;
    console.log(`| ${name} | ${file} | ${caught?.replaceAll("|", "/") ?? "NOT CAUGHT"} |`);
  }
  console.log(`${mutants.length - missed} of ${mutants.length} caught`);
  return missed === 0;
}
