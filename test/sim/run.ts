/**
 * The deterministic simulator.
 *
 *   npm run sim -- [--seeds N] [--from SEED] [--steps N]   plays N seeds (default 200) and stops at the first violation
 *   npm run sim -- --seed SEED                             plays one again and prints what happens in it
 *   npm run sim -- --mutants [--seeds N]                   plants each bug in turn and prints which seed catches it
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./loader.ts";
import { mutants } from "./mutants.ts";
import { sha256 } from "#kit";

const given = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : (process.argv[at + 1] ?? "");
};
const number = (name: string, other: number): number => {
  const value = Number(given(name) ?? other);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`sim: --${name} takes a whole number`);
  process.exit(2);
};

if (process.argv.includes("--mutants")) process.exit((await plantEach()) ? 0 : 1);

const name = given("mutant");
const mutant = mutants.find((one) => one.name === name) ?? null;
if (name !== undefined && mutant === null) {
  console.error(`sim: there is no planted bug with the name ${name}`);
  process.exit(2);
}
load(mutant);
const { play } = await import("./world.ts");
process.exit((await playAll()) ? 0 : 1);

async function playAll(): Promise<boolean> {
  const one = given("seed");
  const from = one === undefined ? number("from", 1) : number("seed", 1);
  const seeds = one === undefined ? number("seeds", 200) : 1;
  const steps = number("steps", 40);
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
      if (one !== undefined) console.log(trace.join("\n"));
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

/** True when every planted bug was caught. */
async function plantEach(): Promise<boolean> {
  const seeds = String(number("seeds", 1_000));
  let missed = 0;
  console.log("| planted bug | module | caught by |\n| --- | --- | --- |");
  for (const { name, file } of mutants) {
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
