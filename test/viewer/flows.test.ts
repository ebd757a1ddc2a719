/** The short form of `npm run bench -- viewer-flows`: one size, one theme, the sample, without axe. */
import { describe, expect, test } from "bun:test";
import { chromiumPath, openViewerHome } from "./browser.ts";
import { askOnce, walkFlows } from "./flows.ts";

describe.skipIf(chromiumPath() === null)("flows", () => {
  test("every flow goes by keys alone on a phone's width in dark", async () => {
    await using home = await openViewerHome();
    await askOnce(home);
    const { faults } = await walkFlows(home, {
      width: 360,
      height: 740,
      theme: "dark",
      hasAxe: false,
    });
    expect(faults).toEqual([]);
  });
});
