/**
 * Static checks: types, lint, format, dead code. `bun scripts/check.ts` runs them all and says which failed.
 */
export interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

const bin = `${import.meta.dir}/../node_modules/.bin`;

export const checks: readonly Check[] = [
  { name: "types", command: [`${bin}/tsc`, "-p", "."] },
  // The page and its tests know the browser's types, which nothing else may.
  { name: "types of the page", command: [`${bin}/tsc`, "-p", "src/viewer/page"] },
  { name: "lint", command: [`${bin}/oxlint`, "--type-aware"] },
  {
    name: "format",
    command: [`${bin}/oxfmt`, "--check", "src", "test", "lab", "scripts"],
  },
  { name: "dead code", command: [`${bin}/knip`, "--no-progress"] },
];

export function runCheck(check: Check): { ok: boolean; output: string; seconds: number } {
  const started = performance.now();
  const result = Bun.spawnSync([...check.command], {
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  const output = `${result.stdout.toString()}${result.stderr.toString()}`;
  return { ok: result.exitCode === 0, output, seconds: (performance.now() - started) / 1_000 };
}

if (import.meta.main) {
  let failed = 0;
  for (const check of checks) {
    const { ok, output, seconds } = runCheck(check);
    console.log(`${ok ? "✓" : "✗"} ${check.name} (${seconds.toFixed(1)} s)`);
    if (!ok) {
      failed += 1;
      console.log(output);
    }
  }
  process.exit(failed === 0 ? 0 : 1);
}
