/** The short form of `npm run bench -- viewer`: much data costs the page neither time nor memory. */
import { describe, expect, test } from "bun:test";
import { chromiumPath } from "./browser.ts";
import { measureScale, usual } from "./scale.ts";

describe.skipIf(chromiumPath() === null)("scale", () => {
  test("with ten thousand memories every act is quick and the page holds no more than what is in view", async () => {
    const report = await measureScale({ memories: 10_000, sessions: 1_000, times: 4 });
    // The targets of the bench are for a machine that does nothing else; these tell quick from slow on any.
    const slow = report.acts.filter(({ ms }) => usual(ms) > 1_500);
    expect(slow).toEqual([]);
    expect(report.elements).toBeLessThan(3_000);
    expect(report.heapBytes).toBeLessThan(40_000_000);
    expect(report.processBytes ?? 0).toBeLessThan(200_000_000);
  });
});
