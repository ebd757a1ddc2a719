/** A short form of `npm run fuzz`. */
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { targets } from "./targets.ts";

test.each(targets)("no case breaks $name", async ({ cases, feed, share = 1 }) => {
  const property = fc.asyncProperty(cases, async (one) => {
    await feed(one as never);
  });
  const { counterexample, failed } = await fc.check(property, {
    numRuns: Math.max(20, 200 * share),
  });
  expect(failed, JSON.stringify(counterexample)).toBe(false);
});
