/**
 * Feeds invented cases to whatever reads what others wrote.
 *
 *   npm run fuzz -- [--cases N] [--seed SEED]   N cases for each target (default 10,000), less for those that write
 */
import * as fc from "fast-check";
import { numberOption } from "../options.ts";
import { targets } from "./targets.ts";

const numRuns = numberOption("cases", 10_000, 1);
const seed = numberOption("seed", 20_261_122, 1);

let failed = 0;
for (const { name, cases, feed, share = 1 } of targets) {
  const startedMs = performance.now();
  const property = fc.asyncProperty(cases, async (one) => {
    await feed(one as never);
  });
  const result = await fc.check(property, { numRuns: Math.ceil(numRuns * share), seed });
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(`${name}: ${result.numRuns} cases, ${seconds} s`);
  if (!result.failed) continue;
  failed += 1;
  console.log(`  fails with ${JSON.stringify(result.counterexample)}`);
  console.log(`  ${String(result.errorInstance).slice(0, 300)}`);
}
process.exit(failed === 0 ? 0 : 1);
