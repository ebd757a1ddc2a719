/** A short form of `npm run sim`: the same simulator, few seeds. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { mutants } from "./mutants.ts";

const run = (...given: readonly string[]) =>
  Bun.spawnSync([process.execPath, join(import.meta.dir, "run.ts"), ...given], {
    stdout: "pipe",
    stderr: "inherit",
  });

test("twelve seeds have no violation", () => {
  const said = run("--seeds", "12").stdout.toString();
  expect(said).toContain("12 seeds, no violation");
});

test("a seed plays the same again", () => {
  const traces = [1, 2].map(() =>
    run("--seed", "7")
      .stdout.toString()
      .replace(/[\d.]+ seeds per second/, ""),
  );
  expect(traces[0]).toContain("no violation");
  expect(traces[1]).toBe(traces[0] ?? "");
});

test("a planted bug is caught, with the seed that shows it", () => {
  const { stdout, exitCode } = run("--mutant", "half-a-write-is-enough", "--seeds", "20");
  expect(stdout.toString()).toMatch(/^seed \d+: .+\nplay it again: npm run sim -- --seed \d+/);
  expect(exitCode).toBe(1);
});

test("at least twenty bugs are planted, each under a name of its own", () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThanOrEqual(20);
});
